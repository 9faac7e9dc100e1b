package api

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/test/internal/webhooktest"
)

const activityFields = `activity { deliveries accepted failed } lastAttempt { statusCode } undelivered { events from since }`

// Endpoints say how their deliveries went, within bounds, to those who may read them.
func TestWebhookActivity(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			r := webhooktest.NewReceiver(t, http.StatusOK)
			id := s.newHook(rest, r.URL, "mission.created").Fields["id"].(string)
			shown := func() string {
				return fmt.Sprint(gql.query(fmt.Sprintf(`{ webhook(id: %q) { %s } }`, id, activityFields))["webhook"])
			}
			s.equal("a new endpoint", shown(), "map[activity:map[accepted:0 deliveries:0 failed:0] lastAttempt:<nil> undelivered:<nil>]")
			s.make(rest, nil)
			s.deliver()
			s.clock.Advance(time.Hour)
			r.Respond(http.StatusBadGateway)
			s.make(rest, nil)
			for _, wait := range []time.Duration{0, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour} {
				s.clock.Advance(wait)
				s.deliver()
			}
			s.equal("after a failure", shown(), "map[activity:map[accepted:1 deliveries:2 failed:1] lastAttempt:map[statusCode:502] "+
				"undelivered:map[events:1 from:2026-11-21T09:00:00.000Z since:2026-11-21T09:00:00.000Z]]")
			s.clock.Advance(24 * time.Hour)
			hours := func(n int) string {
				return fmt.Sprintf(`{ webhooks { edges { node { activity(hours: %d) { deliveries } deliveries { edges { node { request { body } } } } } } } }`, n)
			}
			s.equal("a day later", shown()[:len("map[activity:map[accepted:0")], "map[activity:map[accepted:0")
			s.equal("two days", fmt.Sprint(edges(gql.query(hours(48))["webhooks"])[0]["activity"]), "map[deliveries:2]")
			for _, n := range []int{0, 169} {
				if failed := gql.run(hours(n), nil, "webhooks"); failed.Code != "invalid_request" || failed.Param != "hours" {
					t.Errorf("%d hours returned %q on %q", n, failed.Code, failed.Param)
				}
			}
			s.key = s.narrow(mission.ScopeIntegrationsRead)
			if failed := gql.run(hours(24), nil, "webhooks"); failed.Code != "forbidden" {
				t.Errorf("who may only read got %q", failed.Code)
			}
			s.key = s.keys["theirs"]
			s.want(gql.run(fmt.Sprintf(`{ webhook(id: %q) { %s } }`, id, activityFields), nil, "webhook"), "not_found", "")
		})
	}
}

// Twenty endpoints take as many statements as two, and twenty deliveries as many as one.
func TestWebhooksAreReadTogether(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	r := webhooktest.NewReceiver(t, http.StatusOK)
	for range mission.MaxWebhooks {
		s.newHook(restAPI{s}, r.URL, "mission.created")
	}
	for range 20 {
		s.make(restAPI{s}, nil)
	}
	s.deliver()
	s.plain = nil // statements are counted
	query := `query($n: Int!, $m: Int!) { webhooks(first: $n) { edges { node { ` + activityFields +
		` deliveries(first: $m) { edges { node { attempts { statusCode } event { content { id } } request { body } } } } } } } }`
	statements := func(n, m int) int64 {
		before := s.faults.Statements()
		if _, failed := (graphAPI{s}).call(query, map[string]any{"n": n, "m": m}); failed.Code != "" {
			t.Fatal(fmt.Sprint(failed))
		}
		return s.faults.Statements() - before
	}
	if one, hooks, rows := statements(2, 1), statements(20, 1), statements(2, 20); one != hooks || one != rows || one > 16 {
		t.Errorf("two endpoints take %d statements, twenty %d, with twenty deliveries %d", one, hooks, rows)
	}
}
