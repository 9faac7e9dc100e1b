package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// positions numbers the posts of a job, which have no plan here.
var positions atomic.Int64

// published inserts a published post of the caller's mission.
func (s *harness) published(missionID string, on mission.Platform, at time.Time) string {
	s.t.Helper()
	return s.publishedOn(missionID, mission.Destination{Platform: on}, at)
}

// publishedOn is published on an account.
func (s *harness) publishedOn(missionID string, on mission.Destination, at time.Time) string {
	s.t.Helper()
	return s.postOn(missionID, on, at, func(c *mission.Content) { c.Status, c.PublishedAt = mission.ContentPublished, &at })
}

// postOn adds a post of a mission on an account, changed.
func (s *harness) postOn(missionID string, on mission.Destination, at time.Time, change func(c *mission.Content)) string {
	s.t.Helper()
	ctx := context.Background()
	p, err := s.Accounts.Authenticate(ctx, s.key)
	s.must(err)
	m, err := s.Missions.Mission(ctx, p, missionID)
	s.must(err)
	j, err := s.DB.Job(ctx, m.TenantID, *m.PipelineJobID)
	s.must(err)
	slot := mission.Slot{Position: 1000 + int(positions.Add(1)), At: at, Platform: on.Platform, IntegrationID: on.IntegrationID, Angle: mission.AngleTip, Format: mission.FormatPost}
	c, events := mission.NewContent(s.DB.NewID(mission.PrefixContent, s.clock.Now()), j, mission.NewAssignment(j, slot),
		mission.Draft{Format: mission.FormatPost, Text: "A text"}, mission.Verdict{}, s.clock.Now())
	change(&c)
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error { return tx.AddContent(ctx, c, events) }))
	return c.ID
}

// measure records the metrics of posts of the caller's mission at a time.
func (s *harness) measure(missionID string, at time.Time, figures map[string]mission.Metrics) {
	s.t.Helper()
	ctx := context.Background()
	p, err := s.Accounts.Authenticate(ctx, s.key)
	s.must(err)
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, p.TenantID, missionID)
		if err != nil {
			return err
		}
		var ids []string
		for id := range figures {
			ids = append(ids, id)
		}
		posts, err := tx.LockMetrics(ctx, missionID, ids)
		if err != nil {
			return err
		}
		next := map[string]*time.Time{}
		for _, c := range posts {
			next[c.ID] = c.MeasureAgain(true, 0, at)
		}
		points := mission.Measurements(posts, figures, at)
		if err := tx.AddMeasurements(ctx, points); err != nil {
			return err
		}
		return tx.StoreAssessment(ctx, m, m.Assess(posts, points, mission.Peers{}, at), next)
	}))
}

// reportAPI is the part of both APIs that concerns reports.
type reportAPI interface {
	api
	analytics(query map[string]any) result
}

func (a restAPI) analytics(query map[string]any) result {
	var q []string
	for name, value := range query {
		q = append(q, fmt.Sprintf("%s=%v", name, value))
	}
	return a.call("GET", "/analytics?"+strings.Join(q, "&"), nil)
}

const (
	metricFields = `{ engagementRate impressions clicks linkClicks likes comments shares followersGained reach }`
	reportFields = `{ missionId integrationId from to groupBy posts totals ` + metricFields + ` kpiProgress { metric platform target current trend neededPerDay reportedBy }
		days { date posts metrics ` + metricFields + ` } platforms { platform posts metrics ` + metricFields + ` }
		contents(first: $first, after: $after) { totalCount pageInfo { hasNextPage } edges { cursor node {
			contentId missionId platform publishedAt measuredAt metrics ` + metricFields + ` } } } }`
)

func (a graphAPI) analytics(query map[string]any) result {
	variables := map[string]any{}
	for name, value := range query {
		if other, ok := listNames[name]; ok {
			name = other
		}
		if name == "group_by" {
			value = strings.ToUpper(value.(string))
		}
		variables[camelCase(name)] = value
	}
	data, failed := a.call(`query($missionId: ID, $integrationId: ID, $from: Date, $to: Date, $groupBy: AnalyticsGrouping, $first: Int, $after: String) {
		analytics(missionId: $missionId, integrationId: $integrationId, from: $from, to: $to, groupBy: $groupBy) `+reportFields+` }`, variables)
	for restName, graphName := range listNames {
		if failed.Param == graphName {
			failed.Param = restName
		}
	}
	if failed.Code != "" {
		failed.Param = snakeCase(failed.Param)
		return failed
	}
	return result{Fields: reportOf(data["analytics"].(map[string]any))}
}

// reportOf converts a report from GraphQL's form to REST's.
func reportOf(data map[string]any) map[string]any {
	r := reported(asREST(data)).(map[string]any)
	r["kpis"] = r["kpi_progress"]
	r["group_by"] = lower(r["group_by"])
	r["has_more"] = false
	for _, rows := range []string{"days", "platforms"} {
		if list, ok := r[rows].([]any); ok {
			r["data"], r["total"] = list, float64(len(list))
		}
	}
	if contents, ok := r["contents"].(map[string]any); ok {
		list := []any{}
		for _, e := range contents["edges"].([]any) {
			list = append(list, e.(map[string]any)["node"])
		}
		r["data"], r["total"], r["has_more"] = list, contents["total_count"], at(contents, "page_info", "has_next_page")
	}
	for _, name := range []string{"days", "platforms", "contents", "kpi_progress"} {
		delete(r, name)
	}
	return r
}

// reported drops metrics that are null, and converts trends to REST's form.
func reported(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			switch metrics, _ := value.(map[string]any); {
			case name == "trend":
				v[name] = lower(value)
			case name == "metrics" || name == "totals":
				for metric, n := range metrics {
					if n == nil {
						delete(metrics, metric)
					}
				}
			default:
				v[name] = reported(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = reported(v[i])
		}
	}
	return v
}

// TestAnalytics runs the scenarios of reports through both APIs.
func TestAnalytics(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[reportAPI]{
		{"what posts came to", reports},
		{"pages of measured posts", pagesOfAReport},
		{"reports that can't be", badReports},
		{"a tenant without posts", emptyReports},
	})
	playAll(t, []scenario[accountReportAPI]{{"what an account came to", accountReports}})
}

// accountReportAPI is the part of both APIs that concerns reports of accounts.
type accountReportAPI interface {
	linkAPI
	analytics(query map[string]any) result
}

// A report of an account has its posts alone, also once it is disconnected; nobody else's.
func accountReports(s *harness, a accountReportAPI) {
	account := a.connect(object{"platform": "twitter", "access_token": "good"}).Fields["id"].(string)
	silent := a.connect(object{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"}).Fields["id"].(string)
	ours := s.make(a, object{"start_immediately": true, "platforms": []any{"twitter", "mastodon"}})
	other := s.make(a, object{"start_immediately": true, "platforms": []any{"twitter"}})
	day := scenarioStart.Add(time.Hour)
	on := mission.Destination{Platform: mission.Twitter, IntegrationID: account}
	first, second, third := s.publishedOn(ours, on, day), s.publishedOn(ours, on, day.Add(24*time.Hour)), s.publishedOn(other, on, day)
	sandbox := s.published(ours, mission.Mastodon, day)
	s.clock.Advance(36 * time.Hour)
	s.measure(ours, s.clock.Now(), map[string]mission.Metrics{first: {mission.Likes: 3}, second: {mission.Likes: 5}, sandbox: {mission.Likes: 100}})
	s.measure(other, s.clock.Now(), map[string]mission.Metrics{third: {mission.Likes: 7}})

	compare := func(when string) {
		s.t.Helper()
		for _, tt := range []struct {
			query object
			likes float64 // -1 if there are none
			posts []any   // of the report's rows, latest first, where they are posts
		}{
			{object{}, 115, nil},
			{object{"integration_id": account}, 15, nil},
			{object{"integration_id": account, "group_by": "platform"}, 15, nil},
			{object{"integration_id": account, "mission_id": ours}, 8, nil},
			{object{"integration_id": account, "from": "2026-11-22"}, 5, nil},
			{object{"integration_id": silent}, -1, nil},
			{object{"integration_id": account, "group_by": "content"}, 15, []any{second, third, first}},
			{object{"integration_id": account, "group_by": "content", "mission_id": ours}, 8, []any{second, first}},
			{object{"integration_id": account, "group_by": "content", "mission_id": ours, "starting_after": second}, 8, []any{first}},
			{object{"integration_id": silent, "group_by": "content"}, -1, []any{}},
		} {
			got := a.analytics(tt.query)
			likes, ok := at(got.Fields, "totals", "likes").(float64)
			if !ok {
				likes = -1
			}
			if got.Code != "" || likes != tt.likes || got.Fields["integration_id"] != tt.query["integration_id"] {
				s.t.Errorf("%s: %v got %v, want %v likes", when, tt.query, got, tt.likes)
			}
			if tt.posts == nil {
				continue
			}
			ids := []any{}
			for _, row := range got.Fields["data"].([]any) {
				ids = append(ids, row.(object)["content_id"])
			}
			if !reflect.DeepEqual(ids, tt.posts) {
				s.t.Errorf("%s: %v lists %v, want %v", when, tt.query, ids, tt.posts)
			}
		}
	}
	compare("connected")
	s.field(a.disconnect(account), "deleted", true)
	compare("disconnected")
	s.want(a.analytics(object{"integration_id": account, "group_by": "content", "starting_after": sandbox + "x"}), "invalid_request", "starting_after")
	s.key = s.keys["theirs"]
	for _, by := range []string{"day", "platform", "content"} {
		s.want(a.analytics(object{"integration_id": account, "group_by": by}), "invalid_request", "integration_id")
	}
}

// harvest is two missions with posts of three days; the clock is at the third.
type harvest struct {
	ours, other     string   // mission ids
	posts           []string // of ours, in the order of publication; the last has no measurements
	first, tomorrow time.Time
}

func (s *harness) harvest(a api) harvest {
	s.t.Helper()
	kpis := []any{map[string]any{"metric": "likes", "target": 100}, map[string]any{"metric": "impressions", "target": 10, "platform": "linkedin"}}
	h := harvest{
		ours:  s.make(a, map[string]any{"start_immediately": true, "duration_days": 10, "kpis": kpis}),
		other: s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon"}}),
		first: scenarioStart.Add(time.Hour), tomorrow: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC),
	}
	for _, p := range []struct {
		on mission.Platform
		at time.Time
	}{
		{mission.Twitter, h.first}, {mission.LinkedIn, h.tomorrow.Add(-time.Millisecond)},
		{mission.Twitter, h.tomorrow}, {mission.Twitter, h.tomorrow.Add(25 * time.Hour)},
	} {
		h.posts = append(h.posts, s.published(h.ours, p.on, p.at))
	}
	toot := s.published(h.other, mission.Mastodon, h.tomorrow.Add(time.Hour))
	s.clock.Advance(max(0, h.tomorrow.Add(36*time.Hour).Sub(s.clock.Now())))
	s.measure(h.ours, h.first.Add(time.Hour), map[string]mission.Metrics{h.posts[0]: {mission.Impressions: 100, mission.Likes: 3}})
	s.measure(h.ours, s.clock.Now(), map[string]mission.Metrics{
		h.posts[0]: {mission.Impressions: 1000, mission.Likes: 30, mission.Comments: 10},
		h.posts[1]: {mission.Likes: 5},
		h.posts[2]: {mission.Impressions: 500, mission.Likes: 10},
	})
	s.measure(h.other, s.clock.Now(), map[string]mission.Metrics{toot: {mission.Likes: 7, mission.Shares: 1}})
	return h
}

type object = map[string]any

func reports(s *harness, a reportAPI) {
	h := s.harvest(a)
	firstDay := object{"impressions": 1000.0, "likes": 35.0, "comments": 10.0, "engagement_rate": 4.0}
	kpis := []any{
		object{"metric": "likes", "platform": "all", "target": 100.0, "current": 45.0, "trend": "steady", "needed_per_day": 55.0 / 8, "reported_by": []any{"twitter", "linkedin"}},
		object{"metric": "impressions", "platform": "linkedin", "target": 10.0, "current": nil, "trend": "steady", "needed_per_day": 10.0 / 8, "reported_by": []any{"linkedin"}},
	}
	for _, tt := range []struct {
		name  string
		query object
		want  object
	}{
		{"all by day", nil, object{
			"mission_id": nil, "integration_id": nil, "from": "2026-10-25", "to": "2026-11-23", "group_by": "day", "posts": 4.0, "kpis": []any{}, "has_more": false, "total": 2.0,
			"totals": object{"impressions": 1500.0, "likes": 52.0, "comments": 10.0, "shares": 1.0, "engagement_rate": 100 * 50.0 / 1500},
			"data": []any{
				object{"date": "2026-11-21", "posts": 2.0, "metrics": firstDay},
				object{"date": "2026-11-22", "posts": 2.0, "metrics": object{"impressions": 500.0, "likes": 17.0, "shares": 1.0, "engagement_rate": 2.0}},
			},
		}},
		{"a mission by platform", object{"mission_id": h.ours, "group_by": "platform"}, object{
			"mission_id": h.ours, "integration_id": nil, "from": "2026-11-21", "to": "2026-11-23", "group_by": "platform", "posts": 3.0, "kpis": kpis, "has_more": false, "total": 2.0,
			"totals": object{"impressions": 1500.0, "likes": 45.0, "comments": 10.0, "engagement_rate": 100 * 50.0 / 1500},
			"data": []any{
				object{"platform": "twitter", "posts": 2.0, "metrics": object{"impressions": 1500.0, "likes": 40.0, "comments": 10.0, "engagement_rate": 100 * 50.0 / 1500}},
				object{"platform": "linkedin", "posts": 1.0, "metrics": object{"likes": 5.0}},
			},
		}},
		{"a mission's first day", object{"mission_id": h.ours, "from": "2026-11-21", "to": "2026-11-21"}, object{
			"mission_id": h.ours, "integration_id": nil, "from": "2026-11-21", "to": "2026-11-21", "group_by": "day", "posts": 2.0, "kpis": kpis, "has_more": false, "total": 1.0,
			"totals": firstDay, "data": []any{object{"date": "2026-11-21", "posts": 2.0, "metrics": firstDay}},
		}},
		{"the second day, post by post", object{"from": "2026-11-22", "group_by": "content", "mission_id": h.ours}, object{
			"mission_id": h.ours, "integration_id": nil, "from": "2026-11-22", "to": "2026-11-23", "group_by": "content", "posts": 1.0, "kpis": kpis, "has_more": false, "total": 1.0,
			"totals": object{"impressions": 500.0, "likes": 10.0, "engagement_rate": 2.0},
			"data": []any{object{
				"content_id": h.posts[2], "mission_id": h.ours, "platform": "twitter", "published_at": "2026-11-22T00:00:00.000Z",
				"measured_at": "2026-11-23T12:00:00.000Z", "metrics": object{"impressions": 500.0, "likes": 10.0, "engagement_rate": 2.0},
			}},
		}},
	} {
		got := a.analytics(tt.query)
		if got.Code != "" || !reflect.DeepEqual(got.Fields, tt.want) {
			s.t.Errorf("%s: got %+v, want\n%+v", tt.name, got, tt.want)
		}
	}
	whole := a.analytics(object{"from": "2025-11-23", "to": "2026-11-23"})
	s.field(whole, "posts", 4.0) // 366 days
	s.clock.Advance(400 * 24 * time.Hour)
	s.field(a.analytics(object{"mission_id": h.ours}), "posts", 3.0) // the whole mission, however old
	s.field(a.analytics(nil), "posts", 0.0)
}

func pagesOfAReport(s *harness, a reportAPI) {
	h := s.harvest(a)
	var seen []string
	query := object{"group_by": "content", "limit": 1}
	for range 4 {
		got := a.analytics(query)
		s.field(got, "total", 4.0)
		row := got.Fields["data"].([]any)[0].(object)
		seen = append(seen, row["content_id"].(string))
		s.field(got, "has_more", len(seen) < 4)
		query["starting_after"] = row["content_id"]
	}
	if want := []string{h.posts[2], h.posts[1], h.posts[0]}; !slices.Equal(seen[1:], want) {
		s.t.Errorf("the pages have %v, want %v after another mission's", seen, want)
	}
	got := a.analytics(query)
	s.field(got, "data", []any{})
	s.field(a.analytics(object{"group_by": "content", "limit": 2, "mission_id": h.ours}), "has_more", true)
	s.field(a.analytics(object{"group_by": "content", "limit": 3, "mission_id": h.ours}), "has_more", false)
}

func badReports(s *harness, a reportAPI) {
	h := s.harvest(a)
	unpublished := s.post(s.mission(h.ours), *s.mission(h.ours).PipelineJobID)
	foreign := h.ours
	for _, bad := range []struct {
		query object
		param string
	}{
		{object{"from": "2026-11-32"}, "from"},
		{object{"from": "yesterday"}, "from"},
		{object{"from": "2026-11-21T00:00:00Z"}, "from"},
		{object{"from": "0000-01-01"}, "from"},
		{object{"to": "20261121"}, "to"},
		{object{"to": "9999-12-31"}, "to"},
		{object{"from": "x", "to": "y"}, "from"},
		{object{"from": "2026-11-22", "to": "2026-11-21"}, "from"},
		{object{"from": "2026-11-24"}, "from"}, // tomorrow
		{object{"from": "2025-11-22", "to": "2026-11-23"}, "from"},
		{object{"from": "2025-11-22", "mission_id": h.ours}, "from"},
		{object{"mission_id": "msn_01jd0000000000000000000000"}, "mission_id"},
		{object{"mission_id": "nonsense"}, "mission_id"},
		{object{"mission_id": h.posts[0]}, "mission_id"},
		{object{"integration_id": "int_01jd0000000000000000000000"}, "integration_id"},
		{object{"integration_id": "nonsense", "group_by": "content"}, "integration_id"},
		{object{"integration_id": h.ours, "mission_id": h.ours}, "integration_id"},
		{object{"group_by": "week"}, "group_by"},
		{object{"group_by": "content", "limit": -1}, "limit"},
		{object{"group_by": "content", "limit": 101}, "limit"},
		{object{"group_by": "content", "starting_after": "x"}, "starting_after"},
		{object{"group_by": "content", "starting_after": "cnt_01jd0000000000000000000000"}, "starting_after"},
		{object{"group_by": "content", "starting_after": unpublished}, "starting_after"},
	} {
		got := a.analytics(bad.query)
		if got.Code != "invalid_request" || got.Param != bad.param {
			s.t.Errorf("%v returned %+v, want invalid_request on %s", bad.query, got, bad.param)
		}
	}
	s.key = s.keys["theirs"]
	s.want(a.analytics(object{"mission_id": foreign}), "invalid_request", "mission_id")
	s.want(a.analytics(object{"group_by": "content", "starting_after": h.posts[0]}), "invalid_request", "starting_after")
	s.field(a.analytics(nil), "posts", 0.0)
	s.key = s.narrow(mission.ScopeMissionsRead, mission.ScopeContentRead)
	s.want(a.analytics(nil), "forbidden", "")
	s.key = s.narrow(mission.ScopeAnalyticsRead)
	s.field(a.analytics(nil), "posts", 4.0)
}

// mission returns a mission of the caller.
func (s *harness) mission(id string) mission.Mission {
	s.t.Helper()
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	m, err := s.Missions.Mission(context.Background(), p, id)
	s.must(err)
	return m
}

// narrow creates a key of the caller's tenant with only some scopes.
func (s *harness) narrow(scopes ...mission.Scope) string {
	s.t.Helper()
	p, err := s.Accounts.Authenticate(context.Background(), s.keys["ours"])
	s.must(err)
	_, key, err := s.Accounts.CreateKey(context.Background(), p, mission.KeyInput{Name: "narrow", Scopes: scopes})
	s.must(err)
	return key
}

func emptyReports(s *harness, a reportAPI) {
	for _, by := range []string{"day", "platform", "content"} {
		got := a.analytics(object{"group_by": by})
		s.field(got, "totals", object{})
		s.field(got, "data", []any{})
		s.field(got, "total", 0.0)
	}
	draft := s.make(a, nil)
	got := a.analytics(object{"mission_id": draft})
	s.field(got, "from", "2026-11-21")
	s.field(got, "kpis", []any{})
}

// A mission's report is the same as the query's, and each post has the series
// whose last values are its figures; the number of statements doesn't grow with
// missions or posts.
func TestAnalyticsBelow(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			h := s.harvest(rest)
			for _, args := range []string{`groupBy: DAY`, `groupBy: PLATFORM, to: "2026-11-22"`, `groupBy: CONTENT, from: "2026-11-21"`} {
				fields := strings.ReplaceAll(reportFields, "(first: $first, after: $after)", "(first: 2)")
				below := gql.query(`{ missions(first: 5) { edges { node { id analytics(` + args + `) ` + fields + ` } } } }`)
				for _, e := range at(below, "missions", "edges").([]any) {
					node := e.(object)["node"].(object)
					alone := gql.query(fmt.Sprintf(`{ analytics(missionId: %q, %s) %s }`, node["id"], args, fields))
					if !reflect.DeepEqual(node["analytics"], alone["analytics"]) {
						t.Errorf("%s: nested %v, on its own %v", args, node["analytics"], alone["analytics"])
					}
				}
			}
			series := gql.query(fmt.Sprintf(`{ content(id: %q) { metrics { likes } measurements { measuredAt ageSeconds metrics { likes comments } } } }`, h.posts[0]))
			want := []any{
				object{"measuredAt": "2026-11-21T10:00:00.000Z", "ageSeconds": 3600.0, "metrics": object{"likes": 3.0, "comments": nil}},
				object{"measuredAt": "2026-11-23T12:00:00.000Z", "ageSeconds": 51 * 3600.0, "metrics": object{"likes": 30.0, "comments": 10.0}},
			}
			if got := at(series, "content", "measurements"); !reflect.DeepEqual(got, want) {
				t.Errorf("got the series %v, want %v", got, want)
			}
			if got := gql.query(fmt.Sprintf(`{ content(id: %q) { measurements { ageSeconds } } }`, h.posts[3])); len(at(got, "content", "measurements").([]any)) != 0 {
				t.Errorf("got the series %v of a post without measurements", got)
			}
			queries := map[string]string{
				"reports of missions":   `{ missions(first: 6) { edges { node { id analytics { posts days { date metrics { likes } } } } } } }`,
				"posts of reports":      `{ missions(first: 5) { edges { node { id analytics(groupBy: CONTENT) { mission { name } contents(first: 5) { totalCount edges { node { content { text job { id } } } } } } } } } }`,
				"series of posts":       `{ contents { edges { node { id measurements { ageSeconds metrics { likes } } } } } }`,
				"courses of KPIs":       `{ missions(first: 5) { edges { node { id spentCents likes: kpiHistory(metric: LIKES) { value } reach: kpiHistory(metric: REACH) { date } } } } }`,
				"learning of missions":  `{ missions(first: 10) { edges { node { id spentCents reservedCents learning { metrics { beliefs { mean } } } } } } }`,
				"a report of all posts": `{ analytics(groupBy: CONTENT) { posts contents { edges { node { contentId content { text measurements { ageSeconds } } } } } } }`,
			}
			most := map[string]int64{"reports of missions": 3, "posts of reports": 8, "courses of KPIs": 3, "learning of missions": 3, "series of posts": 3, "a report of all posts": 5}
			few := map[string]int64{}
			s.plain = nil // statements are counted
			for _, more := range []int{0, 3} {
				for range more {
					s.harvest(rest)
				}
				for name, query := range queries {
					before := s.faults.Statements()
					gql.query(query)
					n := s.faults.Statements() - before
					if more > 0 && n != few[name] || n > most[name] {
						t.Errorf("%s took %d statements, want %d as with fewer rows, and at most %d", name, n, few[name], most[name])
					}
					few[name] = n
				}
			}
			for query, most := range map[string]int64{"": 2, "&mission_id=" + h.ours: 3, "&group_by=content": 3, "&group_by=content&limit=1&starting_after=" + h.posts[2]: 4} {
				before := s.faults.Statements()
				rest.call("GET", "/analytics?"+strings.TrimPrefix(query, "&"), nil)
				if n := s.faults.Statements() - before; n > most {
					t.Errorf("GET /v1/analytics with %q took %d statements, want at most %d", query, n, most)
				}
			}
		})
	}
}

// Without its scope a report or a series is null, with an error, and the rest of
// the data is intact; without a post's own scope its figures are null.
func TestAnalyticsScopes(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	h := s.harvest(restAPI{s})
	for _, tt := range []struct {
		scopes []mission.Scope
		query  string
		errors int
		want   string
	}{
		{[]mission.Scope{mission.ScopeMissionsRead, mission.ScopeContentRead}, `{ mission(id: %q) { name analytics { posts } contents(first: 1) { edges { node { platform measurements { ageSeconds } } } } } }`, 2,
			`map[mission:map[analytics:<nil> contents:map[edges:[map[node:map[measurements:<nil> platform:TWITTER]]]] name:A mission]]`},
		{[]mission.Scope{mission.ScopeAnalyticsRead}, `{ analytics(missionId: %q, groupBy: CONTENT) { posts mission { name } contents(first: 1) { edges { node { platform content { text } } } } } }`, 2,
			`map[analytics:map[contents:map[edges:[map[node:map[content:<nil> platform:TWITTER]]]] mission:<nil> posts:3]]`},
	} {
		s.key = s.narrow(tt.scopes...)
		status, response := s.send("POST", "/graphql", object{"query": fmt.Sprintf(tt.query, h.ours)})
		errs, _ := response["errors"].([]any)
		if got := fmt.Sprint(response["data"]); status != http.StatusOK || got != tt.want || len(errs) != tt.errors {
			t.Errorf("%v returned %s with %v", tt.scopes, got, errs)
		}
	}
	s.key = s.narrow(mission.ScopeMissionsRead)
	for _, path := range []string{"/v1/analytics", "/v1/analytics/export", "/v1/missions/" + h.ours + "?expand=analytics"} {
		if status, response := s.send("GET", path, nil); status != http.StatusForbidden || !strings.Contains(fmt.Sprint(response), "analytics:read") {
			t.Errorf("%s returned %d %v", path, status, response)
		}
	}
	s.key = s.keys["ours"]
	_, expanded := s.send("GET", "/v1/missions/"+h.ours+"?expand=analytics", nil)
	days := at(expanded, "analytics", "by_day").([]any)
	if len(days) != 2 || days[0].(object)["posts"] != 2.0 || days[1].(object)["posts"] != 1.0 {
		t.Errorf("the expanded mission has the days %v", days)
	}
}
