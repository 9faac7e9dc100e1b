package api

import (
	"encoding/json"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/internal/writer/builtin"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/mission"
)

const estimateQuery = `query($input: CreateMissionInput!) { estimateMission(input: $input) {
	estimatedPosts endsAt estimatedCostCents firstSlots { at platform integrationId accountHandle type } notices { param } problems { path code message } } }`

// estimate returns the estimate of a mission, given as REST's body, as JSON.
func (a graphAPI) estimate(body map[string]any) string {
	a.t.Helper()
	_, response := a.send("POST", "/graphql", map[string]any{"query": estimateQuery, "variables": map[string]any{"input": asGraphQL(body)}})
	if response["errors"] != nil {
		a.t.Fatalf("%v returned %v", body, response)
	}
	text, err := json.Marshal(at(response, "data", "estimateMission"))
	a.must(err)
	return string(text)
}

// An estimate is what the mission then is; with problems it is what they leave open, and
// they are those that createMission tells of. Nothing is kept.
func TestEstimates(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			g := graphAPI{s}
			x, _ := g.connect(map[string]any{"platform": "twitter", "access_token": "good"}).Fields["id"].(string)
			body := map[string]any{
				"name": "M", "objectives": []any{"Win"}, "platforms": []any{"twitter", "bluesky"}, "duration_days": 2, "start_immediately": true,
				"constraints": map[string]any{"posts_per_day": 1, "posting_times": []any{"12:00"}, "budget_cents": 1}, "integration_ids": []any{x},
			}
			want := `{"endsAt":"2026-11-23T08:00:00.000Z","estimatedCostCents":2,"estimatedPosts":2,"firstSlots":[` +
				`{"accountHandle":"acme","at":"2026-11-21T12:00:00.000Z","integrationId":"` + x + `","platform":"TWITTER","type":"POST"},` +
				`{"accountHandle":null,"at":"2026-11-22T12:00:00.000Z","integrationId":null,"platform":"BLUESKY","type":"POST"}],` +
				`"notices":[{"param":"constraints.budget_cents"}],"problems":[]}`
			if got := g.estimate(body); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
			got := g.create(body)
			s.field(got, "estimated_posts", 2.0)
			s.field(got, "ends_at", "2026-11-23T08:00:00.000Z")

			little := map[string]any{"name": "M", "objectives": []any{"Win the race"}, "platforms": []any{"mastodon"}, "duration_days": 7}
			s.writer.Writer = builtin.New()
			if got := g.estimate(little); !strings.Contains(got, `"notices":[{"param":"description"}]`) {
				t.Errorf("of a mission without a description got %s", got)
			}
			little["description"] = builtintest.Description
			if got := g.estimate(little); !strings.Contains(got, `"notices":[]`) {
				t.Errorf("of a mission with a description got %s", got)
			}

			body["name"], body["integration_ids"] = "", []any{never(x)}
			var e struct {
				EstimatedPosts     int
				EstimatedCostCents *int
				FirstSlots         []any
				Problems           []struct{ Path, Code, Message string }
			}
			s.must(json.Unmarshal([]byte(g.estimate(body)), &e))
			var paths []string
			for _, p := range e.Problems {
				paths = append(paths, p.Path)
				if p.Code != string(mission.CodeInvalidRequest) || p.Message == "" {
					t.Errorf("got the problem %v", p)
				}
			}
			_, refused := g.failing(`mutation($input: CreateMissionInput!) { createMission(input: $input) { mission { id } } }`, map[string]any{"input": asGraphQL(body)})
			if got := strings.Join(paths, " "); got != "name integrationIds[0]" || got != strings.Join(refused, " ") || e.EstimatedPosts != 2 || e.EstimatedCostCents != nil || len(e.FirstSlots) > 0 {
				t.Errorf("got %+v, and createMission refuses %v", e, refused)
			}
			if found := (restAPI{s}).list(map[string]any{}).Fields["total"]; found != 1.0 {
				t.Errorf("%v missions were made", found)
			}
			s.key = s.narrow(mission.ScopeContentRead)
			s.want(g.run(estimateQuery, map[string]any{"input": asGraphQL(body)}, "estimateMission"), "forbidden", "")
		})
	}
}

// The bounds that clients are told of are those that are checked.
func TestMissionLimits(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	g := graphAPI{s}
	l := g.run(`{ missionLimits { name description listItems item tone postsPerDay postingTimes durationDays budgetCents kpis kpiTarget startAheadDays } }`, nil, "missionLimits").Fields
	number := func(name string) int { return int(l[name].(float64)) }
	text := func(n int) string { return strings.Repeat("x", n) }
	most := func(more int) map[string]any {
		objectives := make([]any, number("list_items")+more)
		for i := range objectives {
			objectives[i] = text(number("item"))
		}
		return map[string]any{
			"name": text(number("name") + more), "description": text(number("description") + more), "objectives": objectives, "platforms": []any{"mastodon"},
			"constraints":   map[string]any{"tone": text(number("tone") + more), "posts_per_day": number("posts_per_day") + more, "budget_cents": number("budget_cents") + more, "excluded_topics": []any{text(number("item") + more)}},
			"kpis":          []any{map[string]any{"metric": "likes", "target": l["kpi_target"].(float64) * float64(1+more)}},
			"duration_days": number("duration_days") + more,
			"starts_at":     scenarioStart.AddDate(0, 0, number("start_ahead_days")+more),
		}
	}
	if got := g.estimate(most(0)); !strings.HasSuffix(got, `"problems":[]}`) {
		t.Errorf("what is within the bounds has problems: %.2000s", got)
	}
	_, paths := g.failing(`mutation($input: CreateMissionInput!) { createMission(input: $input) { mission { id } } }`, map[string]any{"input": asGraphQL(most(1))})
	const want = "name description objectives constraints.tone constraints.postsPerDay constraints.budgetCents constraints.excludedTopics[0] kpis[0].target durationDays startsAt"
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("what is out of bounds is %s, want %s", got, want)
	}
}
