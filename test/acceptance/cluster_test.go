package acceptance

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
)

// Two APIs and two workers run on a Redis Cluster of three nodes: one node is lost
// and comes back empty, all are emptied, workers are killed, and every stage is
// done once. Both APIs share a tenant's rate limit, and the dashboard shows which
// node has which queue.
func TestScaledOutOnACluster(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	cluster := testkit.RedisCluster(t)
	f := newFleet(t, cluster.URL())
	ops := freeAddr(t)
	apis := []*program{f.serve("--limit-patience", "2s", "--ops-addr", ops), f.serve("--limit-patience", "2s")}
	workers := []*program{f.worker(), f.worker()}
	f.shareAllowance(apis)
	lost := cluster.Holder(t, "asynq:{pipeline}:pending")
	var missions []string
	for round, befalls := range []func(){
		func() {},
		func() {
			lost.Kill()
			apis[0].await("Redis missed", func() bool { return apis[0].redis() == "unreachable" })
		},
		func() {
			if err := lost.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
		func() { workers[0].kill(); workers[0] = f.worker() },
		func() { cluster.Empty(t) },
	} {
		missions = append(missions, apis[round%2].start(1, 1), apis[round%2].start(1, 1))
		befalls()
		missions = append(missions, apis[round%2].start(1, 1))
	}
	f.finish(apis[0], missions)
	operators := &program{t: t, url: "http://" + ops}
	operators.showsTheCluster(cluster)
	f.end(apis[0], append(workers, apis[1]))
}

// shareAllowance sends requests to the APIs in turn, as a tenant with a small rate
// limit, and checks that both count all of them.
func (f *fleet) shareAllowance(apis []*program) {
	f.t.Helper()
	const limit = 6
	_, key := f.tenant("--limit", "requests="+strconv.Itoa(limit)+"/h", "--limit", "burst=0")
	for n := range limit + 1 {
		req, err := http.NewRequest(http.MethodGet, apis[n%len(apis)].url+"/v1/missions", nil)
		if err != nil {
			f.t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			f.t.Fatal(err)
		}
		_ = resp.Body.Close()
		want := http.StatusOK
		if n == limit {
			want = http.StatusTooManyRequests
		}
		if left := resp.Header.Get("X-RateLimit-Remaining"); resp.StatusCode != want || left != strconv.Itoa(max(0, limit-n-1)) {
			f.t.Errorf("request %d of %d an hour returned %d, %s remain", n+1, limit, resp.StatusCode, left)
		}
	}
}

// showsTheCluster fails the test if the operators' pages don't show the cluster,
// a queue, or the completed stages.
func (p *program) showsTheCluster(cluster *testkit.Cluster) {
	p.t.Helper()
	if page := p.dashboard("/monitoring/"); !strings.Contains(page, "Asynq") {
		p.t.Errorf("got the dashboard %q", page)
	}
	var info struct {
		Cluster   bool `json:"cluster"`
		Locations []struct {
			Queue string   `json:"queue"`
			Nodes []string `json:"nodes"`
		} `json:"queue_locations"`
	}
	if err := json.Unmarshal([]byte(p.dashboard("/monitoring/api/redis_info")), &info); err != nil {
		p.t.Fatal(err)
	}
	if !info.Cluster || len(info.Locations) != 2*len(mission.AllQueues()) {
		p.t.Errorf("got the dashboard's cluster %+v", info)
	}
	for _, l := range info.Locations {
		if holder := cluster.Holder(p.t, "asynq:{"+l.Queue+"}:pending").Addr; len(l.Nodes) != 1 || l.Nodes[0] != holder {
			p.t.Errorf("the dashboard shows the queue %s on %v, want %s", l.Queue, l.Nodes, holder)
		}
	}
	var queues struct {
		Queues []struct{ Queue string } `json:"queues"`
	}
	if err := json.Unmarshal([]byte(p.dashboard("/monitoring/api/queues")), &queues); err != nil || len(queues.Queues) != 2*len(mission.AllQueues()) {
		p.t.Errorf("got the dashboard's queues %+v, %v", queues, err)
	}
	// Asynq writes what a server is every 5 s, so after Redis was emptied a server
	// may be missing for as long.
	p.await("all workers' servers on the dashboard", func() bool {
		return strings.Count(p.dashboard("/monitoring/api/servers"), `"status":"active"`) >= 4
	})
	if metrics := p.dashboard("/metrics"); !strings.Contains(metrics, `missiond_task_handovers_total{type="stage:intake"}`) {
		p.t.Error("the metrics don't count enqueued tasks")
	}
}

// On a Redis Cluster that loses a node with all its data, missions complete and
// every event reaches its endpoint.
func TestMissionsEndOnACluster(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	cluster := testkit.RedisCluster(t)
	p := dev(t, t.TempDir(), "--clock-speed", "8640", "--database-url", testkit.PostgresURL(t), "--redis-url", cluster.URL())
	types := []string{}
	for _, kind := range p.call("GET", "/v1/event-types", nil, http.StatusOK)["data"].([]any) {
		types = append(types, kind.(map[string]any)["type"].(string))
	}
	endpoint := newMoody(t, true)
	hook := p.call("POST", "/v1/webhooks", map[string]any{"url": endpoint.URL, "events": types}, http.StatusCreated)["id"].(string)
	missions := []string{p.start(1, 2), p.start(1, 2)}
	lost := cluster.Holder(t, "asynq:{publish}:pending")
	lost.Kill()
	p.await("Redis missed", func() bool { return p.redis() == "unreachable" })
	missions = append(missions, p.start(1, 2))
	if err := lost.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.await("Redis well again", func() bool { return p.redis() == "ok" })
	cluster.Empty(t)
	missions = append(missions, p.start(1, 2))
	for _, id := range missions {
		p.await("the end of "+id, func() bool {
			v := p.status(id)
			return v["status"] == "completed" && at(v, "pipeline", "status") != "running"
		})
	}
	p.await("every event at the endpoint", func() bool {
		delivered := p.call("GET", "/v1/webhooks/"+hook+"/deliveries?status=delivered&limit=1", nil, http.StatusOK)["total"]
		return delivered == p.call("GET", "/v1/events?limit=1", nil, http.StatusOK)["total"]
	})
	arrived(t, p, hook, endpoint, p.all("/v1/events?"))
	p.terminate()
}

// redis returns the readiness check's value for Redis.
func (p *program) redis() any {
	p.t.Helper()
	_, response, _ := p.try("GET", "/readyz", nil)
	return response["redis"]
}
