package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/clock"
	"missiond/internal/servers"
)

// drawFailover promotes a standby. The primary before stays up and read-only for
// those who are still connected to it, and the pooler is told a moment later.
func drawFailover(_ *rand.Rand, w *harness, _ time.Duration) disaster {
	return disaster{[]string{"Postgres", toPostgres.name, "PgBouncer"}, 0, w.failOver}
}

// followLimit is how long a process may stay connected to a demoted primary. Most leave
// it within a second, at their first write; one whose writes all wait there takes longer.
const followLimit = 20 * time.Second

// mayBeOld reports whether a process may still read from a demoted primary.
func (w *harness) mayBeOld() bool {
	return time.Now().Before(time.Unix(w.promoted.Load(), 0).Add(followLimit + time.Second))
}

// failOver loses no transaction that was acknowledged: the standby is synchronous when
// the primary stops taking new ones.
func (w *harness) failOver(ctx context.Context) error {
	w.promoted.Store(time.Now().Add(time.Hour).Unix())
	defer func() { w.promoted.Store(time.Now().Unix()) }()
	if w.demoted != nil {
		w.demoted.Stop()
	}
	old := w.postgres
	standby, err := old.StartStandby(ctx, w.folder)
	if err != nil {
		return err
	}
	for _, step := range []func(ctx context.Context) error{
		func(ctx context.Context) error { return w.set(ctx, "ALTER SYSTEM SET synchronous_standby_names = '*'") },
		func(ctx context.Context) error {
			return w.awaitRow(ctx, old, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")
		},
		func(ctx context.Context) error {
			return w.set(ctx, "ALTER SYSTEM SET default_transaction_read_only = on")
		},
		func(ctx context.Context) error {
			return w.awaitRow(ctx, old, "SELECT FROM pg_stat_replication WHERE flush_lsn >= pg_current_wal_lsn()")
		},
		standby.Promote,
	} {
		if err := step(ctx); err != nil {
			standby.Kill()
			return err
		}
	}
	w.demoted, w.postgres = old, standby
	w.toPostgres, w.spare = w.spare, w.toPostgres
	if err := w.toPostgres.lead(standby.Addr); err != nil {
		return err
	}
	if err := w.pooler.Lead(ctx, w.toPostgres.proxy.Listen); err != nil {
		return err
	}
	return w.awaitDesertion(ctx, old)
}

// awaitDesertion waits until nothing of the service is connected to a demoted primary,
// except commits that wait for a standby that is gone, and what waits for their locks:
// Postgres ends these late, although nobody waits for them.
func (w *harness) awaitDesertion(ctx context.Context, old *servers.Postgres) error {
	ctx, cancel := context.WithTimeout(ctx, followLimit)
	defer cancel()
	const left = "SELECT coalesce(string_agg(concat_ws(' ', application_name, backend_start, state_change, now(), state, wait_event, left(query, 200)), '; '), '') " + ofService +
		" AND backend_type = 'client backend'" +
		" AND wait_event IS DISTINCT FROM 'SyncRep' AND wait_event_type IS DISTINCT FROM 'Lock'"
	who := ""
	for {
		err := inPostgres(ctx, old, func(conn *pgx.Conn) error { return conn.QueryRow(ctx, left).Scan(&who) })
		if who == "" && err == nil {
			return nil
		}
		if clock.Sleep(ctx, 50*time.Millisecond) != nil {
			return errors.Join(fmt.Errorf("after %s the service is still connected to the demoted Postgres: %s", followLimit, who), err)
		}
	}
}

// awaitRow waits until a query of a server returns a row.
func (w *harness) awaitRow(ctx context.Context, p *servers.Postgres, query string) error {
	for {
		found := false
		err := inPostgres(ctx, p, func(conn *pgx.Conn) error {
			return conn.QueryRow(ctx, "SELECT EXISTS ("+query+")").Scan(&found)
		})
		if found && err == nil {
			return nil
		}
		if clock.Sleep(ctx, 50*time.Millisecond) != nil {
			return errors.Join(fmt.Errorf("%s has no row", query), err)
		}
	}
}
