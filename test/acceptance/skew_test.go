package acceptance

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
)

// Processes whose machines' clocks are wrong keep the database's time, and a worker whose
// clock is far off takes no tasks.
func TestWrongClocks(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	f := newFleet(t, testkit.Redis(t))
	api := f.serve("--clock-offset", "20s")
	ops := freeAddr(t)
	far := launch(t, append([]string{"worker", "--sandbox", "--ops-addr", ops, "--clock-offset", "2m"}, f.flags...)...)
	far.await("ready", func() bool { return far.ready("http://" + ops) })
	far.await("a warning", func() bool { return strings.Contains(far.log.String(), "the machine's clock differs") })
	behind := launch(t, append([]string{"worker", "--sandbox", "--ops-addr", "127.0.0.1:0", "--clock-offset=-20s"}, f.flags...)...)
	began := time.Now()
	id := api.start(1, 1)
	ended := time.Now()
	f.finish(api, []string{id})
	m := api.call("GET", "/v1/missions/"+id, nil, http.StatusOK)
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
	behind.terminate()
}
