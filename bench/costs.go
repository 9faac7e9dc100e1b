package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/clock"
	"missiond/store"
)

// How the costs of posts are measured: missions of a month run on a clock that makes it
// last some minutes.
const (
	costMissions  = 40
	fewMissions   = 4 // that run first
	costSpeed     = 43_200
	costsDatabase = "costs"
	idleFor       = 20 * time.Second
	costLimit     = 30 * time.Minute
)

// monthBody is a mission of thirty days with two posts a day, of which one goes to each
// platform.
const monthBody = `{"name":"A month","objectives":["Tell what is new this season","Win readers for the newsletter"],"platforms":["twitter","mastodon"],` +
	`"constraints":{"posts_per_day":2},"kpis":[{"metric":"likes","target":500}],"duration_days":30,"start_immediately":true}`

// spent is what the processes have spent since they started, or between two moments.
type spent struct {
	at                        time.Time
	missiond, postgres, redis float64 // seconds of processor time
	wal, kept                 float64 // bytes
	statements                float64
}

// costly is a process of missiond on a database, whose costs are measured.
type costly struct {
	b    *bench
	proc *process
	db   *pgxpool.Pool
	// idle is what it spends in a second without work.
	idle spent
}

// now returns what has been spent so far.
func (c *costly) now(ctx context.Context) (spent, error) {
	s := spent{at: time.Now(), missiond: cpu(c.proc.PID()), postgres: cpu(c.b.postgres.PID()), redis: cpu(c.b.redis.PID())}
	err := c.db.QueryRow(ctx, `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn, pg_database_size(current_database()),
		(SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&s.wal, &s.kept, &s.statements)
	return s, err
}

// minus returns what was spent since an earlier moment.
func (s spent) minus(e spent) spent {
	return spent{missiond: s.missiond - e.missiond, postgres: s.postgres - e.postgres, redis: s.redis - e.redis, wal: s.wal - e.wal, kept: s.kept - e.kept, statements: s.statements - e.statements}
}

// by returns a part of it.
func (s spent) by(n float64) spent {
	return spent{missiond: s.missiond / n, postgres: s.postgres / n, redis: s.redis / n, wal: s.wal / n, kept: s.kept / n, statements: s.statements / n}
}

// during returns what fn costs, without what an idle process spends in the same time.
func (c *costly) during(ctx context.Context, fn func() error) (spent, error) {
	before, err := c.now(ctx)
	if err != nil {
		return spent{}, err
	}
	if err := fn(); err != nil {
		return spent{}, err
	}
	after, err := c.now(ctx)
	if err != nil {
		return spent{}, err
	}
	seconds := after.at.Sub(before.at).Seconds()
	s := after.minus(before).minus(c.idle.by(1 / seconds))
	s.kept = after.kept - before.kept
	return s, nil
}

// rest measures what an idle process spends in a second.
func (c *costly) rest(ctx context.Context) error {
	s, err := c.during(ctx, func() error { return clock.Sleep(ctx, c.b.scaledTime(idleFor)) })
	if err != nil {
		return err
	}
	c.idle = s.by(c.b.scaledTime(idleFor).Seconds())
	return nil
}

// costs measures what operations cost, and writes the table and what follows from it
// into a document.
func (b *bench) costs(ctx context.Context) error {
	list, err := b.requestCosts(ctx)
	b.stop()
	if err != nil {
		return err
	}
	posts, err := b.postCosts(ctx)
	b.stop()
	if err != nil {
		return err
	}
	list = append(list, posts...)
	text := b.head(ctx) + "\n" + report.Costs(list) + "\n" + report.Needs(list)
	fmt.Print("\n", text)
	return writeTable(b.costsTo, text)
}

// requestCosts are those of the API's requests, on the seeded database.
func (b *bench) requestCosts(ctx context.Context) ([]report.Cost, error) {
	p, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	c := &costly{b: b, proc: p, db: b.db}
	if _, err := b.db.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements"); err != nil {
		return nil, err
	}
	if err := c.rest(ctx); err != nil {
		return nil, err
	}
	var lists, views, creations [][]byte
	for i, t := range b.kept.Readers {
		ids, err := b.sample(ctx, t)
		if err != nil {
			return nil, err
		}
		lists = append(lists, load.Request("GET", p.Addr, "/v1/missions", "", bearer(t)))
		views = append(views, load.Request("GET", p.Addr, "/v1/missions/"+ids[i%len(ids)]+"/status", "", bearer(t)))
	}
	for _, t := range b.kept.Writers {
		creations = append(creations, load.Request("POST", p.Addr, "/v1/missions", missionBody, bearer(t)))
	}
	var list []report.Cost
	for _, each := range []struct {
		name     string
		requests [][]byte
		after    func(ctx context.Context) error
	}{{report.ReadList, lists, nil}, {"a status view", views, nil}, {"a mission created, with events to three endpoints", creations, b.clean}} {
		s := side{proc: p, requests: each.requests, after: each.after}
		answered := 0
		all, err := c.during(ctx, func() error {
			r, err := load.Run(ctx, load.Options{Addr: p.Addr, Workers: b.workers, Warm: b.warm, For: b.each, Next: s.next(b.workers)})
			answered = r.Answered
			return err
		})
		if err != nil {
			return nil, err
		}
		if s.after != nil {
			if err := s.after(ctx); err != nil {
				return nil, err
			}
		}
		list = append(list, all.cost(each.name, answered))
	}
	return list, nil
}

// cost returns what one of n operations costs.
func (s spent) cost(name string, n int) report.Cost {
	s = s.by(float64(n))
	of := func(seconds float64) time.Duration { return time.Duration(max(0, seconds) * float64(time.Second)) }
	return report.Cost{
		Operation: name, Missiond: of(s.missiond), Postgres: of(s.postgres), Redis: of(s.redis),
		Statements: max(0, s.statements), WAL: max(0, s.wal), Kept: max(0, s.kept),
	}
}

// postCosts are those of a post from its mission's creation to its last measurement, and
// of a webhook's delivery, on a database of their own.
func (b *bench) postCosts(ctx context.Context) ([]report.Cost, error) {
	var taken atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { taken.Add(1) }))
	defer receiver.Close()
	tenants, c, err := b.costsOn(ctx, receiver.URL)
	if err != nil {
		return nil, err
	}
	defer c.db.Close()
	if err := c.rest(ctx); err != nil {
		return nil, err
	}
	if err := c.months(ctx, tenants[0], b.scaled(fewMissions)); err != nil { // what is made once is made
		return nil, err
	}
	var sums [2]spent
	var counts [2]int
	for i, t := range tenants {
		before, err := c.posts(ctx, t)
		if err != nil {
			return nil, err
		}
		if sums[i], err = c.during(ctx, func() error { return c.months(ctx, t, b.scaled(costMissions)) }); err != nil {
			return nil, err
		}
		after, err := c.posts(ctx, t)
		if err != nil {
			return nil, err
		}
		counts[i] = after - before
		if counts[i] == 0 {
			return nil, errors.New("no post went out")
		}
		b.say("%d posts, %d deliveries", counts[i], taken.Load())
	}
	// Some posts of a clock that is so fast are too late, in each run others.
	one := []spent{sums[0].by(float64(counts[0])), sums[1].by(float64(counts[1]))}
	name := fmt.Sprintf(report.Deliveries, float64(taken.Load())/float64(counts[1]))
	return []report.Cost{one[0].cost(report.WholePost, 1), one[1].minus(one[0]).cost(name, 1)}, c.printForeign(ctx)
}

// printForeign prints the statements that name no tenant, which a database distributed by
// tenants would send to each of its parts.
func (c *costly) printForeign(ctx context.Context) error {
	rows, err := c.db.Query(ctx, `SELECT calls, regexp_replace(query, '\s+', ' ', 'g') FROM pg_stat_statements
		WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query !~ 'tenant_id' AND query ~* '^(WITH|SELECT|INSERT|UPDATE|DELETE)'
		ORDER BY calls DESC`)
	if err != nil {
		return err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		Calls int64
		Query string
	}])
	fmt.Print("\nwithout a tenant:\n")
	for _, each := range list {
		fmt.Printf("%8d  %.220s\n", each.Calls, each.Query)
	}
	return err
}

// costsOn starts missiond on a new database with two tenants, of which the second has an
// endpoint for all events.
func (b *bench) costsOn(ctx context.Context, endpoint string) ([]tenant, *costly, error) {
	if _, err := b.db.Exec(ctx, "CREATE DATABASE "+costsDatabase); err != nil {
		return nil, nil, err
	}
	url := b.postgres.URL(costsDatabase)
	db, err := store.OpenPostgres(url, store.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = db.Close() }()
	if err := db.Migrate(ctx); err != nil {
		return nil, nil, err
	}
	tenants, err := b.makeTenants(ctx, db, "Costly", 2, func(i int) int { return i })
	if err != nil {
		return nil, nil, err
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, nil, err
	}
	config.ConnConfig.RuntimeParams["log_statement"] = "none"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	for _, statement := range []string{"UPDATE webhooks SET url = '" + endpoint + "'", "CREATE EXTENSION pg_stat_statements"} {
		if _, err := pool.Exec(ctx, statement); err != nil {
			return nil, nil, err
		}
	}
	p, err := newProcess("costs")
	if err != nil {
		return nil, nil, err
	}
	p.ops = p.Addr
	// It is another installation than that of the cases, and has a Redis database of its own.
	return tenants, &costly{b: b, proc: p, db: pool}, b.start(ctx, p, healthy(p.Addr, "/readyz"), b.missiond,
		[]string{"MISSIOND_SECRET_KEYS=" + b.kept.SecretKeys}, "dev", "--addr", p.Addr, "--data-dir", filepath.Join(b.folder, "costs"),
		"--database-url", url, "--redis-url", "redis://"+b.redis.Addr+"/2", "--log-level", "warn", "--clock-speed", fmt.Sprint(costSpeed))
}

// months runs missions of a tenant until nothing is left to do for them.
func (c *costly) months(ctx context.Context, t tenant, n int) error {
	ctx, cancel := context.WithTimeoutCause(ctx, costLimit, errStuck)
	defer cancel()
	for range n {
		if err := post(ctx, c.proc, t, monthBody); err != nil {
			return err
		}
	}
	for {
		var left int
		if err := c.db.QueryRow(ctx, `SELECT (SELECT count(*) FROM tasks WHERE tenant_id = $1)
			+ (SELECT count(*) FROM deliveries WHERE tenant_id = $1 AND status = 'pending')`, t.ID).Scan(&left); err != nil {
			return err
		}
		if left == 0 {
			return nil
		}
		if clock.Sleep(ctx, time.Second) != nil {
			return errors.Join(context.Cause(ctx), fmt.Errorf("%d tasks and deliveries are left", left))
		}
	}
}

// posts returns how many posts of a tenant have gone out.
func (c *costly) posts(ctx context.Context, t tenant) (n int, err error) {
	err = c.db.QueryRow(ctx, "SELECT count(*) FROM contents WHERE tenant_id = $1 AND status = 'published'", t.ID).Scan(&n)
	return n, err
}
