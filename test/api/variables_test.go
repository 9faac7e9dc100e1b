package api

import (
	"fmt"
	"testing"

	"missiond/internal/testkit"
)

// A variable whose value isn't of its type is refused before anything is executed: a field
// before the one that has it changes nothing.
func TestWrongVariablesExecuteNothing(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	before := s.ok("GET", "/v1/tenant", nil)["name"]
	const hook, update = `updateWebhook(id: "x", input: $v) { __typename }`, `updateMission(id: "x", input: $v) { __typename }`
	for _, tt := range []struct {
		kind, field, param string
		values             []any
	}{
		{"ID!", "pauseMission(id: $v) { __typename }", "v", []any{1.5, true, object{}}},
		{"String", `rejectContent(id: "x", reason: $v) { __typename }`, "v", []any{5, true}},
		{"DateTime!", `replayWebhook(id: "x", since: $v) { __typename }`, "v", []any{5, "tomorrow"}},
		{"Int!", `rotateApiKey(id: "x", gracePeriodDays: $v) { __typename }`, "v", []any{"5", 1.5, true}},
		{"Role!", `updateMember(id: "x", role: $v) { __typename }`, "v", []any{"viewer", "NOBODY", 1}},
		{"[ID!]!", "markNotificationsRead(ids: $v) { __typename }", "v[1]", []any{[]any{"ntf_1", 1.5}}},
		{"UpdateWebhookInput!", hook, "url", []any{object{"url": 5}}},
		{"UpdateWebhookInput!", hook, "enabled", []any{object{"enabled": "true"}}},
		{"UpdateWebhookInput!", hook, "events[0]", []any{object{"events": []string{"content_published"}}}},
		{"UpdateMissionInput!", update, "constraints.posting_times[0]", []any{object{"constraints": object{"postingTimes": []int{900}}}}},
		{"UpdateMissionInput!", update, "constraints.timezone", []any{object{"constraints": object{"timezone": 1}}}},
	} {
		document := fmt.Sprintf(`mutation($v: %s) { updateTenant(input: {name: "Changed"}) { __typename } %s }`, tt.kind, tt.field)
		for _, value := range tt.values {
			_, response := s.send("POST", "/graphql", object{"query": document, "variables": object{"v": value}})
			problem := firstError(response["errors"])
			if response["data"] != nil || at(problem, "extensions", "code") != "invalid_request" || at(problem, "extensions", "param") != tt.param {
				t.Errorf("%s with %v returned %v", tt.field, value, response)
			}
		}
	}
	s.equal("the tenant's name", s.ok("GET", "/v1/tenant", nil)["name"], before)
	if _, response := s.send("POST", "/graphql", object{"query": "query($v: ID!) { mission(id: $v) { id } }", "variables": object{"v": 5}}); at(firstError(response["errors"]), "extensions", "code") != "not_found" {
		t.Errorf("an integer as an ID returned %v", response)
	}
}
