package api

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// crowd adds fifty thousand posts over some 350 days to a mission, with three
// measurements each: copies of one of its posts.
const crowd = `
INSERT INTO contents SELECT copy.* FROM contents AS c, generate_series(1, 50000) AS n,
	jsonb_populate_record(c, jsonb_build_object(
		'id', 'cnt_01jd' || lpad(CAST(n AS text), 22, '0'), 'position', 100000 + n, 'metrics', jsonb_build_object('likes', n),
		'published_at', c.published_at - n * interval '10 minutes', 'measured_at', c.published_at)) AS copy
	WHERE c.id = $1;`

const crowdMeasured = `
INSERT INTO measurements SELECT c.id, step, c.mission_id, c.platform, c.published_at, c.published_at + step * interval '1 hour', c.metrics
	FROM contents AS c, generate_series(1, 3) AS step WHERE c.position > 100000;`

const crowdDays = `
INSERT INTO day_figures (tenant_id, mission_id, date, platform, integration_id, posts, likes)
	SELECT c.tenant_id, of.mission, to_char(c.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), c.platform, c.integration_id, count(*), 1
	FROM contents AS c, unnest(ARRAY[c.mission_id, '']) AS of(mission) WHERE c.position > 100000 GROUP BY 1, 2, 3, 4, 5
	ON CONFLICT DO NOTHING;`

// planNode is a step of an executed query plan of Postgres.
type planNode struct {
	Type    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []planNode
}

// read sums the rows that a plan read from tables, and names the tables with a
// sequential scan.
func (n planNode) read() (rows float64, whole []string) {
	if n.Table != "" {
		rows = (n.Rows + n.Removed) * n.Loops
	}
	if n.Type == "Seq Scan" {
		whole = append(whole, n.Table)
	}
	for _, below := range n.Plans {
		more, tables := below.read()
		rows, whole = rows+more, append(whole, tables...)
	}
	return rows, whole
}

// Reports read some hundred rows, and an export one page, however many posts and
// measurements there are.
func TestReportsReadFewRows(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	var url string
	s := newHarness(t, func(t testing.TB, o store.Options) *store.DB {
		url = testkit.PostgresURL(t)
		db, err := store.OpenPostgres(url, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Cleanup(t, func() { _ = db.Close() })
		if err := db.Migrate(context.Background()); err != nil {
			t.Fatal(err)
		}
		return db
	})
	rest, gql := restAPI{s}, graphAPI{s}
	h := s.harvest(rest)
	s.plain = nil // statements are counted
	few := s.make(rest, object{"start_immediately": true})
	one := s.published(few, mission.Twitter, s.clock.Now())
	s.measure(few, s.clock.Now(), map[string]mission.Metrics{one: {mission.Likes: 1}})
	account := rest.connect(object{"platform": "twitter", "access_token": "good"}).Fields["id"].(string)
	rare := s.publishedOn(h.ours, mission.Destination{Platform: mission.Twitter, IntegrationID: account}, s.clock.Now().Add(-300*24*time.Hour))
	s.measure(h.ours, s.clock.Now(), map[string]mission.Metrics{rare: {mission.Likes: 1}})
	db, err := sql.Open("pgx", url)
	s.must(err)
	testkit.Cleanup(t, func() { _ = db.Close() })
	begun := time.Now()
	for i, statement := range []string{crowd, crowdMeasured, crowdDays, "ANALYZE"} {
		var args []any
		if i == 0 {
			args = append(args, h.posts[0])
		}
		_, err := db.ExecContext(t.Context(), statement, args...)
		s.must(err)
	}
	t.Logf("inserting the posts took %s", time.Since(begun).Round(time.Millisecond))

	var mu sync.Mutex
	type query struct {
		text   string
		values []any
	}
	var statements []query
	s.faults.Listen(func(statement string, values ...any) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(statement, "SELECT") && (strings.Contains(statement, "contents") || strings.Contains(statement, "measurements") || strings.Contains(statement, "day_figures")) {
			statements = append(statements, query{statement, values})
		}
	})
	year := "&from=2025-11-23&to=2026-11-23"
	middle := "cnt_01jd0000000000000000025000"
	for name, request := range map[string]struct {
		most float64
		do   func()
	}{
		"days of a mission":               {1000, func() { rest.call("GET", "/analytics?mission_id="+h.ours+year, nil) }},
		"platforms of the tenant":         {1000, func() { rest.call("GET", "/analytics?group_by=platform"+year, nil) }},
		"the first posts of a mission":    {1000, func() { rest.call("GET", "/analytics?group_by=content&mission_id="+h.ours+year, nil) }},
		"posts from the middle":           {1000, func() { rest.call("GET", "/analytics?group_by=content&limit=100&starting_after="+middle+year, nil) }},
		"posts of a mission with one":     {20, func() { rest.call("GET", "/analytics?group_by=content&mission_id="+few, nil) }},
		"days of an account":              {1000, func() { rest.call("GET", "/analytics?integration_id="+account+year, nil) }},
		"days of an account of a mission": {1000, func() { rest.call("GET", "/analytics?mission_id="+h.ours+"&integration_id="+account+year, nil) }},
		"posts of an account":             {1000, func() { rest.call("GET", "/analytics?group_by=content&integration_id="+account+year, nil) }},
		"posts of an account of a mission": {1000, func() {
			rest.call("GET", "/analytics?group_by=content&mission_id="+h.ours+"&integration_id="+account+year, nil)
		}},
		"missions of an account": {2000, func() { // the days twice
			gql.query(`{ analytics(integrationId: "` + account + `", groupBy: MISSION, from: "2025-11-23") { missions { missionId } } }`)
		}},
		"a last page": {1000, func() {
			gql.query(`{ analytics(groupBy: CONTENT, from: "2025-11-23") { contents(last: 100) { edges { cursor } } } }`)
		}},
		"how missions are doing": {50, func() { rest.call("GET", "/missions?expand=health", nil) }},
		"what is recent": {1000, func() {
			gql.query(`{ recent(since: "2026-11-14T08:00:00Z") { published expired failed best { id } } }`)
		}},
		"the series of a page of posts":   {1000, func() { gql.query(`{ contents(first: 100) { edges { node { measurements { ageSeconds } } } } }`) }},
		"pages of an export of a mission": {1100, func() { s.startOfExport(4, "mission_id="+h.ours) }},
		"pages of an export of all":       {1100, func() { s.startOfExport(3, "from=2026-06-01") }},
	} {
		mu.Lock()
		statements = nil
		mu.Unlock()
		request.do()
		mu.Lock()
		done := statements
		mu.Unlock()
		total := 0.0
		for _, statement := range done {
			var text []byte
			s.must(db.QueryRowContext(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+statement.text, statement.values...).Scan(&text))
			var plans []struct{ Plan planNode }
			s.must(json.Unmarshal(text, &plans))
			rows, whole := plans[0].Plan.read()
			total += rows
			if slices.Contains(whole, "contents") || slices.Contains(whole, "measurements") {
				t.Errorf("%s scans the whole of %v: %s", name, whole, statement.text)
			}
		}
		if t.Logf("%s: %d statements, %.0f rows", name, len(done), total); total == 0 || total > request.most {
			t.Errorf("%s read %.0f rows, want some, and at most %.0f: %s", name, total, request.most, done)
		}
	}
}

// startOfExport reads the first page of an export, and makes the second fail,
// which is its n-th statement.
func (s *harness) startOfExport(n int64, query string) {
	s.t.Helper()
	s.faults.Arm(n, func() { panic(http.ErrAbortHandler) })
	defer s.faults.Disarm()
	resp, err := s.request(s.server, http.MethodGet, "/v1/analytics/export?"+query)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	if n, err := io.Copy(io.Discard, resp.Body); err == nil || n == 0 {
		s.t.Errorf("got %d bytes of an export, %v", n, err)
	}
}
