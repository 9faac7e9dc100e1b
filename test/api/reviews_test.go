package api

import (
	"fmt"
	"testing"

	"missiond/internal/testkit"
)

// Several posts are reviewed in one mutation, each by itself, and a post shows what its
// plan says and what may be done to it.
func TestReviewsOfSeveral(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := graphAPI{s}
	var ids []string
	for range 4 {
		_, id := s.written(a, reviewed)
		ids = append(ids, id)
	}
	s.field(a.edit(ids[1], map[string]any{"text": "Another text"}), "revision", 2.0)
	shown := a.run(`query($id: ID!) { content(id: $id) { objective allowedActions expiresAt slot { objective platform type angle at } mission { objectives } } }`,
		map[string]any{"id": ids[0]}, "content")
	s.equal("the objective", shown.Fields["objective"], s.at(shown, "slot", "objective"))
	s.equal("the actions", fmt.Sprint(shown.Fields["allowed_actions"]), "[APPROVE REJECT EDIT REGENERATE RESCHEDULE CANCEL]")
	const fields = `results { id content { status revision } error { code message } }`
	items := func(which ...int) (list []any) {
		for _, i := range which {
			list = append(list, map[string]any{"id": ids[i], "revision": 1})
		}
		return list
	}
	outcome := func(r result) (list []string) {
		results, _ := r.Fields["results"].([]any)
		for _, each := range results {
			r := each.(map[string]any)
			text := "none"
			if c, ok := r["content"].(map[string]any); ok {
				text = fmt.Sprint(c["status"])
			}
			if e, ok := r["error"].(map[string]any); ok {
				text += " " + fmt.Sprint(e["code"])
			}
			list = append(list, text)
		}
		return list
	}
	approve := func(variables map[string]any) result {
		return a.run(`mutation($ids: [ID!], $items: [ReviewedInput!]) { approveContents(ids: $ids, items: $items) { contents { id } `+fields+` } }`, variables, "approveContents")
	}
	got := approve(map[string]any{"items": append(items(0, 1), map[string]any{"id": "cnt_01jd0000000000000000000000", "revision": 1})})
	s.equal("the results", fmt.Sprint(outcome(got)), "[approved pending_review conflict none not_found]")
	s.equal("the approved posts", fmt.Sprint(got.Fields["contents"]), fmt.Sprint([]any{map[string]any{"id": ids[0]}}))
	s.want(approve(map[string]any{}), "invalid_request", "items")
	s.want(approve(map[string]any{"ids": []any{ids[2]}, "items": items(3)}), "invalid_request", "items")
	s.want(approve(map[string]any{"items": []any{}}), "invalid_request", "items")
	s.want(approve(map[string]any{"items": items(2, 2)}), "invalid_request", "items[1]")
	s.want(approve(map[string]any{"items": []any{map[string]any{"id": ids[2], "revision": 0}}}), "invalid_request", "items[0].revision")
	s.want(approve(map[string]any{"items": []any{map[string]any{"id": ids[2], "revision": "first"}}}), "invalid_request", "items[0].revision")
	s.want(approve(map[string]any{"items": []any{map[string]any{"revision": 1}}}), "invalid_request", "items[0].id")
	s.want(approve(map[string]any{"ids": []any{ids[2], ids[0]}}), "conflict", "ids[1]")
	got = approve(map[string]any{"ids": []any{ids[2]}})
	s.equal("the results of ids", fmt.Sprint(outcome(got)), "[approved]")
	reject := func(reason string, list []any) result {
		return a.run(`mutation($items: [ReviewedInput!]!, $reason: String) { rejectContents(items: $items, reason: $reason) { `+fields+` } }`,
			map[string]any{"items": list, "reason": reason}, "rejectContents")
	}
	s.equal("the results", fmt.Sprint(outcome(reject("no", items(3, 2)))), "[rejected approved conflict]")
	s.field(a.content(ids[3]), "rejection_reason", "no")
	s.want(reject(fmt.Sprintf("%01001d", 0), items(1)), "invalid_request", "reason")
}
