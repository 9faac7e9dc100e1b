package api

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

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
		t.Cleanup(func() { _ = db.Close() })
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		return db
	})
	rest, gql := restAPI{s}, graphAPI{s}
	const everything = `{ attention { kind count capped items { deadline usedPercent content { id mission { id } } mission { id } job { id missionId } integration { id } } } }`
	if got := gql.query(everything)["attention"]; fmt.Sprint(got) != "[]" {
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
	db, err := sql.Open("sqlite", path)
	s.must(err)
	t.Cleanup(func() { _ = db.Close() })
	for _, change := range []string{
		"UPDATE jobs SET status = 'failed' WHERE mission_id = '" + broken + "'",
		"UPDATE missions SET spent_micros = 900000 WHERE id = '" + broken + "'",
		"UPDATE integrations SET status = 'needs_reconnect' WHERE id = '" + ids[0] + "'",
		"UPDATE integrations SET expires_at = '" + time.Now().UTC().Add(time.Hour).Format("2006-01-02 15:04:05.000-07:00") + "' WHERE id = '" + ids[1] + "'",
	} {
		result, err := db.ExecContext(t.Context(), change)
		s.must(err)
		if n, _ := result.RowsAffected(); n != 1 {
			t.Fatalf("%s changed %d rows", change, n)
		}
	}
	groups, _ := gql.query(everything)["attention"].([]any)
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
	if got := fmt.Sprint(kinds); got != "[RECONNECT JOB_FAILED REVIEW RENEW BUDGET]" {
		t.Errorf("the kinds are %s", got)
	}
	for scope, want := range map[mission.Scope]string{
		mission.ScopeMissionsRead: "[JOB_FAILED BUDGET]", mission.ScopeContentRead: "[REVIEW]",
		mission.ScopeIntegrationsRead: "[RECONNECT RENEW]", mission.ScopeAnalyticsRead: "[]",
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
}
