package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/bench/report"
	"missiond/bench/seed"
	"missiond/mission"
	"missiond/store"
)

// How a year is simulated: its days are written one after the other, in some seconds each,
// and each begins with the maintenance that serve does every ten minutes.
const (
	yearDatabase = "year"
	yearTenants  = 50
	yearMonths   = 13
	// yearStep is how many old rows go in one transaction.
	yearStep = 500
	// yearRequests, yearUsage and yearMeasurements are how long the responses to requests with a
	// key, the usage of days and measurements are kept. Measurements are kept shorter than serve
	// lets anyone choose, so that a year shows their months go.
	yearRequests     = 24 * time.Hour
	yearUsage        = 100 * 24 * time.Hour
	yearMeasurements = 130 * 24 * time.Hour
	// yearEarly is the month at whose end the tables are looked at, besides the last: all that
	// is removed has begun to be, and as many months are left of each table.
	yearEarly = 6
)

// yearStart is the first day. The last month has thirty days, so that at its end the month
// before is still there.
var yearStart = time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)

// simulation is a year on a database of its own.
type simulation struct {
	b       *bench
	db      *store.DB
	pool    *pgxpool.Pool
	seed    seed.Year
	tenants []tenant
	hook    string // the first tenant's endpoint
	reads   []time.Duration
}

// year simulates a year, and writes its tables into a document.
func (b *bench) year(ctx context.Context) error {
	y, err := b.openYear(ctx)
	if err != nil {
		return err
	}
	defer func() {
		y.pool.Close()
		_ = y.db.Close()
	}()
	got, err := y.run(ctx)
	if err != nil {
		return err
	}
	text := b.machine(ctx) + fmt.Sprintf(" %d posts a day of %d tenants. Autovacuum looks every second, of which a day has some, and doesn't pause.\n", b.yearPosts, yearTenants) +
		"\n" + report.Year(got.months) + "\n" + report.Growth(got.early, got.late) + "\n" + report.Removals(got.removal)
	fmt.Print("\n", text)
	return writeBetween(b.yearTo, yearMark, yearEnd, text)
}

func (b *bench) openYear(ctx context.Context) (*simulation, error) {
	for _, statement := range []string{
		"CREATE DATABASE " + yearDatabase, "ALTER SYSTEM SET autovacuum_naptime = '1s'", "ALTER SYSTEM SET autovacuum_vacuum_cost_delay = 0",
		"ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()",
	} {
		if _, err := b.db.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	url := b.postgres.URL(yearDatabase)
	y := &simulation{b: b}
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

// lived is what a year has come to.
type lived struct {
	months      []report.Month
	early, late report.Tables
	removal     report.Removal
}

// run lives through the months, and compares how the rows of one are removed.
func (y *simulation) run(ctx context.Context) (l lived, err error) {
	day := yearStart
	for n := range yearMonths {
		m := report.Month{Start: day}
		for end := day.AddDate(0, 1, 0); day.Before(end); day = day.AddDate(0, 0, 1) {
			if err := y.day(ctx, day, &m); err != nil {
				return l, err
			}
		}
		if err := y.look(ctx, &m); err != nil {
			return l, err
		}
		y.b.say("%s: %d posts, events %s, maintenance %.1f s", m.Start.Format("2006-01"), m.Posts, report.Bytes(float64(m.Events)), m.Maintained.Seconds())
		l.months = append(l.months, m)
		if n == yearEarly-1 {
			if l.early, err = y.tables(ctx, l.months); err != nil {
				return l, err
			}
		}
	}
	if l.late, err = y.tables(ctx, l.months); err != nil {
		return l, err
	}
	l.removal, err = y.remove(ctx, day)
	return l, err
}

// day maintains the database, with pages being read, and then writes a day.
func (y *simulation) day(ctx context.Context, day time.Time, m *report.Month) error {
	took, wal, err := y.during(ctx, func() error {
		return y.beside(ctx, day, func() error { return y.maintain(ctx, day, m) })
	})
	if err != nil {
		return err
	}
	m.Maintained, m.WAL = m.Maintained+took, m.WAL+wal
	if err := y.seed.Day(ctx, day); err != nil {
		return err
	}
	m.Posts += y.b.yearPosts
	var tasks, contents int64
	err = y.pool.QueryRow(ctx, `SELECT sum(n_dead_tup) FILTER (WHERE relname = 'tasks'), sum(n_dead_tup) FILTER (WHERE relname = 'contents')
		FROM pg_stat_user_tables`).Scan(&tasks, &contents)
	m.DeadTasks.Add(tasks)
	m.DeadContents.Add(contents)
	return err
}

// maintain does what serve does, at a time. What it leaves to the next time, because others
// use a table, is counted.
func (y *simulation) maintain(ctx context.Context, now time.Time, m *report.Month) error {
	for _, step := range []func(tx store.Tx) (int, error){
		func(tx store.Tx) (int, error) {
			return tx.ExpireEvents(ctx, now.Add(-mission.EventRetention), yearStep)
		},
		func(tx store.Tx) (int, error) { return tx.DropRequests(ctx, now.Add(-yearRequests), yearStep) },
	} {
		for n := yearStep; n == yearStep; {
			err := y.db.Tx(ctx, func(tx store.Tx) (err error) {
				n, err = step(tx)
				return err
			})
			if err != nil {
				return err
			}
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
	const sizes = `WITH t AS (SELECT regexp_replace(relname, '_(\d{4}_\d\d|other|first)$', '') AS name, relname, pg_total_relation_size(relid) AS size, autovacuum_count AS vacuums
			FROM pg_stat_user_tables)
		SELECT sum(size) FILTER (WHERE name IN ('events', 'deliveries', 'delivery_attempts')), sum(size) FILTER (WHERE name = 'measurements'),
			sum(size) FILTER (WHERE name = 'tasks'), sum(size) FILTER (WHERE name = 'contents'), count(*) FILTER (WHERE name <> relname),
			sum(vacuums) FILTER (WHERE name = 'tasks'), sum(vacuums) FILTER (WHERE name = 'contents') FROM t`
	err := y.pool.QueryRow(ctx, sizes).Scan(&m.Events, &m.Measurements, &m.Tasks, &m.Contents, &m.Partitions, &m.VacuumsTasks, &m.VacuumsContents)
	m.P50, m.P99, m.Longest = report.Percentile(y.reads, 0.5), report.Percentile(y.reads, 0.99), report.Percentile(y.reads, 1)
	y.reads = nil
	return err
}

// tables returns the sizes of all tables, with their partitions, after some months.
func (y *simulation) tables(ctx context.Context, months []report.Month) (report.Tables, error) {
	rows, err := y.pool.Query(ctx, `SELECT regexp_replace(relname, '_(\d{4}_\d\d|other|first)$', '') AS name, count(*), sum(pg_table_size(relid))::bigint, sum(pg_indexes_size(relid))::bigint
		FROM pg_stat_user_tables WHERE relname <> 'bench_tenants' GROUP BY name ORDER BY sum(pg_total_relation_size(relid)) DESC, name`)
	if err != nil {
		return report.Tables{}, err
	}
	t := report.Tables{Month: months[len(months)-1].Start}
	for _, m := range months {
		t.Posts += m.Posts
	}
	t.List, err = pgx.CollectRows(rows, pgx.RowToStructByPos[report.Sizes])
	return t, err
}

// beside runs fn while the newest of each list that people look at are read, over and over.
func (y *simulation) beside(ctx context.Context, now time.Time, fn func() error) error {
	done, read := make(chan struct{}), make(chan error, 1)
	go func() { read <- y.read(ctx, now, done) }()
	err := fn()
	close(done)
	return errors.Join(err, <-read)
}

func (y *simulation) read(ctx context.Context, now time.Time, done <-chan struct{}) error {
	since, page := now.Add(-mission.EventRetention), store.Page{Limit: 20}
	for i := 0; ; i++ {
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
				return fmt.Errorf("a page beside the maintenance: %w", err)
			}
			y.reads = append(y.reads, time.Since(started))
			select {
			case <-done:
				return nil
			default:
			}
		}
	}
}

// remove removes the events of the last month but one row by row, with their deliveries
// and attempts, and those of the last one with its partitions.
func (y *simulation) remove(ctx context.Context, end time.Time) (r report.Removal, err error) {
	rows, of := end.AddDate(0, -2, 0).Format("_2006_01"), end.AddDate(0, -1, 0).Format("_2006_01")
	each := func(statement string) func() error {
		return func() error {
			for _, table := range []string{"delivery_attempts", "deliveries", "events"} {
				if _, err := y.pool.Exec(ctx, statement+table+rows); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, count := range []struct {
		month string
		n     *int64
	}{{rows, &r.Deleted}, {of, &r.Dropped}} {
		err := y.pool.QueryRow(ctx, fmt.Sprintf("SELECT (SELECT count(*) FROM events%[1]s) + (SELECT count(*) FROM deliveries%[1]s) + (SELECT count(*) FROM delivery_attempts%[1]s)", count.month)).Scan(count.n)
		if err != nil {
			return r, err
		}
	}
	if r.Deleting, r.DeletingWAL, err = y.during(ctx, each("DELETE FROM ")); err != nil {
		return r, err
	}
	if r.Vacuuming, r.VacuumingWAL, err = y.during(ctx, each("VACUUM ")); err != nil {
		return r, err
	}
	rows = of
	r.Dropping, r.DroppingWAL, err = y.during(ctx, each("DROP TABLE "))
	return r, err
}
