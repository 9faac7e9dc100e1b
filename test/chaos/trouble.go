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

// These disasters are troubles of a Postgres that stays up.

// inPostgres calls do with a connection to a server that bypasses the links, and that
// the settings of drawSetting don't concern.
func inPostgres(ctx context.Context, p *servers.Postgres, do func(conn *pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, p.URL("postgres")+"&default_transaction_read_only=off&statement_timeout=0")
	if err != nil {
		return err
	}
	return errors.Join(do(conn), conn.Close(ctx))
}

// ofService is the condition of the service's connections.
const ofService = "FROM pg_stat_activity WHERE datname = '" + database + "'"

// drawTerminated has Postgres terminate all connections of the service.
func drawTerminated(_ *rand.Rand, w *harness, _ time.Duration) disaster {
	return outage("Postgres", 0, func() {}, w.terminate)
}

func (w *harness) terminate(ctx context.Context) error {
	return inPostgres(ctx, w.postgres, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SELECT pg_terminate_backend(pid) "+ofService)
		return err
	})
}

// drawCanceled has Postgres cancel the statements of the service that are running,
// again and again.
func drawCanceled(r *rand.Rand, w *harness, _ time.Duration) disaster {
	lasts := between(r, 2*time.Second, 8*time.Second)
	return disaster{[]string{"Postgres"}, lasts, func(ctx context.Context) error {
		return inPostgres(ctx, w.postgres, func(conn *pgx.Conn) error {
			for end := time.Now().Add(lasts); time.Now().Before(end); {
				if _, err := conn.Exec(ctx, "SELECT pg_cancel_backend(pid) "+ofService); err != nil {
					return err
				}
				if err := clock.Sleep(ctx, 50*time.Millisecond); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

// drawSetting changes a setting of Postgres, also for the connections that exist.
func drawSetting(name, value string) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		lasts := between(r, 2*time.Second, 10*time.Second)
		return disaster{[]string{"Postgres"}, lasts, func(ctx context.Context) error {
			if err := w.set(ctx, fmt.Sprintf("ALTER SYSTEM SET %s = %s", name, value)); err != nil {
				return err
			}
			_ = clock.Sleep(ctx, lasts)
			return again(ctx, func() error { return w.set(ctx, "ALTER SYSTEM RESET "+name) })
		}}
	}
}

// set changes the primary's configuration, also for the connections that exist.
func (w *harness) set(ctx context.Context, statement string) error {
	return inPostgres(ctx, w.postgres, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "SELECT pg_reload_conf()")
		return err
	})
}

// drawStarved takes all connections that Postgres has, those of the service first.
func drawStarved(r *rand.Rand, w *harness, _ time.Duration) disaster {
	lasts := between(r, 2*time.Second, 15*time.Second)
	return disaster{[]string{"Postgres"}, lasts, func(ctx context.Context) error {
		var taken []*pgx.Conn
		defer func() {
			for _, conn := range taken {
				_ = conn.Close(ctx)
			}
		}()
		for end := time.Now().Add(lasts); time.Now().Before(end); {
			conn, err := pgx.Connect(ctx, w.postgres.URL("postgres"))
			if err == nil {
				taken = append(taken, conn)
				continue
			}
			if len(taken) == 0 {
				return err
			}
			// All are taken: the service keeps those that it got meanwhile, until now.
			if _, err := taken[0].Exec(ctx, "SELECT pg_terminate_backend(pid) "+ofService); err != nil {
				return err
			}
			_ = clock.Sleep(ctx, 20*time.Millisecond)
		}
		return nil
	}}
}
