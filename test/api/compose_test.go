package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

const together = `mutation($input: CreateContentsInput!) { createContents(input: $input) {
	results { content { id platform status scheduledAt text } error { code message } param } } }`

// together makes posts of a mission, and returns what became of each.
func (s *harness) together(missionID string, items ...map[string]any) (results []map[string]any) {
	s.t.Helper()
	got := graphAPI{s}.run(together, map[string]any{"input": map[string]any{"missionId": missionID, "items": items}}, "createContents")
	s.want(got, "", "")
	for _, r := range got.Fields["results"].([]any) {
		results = append(results, r.(map[string]any))
	}
	return results
}

// Posts that are made together go out together, each by itself: one that is refused says why,
// and the others are made.
func TestPostsTogether(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			id := s.make(restAPI{s}, map[string]any{"start_immediately": true, "platforms": []any{"twitter", "bluesky", "linkedin"}})
			const chosen = "2026-11-22T09:00:00.000Z"
			results := s.together(id,
				map[string]any{"platform": "TWITTER", "text": "One."},
				map[string]any{"platform": "BLUESKY", "text": strings.Repeat("x", 301)},
				map[string]any{"platform": "LINKEDIN", "text": "Tailored."},
				map[string]any{"platform": "MASTODON", "text": "Not the mission's."},
				map[string]any{"platform": "TWITTER", "text": "Another."},
				map[string]any{"platform": "TWITTER", "text": "At a time.", "scheduledAt": chosen},
				map[string]any{"platform": "TWITTER", "text": "At the same time.", "scheduledAt": chosen},
				map[string]any{"platform": "TWITTER"},
			)
			var said []string
			for _, r := range results {
				said = append(said, fmt.Sprint(at(r, "error", "code"), " ", r["param"]))
			}
			s.equal("the errors", strings.Join(said, ", "), "<nil> <nil>, invalid_request text, <nil> <nil>, invalid_request platform, <nil> <nil>, <nil> <nil>, conflict <nil>, invalid_request text")
			slot := func(i int) string { return results[i]["content"].(map[string]any)["scheduled_at"].(string) }
			s.equal("the slot of two accounts", slot(2), slot(0))
			s.equal("whether another post of an account has another slot", slot(4) > slot(0), true)
			s.equal("the chosen time", slot(5), chosen)
			s.equal("the posts", restAPI{s}.contents(map[string]any{"mission_id": id}).Fields["total"], 4.0)

			for param, input := range map[string]map[string]any{
				"items":      {"missionId": id, "items": []any{}},
				"mission_id": {"missionId": "msn_01jd0000000000000000000000", "items": []any{map[string]any{"platform": "TWITTER", "text": "x"}}},
			} {
				s.want(graphAPI{s}.run(together, map[string]any{"input": input}, "createContents"), "invalid_request", param)
			}
			items := make([]map[string]any, 21)
			for i := range items {
				items[i] = map[string]any{"platform": "TWITTER", "text": fmt.Sprint("Post ", i)}
			}
			s.want(graphAPI{s}.run(together, map[string]any{"input": map[string]any{"missionId": id, "items": items}}, "createContents"), "invalid_request", "items")
		})
	}
}

// The free slots are those that posts are given.
func TestFreeSlotsAreGiven(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := graphAPI{s}
	id := s.make(a, map[string]any{"start_immediately": true, "duration_days": 3.0, "platforms": []any{"twitter"},
		"constraints": map[string]any{"posts_per_day": 2.0, "posting_times": []any{"09:00", "17:00"}, "timezone": "UTC"}})
	slots := func(arguments string) []any {
		return a.query(fmt.Sprintf(`{ freeSlots(missionId: %q%s) }`, id, arguments))["freeSlots"].([]any)
	}
	ahead := slots(", first: 3")
	s.equal("the slots", fmt.Sprint(ahead), "[2026-11-21T09:00:00.000Z 2026-11-21T17:00:00.000Z 2026-11-22T09:00:00.000Z]")
	s.equal("those after one", slots(fmt.Sprintf(", after: %q, first: 1", ahead[1]))[0], ahead[2])
	for i := range 2 {
		made := s.together(id, map[string]any{"platform": "TWITTER", "text": fmt.Sprint("Post ", i)})
		s.equal("the slot", at(made[0], "content", "scheduled_at"), ahead[i])
	}
	made := s.together(id, map[string]any{"platform": "TWITTER", "text": "Later.", "scheduledAt": ahead[2]})
	s.equal("a later one", at(made[0], "content", "scheduled_at"), ahead[2])
	for _, arguments := range []string{", first: 0", ", first: 11"} {
		_, code := s.query(fmt.Sprintf(`{ freeSlots(missionId: %q%s) }`, id, arguments))
		s.equal(arguments, code, "invalid_request")
	}
	draft := s.make(a, map[string]any{"platforms": []any{"twitter"}})
	_, code := s.query(fmt.Sprintf(`{ freeSlots(missionId: %q) }`, draft))
	s.equal("a draft's", code, "conflict")
	s.key = s.keys["theirs"]
	_, code = s.query(fmt.Sprintf(`{ freeSlots(missionId: %q) }`, id))
	s.equal("another tenant's", code, "not_found")
}

// draft saves a new draft in a session, and returns its id.
func (s *harness) draft(session, missionID string) string {
	s.t.Helper()
	s.key = session
	return s.at(s.saveDraft(map[string]any{"missionId": missionID, "body": "{}"}), "id").(string)
}

func (s *harness) saveDraft(input map[string]any) result {
	s.t.Helper()
	return graphAPI{s}.run(`mutation($input: SavePostDraftInput!) { savePostDraft(input: $input) { draft { id missionId body version updatedAt } } }`,
		map[string]any{"input": input}, "savePostDraft", "draft")
}

// A person's drafts are on every machine of theirs and on nobody else's; what was saved
// elsewhere isn't overwritten; they go with the person.
func TestPostDrafts(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			ann, annID := s.begin("ann@example.com", "org_drafts", "admin")
			other, _ := s.begin("ann@example.com", "org_drafts", "admin")
			bob, _ := s.begin("bob@example.com", "org_drafts", "admin")
			viewer, _ := s.begin("vic@example.com", "org_drafts", "viewer")
			s.key = ann
			missionID := s.make(restAPI{s}, map[string]any{"platforms": []any{"twitter"}})
			list := func(session string) []any {
				s.key = session
				data, _ := s.query(`{ postDrafts { id version body missionId } }`)
				drafts, _ := data["postDrafts"].([]any)
				return drafts
			}
			s.key = s.keys["theirs"]
			foreign := s.make(restAPI{s}, map[string]any{"platforms": []any{"twitter"}})
			first := s.draft(ann, missionID)
			s.clock.Advance(time.Minute)
			second := s.draft(ann, missionID)
			s.clock.Advance(time.Minute)
			const body = `{"b":1,"a":"ü\u0000"}`
			s.key = other
			saved := s.saveDraft(map[string]any{"id": first, "version": 1, "missionId": missionID, "body": body})
			s.field(saved, "version", 2.0)
			s.field(saved, "body", body)
			s.equal("the drafts", fmt.Sprint(list(ann)), fmt.Sprint([]any{
				map[string]any{"id": first, "version": 2.0, "body": body, "missionId": missionID},
				map[string]any{"id": second, "version": 1.0, "body": "{}", "missionId": missionID},
			}))
			s.want(s.saveDraft(map[string]any{"id": first, "version": 1, "missionId": missionID, "body": "{}"}), "conflict", "")
			s.equal("what others see", len(list(bob)), 0)
			s.want(s.saveDraft(map[string]any{"id": first, "version": 2, "missionId": missionID, "body": "{}"}), "not_found", "")
			_, code := s.query(fmt.Sprintf(`mutation { deletePostDraft(id: %q) { deletedId } }`, first))
			s.equal("another's", code, "not_found")

			s.key = ann
			for param, input := range map[string]map[string]any{
				"body":       {"missionId": missionID, "body": `["x"]`},
				"version":    {"missionId": missionID, "body": "{}", "id": first},
				"mission_id": {"missionId": foreign, "body": "{}"},
			} {
				s.want(s.saveDraft(input), "invalid_request", param)
			}
			s.want(s.saveDraft(map[string]any{"missionId": missionID, "body": `{"a":"` + strings.Repeat("x", 32<<10) + `"}`}), "invalid_request", "body")
			for range mission.MaxPostDrafts - 2 {
				s.draft(ann, missionID)
			}
			s.want(s.saveDraft(map[string]any{"missionId": missionID, "body": "{}"}), "conflict", "")
			tenantID, now := s.tenantOf(missionID), s.clock.Now()
			s.must(s.DB.Tx(t.Context(), func(tx store.Tx) error {
				for range mission.MaxTenantPostDrafts - mission.MaxPostDrafts {
					d := mission.PostDraft{ID: tx.NewID(mission.PrefixPostDraft, now), TenantID: tenantID, UserID: "usr_another", MissionID: missionID, Body: "{}"}
					if err := tx.StorePostDraft(t.Context(), d); err != nil {
						return err
					}
				}
				return nil
			}))
			s.key = bob
			s.want(s.saveDraft(map[string]any{"missionId": missionID, "body": "{}"}), "conflict", "")
			s.key = ann
			for _, want := range []string{"", "not_found"} {
				_, code = s.query(fmt.Sprintf(`mutation { deletePostDraft(id: %q) { deletedId } }`, first))
				s.equal("deleting it", code, want)
			}
			s.equal("the rest", len(list(other)), mission.MaxPostDrafts-1)
			s.draft(bob, missionID)
			_, code = s.query(fmt.Sprintf(`mutation { removeMember(id: %q) { deletedId } }`, annID))
			s.equal("removing the person", code, "")
			left := 0
			s.must(s.DB.ExportTenant(t.Context(), s.tenantOf(missionID), func(table string, row map[string]any) error {
				if table == "post_drafts" && row["user_id"] != "usr_another" {
					left++
				}
				return nil
			}))
			s.equal("the drafts that are left", left, 1)
			for who, want := range map[string]string{viewer: "forbidden", s.keys["ours"]: "invalid_request"} {
				s.key = who
				_, code = s.query(`{ postDrafts { id } }`)
				s.equal("who may have none", code, want)
			}
		})
	}
}
