package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// What is wrong with a statement or its caller isn't the database's trouble.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"08006": true, "53100": true, "53300": true, "57014": true, "57P01": true, "57P03": true, "58030": true,
		"25006": true, "25P03": true, "26000": true, "40001": true, "40P01": true, "55P03": true, "XX001": true,
		"22001": false, "23505": false, "23503": false, "42601": false, "42P01": false, "25P02": false, "XX000": false, "5": false,
	} {
		if got := database.Unavailable(fmt.Errorf("read: %w", &pgconn.PgError{Code: code})); got != want {
			t.Errorf("unavailable by %s: %v, want %v", code, got, want)
		}
	}
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"none":                      {nil, false},
		"a bad connection":          {driver.ErrBadConn, true},
		"a connection that is gone": {fmt.Errorf("read: %w", sql.ErrConnDone), true},
		"a caller who is gone":      {context.Canceled, false},
		"somebody else's limit":     {context.DeadlineExceeded, false},
		"somebody else's network":   {&url.Error{Op: "Post", URL: "https://llm.test", Err: &net.OpError{Op: "read", Err: io.EOF}}, false},
		"no rows":                   {sql.ErrNoRows, false},
		"a caller's error":          {mission.Invalid("name", "too long"), false},
		"a lost task":               {store.ErrLost, false},
	} {
		if got := database.Unavailable(c.err); got != c.want {
			t.Errorf("unavailable by %s: %v, want %v", name, got, c.want)
		}
	}
}

// A database that is locked or doesn't respond is unavailable when the time
// limit is over, for reads and transactions alike; a caller who gives up isn't
// the database's trouble.
func TestUnavailableInTime(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		begun, end := make(chan struct{}), make(chan struct{})
		ended := make(chan error, 1)
		go func() {
			ended <- f.tx(func(tx store.Tx) error {
				if err := tx.SetLimits(ctx, f.tenant.ID, mission.Limits{}); err != nil {
					return err
				}
				if _, err := tx.Tenant(ctx, f.tenant.ID); err != nil { // sends what was written
					return err
				}
				close(begun)
				<-end
				return nil
			})
		}()
		<-begun
		late, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		set := func(ctx context.Context) error {
			return f.db.Tx(ctx, func(tx store.Tx) error { return tx.SetLimits(ctx, f.tenant.ID, mission.Limits{}) })
		}
		if err := set(late); !database.Unavailable(err) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a transaction that waits for a lock in vain returns %v, want it unavailable", err)
		}
		if _, err := f.db.Tenant(late, f.tenant.ID); !database.Unavailable(err) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a read whose time is over returns %v, want it unavailable", err)
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := set(gone); err == nil || database.Unavailable(err) {
			t.Errorf("a caller who is gone gets %v, which isn't the database's trouble", err)
		}
		close(end)
		f.must(<-ended)
	})
}

// A server that isn't there, or ends a connection, is unavailable.
func TestUnavailableServer(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	address, err := url.Parse(testkit.MigratedURL(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, host := range map[string]string{
		"no server": "127.0.0.1:1", "a server that hangs up on a read": cut(t, address.Host, "SELECT"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := *address
			to.Host = host
			if _, err := openAt(t, to.String(), options).Tenant(ctx, "tnt_none"); !database.Unavailable(err) {
				t.Errorf("a read returns %v, want it unavailable", err)
			}
		})
	}
}
