package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/servers"
	"missiond/mission"
)

// What is followed: so many links, by so many people at once.
const (
	trackedLinks = 5000
	followers    = 4
	// pipelinesBeside are how many missions are made at a time for the worker to run meanwhile.
	pipelinesBeside = 20
)

const browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// links is how long a redirect takes of one process, beside a worker that runs pipelines without a pause.
func (b *bench) links(ctx context.Context) ([]report.Row, error) {
	ops, err := servers.FreeAddr()
	if err != nil {
		return nil, err
	}
	api, err := b.startMissiond(ctx, "serve", "--addr", "--ops-addr", ops, "--address-limit", "999999999/m")
	if err != nil {
		return nil, err
	}
	codes, err := b.addLinks(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := b.work(ctx); err != nil {
		return nil, err
	}
	busy, rest := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- b.keepBusy(busy, api) }()
	side, all := side{proc: api, workers: followers}, measured{}
	for _, code := range codes {
		side.requests = append(side.requests, load.Request("GET", api.Addr, "/l/"+code, "", browser))
	}
	shuffle(side.requests)
	for range b.rounds {
		if err = b.round(ctx, side, &all); err != nil {
			break
		}
	}
	rest()
	if err = errors.Join(err, <-ended); err != nil {
		return nil, err
	}
	p99 := report.Percentile(all.latencies, 0.99)
	return []report.Row{{
		Case: fmt.Sprintf("Links: a redirect, %d at once beside pipelines: p99", followers), Figure: report.Millis(p99), Against: millis(p99),
		Target: report.AtMost(5, "ms"), P50: report.Percentile(all.latencies, 0.5), P99: p99, CPU: all.perRequest(),
	}}, b.linksCounted(ctx, all.answered)
}

// addLinks adds tracked links of a tenant, and returns their codes.
func (b *bench) addLinks(ctx context.Context) ([]string, error) {
	rows, err := b.db.Query(ctx, `INSERT INTO tracked_links (id, tenant_id, mission_id, content_id, target, created_at)
		SELECT translate(substr(md5(n::text), 1, $1), '0189', 'wxyz'), $2, 'msn_0', 'cnt_' || n % 100, 'https://acme.example/' || n, now()
		FROM generate_series(1, $3) AS n RETURNING id`, mission.LinkCodeLength, b.runners[0].ID, b.scaled(trackedLinks))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// keepBusy makes missions, and waits for their pipelines, until ctx ends.
func (b *bench) keepBusy(ctx context.Context, api *process) error {
	for made := 0; ctx.Err() == nil; {
		for range pipelinesBeside {
			if err := post(ctx, api, b.runners[made%len(b.runners)], startedNow); err != nil {
				return unlessOver(ctx, err)
			}
			made++
		}
		if err := b.jobsDone(ctx, made); err != nil {
			return unlessOver(ctx, err)
		}
	}
	return nil
}

// unlessOver returns an error, unless the context has ended, which is why then.
func unlessOver(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// linksCounted waits until as many clicks are counted as there were, and removes them.
func (b *bench) linksCounted(ctx context.Context, followed int) error {
	err := until(ctx, 100*time.Millisecond, func(ctx context.Context) (done bool, err error) {
		err = b.db.QueryRow(ctx, "SELECT COALESCE(sum(clicks), 0) = $1 FROM link_clicks", followed).Scan(&done)
		return done, err
	})
	if err == nil {
		_, err = b.db.Exec(ctx, "DELETE FROM tracked_links")
	}
	return errors.Join(err, b.cleanTenants(ctx, b.runners))
}
