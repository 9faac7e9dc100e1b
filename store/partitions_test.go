package store_test

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// partitions returns the names of a table's partitions in Postgres, by their names.
func partitions(t *testing.T, raw *sql.DB, table string) (names []string) {
	t.Helper()
	rows, err := raw.QueryContext(ctx, "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY 1", table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

// rowsOf counts a table's rows.
func rowsOf(t *testing.T, raw *sql.DB, table string) (n int) {
	t.Helper()
	if err := raw.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func postgres(t *testing.T) bool { return strings.HasSuffix(t.Name(), "pgx") }

// monthOf returns the start of a time's month, or of the nth after it.
func monthOf(at time.Time, n int) time.Time {
	return time.Date(at.Year(), at.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
}

// lived adds what a month of a tenant's life leaves behind at a time: an event with a
// delivery, its attempt and a redelivery at another time, a measured post, and usage. It
// returns the event's id.
func (f *fixture) lived(w mission.Webhook, at, again time.Time) (event string) {
	f.t.Helper()
	job := f.job(f.mission(nil))
	slot := job.Plan.Slots[0]
	c, _ := mission.NewContent(f.db.NewID(mission.PrefixContent, at), job, mission.NewAssignment(job, slot),
		mission.Draft{Format: slot.Format, Text: "A text"}, mission.Verdict{}, at)
	f.must(f.tx(func(tx store.Tx) error {
		due, err := tx.AddTestEvent(w, at)
		event = due.EventID
		return errors.Join(err, tx.AddContent(ctx, c, nil))
	}))
	f.must(f.tx(func(tx store.Tx) error {
		add := func(id string, created time.Time) error {
			d := mission.Delivery{
				ID: id, TenantID: w.TenantID, WebhookID: w.ID, EventID: event, EventType: mission.EventWebhookTest,
				Status: mission.DeliveryPending, NextAttemptAt: &created, CreatedAt: created,
			}
			if err := tx.AddDeliveries(ctx, []mission.Delivery{d}); err != nil {
				return err
			}
			a := mission.Attempt{DeliveryID: d.ID, Number: 1, At: created, StatusCode: 200}
			tried, _ := d.Tried(w, a, 0, created)
			return tx.SetDeliveries(ctx, map[string]mission.Delivery{d.ID: d}, []mission.Delivery{tried}, []mission.Attempt{a})
		}
		return errors.Join(
			add(strings.Replace(event, mission.PrefixEvent, mission.PrefixDelivery, 1), at), add(f.db.NewID(mission.PrefixDelivery, again), again),
			tx.AddMeasurements(ctx, []mission.Measurement{{ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, PublishedAt: at, At: at}}),
			tx.AddUses(ctx, []store.Use{{TenantID: w.TenantID, Requests: 1, LastAt: at}}),
		)
	}))
	return event
}

// monthly are the tables that are kept by months.
var monthly = []string{"delivery_attempts", "deliveries", "events", "measurements", "usage_days"}

// Whoever makes or drops partitions doesn't keep tables from being analyzed, nor whoever
// analyzes one the others' partitions from being made: each has a lock of its own.
func TestAnalyzingHasItsOwnLock(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		if !postgres(t) {
			t.Skip("SQLite has no partitions")
		}
		w := f.endpoint(mission.EventMissionPaused)
		f.lived(w, time.Now(), time.Now())
		at := monthOf(time.Now(), 5)
		known := func() (analyzed, made bool) {
			t.Helper()
			f.must(raw.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_statistic WHERE starelid = 'events'::regclass), to_regclass($1) IS NOT NULL",
				"events_"+at.Format("2006_01")).Scan(&analyzed, &made))
			return analyzed, made
		}
		for _, c := range []struct {
			lock           int64
			analyzed, made bool
		}{{0x6d6f6e746873, true, false}, {0x6d6f6e746873 + 1, true, true}} {
			held, err := raw.Conn(ctx)
			f.must(err)
			_, err = held.ExecContext(ctx, "SELECT pg_advisory_lock($1)", c.lock)
			f.must(err)
			f.must(f.db.MaintainMonths(ctx, at, store.MonthRetention{Usage: time.Hour}))
			if analyzed, made := known(); analyzed != c.analyzed || made != c.made {
				t.Errorf("with the lock %x taken the table is analyzed: %v, the month made: %v", c.lock, analyzed, made)
			}
			_, err = held.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", c.lock)
			f.must(errors.Join(err, held.Close()))
		}
	})
}

// Analyzing a table has a limit of its own: the statements that make and drop partitions are
// stopped much earlier. An index on an expression, which ANALYZE computes, looks at the limit.
func TestAnalyzingMayTakeLong(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		if !postgres(t) {
			t.Skip("SQLite has no partitions")
		}
		w := f.endpoint(mission.EventMissionPaused)
		f.lived(w, time.Now(), time.Now())
		for _, q := range []string{
			`CREATE FUNCTION patient(id text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
				IF current_setting('statement_timeout')::interval BETWEEN '1 millisecond' AND '10 minutes' THEN
					RAISE EXCEPTION 'the limit is %', current_setting('statement_timeout');
				END IF;
				RETURN true;
			END $$`,
			"CREATE INDEX events_patient ON events (patient(id))",
		} {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.MaintainMonths(ctx, time.Now(), store.MonthRetention{Usage: time.Hour}))
		var analyzed bool
		f.must(raw.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_stats WHERE tablename LIKE 'events_20%patient_idx')").Scan(&analyzed))
		if !analyzed {
			t.Error("the expression isn't analyzed")
		}
	})
}

// A month's rows are removed once all of them may go: events with their deliveries once they
// have expired, measurements and usage by their retention. Later ones stay.
func TestMonthsGo(t *testing.T) {
	testkit.SkipIfShort(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		const day = 24 * time.Hour
		begin := monthOf(time.Now(), 3) // past the months that the migration has made
		end, last := monthOf(begin, 1), monthOf(begin, 1).Add(-day)
		w := f.endpoint(mission.EventMissionPaused)
		f.must(f.tx(func(tx store.Tx) error { _, err := tx.ExpireEvents(ctx, begin, 100); return err })) // those of missions, before
		rows := func(when string, want ...int) {
			t.Helper()
			for i, table := range monthly {
				if got := rowsOf(t, raw, table); got != want[i] {
					t.Errorf("%s %s has %d rows, want %d", when, table, got, want[i])
				}
			}
		}
		maintain := func(at time.Time, retention time.Duration) {
			t.Helper()
			f.must(f.db.MaintainMonths(ctx, at, store.MonthRetention{Usage: retention, Measurements: retention}))
		}
		expire := func(before time.Time) {
			t.Helper()
			f.must(f.tx(func(tx store.Tx) error { _, err := tx.ExpireEvents(ctx, before, 100); return err }))
		}
		maintain(begin, 400*day)
		f.lived(w, last, end.Add(day))
		kept := f.lived(w, end.Add(day), end.Add(2*day))
		_, err := raw.ExecContext(ctx, "DELETE FROM events WHERE type <> 'webhook.test'")
		f.must(err)
		_, err = raw.ExecContext(ctx, "DELETE FROM counters WHERE name LIKE 'events:%' AND name NOT LIKE '%webhook.test'")
		f.must(err)
		rows("at first", 4, 4, 2, 2, 2)
		for _, table := range monthly {
			if month := table + "_" + begin.Format("2006_01"); postgres(t) && rowsOf(t, raw, month) != 1 {
				t.Errorf("%s has %d rows, %s_other %d", month, rowsOf(t, raw, month), table, rowsOf(t, raw, table+"_other"))
			}
		}
		maintain(end.Add(60*day), 400*day)
		rows("with nothing expired", 4, 4, 2, 2, 2)
		expire(last.Add(time.Hour))
		f.countsAreRows(raw)
		maintain(end.Add(60*day), 400*day)
		if postgres(t) {
			rows("with a day left of the month", 3, 3, 2, 2, 2) // but for the redelivery, which is a later month's
		}
		expire(end)
		f.countsAreRows(raw)
		maintain(end.Add(60*day), 59*day)
		rows("with the month over", 2, 2, 1, 1, 1)
		if _, err := f.db.Event(ctx, f.tenant.ID, kept); err != nil {
			t.Errorf("an event of the next month: %v", err)
		}
		for _, table := range monthly {
			if !postgres(t) {
				break
			}
			if names := partitions(t, raw, table); slices.Contains(names, table+"_"+begin.Format("2006_01")) {
				t.Errorf("the month is still among %v", names)
			}
		}
	})
}

// What belongs to no month's partition is kept, and deleted by its age. A month whose rows
// are there already gets none.
func TestRowsOfNoMonth(t *testing.T) {
	testkit.SkipIfShort(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		if !postgres(t) {
			t.Skip("SQLite has no partitions")
		}
		const day = 24 * time.Hour
		far := monthOf(time.Now(), 8)
		f.must(f.tx(func(tx store.Tx) error {
			return tx.AddUses(ctx, []store.Use{{TenantID: f.tenant.ID, Requests: 3, LastAt: far.Add(day)}})
		}))
		keep := store.MonthRetention{Usage: 31 * day}
		f.must(f.db.MaintainMonths(ctx, far, keep))
		if names := partitions(t, raw, "usage_days"); slices.Contains(names, "usage_days_"+far.Format("2006_01")) || rowsOf(t, raw, "usage_days_other") != 1 {
			t.Errorf("%d rows are of no month, the partitions are %v", rowsOf(t, raw, "usage_days_other"), names)
		}
		if names := partitions(t, raw, "events"); !slices.Contains(names, "events_"+monthOf(far, 1).Format("2006_01")) {
			t.Errorf("the next month isn't among %v", names)
		}
		f.must(f.db.MaintainMonths(ctx, far.Add(40*day), keep))
		if n := rowsOf(t, raw, "usage_days"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

// An event that has expired isn't delivered again.
func TestExpiredEventsAreNotDelivered(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w := f.endpoint(mission.EventMissionCreated)
		f.mission(nil)
		due, err := f.db.DueDeliveries(ctx, w.ID, start, 1)
		f.must(err)
		f.must(f.tx(func(tx store.Tx) error { _, err := tx.ExpireEvents(ctx, start.Add(time.Hour), 100); return err }))
		again := due[0].Delivery
		again.ID = f.db.NewID(mission.PrefixDelivery, start)
		f.wantCode(f.tx(func(tx store.Tx) error { return tx.AddDeliveries(ctx, []mission.Delivery{again}) }), mission.CodeConflict)
		if n, err := f.db.CountDeliveries(ctx, f.tenant.ID, w.ID, ""); n != 0 || err != nil {
			t.Errorf("%d deliveries are counted, %v", n, err)
		}
	})
}

// A database that is in use is divided without losing a row, also if that was cut off, and
// the programs that use it go on.
func TestTablesAreDividedInUse(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	url := testkit.PostgresURL(t)
	db, err := store.OpenPostgres(testkit.Pooled(t, url), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	raw, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	if err := db.MigrateTo(ctx, 42); err != nil {
		t.Fatal(err)
	}
	// The statements of today name columns that later migrations add.
	for _, column := range []string{
		"webhooks ADD COLUMN old_accepted boolean NOT NULL DEFAULT FALSE", "missions ADD COLUMN media_ids jsonb NOT NULL DEFAULT '[]'",
		"missions ADD COLUMN events jsonb NOT NULL DEFAULT '[]'", "missions ADD COLUMN blackouts jsonb NOT NULL DEFAULT '[]'",
		"missions ADD COLUMN disclosure jsonb", "missions ADD COLUMN editor jsonb", "missions ADD COLUMN public_interest boolean",
		"missions ADD COLUMN planned_from timestamptz(3)", "missions ADD COLUMN owed_posts bigint NOT NULL DEFAULT 0",
		"missions ADD COLUMN held boolean NOT NULL DEFAULT FALSE", "missions ADD COLUMN reviewers jsonb NOT NULL DEFAULT '[]'",
		"missions ADD COLUMN reviewers_only boolean NOT NULL DEFAULT FALSE", "missions ADD COLUMN created_by text", "missions ADD COLUMN links jsonb NOT NULL DEFAULT '{}'", "missions ADD COLUMN autonomy jsonb", "missions ADD COLUMN autonomy_ended jsonb", "tenants ADD COLUMN autonomy_ended jsonb", "tenants ADD COLUMN hold jsonb", "tenants ADD COLUMN agents_may_approve boolean NOT NULL DEFAULT FALSE", "audit_log ADD COLUMN agent_id text", "users ADD COLUMN review_emails_off boolean NOT NULL DEFAULT FALSE", "users ADD COLUMN views jsonb NOT NULL DEFAULT '[]'",
	} {
		if _, err := raw.ExecContext(ctx, "ALTER TABLE "+column); err != nil {
			t.Fatal(err)
		}
	}
	f := newFixture(t, db)
	w := f.endpoint(mission.AllEventTypes()...)
	for range 20 {
		f.mission(nil)
	}
	events := rowsOf(t, raw, "events")
	// It was cut off after it had begun with the events.
	for _, q := range []string{
		"CREATE INDEX events_by_seq_first ON events (tenant_id, seq)", "ALTER TABLE events ADD CONSTRAINT events_first CHECK (id < 'evt_7') NOT VALID",
	} {
		_, err := raw.ExecContext(ctx, q)
		f.must(err)
	}
	type input struct {
		m      mission.Mission
		events []mission.Event
	}
	inputs := make([]input, 2000)
	for i := range inputs {
		inputs[i].m, inputs[i].events = f.newMission(nil)
	}
	made, stop, stopped := 0, make(chan struct{}), make(chan error, 1)
	go func() {
		for _, in := range inputs {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, in.m, in.events) }); err != nil {
				stopped <- err
				return
			}
			made++
		}
		stopped <- nil
	}()
	f.must(db.MigrateTo(ctx, 43))
	close(stop)
	f.must(<-stopped)
	perMission := events / 20
	if got, want := rowsOf(t, raw, "events"), events+made*perMission; got != want || made == 0 {
		t.Errorf("%d events are there, want %d: %d missions were created meanwhile", got, want, made)
	}
	if n, of := rowsOf(t, raw, "deliveries"), rowsOf(t, raw, "events"); n != of {
		t.Errorf("%d deliveries are there of %d events", n, of)
	}
	for table, want := range map[string][]string{
		"events":     {"events_first", "events_other"},
		"deliveries": {"deliveries_first", "deliveries_other"},
	} {
		if got := partitions(t, raw, table); !slices.Equal(got, want) {
			t.Errorf("%s has the partitions %v, want %v", table, got, want)
		}
	}
	part, err := db.Deliveries(ctx, f.tenant.ID, w.ID, "", start, store.Page{Limit: 5})
	if err != nil || len(part.List) != 5 {
		t.Errorf("the deliveries are %v, %v", part.List, err)
	}
	f.must(f.tx(func(tx store.Tx) error { return tx.DeleteWebhook(ctx, w, f.entry(f.tenant.ID)) }))
	if n := rowsOf(t, raw, "deliveries"); n != 0 {
		t.Errorf("%d deliveries of a deleted endpoint are left", n)
	}
	checks := 0
	f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM pg_constraint WHERE contype = 'c' AND conname LIKE '%_first'").Scan(&checks))
	if checks != 0 {
		t.Errorf("%d checks of the division are left", checks)
	}
}
