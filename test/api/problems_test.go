package api

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
)

// failing sends a GraphQL operation with an input that is wrong, and returns its error's
// param and the paths of its problems.
func (a graphAPI) failing(query string, variables map[string]any) (param string, paths []string) {
	a.t.Helper()
	_, object := a.send("POST", "/graphql", map[string]any{"query": query, "variables": variables})
	errs, _ := object["errors"].([]any)
	if len(errs) != 1 {
		a.t.Fatalf("%v returned %v, want one error", variables, object)
	}
	e := errs[0].(map[string]any)
	extensions := e["extensions"].(map[string]any)
	list, _ := extensions["problems"].([]any)
	for i, each := range list {
		p := each.(map[string]any)
		if p["code"] != string(mission.CodeInvalidRequest) || p["message"] == "" || i == 0 && p["message"] != e["message"] {
			a.t.Errorf("the error %v has the problem %v", e, p)
		}
		paths = append(paths, p["path"].(string))
	}
	return extensions["param"].(string), paths
}

// An error of GraphQL has all that is wrong with a mission, by the paths of the input, and
// REST's has the first.
func TestProblemsOfMissions(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	g, r := graphAPI{s}, restAPI{s}
	const unused = "int_01jnd2x6k8e4rvt0m7y3bqz5cp"
	good := map[string]any{"name": "M", "objectives": []any{"Win"}, "platforms": []any{"mastodon"}, "duration_days": 7}
	id, _ := r.create(good).Fields["id"].(string)
	for _, tt := range []struct {
		change map[string]any
		param  string
		paths  string
	}{
		{map[string]any{"name": "", "duration_days": 0}, "name", "name durationDays"},
		{map[string]any{"duration_days": 367, "starts_at": "2020-01-01T00:00:00Z", "integration_ids": []any{unused, "int_x", unused}}, "integration_ids[1]", "integrationIds[1] integrationIds[2] durationDays startsAt integrationIds[0]"},
		{map[string]any{"starts_at": "2020-01-01T00:00:00Z", "integration_ids": []any{unused}}, "starts_at", "startsAt integrationIds[0]"},
		{map[string]any{"duration_days": 0, "media_ids": []any{"int_x", "med_01jnd2x6k8e4rvt0m7y3bqz5ce"}, "platforms": []any{"instagram"}}, "media_ids[0]", "mediaIds[0] durationDays mediaIds[1]"},
		{map[string]any{"platforms": []any{"mastodon", "instagram"}}, "media_ids", "mediaIds"},
		{map[string]any{
			"constraints": map[string]any{"posts_per_day": 51, "timezone": "Nowhere"}, "kpis": []any{map[string]any{"metric": "likes", "target": 0}},
		}, "constraints.posts_per_day", "constraints.postsPerDay constraints.timezone kpis[0].target"},
	} {
		body := maps.Clone(good)
		maps.Copy(body, tt.change)
		param, paths := g.failing(`mutation($input: CreateMissionInput!) { createMission(input: $input) { mission { id } } }`, map[string]any{"input": asGraphQL(body)})
		if got := strings.Join(paths, " "); param != tt.param || got != tt.paths {
			t.Errorf("%v: GraphQL names %s with %s, want %s with %s", tt.change, param, got, tt.param, tt.paths)
		}
		s.want(r.create(body), "invalid_request", tt.param)
		if slices.Contains(paths, "startsAt") || tt.change["platforms"] != nil {
			continue // an update has neither, and looks accounts up only if nothing else is wrong
		}
		_, paths = g.failing(`mutation($id: ID!, $input: UpdateMissionInput!) { updateMission(id: $id, input: $input) { mission { id } } }`, map[string]any{"id": id, "input": asGraphQL(tt.change)})
		if got := strings.Join(paths, " "); got != tt.paths {
			t.Errorf("%v: an update names %s, want %s", tt.change, got, tt.paths)
		}
	}
	if found := r.list(map[string]any{}).Fields["total"]; found != 1.0 {
		t.Errorf("%v missions were made", found)
	}
}

// Onboarding names the fields of its first mission within it.
func TestProblemsOfAnOnboarding(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.key = s.session("onboarding@example.com")
	_, paths := graphAPI{s}.failing(`mutation($input: OnboardInput!) { onboard(input: $input) { tenant { id } } }`, map[string]any{"input": map[string]any{
		"name": "Acme", "mission": map[string]any{"name": "", "objectives": []any{}, "platforms": []any{"MASTODON"}, "durationDays": 7},
	}})
	if got := strings.Join(paths, " "); got != "mission.name mission.objectives" {
		t.Errorf("the problems are about %s", got)
	}
}
