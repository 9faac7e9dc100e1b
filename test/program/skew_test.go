package program

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// Processes whose machines' clocks are wrong keep the database's time, and a worker whose
// clock is far off takes no tasks.
func TestWrongClocks(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	f := missiond.NewFleet(t, testkit.Redis(t))
	api := f.Serve("--clock-offset", "20s")
	ops := missiond.FreeAddr(t)
	far := missiond.Launch(t, append([]string{"worker", "--sandbox", "--ops-addr", ops, "--clock-offset", "2m"}, f.Flags...)...)
	far.Await("ready", func() bool { return far.Ready("http://" + ops) })
	far.Await("a warning", func() bool { return strings.Contains(far.Log.String(), "the machine's clock differs") })
	behind := missiond.Launch(t, append([]string{"worker", "--sandbox", "--ops-addr", "127.0.0.1:0", "--clock-offset=-20s"}, f.Flags...)...)
	began := time.Now()
	id := api.StartMission(1, 1)
	ended := time.Now()
	f.Finish(api, []string{id})
	m := api.Call("GET", "/v1/missions/"+id, nil, http.StatusOK)
	created, err := time.Parse(time.RFC3339, m["created_at"].(string))
	if err != nil {
		t.Fatal(err)
	}
	// By the right clock the mission was created meanwhile, but for rounding.
	if created.Before(began.Add(-time.Second)) || created.After(ended) {
		t.Errorf("the mission was created at %s, between %s and %s by the right clock", created, began, ended)
	}
	resp, err := http.Get("http://" + ops + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	metrics, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(metrics), "missiond_task_runs_total{") {
		t.Error("a worker whose clock is two minutes ahead has taken tasks")
	}
	if !strings.Contains(string(metrics), "missiond_clock_skew_seconds 1") {
		t.Error("the metrics don't show a skew of about 120 s")
	}
	behind.Terminate()
}
