package servers

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
	"missiond/test/internal/webhooktest"
)

// Two APIs and two workers run on a Redis Cluster of three nodes: one node is lost
// and comes back empty, all are emptied, workers are killed, and every stage is
// done once. Both APIs share a tenant's rate limit, and the dashboard shows which
// node has which queue.
func TestScaledOutOnACluster(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	cluster := testkit.RedisCluster(t)
	f := missiond.NewFleet(t, cluster.URL())
	ops := missiond.FreeAddr(t)
	apis := []*missiond.Process{f.Serve("--limit-patience", "2s", "--ops-addr", ops), f.Serve("--limit-patience", "2s")}
	workers := []*missiond.Process{f.Worker(), f.Worker()}
	shareAllowance(f, apis)
	lost := cluster.Holder(t, "asynq:{pipeline}:pending")
	var missions []string
	for round, befalls := range []func(){
		func() {},
		func() {
			lost.Kill()
			apis[0].Await("Redis missed", func() bool { return redisState(apis[0]) == "unreachable" })
		},
		func() {
			if err := lost.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
		func() { workers[0].Kill(); workers[0] = f.Worker() },
		func() { cluster.Empty(t) },
	} {
		missions = append(missions, apis[round%2].StartMission(1, 1), apis[round%2].StartMission(1, 1))
		befalls()
		missions = append(missions, apis[round%2].StartMission(1, 1))
	}
	f.Finish(apis[0], missions)
	operators := &missiond.Process{T: t, URL: "http://" + ops}
	showsTheCluster(operators, cluster)
	f.End(apis[0], append(workers, apis[1]))
}

// shareAllowance sends requests to the APIs in turn, as a tenant with a small rate
// limit, and checks that both count all of them.
func shareAllowance(f *missiond.Fleet, apis []*missiond.Process) {
	f.T.Helper()
	const limit = 6
	_, key := f.Tenant("--limit", "requests="+strconv.Itoa(limit)+"/h", "--limit", "burst=0")
	for n := range limit + 1 {
		req, err := http.NewRequest(http.MethodGet, apis[n%len(apis)].URL+"/v1/missions", nil)
		if err != nil {
			f.T.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			f.T.Fatal(err)
		}
		_ = resp.Body.Close()
		want := http.StatusOK
		if n == limit {
			want = http.StatusTooManyRequests
		}
		if left := resp.Header.Get("X-RateLimit-Remaining"); resp.StatusCode != want || left != strconv.Itoa(max(0, limit-n-1)) {
			f.T.Errorf("request %d of %d an hour returned %d, %s remain", n+1, limit, resp.StatusCode, left)
		}
	}
}

// showsTheCluster fails the test if the operators' pages don't show the cluster
// and its queues.
func showsTheCluster(p *missiond.Process, cluster *testkit.Cluster) {
	p.T.Helper()
	if page := p.Page("/monitoring/"); !strings.Contains(page, "Asynq") {
		p.T.Errorf("got the dashboard %q", page)
	}
	var info struct {
		Cluster   bool `json:"cluster"`
		Locations []struct {
			Queue string   `json:"queue"`
			Nodes []string `json:"nodes"`
		} `json:"queue_locations"`
	}
	if err := json.Unmarshal([]byte(p.Page("/monitoring/api/redis_info")), &info); err != nil {
		p.T.Fatal(err)
	}
	if !info.Cluster || len(info.Locations) != 2*len(mission.AllQueues()) {
		p.T.Errorf("got the dashboard's cluster %+v", info)
	}
	for _, l := range info.Locations {
		if holder := cluster.Holder(p.T, "asynq:{"+l.Queue+"}:pending").Addr; len(l.Nodes) != 1 || l.Nodes[0] != holder {
			p.T.Errorf("the dashboard shows the queue %s on %v, want %s", l.Queue, l.Nodes, holder)
		}
	}
	var queues struct {
		Queues []struct{ Queue string } `json:"queues"`
	}
	if err := json.Unmarshal([]byte(p.Page("/monitoring/api/queues")), &queues); err != nil || len(queues.Queues) != 2*len(mission.AllQueues()) {
		p.T.Errorf("got the dashboard's queues %+v, %v", queues, err)
	}
	// Asynq writes what a server is every 5 s, so after Redis was emptied a server
	// may be missing for as long.
	p.Await("all workers' servers on the dashboard", func() bool {
		return strings.Count(p.Page("/monitoring/api/servers"), `"status":"active"`) >= 4
	})
}

// On a Redis Cluster that loses a node with all its data, missions complete and
// every event reaches its endpoint.
func TestMissionsEndOnACluster(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	cluster := testkit.RedisCluster(t)
	p := missiond.Dev(t, t.TempDir(), "--clock-speed", "8640", "--database-url", testkit.PostgresURL(t), "--redis-url", cluster.URL())
	types := []string{}
	for _, kind := range p.Call("GET", "/v1/event-types", nil, http.StatusOK)["data"].([]any) {
		types = append(types, kind.(map[string]any)["type"].(string))
	}
	endpoint := webhooktest.NewMoody(t, true)
	hook := p.Call("POST", "/v1/webhooks", map[string]any{"url": endpoint.URL, "events": types}, http.StatusCreated)["id"].(string)
	missions := []string{p.StartMission(1, 2), p.StartMission(1, 2)}
	lost := cluster.Holder(t, "asynq:{publish}:pending")
	lost.Kill()
	p.Await("Redis missed", func() bool { return redisState(p) == "unreachable" })
	missions = append(missions, p.StartMission(1, 2))
	if err := lost.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.Await("Redis well again", func() bool { return redisState(p) == "ok" })
	cluster.Empty(t)
	missions = append(missions, p.StartMission(1, 2))
	for _, id := range missions {
		p.Await("the end of "+id, func() bool {
			v := p.Status(id)
			return v["status"] == "completed" && output.At(v, "pipeline", "status") != "running"
		})
	}
	p.Await("every event at the endpoint", func() bool {
		delivered := p.Call("GET", "/v1/webhooks/"+hook+"/deliveries?status=delivered&limit=1", nil, http.StatusOK)["total"]
		return delivered == p.Call("GET", "/v1/events?limit=1", nil, http.StatusOK)["total"]
	})
	p.CheckArrived(hook, endpoint, p.All("/v1/events?"))
	// The one process has enqueued all tasks itself.
	if metrics := p.Page("/metrics"); !strings.Contains(metrics, `missiond_task_handovers_total{type="stage:intake"}`) {
		t.Error("the metrics don't count enqueued tasks")
	}
	p.Terminate()
}

// redis returns the readiness check's value for Redis.
func redisState(p *missiond.Process) any {
	p.T.Helper()
	_, response, _ := p.Try("GET", "/readyz", nil)
	return response["redis"]
}
