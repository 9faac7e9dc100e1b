package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/id"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// The size of a tenant that is half a year old: events with a delivery and an attempt each,
// and posts with their measurements, by month.
const (
	seedMonths   = 6
	seedEvents   = 12_000
	seedPosts    = 2_000
	seedMissions = 20
	seedFirstSeq = 1000 // the missions' own events come first
)

// halfYear is a database with such a tenant.
type halfYear struct {
	*fixture

	raw      *sql.DB // one session
	now      time.Time
	webhook  mission.Webhook
	missions []string
	// events, deliveries and posts are ids, the oldest first.
	events, deliveries, posts []string
}

// seedHalfYear fills a database. With whole, its monthly tables are whole ones with the same
// indexes.
func seedHalfYear(t testing.TB, whole bool, faults *database.Faults) *halfYear {
	t.Helper()
	url := testkit.PostgresURL(t)
	db := openAt(t, testkit.Pooled(t, url), store.Options{Timing: timing, Database: database.Options{Faults: faults}})
	if err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	y := &halfYear{fixture: newFixture(t, db), raw: rawAt(t, url), now: monthOf(start, 1).Add(-time.Millisecond)}
	y.raw.SetMaxOpenConns(1)
	for n := range seedMonths {
		y.must(db.MaintainMonths(ctx, monthOf(start, n+1-seedMonths), store.MonthRetention{Usage: time.Hour * 24 * 400}))
	}
	if whole {
		for _, table := range monthly {
			y.exec(fmt.Sprintf("CREATE TABLE whole (LIKE %[1]s INCLUDING ALL); DROP TABLE %[1]s; ALTER TABLE whole RENAME TO %[1]s", table))
		}
	}
	y.webhook = y.endpoint(mission.EventMissionPaused, mission.EventContentCreated)
	for range seedMissions {
		y.missions = append(y.missions, y.mission(nil).ID)
	}
	for n := range seedMonths {
		from, to := monthOf(start, n+1-seedMonths), monthOf(start, n+2-seedMonths)
		ids := func(prefix string, count int) (ids []string, at []time.Time) {
			for i := range count {
				at = append(at, from.Add(to.Sub(from)/time.Duration(count)*time.Duration(i)).Truncate(time.Millisecond))
				ids = append(ids, id.Least(prefix, at[i]))
			}
			return ids, at
		}
		events, at := ids(mission.PrefixEvent, seedEvents)
		deliveries, _ := ids(mission.PrefixDelivery, seedEvents)
		y.exec(`INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq)
			SELECT e.id, $3, ($4::text[])[1 + i % cardinality($4)], (ARRAY['content.created', 'content.approved', 'content.published', 'pipeline.stage_completed'])[1 + i % 4], e.at,
				convert_to('{"id":"' || e.id || '","data":{"rest":"' || repeat('x', 200) || '"}}', 'UTF8'), $5 + i
			FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS e (id, at, i)`, events, at, y.tenant.ID, y.missions, seedFirstSeq+n*seedEvents)
		y.exec(`INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at, completed_at)
			SELECT replace(id, 'evt_', 'dlv_'), tenant_id, $1, id, type, mission_id, CASE WHEN seq % 100 = 0 THEN 'failed' WHEN seq % 10 = 1 AND created_at > $3 THEN 'pending' ELSE 'delivered' END, 1,
				CASE WHEN seq % 10 = 1 AND created_at > $3 THEN created_at END, created_at, CASE WHEN seq % 10 <> 1 OR created_at <= $3 THEN created_at END
			FROM events WHERE id = ANY ($2::text[])`, y.webhook.ID, events, y.now.AddDate(0, 0, -3))
		y.exec(`INSERT INTO delivery_attempts (delivery_id, number, at, status_code, duration_ms, error, response)
			SELECT id, 1, created_at, 200, 12, '', '' FROM deliveries WHERE id = ANY ($1::text[])`, deliveries)
		posts, at := ids(mission.PrefixContent, seedPosts)
		y.exec(`INSERT INTO contents (id, tenant_id, mission_id, position, platform, format, status, body, parts, angle, revision, scheduled_at, published_at, cost_micros,
				metrics, measured_at, created_at, updated_at)
			SELECT c.id, $3, ($4::text[])[1 + i % cardinality($4)], 0, 'mastodon', 'post', 'published', 'A text', '[]', 'tip', 1, c.at, c.at, 0, '{"likes": 3, "impressions": 200}', c.at, c.at, c.at
			FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS c (id, at, i)`, posts, at, y.tenant.ID, y.missions)
		y.exec(`INSERT INTO measurements (content_id, step, mission_id, platform, published_at, measured_at, metrics)
			SELECT id, s, mission_id, platform, published_at, published_at + s * interval '1 hour', metrics FROM contents, generate_series(0, 14) s WHERE id = ANY ($1::text[])`, posts)
		y.exec(`INSERT INTO usage_days (tenant_id, key_id, day, requests) SELECT $1, k::text, to_char($2::timestamptz AT TIME ZONE 'UTC' + i * interval '1 day', 'YYYY-MM-DD'), 9
			FROM generate_series(0, 19) k, generate_series(0, 27) i`, y.tenant.ID, from)
		y.events, y.deliveries, y.posts = append(y.events, events...), append(y.deliveries, deliveries...), append(y.posts, posts...)
	}
	y.exec("VACUUM ANALYZE")
	y.exec("SET plan_cache_mode = force_generic_plan")
	return y
}

func (y *halfYear) exec(query string, args ...any) {
	y.t.Helper()
	_, err := y.raw.ExecContext(ctx, query, args...)
	y.must(err)
}

// reading is a read of monthly tables: a page, or the rows that belong to it. most is how many
// pages of 8 kB its statements may look at: as many however many rows there are.
type reading struct {
	most float64
	read func() error
}

// reads are the reads of monthly tables.
func (y *halfYear) reads() map[string]reading {
	tenant, since, ever := y.tenant.ID, y.now.AddDate(0, 0, -30), y.now.AddDate(-1, 0, 0)
	middle, seq := len(y.events)/2, int64(seedFirstSeq+len(y.events))
	page := store.Page{Limit: 20}
	events := func(f store.EventFilter, since time.Time, p store.Page) func() error {
		return func() error { return failed(y.db.Events(ctx, tenant, f, since, p)) }
	}
	deliveries := func(status mission.DeliveryStatus, since time.Time, p store.Page) func() error {
		return func() error { return failed(y.db.Deliveries(ctx, tenant, y.webhook.ID, status, since, p)) }
	}
	return map[string]reading{
		"events, of 30 days":      {60, events(store.EventFilter{}, since, page)},
		"events, of all months":   {60, events(store.EventFilter{}, ever, page)},
		"events, from the middle": {60, events(store.EventFilter{}, ever, store.Page{Limit: 20, After: y.events[middle]})},
		"events, of a rare type":  {60, events(store.EventFilter{Types: []mission.EventType{mission.EventMissionPaused}}, ever, page)},
		"events of 20 missions": {2000, func() error {
			return failed(y.db.EventsOf(ctx, tenant, y.missions, store.EventFilter{}, since, page))
		}},
		"events of a mission, after": {100, func() error {
			return failed(y.db.MissionEvents(ctx, tenant, y.missions[0], last(y.events, 400)[0], 20))
		}},
		"events after another": {100, func() error {
			return failed(y.db.EventsBetween(ctx, tenant, seq-20, seq, store.EventFilter{}))
		}},
		"an event": {10, func() error { return failed(y.db.Event(ctx, tenant, y.events[middle])) }},
		// This looks up the deliveries of each event. To read all deliveries takes fewer pages here,
		// and more with each month; the benchmark tells the two apart.
		"500 events to be replayed": {20_000, func() error {
			return failed(y.db.ReplayEvents(ctx, y.webhook, y.now.AddDate(0, 0, -20), y.now, "", true, 500))
		}},
		"deliveries, of 30 days":      {60, deliveries("", since, page)},
		"deliveries, of all months":   {60, deliveries("", ever, page)},
		"deliveries, from the middle": {60, deliveries("", ever, store.Page{Limit: 20, After: y.deliveries[middle]})},
		"deliveries that failed":      {60, deliveries(mission.DeliveryFailed, since, page)},
		"a delivery":                  {10, func() error { return failed(y.db.Delivery(ctx, tenant, y.deliveries[middle])) }},
		"128 deliveries that are due": {1000, func() error { return failed(y.db.DueDeliveries(ctx, y.webhook.ID, y.now, 128)) }},
		"the last failed delivery": {60, func() error {
			return failed(y.db.LastTrouble(ctx, tenant, []string{y.webhook.ID}, since))
		}},
		"attempts of 20 deliveries": {1000, func() error { return failed(y.db.AttemptsOf(ctx, tenant, last(y.deliveries, 20))) }},
		"measurements of 20 posts":  {1000, func() error { return failed(y.db.MeasurementsOf(ctx, tenant, last(y.posts, 20))) }},
		"an export's page of 100 posts": {2500, func() error {
			return failed(y.db.Series(ctx, store.SeriesQuery{
				TenantID: tenant, PublishedBy: y.now, After: y.now.AddDate(0, 0, -10), AfterID: mission.PrefixContent, Limit: 100,
			}))
		}},
		"peers of a mission's posts": {1000, func() error {
			return y.tx(func(tx store.Tx) error {
				return failed(tx.Peers(ctx, y.missions[0], []mission.PeerKey{{Platform: mission.Mastodon, Step: 5}}, y.now))
			})
		}},
		"usage of 30 days by day":    {60, func() error { return failed(y.db.DailyRequests(ctx, tenant, since)) }},
		"usage of 30 days of 2 keys": {60, func() error { return failed(y.db.KeyRequests(ctx, tenant, []string{"1", "2"}, since)) }},
	}
}

// last returns the last n of ids.
func last(ids []string, n int) []string { return ids[len(ids)-n:] }

// failed returns the error of a read whose result isn't looked at.
func failed(_ any, err error) error { return err }

// literal returns a value that is bound to a statement as SQL writes it.
func literal(v any) string {
	switch v := v.(type) {
	case time.Time:
		return "'" + v.Format(time.RFC3339Nano) + "'"
	case []string:
		return "'{" + strings.Join(v, ",") + "}'"
	}
	return "'" + fmt.Sprint(v) + "'"
}

// pages runs a statement and returns how many pages of 8 kB it looks at. One with values
// has the plan for any values.
func (y *halfYear) pages(statement string, values []any) float64 {
	y.t.Helper()
	if len(values) > 0 {
		literals := make([]string, len(values))
		for i, v := range values {
			literals[i] = literal(v)
		}
		y.exec("PREPARE read AS " + statement)
		defer y.exec("DEALLOCATE read")
		statement = "EXECUTE read (" + strings.Join(literals, ", ") + ")"
	}
	var text []byte
	y.must(y.raw.QueryRowContext(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+statement).Scan(&text))
	var plans []struct {
		Plan struct {
			Hit  float64 `json:"Shared Hit Blocks"`
			Read float64 `json:"Shared Read Blocks"`
		}
	}
	y.must(json.Unmarshal(text, &plans))
	return plans[0].Plan.Hit + plans[0].Plan.Read
}

// Reads of monthly tables look at as few pages of the disk as rows need, in each month that
// may have them: none reads a month from one end to the other. Plans are those for any
// values, which prepared statements have.
func TestMonthlyReadsAreSmall(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	faults := &database.Faults{}
	y := seedHalfYear(t, false, faults)
	var read []string
	var values [][]any
	faults.Listen(func(statement string, bound ...any) {
		if strings.HasPrefix(statement, "SELECT") || strings.HasPrefix(statement, "WITH") {
			read, values = append(read, statement), append(values, bound)
		}
	})
	for name, r := range y.reads() {
		read, values = nil, nil
		y.must(r.read())
		total := 0.0
		for i, statement := range read {
			total += y.pages(statement, values[i])
		}
		if t.Logf("%s: %d statements, %.0f pages", name, len(read), total); total == 0 || total > r.most {
			t.Errorf("%s looks at %.0f pages, want some, and at most %.0f: %s", name, total, r.most, read)
		}
	}
}

// BenchmarkMonthlyReads holds reads of tables in monthly partitions against the same of
// whole tables: docs/scaling.md has the figures.
func BenchmarkMonthlyReads(b *testing.B) {
	sides := map[string]map[string]reading{"whole": seedHalfYear(b, true, nil).reads(), "months": seedHalfYear(b, false, nil).reads()}
	for _, name := range slices.Sorted(maps.Keys(sides["whole"])) {
		for _, side := range []string{"whole", "months"} {
			b.Run(name+"/"+side, func(b *testing.B) {
				for b.Loop() {
					if err := sides[side][name].read(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
