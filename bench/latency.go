package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/clock"
	"missiond/internal/jsonwire"
	"missiond/internal/writer/builtin/builtintest"
)

// oneDay is a mission of one post, which goes out at once: its pipeline runs
// to its end.
const oneDay = `{"name":"One day","description":"` + builtintest.Description + `","objectives":["Tell what is new"],"platforms":["mastodon"],"constraints":{"posts_per_day":1},"duration_days":1,%s}`

var startedNow = fmt.Sprintf(oneDay, `"start_immediately":true`)

// How the latencies are taken.
const (
	latencySamples = 150
	scheduledAhead = 2 * time.Second
	scheduledEvery = 100 * time.Millisecond
)

// running starts the API and a worker.
func (b *bench) running(ctx context.Context) (api *process, err error) {
	if api, err = b.serve(ctx); err != nil {
		return nil, err
	}
	_, err = b.work(ctx)
	return api, err
}

// post creates a mission of a tenant's.
func post(ctx context.Context, api *process, t tenant, body string) error {
	_, err := ask(ctx, api.Addr, load.Request("POST", api.Addr, "/v1/missions", body, bearer(t)))
	return err
}

// latency is how long a task takes from its commit to its handler, on an idle
// service.
func (b *bench) latency(ctx context.Context) ([]report.Row, error) {
	api, err := b.running(ctx)
	if err != nil {
		return nil, err
	}
	for i := range b.scaled(latencySamples) {
		if err := post(ctx, api, b.runners[i%len(b.runners)], startedNow); err != nil {
			return nil, err
		}
		// Idle is who has nothing left to do of the one before.
		if err := b.jobsDone(ctx, i+1); err != nil {
			return nil, err
		}
	}
	// Postgres tells when the row of a mission's platform was committed, and with
	// it the first stage's task; it isn't changed afterwards.
	took, err := b.durations(ctx, `SELECT extract(epoch FROM s.started_at - pg_xact_commit_timestamp(p.xmin)) FROM stages s JOIN jobs j ON j.id = s.job_id
		JOIN mission_platforms p ON p.mission_id = j.mission_id WHERE s.name = 'intake' AND j.tenant_id = ANY($1)`, idsOf(b.runners))
	if err != nil {
		return nil, err
	}
	p50, p99 := report.Percentile(took, 0.5), report.Percentile(took, 0.99)
	idle := func(name string, took time.Duration, most float64) report.Row {
		return report.Row{
			Case: "Latency: commit to handler, idle: " + name, Figure: report.Millis(took), Against: millis(took),
			Target: report.AtMost(most, "ms"), P50: p50, P99: p99,
		}
	}
	return []report.Row{idle("p50", p50, 12), idle("p99", p99, 30)}, nil
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// durations reads seconds.
func (b *bench) durations(ctx context.Context, query string, args ...any) ([]time.Duration, error) {
	rows, err := b.db.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	seconds, err := pgx.CollectRows(rows, pgx.RowTo[float64])
	durations := make([]time.Duration, len(seconds))
	for i, s := range seconds {
		durations[i] = time.Duration(s * float64(time.Second))
	}
	return durations, err
}

// jobsDone waits until the runners have n jobs that are done. They are counted only
// while none runs, and seldom: counting them took a tenth of the processor time of what
// is measured.
func (b *bench) jobsDone(ctx context.Context, n int) error {
	return until(ctx, 100*time.Millisecond, func(ctx context.Context) (done bool, err error) {
		err = b.db.QueryRow(ctx, `SELECT CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE status = 'running' AND tenant_id = ANY($1)) THEN false
			ELSE (SELECT count(*) >= $2 FROM jobs WHERE status = 'completed' AND tenant_id = ANY($1)) END`, idsOf(b.runners), n).Scan(&done)
		return done, err
	})
}

// scheduled is how late tasks begin that have a time.
func (b *bench) scheduled(ctx context.Context) ([]report.Row, error) {
	api, err := b.running(ctx)
	if err != nil {
		return nil, err
	}
	chance := rand.New(rand.NewPCG(1, 1))
	var at time.Time
	samples := b.scaled(latencySamples)
	for i := range samples {
		at = time.Now().Add(scheduledAhead + time.Duration(chance.Int64N(int64(time.Second))))
		body := fmt.Sprintf(oneDay, `"starts_at":"`+at.UTC().Format(jsonwire.TimeFormat)+`"`)
		if err := post(ctx, api, b.runners[i%len(b.runners)], body); err != nil {
			return nil, err
		}
		if err := clock.Sleep(ctx, scheduledEvery); err != nil {
			return nil, err
		}
	}
	if err := b.jobsDone(ctx, samples); err != nil {
		return nil, err
	}
	late, err := b.durations(ctx, `SELECT extract(epoch FROM e.created_at - m.starts_at) FROM events e JOIN missions m ON m.id = e.mission_id
		WHERE e.type = 'mission.started' AND e.tenant_id = ANY($1)`, idsOf(b.runners))
	if err != nil {
		return nil, err
	}
	p50, p99, least := report.Percentile(late, 0.5), report.Percentile(late, 0.99), report.Percentile(late, 0)
	r := report.Row{
		Case: "Latency: scheduled tasks: how late", Figure: fmt.Sprintf("%.0f to %.0f ms", millis(least), millis(report.Percentile(late, 1))),
		Against: p99.Seconds(), Target: &report.Target{Value: 1.2, AtMost: true, Text: "never early, p99 ≤ 1.2 s"}, P50: p50, P99: p99,
	}
	if least < 0 {
		r.Against = math.Inf(1)
	}
	return []report.Row{r}, nil
}
