package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/url"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// cut relays connections to a server. It closes a connection after it has
// passed on a message with word, so that the reply never arrives.
func cut(t *testing.T, server, word string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(client, upstream) }()
			go func() {
				defer func() { _ = client.Close() }()
				data := make([]byte, 64<<10)
				for {
					n, err := client.Read(data)
					if err != nil {
						_ = upstream.Close()
						return
					}
					last := bytes.Contains(data[:n], []byte(word))
					if last {
						_ = client.Close() // before the reply can be passed on
					}
					if _, err := upstream.Write(data[:n]); err != nil || last {
						return // the server has the message and carries on
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// A transaction whose COMMIT gets no reply may be committed: it fails, and
// isn't run again.
func TestUnansweredCommit(t *testing.T) {
	address, err := url.Parse(testkit.MigratedURL(t))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := store.OpenPostgres(address.String(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close() }()
	address.Host = cut(t, address.Host, "COMMIT")
	db, err := store.OpenPostgres(address.String(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	runs := 0
	err = db.Tx(ctx, func(tx store.Tx) error {
		runs++
		return tx.SetLimits(ctx, "tnt_none", mission.Limits{})
	})
	if err == nil || runs != 1 {
		t.Errorf("a transaction whose COMMIT got no reply ran %d times and returned %v", runs, err)
	}
}

// limits returns the overrides of the tenant's limits.
func (f *fixture) limits() mission.Limits {
	f.t.Helper()
	tenant, err := f.db.Tenant(ctx, f.tenant.ID)
	f.must(err)
	return tenant.Limits
}

// What goes wrong with a write is returned by the next read, and by the
// transaction even if its function ignores that. Nothing of it is committed.
func TestFailedWrites(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		pause, err := m.Pause(start)
		f.must(err)
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeMission(ctx, pause) }))
		stale := func(tx store.Tx) error { return tx.ChangeMission(ctx, pause) }
		duplicate := func(tx store.Tx) error { return tx.AddUser(ctx, f.user, f.entry(f.tenant.ID)) }
		conflict := func(err error) bool { return mission.CodeOf(err) == mission.CodeConflict }
		unexpected := func(err error) bool { return mission.CodeOf(err) == mission.CodeInternal }
		for name, c := range map[string]struct {
			writes []func(tx store.Tx) error
			wrong  func(error) bool
		}{
			"a stale change":                 {[]func(tx store.Tx) error{stale}, conflict},
			"a duplicate":                    {[]func(tx store.Tx) error{duplicate}, unexpected},
			"a stale change, then duplicate": {[]func(tx store.Tx) error{stale, duplicate}, conflict},
			"a duplicate, then stale change": {[]func(tx store.Tx) error{duplicate, stale}, unexpected},
		} {
			for _, reads := range []bool{false, true} {
				err := f.tx(func(tx store.Tx) error {
					if err := tx.SetLimits(ctx, f.tenant.ID, mission.Limits{"missions.create": "1/h"}); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					for _, write := range c.writes {
						if err := write(tx); err != nil {
							t.Errorf("%s is known before a read: %v", name, err)
						}
					}
					if !reads {
						return nil
					}
					_, err := tx.Tenant(ctx, f.tenant.ID)
					if !c.wrong(err) {
						t.Errorf("a read after %s returns %v", name, err)
					}
					_, again := tx.Tenant(ctx, f.tenant.ID)
					if err := errors.Join(again, tx.SetLimits(ctx, f.tenant.ID, nil)); !c.wrong(again) || !c.wrong(err) {
						t.Errorf("a failed transaction returns %v", err)
					}
					return nil
				})
				if !c.wrong(err) {
					t.Errorf("a transaction with %s returns %v", name, err)
				}
				if got := f.limits()["missions.create"]; got != "5/h" {
					t.Errorf("a transaction with %s has written %q", name, got)
				}
			}
		}
	})
}

// A transaction that panics or whose context ends is rolled back, and leaves a
// database that can be written to.
func TestAbandonedTransactions(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		write := func(tx store.Tx) {
			f.must(tx.SetLimits(ctx, f.tenant.ID, mission.Limits{"missions.create": "1/h"}))
			_, err := tx.Tenant(ctx, f.tenant.ID)
			f.must(err)
		}
		for name, abandon := range map[string]func(ctx context.Context, cancel func()) error{
			"a panic": func(ctx context.Context, _ func()) error {
				defer func() { _ = recover() }()
				return f.db.Tx(ctx, func(tx store.Tx) error { write(tx); panic("broken") })
			},
			"an end before a read": func(ctx context.Context, cancel func()) error {
				return f.db.Tx(ctx, func(tx store.Tx) error {
					write(tx)
					cancel()
					_, err := tx.Tenant(ctx, f.tenant.ID)
					return err
				})
			},
			"an end before COMMIT": func(ctx context.Context, cancel func()) error {
				return f.db.Tx(ctx, func(tx store.Tx) error { write(tx); cancel(); return nil })
			},
		} {
			ctx, cancel := context.WithCancel(ctx)
			if err := abandon(ctx, cancel); name != "a panic" && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
			if got := f.limits()["missions.create"]; got != "5/h" {
				t.Errorf("%s: %q is written", name, got)
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.SetLimits(context.Background(), f.tenant.ID, f.tenant.Limits) }))
		}
	})
}

// A transaction keeps only so many writes back, and sends them in their order.
func TestManyWrites(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		last := mission.Limits{}
		f.must(f.tx(func(tx store.Tx) error {
			for range 200 {
				last = mission.Limits{"missions.create": f.db.NewID("lim", start)}
				if err := tx.SetLimits(ctx, f.tenant.ID, last); err != nil {
					return err
				}
			}
			return nil
		}))
		if got := f.limits()["missions.create"]; got != last["missions.create"] {
			t.Errorf("the last of many writes is %q, want %q", got, last)
		}
		large := mission.Limits{"missions.create": string(bytes.Repeat([]byte("x"), 100<<10))}
		for most, limits := range map[int]mission.Limits{65: last, 4: large} {
			writes := 0
			err := f.tx(func(tx store.Tx) error {
				if err := tx.AddUser(ctx, f.user, f.entry(f.tenant.ID)); err != nil {
					return err
				}
				for {
					if err := tx.SetLimits(ctx, f.tenant.ID, limits); err != nil {
						return err
					}
					writes++
				}
			})
			if err == nil || writes > most {
				t.Errorf("after %d writes: %v", writes, err)
			}
		}
	})
}

// A transaction whose first statements find that the server has closed the
// connection is run again.
func TestClosedConnection(t *testing.T) {
	t.Parallel()
	address := testkit.MigratedURL(t)
	db, err := store.OpenPostgres(testkit.Pooled(t, address), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	f := newFixture(t, db)
	admin, err := sql.Open("pgx", address)
	f.must(err)
	t.Cleanup(func() { _ = admin.Close() })
	for range 3 {
		_, err = admin.ExecContext(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		f.must(err)
		f.must(f.tx(func(tx store.Tx) error {
			tenant, err := tx.LockTenant(ctx, f.tenant.ID)
			if err != nil {
				return err
			}
			return tx.SetTenant(ctx, tenant, f.entry(tenant.ID))
		}))
	}
}
