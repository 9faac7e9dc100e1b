package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
)

var scenarios = []scenario[api]{
	{"a mission that starts at once", startsAtOnce},
	{"a draft keeps everything stated", keepsEverything},
	{"bad input names its field", badInput},
	{"pause and resume move the end by the pause", pauseMovesTheEnd},
	{"operations that a state doesn't allow", refusedByState},
	{"ids that don't exist, and other tenants'", foreignIDs},
	{"pages of a list", pagesOfAList},
	{"filters of a list", filters},
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, scenarios)
}

// body returns a valid create body with changes; a nil value removes a field.
func body(changes map[string]any) map[string]any {
	b := map[string]any{
		"name": "A mission", "objectives": []any{"Show what we make"},
		"platforms": []any{"twitter", "linkedin"}, "duration_days": 3,
	}
	for name, value := range changes {
		b[name] = value
		if value == nil {
			delete(b, name)
		}
	}
	// Through JSON, as a client would send it.
	text, _ := json.Marshal(b)
	var clean map[string]any
	_ = json.Unmarshal(text, &clean)
	return clean
}

func (s *harness) want(got result, code, param string) {
	s.t.Helper()
	if got.Code != code || got.Param != param {
		s.t.Errorf("got %q on %q (%v), want %q on %q", got.Code, got.Param, got.Fields, code, param)
	}
}

func (s *harness) field(got result, name string, want any) {
	s.t.Helper()
	if got.Code != "" {
		s.t.Fatalf("got the error %s on %q", got.Code, got.Param)
	}
	if !reflect.DeepEqual(got.Fields[name], want) {
		s.t.Errorf("got %s %#v, want %#v", name, got.Fields[name], want)
	}
}

func (s *harness) make(a api, changes map[string]any) string {
	s.t.Helper()
	got := a.create(body(changes))
	if got.Code != "" {
		s.t.Fatalf("create returned %s on %q", got.Code, got.Param)
	}
	return got.Fields["id"].(string)
}

func startsAtOnce(s *harness, a api) {
	got := a.create(body(map[string]any{"start_immediately": true, "constraints": map[string]any{"posts_per_day": 2}}))
	s.field(got, "status", "active")
	s.field(got, "starts_at", "2026-11-21T08:00:00.000Z")
	s.field(got, "ends_at", "2026-11-24T08:00:00.000Z")
	s.field(got, "estimated_posts", 6.0)
	if job, _ := got.Fields["pipeline_job_id"].(string); len(job) != 30 {
		s.t.Errorf("got pipeline_job_id %q", job)
	}
}

func keepsEverything(s *harness, a api) {
	constraints := map[string]any{
		"tone": "friendly", "cadence": "weekdays", "posts_per_day": 2.0, "posting_times": []any{"09:00", "17:30"},
		"timezone": "Europe/Berlin", "require_approval": true, "budget_cents": 500.0, "excluded_topics": []any{"politics"},
	}
	kpis := []any{
		map[string]any{"metric": "likes", "target": 100.0, "platform": "twitter"},
		map[string]any{"metric": "engagement_rate", "target": 2.5},
	}
	id := s.make(a, map[string]any{
		"description": "More of it.", "constraints": constraints, "kpis": kpis, "starts_at": "2026-12-01T10:00:00+01:00",
		"events":     []any{map[string]any{"name": "Launch", "starts_on": "2026-12-02", "kind": "launch"}},
		"blackouts":  []any{map[string]any{"starts_at": "2026-12-03T10:00:00+01:00", "ends_at": "2026-12-03T09:00:01Z", "reason": "Mourning"}},
		"disclosure": map[string]any{"ai_text": "line", "line_text": " Our robot wrote this. ", "ai_media": "never"},
		"editor":     map[string]any{"name": "Jo Doe", "email": "jo@acme.example"}, "public_interest": true,
		"autonomy": map[string]any{"earned": map[string]any{"after": 10, "share": 0.5}},
	})
	got := a.read(id)
	kpis[1].(map[string]any)["platform"] = "all"
	for name, want := range map[string]any{
		"id": id, "name": "A mission", "description": "More of it.", "status": "draft",
		"objectives": []any{"Show what we make"}, "platforms": []any{"twitter", "linkedin"}, "constraints": constraints,
		"kpis": kpis, "duration_days": 3.0, "starts_at": "2026-12-01T09:00:00.000Z", "ends_at": "2026-12-04T09:00:00.000Z",
		"pipeline_job_id": nil, "created_at": "2026-11-21T08:00:00.000Z", "updated_at": "2026-11-21T08:00:00.000Z", "notices": []any{},
		"disclosure": map[string]any{"ai_text": "line", "line_text": "Our robot wrote this.", "ai_media": "never", "paid_partnership": false},
		"editor":     map[string]any{"name": "Jo Doe", "email": "jo@acme.example"}, "public_interest": true,
		"integration_ids": []any{}, "media_ids": []any{}, "autonomy": map[string]any{"earned": map[string]any{"after": 10.0, "share": 0.5}},
		"links":     map[string]any{"utm": map[string]any{"source": nil, "medium": nil, "campaign": nil, "content": nil}, "track": []any{}},
		"events":    []any{map[string]any{"name": "Launch", "starts_on": "2026-12-02", "ends_on": "2026-12-02", "kind": "launch", "note": ""}},
		"blackouts": []any{map[string]any{"starts_at": "2026-12-03T09:00:00.000Z", "ends_at": "2026-12-03T09:00:01.000Z", "reason": "Mourning"}},
	} {
		s.field(got, name, want)
	}
	if len(got.Fields) != 26 {
		s.t.Errorf("got %d fields of a mission, want 26: %v", len(got.Fields), got.Fields)
	}
	bare := a.read(s.make(a, nil))
	s.field(bare, "constraints", map[string]any{
		"tone": nil, "cadence": "daily", "posts_per_day": 1.0, "posting_times": []any{}, "timezone": "UTC",
		"require_approval": false, "budget_cents": nil, "excluded_topics": []any{},
	})
	s.field(bare, "kpis", []any{})
	s.field(bare, "disclosure", map[string]any{"ai_text": "none", "line_text": "Written with AI", "ai_media": "auto", "paid_partnership": false})
	s.field(bare, "editor", nil)
	s.field(bare, "autonomy", nil)
	s.field(bare, "public_interest", false)
	s.field(bare, "starts_at", nil)
}

func badInput(s *harness, a api) {
	constraint := func(name string, value any) map[string]any {
		return map[string]any{"constraints": map[string]any{name: value}}
	}
	kpi := func(k map[string]any) map[string]any {
		whole := map[string]any{"metric": "likes", "target": 1}
		maps.Copy(whole, k)
		return map[string]any{"kpis": []any{map[string]any{"metric": "reach", "target": 1}, whole}}
	}
	for _, bad := range []struct {
		changes map[string]any
		param   string
	}{
		{map[string]any{"name": " "}, "name"},
		{map[string]any{"name": 5}, "name"},
		{map[string]any{"description": "\u0000"}, "description"},
		{map[string]any{"objectives": []any{}}, "objectives"},
		{map[string]any{"objectives": []any{"x", ""}}, "objectives[1]"},
		{map[string]any{"platforms": []any{}}, "platforms"},
		{map[string]any{"platforms": []any{"twitter", "myspace"}}, "platforms[1]"},
		{map[string]any{"platforms": []any{"twitter", "twitter"}}, "platforms[1]"},
		{map[string]any{"events": []any{map[string]any{"name": "x", "starts_on": "2026-12-02", "ends_on": "2026-12-01", "kind": "sale"}}}, "events[0].ends_on"},
		{map[string]any{"blackouts": []any{map[string]any{"starts_at": "2026-12-02T00:00:00Z", "ends_at": "2027-12-02T00:00:00Z"}}}, "blackouts[0].ends_at"},
		{map[string]any{"duration_days": 0}, "duration_days"},
		{map[string]any{"disclosure": map[string]any{"ai_text": "field"}}, "disclosure.ai_text"},
		{map[string]any{"disclosure": map[string]any{"ai_media": "sometimes"}}, "disclosure.ai_media"},
		{map[string]any{"disclosure": map[string]any{"line_text": ""}}, "disclosure.line_text"},
		{map[string]any{"disclosure": map[string]any{"line_text": "two\nlines"}}, "disclosure.line_text"},
		{map[string]any{"disclosure": map[string]any{"ai_text": "line", "line_text": strings.Repeat("長", 200)}}, "disclosure.line_text"},
		{map[string]any{"editor": map[string]any{"name": "", "email": "jo@acme.example"}}, "editor.name"},
		{map[string]any{"editor": map[string]any{"name": "Jo", "email": "acme.example"}}, "editor.email"},
		{map[string]any{"autonomy": map[string]any{"earned": map[string]any{"after": 10, "share": 0.5}}}, "autonomy"},
		{map[string]any{"autonomy": map[string]any{"earned": map[string]any{"after": 0, "share": 0.5}}, "constraints": map[string]any{"require_approval": true}}, "autonomy.earned.after"},
		{map[string]any{"autonomy": map[string]any{"earned": map[string]any{"after": 1, "share": 1.5}}, "constraints": map[string]any{"require_approval": true}}, "autonomy.earned.share"},
		{map[string]any{"duration_days": 367}, "duration_days"},
		{map[string]any{"duration_days": "3"}, "duration_days"},
		{map[string]any{"starts_at": "2020-01-01T00:00:00Z"}, "starts_at"},
		{map[string]any{"starts_at": "tomorrow"}, "starts_at"},
		{map[string]any{"starts_at": "2026-12-01T00:00:00Z", "start_immediately": true}, "starts_at"},
		{constraint("tone", ""), "constraints.tone"},
		{constraint("cadence", "hourly"), "constraints.cadence"},
		{constraint("posts_per_day", 0), "constraints.posts_per_day"},
		{constraint("posts_per_day", 51), "constraints.posts_per_day"},
		{constraint("posting_times", []any{"09:00", "24:00"}), "constraints.posting_times[1]"},
		{constraint("timezone", "Mars/Olympus"), "constraints.timezone"},
		{constraint("timezone", "Local"), "constraints.timezone"},
		{constraint("budget_cents", -1), "constraints.budget_cents"},
		{constraint("excluded_topics", []any{"a", " "}), "constraints.excluded_topics[1]"},
		{kpi(map[string]any{"metric": "joy"}), "kpis[1].metric"},
		{kpi(map[string]any{"target": 0}), "kpis[1].target"},
		{kpi(map[string]any{"target": "x"}), "kpis[1].target"},
		{kpi(map[string]any{"platform": "mastodon"}), "kpis[1].platform"},
		{kpi(map[string]any{"metric": "reach", "target": 7}), "kpis[1]"},
	} {
		s.want(a.create(body(bad.changes)), "invalid_request", bad.param)
	}
	s.field(a.list(nil), "total", 0.0)
}

func pauseMovesTheEnd(s *harness, a api) {
	id := s.make(a, map[string]any{"start_immediately": true})
	s.clock.Advance(90 * time.Minute)
	got := a.pause(id)
	s.field(got, "status", "paused")
	s.field(got, "paused_at", "2026-11-21T09:30:00.000Z")
	s.clock.Advance(26*time.Hour + 500*time.Millisecond)
	got = a.resume(id)
	s.field(got, "status", "active")
	s.field(got, "resumed_at", "2026-11-22T11:30:00.500Z")
	s.field(got, "adjusted_ends_at", "2026-11-25T10:00:00.500Z")
	s.field(a.read(id), "ends_at", "2026-11-25T10:00:00.500Z")
}

func refusedByState(s *harness, a api) {
	draft := s.make(a, nil)
	s.want(a.pause(draft), "conflict", "")
	s.want(a.resume(draft), "conflict", "")
	active := s.make(a, map[string]any{"start_immediately": true})
	s.want(a.resume(active), "conflict", "")
	s.field(a.pause(active), "status", "paused")
	s.want(a.pause(active), "conflict", "")
}

func foreignIDs(s *harness, a api) {
	ours := s.make(a, map[string]any{"start_immediately": true})
	s.key = s.keys["theirs"]
	for _, id := range []string{ours, "msn_01jd0000000000000000000000", "msn_x", "job_01jd0000000000000000000000"} {
		s.want(a.read(id), "not_found", "")
		s.want(a.pause(id), "not_found", "")
		s.want(a.resume(id), "not_found", "")
		s.want(a.list(map[string]any{"starting_after": id}), "invalid_request", "starting_after")
	}
	s.field(a.list(nil), "total", 0.0)
	s.key = "cms_live_nonsense"
	s.want(a.read(ours), "unauthorized", "")
}

func pagesOfAList(s *harness, a api) {
	var made []string // newest first
	for i := range 5 {
		if i%2 == 1 {
			s.clock.Advance(time.Second) // some have the same time
		}
		made = append([]string{s.make(a, nil)}, made...)
	}
	got := a.list(map[string]any{"limit": 2})
	s.field(got, "ids", made[:2])
	s.field(got, "more", true)
	s.field(got, "total", 5.0)
	got = a.list(map[string]any{"limit": 2, "starting_after": made[1]})
	s.field(got, "ids", made[2:4])
	got = a.list(map[string]any{"limit": 2, "starting_after": made[3]})
	s.field(got, "ids", made[4:])
	s.field(got, "more", false)
	for _, limit := range []int{-1, 101} {
		s.want(a.list(map[string]any{"limit": limit}), "invalid_request", "limit")
	}
	if rest, ok := a.(restAPI); ok { // GraphQL's page of nothing is empty
		s.want(rest.list(map[string]any{"limit": 0}), "invalid_request", "limit")
	}
	s.field(a.list(map[string]any{"limit": 100}), "ids", made)
}

func filters(s *harness, a api) {
	draft := s.make(a, map[string]any{"platforms": []any{"mastodon"}})
	active := s.make(a, map[string]any{"start_immediately": true})
	paused := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon", "twitter"}})
	s.field(a.pause(paused), "status", "paused")
	for _, tt := range []struct {
		query map[string]any
		ids   []string
	}{
		{nil, []string{paused, active, draft}},
		{map[string]any{"status": "draft"}, []string{draft}},
		{map[string]any{"status": "paused"}, []string{paused}},
		{map[string]any{"platform": "mastodon"}, []string{paused, draft}},
		{map[string]any{"platform": "twitter"}, []string{paused, active}},
		{map[string]any{"platform": "twitter", "status": "active"}, []string{active}},
		{map[string]any{"platform": "youtube"}, []string{}},
	} {
		got := a.list(tt.query)
		s.field(got, "ids", tt.ids)
		s.field(got, "total", float64(len(tt.ids)))
	}
	s.want(a.list(map[string]any{"status": "asleep"}), "invalid_request", "status")
	s.want(a.list(map[string]any{"platform": "myspace"}), "invalid_request", "platform")
}

// The queries of a frontend's first page, and one larger than any page's.
const (
	missionsWithPosts = `{ missions(first: 20) { edges { node { id name status allowedActions contentCounts { generated published }
		job { id status stages { name status } } contents(first: 5) { edges { node { id text status } } } } } } }`
	everythingBelow = `{ missions(first: 20) { totalCount edges { node { id nextPublishAt job { id mission { name } }
		jobs(first: 3) { totalCount edges { node { id cycle } } }
		contents(first: 5, filter: {platform: TWITTER}) { totalCount pageInfo { hasNextPage } edges { node { id mission { id } job { id status } revisions(first: 5) { text } } } }
		events(first: 2, types: [CONTENT_CREATED, MISSION_CREATED]) { totalCount edges { node { id type mission { id } } } } } } } }`
)

// query sends a query that must not fail.
func (a graphAPI) query(query string) map[string]any {
	a.t.Helper()
	_, object := a.send("POST", "/graphql", map[string]any{"query": query})
	if object["errors"] != nil {
		a.t.Errorf("%s returned %v", query, object["errors"])
	}
	data, _ := object["data"].(map[string]any)
	return data
}

// A request's statements are few, and don't grow with its rows.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			s.plain = nil // statements are counted
			count := func(do func()) int64 {
				before := s.faults.Statements()
				do()
				return s.faults.Statements() - before
			}
			rest, gql := restAPI{s}, graphAPI{s}
			var id string
			requests := []struct {
				name string
				most int64 // authentication included
				do   func()
			}{
				{"REST list", 3, func() { rest.list(map[string]any{"limit": 100}) }},
				{"REST read", 2, func() { rest.read(id) }},
				{"REST status", 5, func() { rest.call("GET", "/missions/"+id+"/status", nil) }},
				{"REST list with health", 8, func() { rest.call("GET", "/missions?limit=100&expand=health", nil) }},
				{"REST read with health", 8, func() { rest.call("GET", "/missions/"+id+"?expand=health", nil) }},
				{"REST status with health", 9, func() { rest.call("GET", "/missions/"+id+"/status?expand=health", nil) }},
				{"GraphQL list with health", 9, func() { gql.query(`{ missions(first: 100) { edges { node { id health { state message since } } } } }`) }},
				{"GraphQL what needs a person", 16, func() { gql.query(everythingNeeded) }},
				{"GraphQL what is recent", 4, func() {
					gql.query(`{ recent(since: "2026-11-20T08:00:00Z") { since published expired failed best { id metrics { likes } } } }`)
				}},
				{"REST expanded", 6, func() { rest.call("GET", "/missions/"+id+"?expand=content,analytics", nil) }},
				{"REST posts", 3, func() { rest.contents(map[string]any{"limit": 100}) }},
				{"REST posts of a mission", 4, func() { rest.contents(map[string]any{"mission_id": id, "status": "pending_review"}) }},
				{"GraphQL posts", 3, func() { gql.contents(nil) }},
				{"REST keys", 3, func() { rest.listKeys(nil) }},
				{"GraphQL keys", 4, func() { gql.listKeys(nil) }},
				{"GraphQL list", 3, func() { gql.list(map[string]any{"limit": 100}) }},
				{"GraphQL read", 2, func() { gql.read(id) }},
				{"GraphQL missions with posts, job and counters", 5, func() { gql.query(missionsWithPosts) }},
				{"GraphQL everything that hangs on missions", 14, func() { gql.query(everythingBelow) }},
				{"GraphQL events with what they are about", 6, func() {
					gql.query(`{ events(first: 100) { edges { node { type mission { id } content { id status } job { id status } } } } }`)
				}},
				{"GraphQL posts with their texts' authors", 6, func() {
					gql.query(`{ contents(first: 20) { edges { node { id revisions(first: 10) { revision author { id } reviewer { id email } } } } } }`)
				}},
				{"GraphQL audit log with users and keys", 6, func() {
					gql.query(`{ auditLog(first: 100) { edges { node { action user { id } key { id name createdBy { id } } } } } }`)
				}},
			}
			few := map[string]int64{}
			for _, n := range []int{1, 40} {
				for range n {
					id, _ = s.written(rest, nil)
				}
				for _, r := range requests {
					got := count(r.do)
					if got > r.most {
						t.Errorf("%s took %d statements, want at most %d", r.name, got, r.most)
					}
					if n > 1 && got != few[r.name] {
						t.Errorf("%s took %d statements with %d missions, %d with one", r.name, got, n, few[r.name])
					}
					few[r.name] = got
				}
			}
		})
	}
}
