package program

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"missiond/internal/seal"
	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// Three processes share one limit: of the requests that 64 callers send at once
// exactly that many pass, whichever process gets them.
func TestProcessesShareOneAllowance(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	database, redisURL, secret := testkit.PostgresURL(t), testkit.Redis(t), seal.NewKey()
	missiond.Output(t, "migrate", "up", "--database-url", database)
	tenant := missiond.Output(t, "tenant", "create", "--name", "Shared", "--limit", "requests=10/h", "--limit", "burst=110", "--database-url", database)
	var processes []*missiond.Process
	for range 3 {
		addr := missiond.FreeAddr(t)
		p := missiond.Launch(t, "serve", "--addr", addr, "--ops-addr", "127.0.0.1:0", "--database-url", database, "--redis-url", redisURL, "--secret-keys", secret, "--limit-patience", "30s")
		p.URL, p.Key = "http://"+addr, output.Between(tenant, `"api_key":"`, `"`)
		p.Await("ready", func() bool { return p.Ready(p.URL) })
		processes = append(processes, p)
	}
	var passed, refused, others atomic.Int64
	var all sync.WaitGroup
	const callers, each = 64, 5
	for i := range callers {
		all.Go(func() {
			for n := range each {
				switch status, _, _ := processes[(i+n)%3].Try("GET", "/v1/missions", nil); status {
				case http.StatusOK:
					passed.Add(1)
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					others.Add(1)
				}
			}
		})
	}
	all.Wait()
	if passed.Load() != 120 || refused.Load() != callers*each-120 || others.Load() != 0 {
		t.Errorf("of %d requests %d passed, %d were refused and %d had another result; want 120 to pass", callers*each, passed.Load(), refused.Load(), others.Load())
	}
}
