package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/clock"
)

// A steady load: readers that ask at a pace, and missions that are made, run
// to their end and deleted.
const (
	soakReaders   = 4
	soakReadEvery = 40 * time.Millisecond // each reader
	soakMakeEvery = 500 * time.Millisecond
	soakSamples   = 40
	// soakKept is how long a mission is there until it is deleted.
	soakKept = 15 * time.Second
	// soakWarm is left out of the look at what stays flat.
	soakWarm = 0.2
)

// watched is a figure that is sampled.
type watched struct {
	name, unit string
	read       func(ctx context.Context) (float64, error)
	// A figure stays flat where it grows by no more than a tenth, or by slack.
	slack   float64
	samples []float64
}

// soak runs under steady load for as long as it is told, and reports whether what
// the processes, the tables and Redis keep stays flat.
func (b *bench) soak(ctx context.Context) error {
	figures, err := b.soaked(ctx)
	if err != nil {
		return err
	}
	return b.tell(figures)
}

// soaked returns the samples of a run under steady load.
func (b *bench) soaked(ctx context.Context) ([]*watched, error) {
	// What the dashboard shows of what is done must not grow for the run's time.
	api, worker, err := b.running(ctx, "--task-retention", soakKept.String())
	if err != nil {
		return nil, err
	}
	client := redis.NewClient(&redis.Options{Addr: b.redis.Addr})
	defer func() { _ = client.Close() }()
	figures := b.watchedFigures(api, worker, client)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	defer all.Wait()
	loading, done := context.WithCancel(ctx)
	defer done()
	for w := range soakReaders {
		all.Go(func() { cancelOn(loading, cancel, b.readSteadily(loading, api, w)) })
	}
	all.Go(func() { cancelOn(loading, cancel, b.makeSteadily(loading, api, b.kept.Runners)) })
	if err := b.watch(ctx, figures); err != nil {
		return nil, err
	}
	done()
	all.Wait()
	return figures, nil
}

// cancelOn ends the run for an error that isn't the end itself.
func cancelOn(ctx context.Context, cancel context.CancelCauseFunc, err error) {
	if err != nil && ctx.Err() == nil {
		cancel(err)
	}
}

func (b *bench) watchedFigures(api, worker *process, client *redis.Client) []*watched {
	list := []*watched{{name: "Redis", unit: "MiB", slack: 2, read: func(ctx context.Context) (float64, error) { return usedMemory(ctx, client) }}}
	for _, p := range []*process{api, worker} {
		list = append(list,
			&watched{name: p.Name + " goroutines", slack: 20, read: func(ctx context.Context) (float64, error) { return metric(ctx, p, "go_goroutines") }},
			&watched{name: p.Name + " memory", unit: "MiB", slack: 10, read: func(context.Context) (float64, error) { return p.rss(), nil }})
	}
	// Rows that come and go; a table keeps the room that it once had.
	for _, table := range []string{"tasks", "missions", "contents", "jobs", "stages", "sandbox_posts", "counters", "usage_days", "idempotency_keys"} {
		list = append(list, &watched{name: table, unit: "MiB", slack: 4, read: func(ctx context.Context) (n float64, err error) {
			err = b.db.QueryRow(ctx, "SELECT pg_total_relation_size($1::regclass)::float8 / (1 << 20)", table).Scan(&n)
			return n, err
		}})
	}
	return list
}

// readSteadily asks for lists and status views.
func (b *bench) readSteadily(ctx context.Context, api *process, worker int) error {
	var requests [][]byte
	for _, t := range b.kept.Readers {
		ids, err := b.sample(ctx, t)
		if err != nil {
			return err
		}
		requests = append(requests,
			load.Request("GET", api.Addr, "/v1/missions", "", bearer(t)), load.Request("GET", api.Addr, "/v1/missions/"+ids[worker%len(ids)]+"/status", "", bearer(t)))
	}
	c, err := load.Dial(ctx, api.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := worker; clock.Sleep(ctx, soakReadEvery) == nil; i++ {
		if a, err := c.Do(requests[i%len(requests)], false); err != nil || a.Status != 200 {
			return fmt.Errorf("a read is answered with %d: %s, %w", a.Status, a.Body, err)
		}
	}
	return ctx.Err()
}

// makeSteadily makes missions, and deletes those that have run.
func (b *bench) makeSteadily(ctx context.Context, api *process, tenants []tenant) error {
	for i := 0; clock.Sleep(ctx, soakMakeEvery) == nil; i++ {
		if err := post(ctx, api, tenants[i%len(tenants)], startedNow); err != nil {
			return err
		}
		rows, err := b.db.Query(ctx, "SELECT id, tenant_id FROM missions WHERE tenant_id = ANY($1) AND created_at < $2", idsOf(tenants), time.Now().Add(-soakKept))
		if err != nil {
			return err
		}
		gone, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ ID, TenantID string }])
		if err != nil {
			return err
		}
		for _, m := range gone {
			owner := tenants[slices.IndexFunc(tenants, func(t tenant) bool { return t.ID == m.TenantID })]
			if err := deleteMission(ctx, api, owner, m.ID); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// deleteMission ends a mission, and deletes it.
func deleteMission(ctx context.Context, api *process, t tenant, id string) error {
	if _, err := ask(ctx, api.Addr, load.Request("POST", api.Addr, "/v1/missions/"+id+"/complete", "", bearer(t))); err != nil {
		return err
	}
	_, err := ask(ctx, api.Addr, load.Request("DELETE", api.Addr, "/v1/missions/"+id, "", bearer(t)))
	return err
}

// watch samples figures over the run.
func (b *bench) watch(ctx context.Context, figures []*watched) error {
	every := b.soakFor / soakSamples
	for i := range soakSamples {
		if err := clock.Sleep(ctx, every); err != nil {
			return context.Cause(ctx)
		}
		var line []string
		for _, f := range figures {
			v, err := f.read(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			f.samples = append(f.samples, v)
			line = append(line, fmt.Sprintf("%s %.4g", f.name, v))
		}
		b.say("%d/%d %s", i+1, soakSamples, strings.Join(line, ", "))
	}
	return nil
}

// tell prints the samples, and returns an error if some grow.
func (b *bench) tell(figures []*watched) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "figure\tfirst\tmiddle\tlast\tunit\t")
	var growing []string
	for _, f := range figures {
		kept := f.samples[int(soakWarm*float64(len(f.samples))):]
		verdict := "flat"
		if !report.Flat(kept, 0.1, f.slack) {
			verdict = "GROWS"
			growing = append(growing, f.name)
		}
		_, _ = fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.4g\t%s\t%s\n", f.name, kept[0], kept[len(kept)/2], kept[len(kept)-1], f.unit, verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(growing) > 0 {
		return fmt.Errorf("under steady load these grow: %s", strings.Join(growing, ", "))
	}
	return nil
}
