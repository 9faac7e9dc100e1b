package api

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

const everythingNeeded = `{ attention { kind count capped items {
	deadline since count of usedPercent reason content { id mission { id } } mission { id } job { id missionId } integration { id } webhook { id enabled status }
} } }`

// What needs a person is shown with its records, and of each kind only to those who have
// its scope.
func TestAttention(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "m.db")
	s := newHarness(t, func(t testing.TB, o store.Options) *store.DB {
		db, err := store.OpenSQLite(path, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Cleanup(t, func() { _ = db.Close() })
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		return db
	})
	rest, gql := restAPI{s}, graphAPI{s}
	if got := gql.query(everythingNeeded)["attention"]; fmt.Sprint(got) != "[]" {
		t.Errorf("a tenant without anything needs %v", got)
	}
	waits, post := s.written(rest, reviewed)
	broken := s.make(rest, object{"start_immediately": true, "constraints": object{"budget_cents": 100.0}})
	var ids []string
	for _, account := range []string{"1", "2"} {
		s.platform.set(func(f *fakePlatform) { f.account = account })
		got := rest.connect(object{"platform": "twitter", "access_token": "good"})
		id, _ := got.Fields["id"].(string)
		ids = append(ids, id)
	}
	late, overdue := s.written(rest, nil)
	expiredOf, expired := s.written(rest, reviewed)
	unknownOf, unknown := s.written(rest, nil)
	s.unknown(unknown, false)
	hook := s.ok(http.MethodPost, "/v1/webhooks", object{"url": "http://127.0.0.1:1/", "events": []string{"mission.created"}})["id"].(string)
	s.make(rest, nil) // its event is delivered
	db := s.opened(path)
	for _, change := range []string{
		"UPDATE webhooks SET status = 'failing' WHERE id = '" + hook + "'",
		"UPDATE deliveries SET status = 'failed', attempts = 5 WHERE webhook_id = '" + hook + "'",
		"UPDATE contents SET status = 'scheduled', scheduled_at = '2026-11-21 07:00:00.000+00:00' WHERE id = '" + overdue + "'",
		"INSERT INTO next_posts (mission_id, tenant_id, at) SELECT id, tenant_id, '2026-11-21 07:00:00.000+00:00' FROM missions WHERE id = '" + late + "'",
		"UPDATE contents SET status = 'expired' WHERE id = '" + expired + "'",
		"UPDATE jobs SET status = 'failed' WHERE mission_id = '" + broken + "'",
		"UPDATE missions SET spent_micros = 900000 WHERE id = '" + broken + "'",
		"UPDATE integrations SET status = 'needs_reconnect' WHERE id = '" + ids[0] + "'",
		"UPDATE integrations SET expires_at = '2026-11-21 09:00:00.000+00:00' WHERE id = '" + ids[1] + "'",
	} {
		result, err := db.ExecContext(t.Context(), change)
		s.must(err)
		if n, _ := result.RowsAffected(); n != 1 {
			t.Fatalf("%s changed %d rows", change, n)
		}
	}
	groups, _ := gql.query(everythingNeeded)["attention"].([]any)
	var kinds []any
	for _, g := range groups {
		kind := at(g.(object), "kind")
		kinds = append(kinds, kind)
		if at(g.(object), "count") != 1.0 || at(g.(object), "capped") != false {
			t.Errorf("got %v", g)
		}
		item := at(g.(object), "items").([]any)[0].(object)
		is := func(want any, path ...string) {
			t.Helper()
			if got := at(item, path...); got != want {
				t.Errorf("%v has %v at %v, want %v", kind, got, path, want)
			}
		}
		switch kind {
		case "OVERDUE":
			is(late, "mission", "id")
			is(overdue, "content", "id")
			is(1.0, "count")
			is("2026-11-21T07:00:00.000Z", "since")
			is("NEEDS_RECONNECT", "reason") // of ids[0]
		case "UNKNOWN":
			is(unknown, "content", "id")
			is(unknownOf, "mission", "id")
			is("OUTCOME_UNKNOWN", "reason")
			is("2026-11-21T08:00:00.000Z", "since")
		case "EXPIRED":
			is(expiredOf, "mission", "id")
			is(nil, "content")
			is(nil, "reason")
			is(1.0, "count")
		case "WEBHOOK":
			is(hook, "webhook", "id")
			is(1.0, "count")
			is(1.0, "of")
			is("2026-11-21T08:00:00.000Z", "since")
		case "RECONNECT":
			is(ids[0], "integration", "id")
		case "JOB_FAILED":
			is(broken, "mission", "id")
			is(broken, "job", "missionId")
		case "REVIEW":
			is(post, "content", "id")
			is(waits, "content", "mission", "id")
			if item["deadline"] == nil {
				t.Error("a review has no deadline")
			}
		case "RENEW":
			is(ids[1], "integration", "id")
			if item["deadline"] == nil {
				t.Error("an expiry has no deadline")
			}
		case "BUDGET":
			is(broken, "mission", "id")
			is(90.0, "usedPercent")
		}
	}
	if got := fmt.Sprint(kinds); got != "[RECONNECT JOB_FAILED OVERDUE UNKNOWN REVIEW EXPIRED RENEW WEBHOOK BUDGET]" {
		t.Errorf("the kinds are %s", got)
	}
	for scope, want := range map[mission.Scope]string{
		mission.ScopeMissionsRead: "[JOB_FAILED BUDGET]", mission.ScopeContentRead: "[OVERDUE UNKNOWN REVIEW EXPIRED]",
		mission.ScopeIntegrationsRead: "[RECONNECT RENEW WEBHOOK]", mission.ScopeAnalyticsRead: "[]",
	} {
		s.key = s.narrow(scope)
		status, response := s.send("POST", "/graphql", object{"query": `{ attention { kind } }`})
		var kinds []any
		for _, g := range at(response, "data", "attention").([]any) {
			kinds = append(kinds, at(g.(object), "kind"))
		}
		if got := fmt.Sprint(kinds); status != http.StatusOK || got != want || response["errors"] != nil {
			t.Errorf("%s sees %s: %v", scope, got, response)
		}
	}

	s.key = s.session("leaving")
	_, err := db.ExecContext(t.Context(), "UPDATE tenants SET deletes_at = '2026-12-21 07:00:00.000+00:00', deletion_asked_at = '2026-11-21 07:00:00.000+00:00'")
	s.must(err)
	got := fmt.Sprint(gql.query(`{ attention { kind count items { deadline since mission { id } } } }`)["attention"])
	if want := "[map[count:1 items:[map[deadline:2026-12-21T07:00:00.000Z mission:<nil> since:2026-11-21T07:00:00.000Z]] kind:TENANT_DELETION]]"; got != want {
		t.Errorf("a tenant that is to be deleted needs %s, want %s", got, want)
	}
}

// opened returns a service's SQLite database, to change behind its back.
func (s *harness) opened(path string) *sql.DB {
	s.t.Helper()
	db, err := sql.Open("sqlite", path)
	s.must(err)
	testkit.Cleanup(s.t, func() { _ = db.Close() })
	return db
}
