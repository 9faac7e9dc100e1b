package servers

import (
	"net/http"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// Behind a process with a read replica, a caller finds a mission that was created through
// another process in the lists of both APIs at once, also while the replica is gone.
func TestReadReplica(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	primary, database := testkit.PostgresServer(t)
	standby := testkit.Standby(t, primary)
	f := missiond.NewFleetOn(t, primary.URL(database), testkit.Redis(t))
	ops := missiond.FreeAddr(t)
	writer, reader := f.Serve(), f.Serve("--database-read-url", standby.URL(database), "--ops-addr", ops)
	operators := &missiond.Process{T: t, URL: "http://" + ops}
	check := func(n int) {
		t.Helper()
		for range n {
			id := writer.StartMission(1, 1)
			listed := reader.Call("GET", "/v1/missions?limit=1", nil, http.StatusOK)["data"].([]any)
			if got := listed[0].(map[string]any)["id"]; got != id {
				t.Fatalf("REST lists %v after the creation of %s", got, id)
			}
			query := map[string]any{"query": "{ missions(first: 1) { edges { node { id jobs(first: 1) { totalCount } } } } }"}
			edges := output.At(reader.Call("POST", "/graphql", query, http.StatusOK), "data", "missions", "edges").([]any)
			if got := output.At(edges[0].(map[string]any), "node", "id"); got != id {
				t.Fatalf("GraphQL lists %v after the creation of %s", got, id)
			}
		}
	}
	check(10)
	metric := func(result string) bool {
		text := operators.Page("/metrics")
		return !strings.Contains(text, `missiond_database_replica_requests_total{result="`+result+`"} 0`) &&
			strings.Contains(text, `missiond_database_replica_requests_total{result="`+result+`"}`)
	}
	reader.Await("requests that the replica answered", func() bool { check(1); return metric("answered") })
	standby.Kill()
	check(10)
	reader.Await("the replica to be missed", func() bool { check(1); return metric("unavailable") })
	late := f.Serve("--database-read-url", standby.URL(database))
	if log := late.Log.String(); !strings.Contains(log, "--database-read-url") {
		t.Errorf("a process whose replica is gone starts without a warning:\n%s", log)
	}
	late.Call("GET", "/v1/missions", nil, http.StatusOK)
}
