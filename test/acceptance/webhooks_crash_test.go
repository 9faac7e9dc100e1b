package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/testkit"
)

// moody is a receiver that can refuse each event the first time, and counts how
// often each arrived.
type moody struct {
	*receiver

	refuses bool
}

func newMoody(t *testing.T, refuses bool) *moody {
	m := &moody{receiver: newReceiver(t, http.StatusOK), refuses: refuses}
	seen := map[string]int{}
	take := m.Config.Handler
	m.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		id := r.Header.Get("webhook-id")
		seen[id]++
		first := seen[id] == 1
		m.mu.Unlock()
		if m.refuses && first {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		take.ServeHTTP(w, r)
	})
	return m
}

// all reads all pages of a list.
func (p *program) all(path string) []map[string]any {
	p.t.Helper()
	var records []map[string]any
	for after := ""; ; {
		list := p.call("GET", path+"limit=100"+after, nil, http.StatusOK)
		for _, r := range list["data"].([]any) {
			records = append(records, r.(map[string]any))
		}
		if list["has_more"] != true {
			return records
		}
		after = "&starting_after=" + records[len(records)-1]["id"].(string)
	}
}

// Killed and with its Redis emptied at random moments under load, the service
// delivers every event to every endpoint that subscribes to it, with the same bytes
// each time, and its attempt log is complete.
func TestWebhooksSurvive(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	r, folder := seeded(t), t.TempDir()
	redisURL := testkit.Redis(t)
	o, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	control := redis.NewClient(o)
	defer func() { _ = control.Close() }()
	flags := []string{"--clock-speed", "2880", "--database-url", testkit.PostgresURL(t), "--redis-url", redisURL}
	p := dev(t, folder, flags...)
	types := []string{}
	for _, kind := range p.call("GET", "/v1/event-types", nil, http.StatusOK)["data"].([]any) {
		types = append(types, kind.(map[string]any)["type"].(string))
	}
	receivers := map[string]*moody{}
	for _, refuses := range []bool{false, true} {
		m := newMoody(t, refuses)
		hook := p.call("POST", "/v1/webhooks", map[string]any{"url": m.URL, "events": types}, http.StatusCreated)
		receivers[hook["id"].(string)] = m
	}
	var missions []string
	const rounds = 6
	for round := range rounds {
		for range 3 {
			if status, m, ok := p.try("POST", "/v1/missions", missionBody(1, 2)); ok && status == http.StatusCreated {
				missions = append(missions, m["id"].(string))
			}
			pause(r, 100*time.Millisecond)
		}
		if round%2 == 1 {
			if err := control.FlushDB(context.Background()).Err(); err != nil {
				t.Fatal(err)
			}
		}
		pause(r, time.Second)
		p.kill()
		p = dev(t, folder, flags...)
	}
	for _, id := range missions {
		p.await("the end of "+id, func() bool {
			v := p.status(id)
			return v["status"] == "completed" && at(v, "pipeline", "status") != "running"
		})
	}
	for id := range receivers {
		p.await("every event at "+id, func() bool {
			delivered := p.call("GET", "/v1/webhooks/"+id+"/deliveries?status=delivered&limit=1", nil, http.StatusOK)["total"]
			return delivered == p.call("GET", "/v1/events?limit=1", nil, http.StatusOK)["total"]
		})
	}
	events := p.all("/v1/events?")
	if len(events) < 10*len(missions) {
		t.Errorf("got only %[2]d events of %[1]d missions", len(missions), len(events))
	}
	for id, m := range receivers {
		arrived(t, p, id, m, events)
	}
}

// arrived fails the test if an event didn't reach an endpoint, or its attempt log
// isn't complete.
func arrived(t *testing.T, p *program, hook string, m *moody, events []map[string]any) {
	t.Helper()
	bodies := map[string]string{}
	for _, got := range m.messages() {
		id := got.Get("webhook-id")
		if before, again := bodies[id]; again && before != string(got.body) {
			t.Errorf("%s arrived with other bytes", id)
		}
		bodies[id] = string(got.body)
	}
	for _, e := range events {
		if bodies[e["id"].(string)] == "" {
			t.Errorf("%s %s did not arrive at %s", e["type"], e["id"], hook)
		}
	}
	for i, d := range p.all("/v1/webhooks/" + hook + "/deliveries?") {
		if i%5 != 0 {
			continue
		}
		full := p.call("GET", fmt.Sprintf("/v1/webhooks/%s/deliveries/%s", hook, d["id"]), nil, http.StatusOK)
		attempts := full["attempts"].([]any)
		last := attempts[len(attempts)-1].(map[string]any)
		if float64(len(attempts)) != full["attempt_count"] || last["status_code"] != 200.0 {
			t.Errorf("got the attempts %[2]v of %[1]s, its count is %[3]v", d["id"], attempts, full["attempt_count"])
		}
	}
}
