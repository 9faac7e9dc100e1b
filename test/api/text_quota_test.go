package api

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// What a tenant's texts take is shown, and nobody adds to them beyond what the plan allows; decisions are taken all the same.
func TestTextQuota(t *testing.T) {
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
	missionID, id := s.written(rest, reviewed)
	limit := float64(mission.TextQuota(mission.PlanFree))
	used := func(n float64) {
		t.Helper()
		for _, got := range []result{rest.call("GET", "/usage", nil), gql.run(`{ usage { texts { bytes limit } } }`, nil, "usage")} {
			s.field(got, "texts", map[string]any{"bytes": n, "limit": limit})
		}
	}
	c, err := s.DB.Content(t.Context(), s.principal().TenantID, id)
	s.must(err)
	before := float64(c.TextBytes())
	used(before)

	_, err = s.opened(path).ExecContext(t.Context(), fmt.Sprintf("UPDATE counters SET n = %d WHERE name LIKE 'texts:bytes%%'", mission.TextQuota(mission.PlanFree)))
	s.must(err)
	for what, got := range map[string]result{
		"an edit":    rest.edit(id, object{"text": "Another text"}),
		"the same":   gql.edit(id, object{"text": "Another text"}),
		"a comment":  rest.call(http.MethodPost, "/content/"+id+"/comments", object{"text": "Why?"}),
		"a post":     rest.call(http.MethodPost, "/content", object{"mission_id": missionID, "platform": "twitter", "text": "A post of ours"}),
		"a new text": rest.call(http.MethodPost, "/content/"+id+"/regenerate", object{}),
	} {
		if s.want(got, "conflict", ""); t.Failed() {
			t.Fatalf("%s got %v", what, got)
		}
	}
	line := "{\"mission_id\":\"" + missionID + "\",\"platform\":\"twitter\",\"text\":\"A post of ours\"}\n"
	if status, got := s.upload("application/x-ndjson", "/v1/content/import", line); status != http.StatusConflict {
		t.Errorf("an import got %d %v", status, got)
	}
	used(limit)
	s.field(rest.call(http.MethodPost, "/content/"+id+"/reject", object{"reason": "Too loud"}), "status", "rejected")
	s.want(rest.call(http.MethodPost, "/content/"+id+"/reopen", nil), "conflict", "")
	_, err = s.Missions.PauseMission(t.Context(), s.principal(), missionID)
	s.must(err)
	s.must(s.Missions.DeleteMission(t.Context(), s.principal(), missionID))
	_, id = s.written(rest, reviewed)
	s.field(rest.edit(id, object{"text": "Another text"}), "revision", 2.0)
}
