package program

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
	"missiond/test/internal/webhooktest"
)

// Killed and with its Redis emptied at random moments under load, the service
// delivers every event to every endpoint that subscribes to it, with the same bytes
// each time, and its attempt log is complete.
func TestWebhooksSurvive(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	r, folder := seeded(t), t.TempDir()
	redisURL := testkit.Redis(t)
	o, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	control := redis.NewClient(o)
	defer func() { _ = control.Close() }()
	flags := []string{"--clock-speed", "2880", "--database-url", testkit.PostgresURL(t), "--redis-url", redisURL}
	p := missiond.Dev(t, folder, flags...)
	types := []string{}
	for _, kind := range p.Call("GET", "/v1/event-types", nil, http.StatusOK)["data"].([]any) {
		types = append(types, kind.(map[string]any)["type"].(string))
	}
	receivers := map[string]*webhooktest.Moody{}
	for _, refuses := range []bool{false, true} {
		m := webhooktest.NewMoody(t, refuses)
		hook := p.Call("POST", "/v1/webhooks", map[string]any{"url": m.URL, "events": types}, http.StatusCreated)
		receivers[hook["id"].(string)] = m
	}
	var missions []string
	const rounds = 6
	for round := range rounds {
		for range 3 {
			if status, m, ok := p.Try("POST", "/v1/missions", missiond.MissionBody(1, 2)); ok && status == http.StatusCreated {
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
		p.Kill()
		p = missiond.Dev(t, folder, flags...)
	}
	for _, id := range missions {
		p.Await("the end of "+id, func() bool {
			v := p.Status(id)
			return v["status"] == "completed" && output.At(v, "pipeline", "status") != "running"
		})
	}
	for id := range receivers {
		p.Await("every event at "+id, func() bool {
			delivered := p.Call("GET", "/v1/webhooks/"+id+"/deliveries?status=delivered&limit=1", nil, http.StatusOK)["total"]
			return delivered == p.Call("GET", "/v1/events?limit=1", nil, http.StatusOK)["total"]
		})
	}
	events := p.All("/v1/events?")
	if len(events) < 10*len(missions) {
		t.Errorf("got only %[2]d events of %[1]d missions", len(missions), len(events))
	}
	for id, m := range receivers {
		p.CheckArrived(id, m, events)
	}
}
