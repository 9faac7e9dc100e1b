package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/bench/report"
	"missiond/bench/seed"
	"missiond/mission"
	"missiond/store"
)

// How a year is simulated: its days are written one after the other, in a second or so each,
// and each ends with the maintenance that serve does every ten minutes.
const (
	yearDatabase = "year"
	yearTenants  = 50
	yearMonths   = 13
	// yearExpire is how many events expire in one transaction.
	yearExpire = 500
	// yearUsage is how long the usage of days is kept.
	yearUsage = 90 * 24 * time.Hour
	// yearMeasurements is how long measurements are kept.
	yearMeasurements = 120 * 24 * time.Hour
)

var yearStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// simulation is a year on a database of its own.
type simulation struct {
	b       *bench
	db      *store.DB
	pool    *pgxpool.Pool
	seed    seed.Year
	tenants []tenant
	hook    string // the first tenant's endpoint

	mu    sync.Mutex
	now   time.Time // the end of the day that is written
	reads []time.Duration
}

// year simulates a year, and writes its table into a document.
func (b *bench) year(ctx context.Context) error {
	y, err := b.openYear(ctx)
	if err != nil {
		return err
	}
	defer func() {
		y.pool.Close()
		_ = y.db.Close()
	}()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var reader sync.WaitGroup
	reader.Go(func() {
		if err := y.read(ctx); err != nil && ctx.Err() == nil {
			cancel(err)
		}
	})
	months, removal, err := y.run(ctx)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	cancel(nil)
	reader.Wait()
	if err != nil {
		return err
	}
	text := b.head(ctx) + fmt.Sprintf("%d posts a day of %d tenants; autovacuum looks every second, in which a day or two pass.\n", b.yearPosts, yearTenants) +
		"\n" + report.Year(months) + "\n" + report.Removals(removal)
	fmt.Print("\n", text)
	return writeBetween(b.yearTo, yearMark, yearEnd, text)
}

func (b *bench) openYear(ctx context.Context) (*simulation, error) {
	for _, statement := range []string{"CREATE DATABASE " + yearDatabase, "ALTER SYSTEM SET autovacuum_naptime = '1s'", "ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()"} {
		if _, err := b.db.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	url := b.postgres.URL(yearDatabase)
	y := &simulation{b: b, now: yearStart}
	var err error
	if y.db, err = store.OpenPostgres(url, store.Options{}); err != nil {
		return nil, err
	}
	if err := y.db.Migrate(ctx); err != nil {
		return nil, err
	}
	if y.tenants, err = b.makeTenants(ctx, y.db, "Yearly", yearTenants, func(int) int { return 1 }); err != nil {
		return nil, err
	}
	if y.pool, err = pgxpool.New(ctx, url); err != nil {
		return nil, err
	}
	if err := y.pool.QueryRow(ctx, "SELECT id FROM webhooks WHERE tenant_id = $1", y.tenants[0].ID).Scan(&y.hook); err != nil {
		return nil, err
	}
	y.seed = seed.Year{DB: y.pool, Posts: b.yearPosts, Tenants: yearTenants}
	return y, y.seed.Begin(ctx)
}

// run lives through the months, and compares how the rows of one are removed.
func (y *simulation) run(ctx context.Context) (months []report.Month, r report.Removal, err error) {
	day := yearStart
	for range yearMonths {
		m := report.Month{Start: day}
		for end := day.AddDate(0, 1, 0); day.Before(end); day = day.AddDate(0, 0, 1) {
			took, wal, err := y.during(ctx, func() error { return y.maintain(ctx, day, &m) })
			if err != nil {
				return nil, r, err
			}
			m.Maintained, m.WAL = m.Maintained+took, m.WAL+wal
			y.mu.Lock()
			y.now = day.AddDate(0, 0, 1)
			y.mu.Unlock()
			if err := y.seed.Day(ctx, day); err != nil {
				return nil, r, err
			}
			m.Posts += y.b.yearPosts
		}
		if err := y.look(ctx, &m); err != nil {
			return nil, r, err
		}
		y.b.say("%s: %d posts, events %s, maintenance %.1f s", m.Start.Format("2006-01"), m.Posts, report.Bytes(float64(m.Events)), m.Maintained.Seconds())
		months = append(months, m)
	}
	r, err = y.remove(ctx, day)
	return months, r, err
}

// maintain does what serve does, at a time. What it leaves to the next time, because others
// use a table, is counted.
func (y *simulation) maintain(ctx context.Context, now time.Time, m *report.Month) error {
	for n := yearExpire; n == yearExpire; {
		err := y.db.Tx(ctx, func(tx store.Tx) (err error) {
			n, err = tx.ExpireEvents(ctx, now.Add(-mission.EventRetention), yearExpire)
			return err
		})
		if err != nil {
			return err
		}
	}
	err := y.db.MaintainMonths(ctx, now, store.MonthRetention{Usage: yearUsage, Measurements: yearMeasurements})
	const lockNotAvailable = "55P03"
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == lockNotAvailable {
		m.Postponed++
		return nil
	}
	return err
}

// during returns how long fn takes, and the bytes that Postgres writes to its log meanwhile.
func (y *simulation) during(ctx context.Context, fn func() error) (time.Duration, int64, error) {
	const at = "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint"
	var before, after int64
	if err := y.pool.QueryRow(ctx, at).Scan(&before); err != nil {
		return 0, 0, err
	}
	started := time.Now()
	if err := fn(); err != nil {
		return 0, 0, err
	}
	took := time.Since(started)
	err := y.pool.QueryRow(ctx, at).Scan(&after)
	return took, after - before, err
}

// look fills in what a month has come to.
func (y *simulation) look(ctx context.Context, m *report.Month) error {
	const sizes = `WITH t AS (SELECT regexp_replace(relname, '_(\d{4}.*|other|first)$', '') AS name, relname, pg_total_relation_size(relid) AS size, n_dead_tup AS dead, autovacuum_count AS vacuums
			FROM pg_stat_user_tables)
		SELECT sum(size) FILTER (WHERE name IN ('events', 'deliveries', 'delivery_attempts')), sum(size) FILTER (WHERE name = 'measurements'),
			sum(size) FILTER (WHERE name = 'tasks'), sum(size) FILTER (WHERE name = 'contents'), count(*) FILTER (WHERE name <> relname),
			sum(dead) FILTER (WHERE name = 'tasks'), sum(dead) FILTER (WHERE name = 'contents'), sum(vacuums) FILTER (WHERE name = 'tasks') FROM t`
	err := y.pool.QueryRow(ctx, sizes).Scan(&m.Events, &m.Measurements, &m.Tasks, &m.Contents, &m.Partitions, &m.DeadTasks, &m.DeadContents, &m.Vacuums)
	y.mu.Lock()
	defer y.mu.Unlock()
	slices.Sort(y.reads)
	if n := len(y.reads); n > 0 {
		m.P50, m.P99, m.Longest = y.reads[n/2], y.reads[n*99/100], y.reads[n-1]
	}
	y.reads = nil
	return err
}

// read reads the newest of each list that people look at, over and over.
func (y *simulation) read(ctx context.Context) error {
	page := store.Page{Limit: 20}
	for i := 0; ctx.Err() == nil; i++ {
		y.mu.Lock()
		since := y.now.Add(-mission.EventRetention)
		y.mu.Unlock()
		for _, list := range []func() error{
			func() error {
				_, err := y.db.Events(ctx, y.tenants[i%yearTenants].ID, store.EventFilter{}, since, page)
				return err
			},
			func() error {
				_, err := y.db.Deliveries(ctx, y.tenants[0].ID, y.hook, "", since, page)
				return err
			},
			func() error {
				_, err := y.db.Contents(ctx, y.tenants[i%yearTenants].ID, store.ContentFilter{}, page)
				return err
			},
		} {
			started := time.Now()
			if err := list(); err != nil {
				return fmt.Errorf("a page while days are written: %w", err)
			}
			y.mu.Lock()
			y.reads = append(y.reads, time.Since(started))
			y.mu.Unlock()
		}
	}
	return nil
}

// remove removes the events of the last month but one row by row, with their deliveries
// and attempts, and of the last one by its partitions.
func (y *simulation) remove(ctx context.Context, now time.Time) (r report.Removal, err error) {
	rows, of := now.AddDate(0, -2, 0), now.AddDate(0, -1, 0)
	suffix := func(at time.Time) string { return at.Format("_2006_01") }
	tables := []string{"delivery_attempts", "deliveries", "events"}
	count := func(at time.Time) (sum int64, err error) {
		for _, table := range tables {
			var n int64
			err = errors.Join(err, y.pool.QueryRow(ctx, "SELECT count(*) FROM "+table+suffix(at)).Scan(&n))
			sum += n
		}
		return sum, err
	}
	if r.Dropped, err = count(of); err != nil {
		return r, err
	}
	if r.Deleted, err = count(rows); err != nil {
		return r, err
	}
	each := func(statement func(table string) string) func() error {
		return func() error {
			var failed error
			for _, table := range tables {
				_, err := y.pool.Exec(ctx, statement(table))
				failed = errors.Join(failed, err)
			}
			return failed
		}
	}
	r.Deleting, r.DeletingWAL, err = y.during(ctx, each(func(table string) string { return "DELETE FROM " + table + suffix(rows) }))
	if err != nil {
		return r, err
	}
	r.Vacuuming, r.VacuumingWAL, err = y.during(ctx, each(func(table string) string { return "VACUUM " + table + suffix(rows) }))
	if err != nil {
		return r, err
	}
	r.Dropping, r.DroppingWAL, err = y.during(ctx, each(func(table string) string { return "DROP TABLE " + table + suffix(of) }))
	return r, err
}
