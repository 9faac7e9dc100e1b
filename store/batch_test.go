package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// relay relays connections to a server. It closes a connection after it has
// passed on a message for which last returns true, so that the reply never
// arrives.
func relay(t *testing.T, server string, last func(message []byte) bool) (addr string) {
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
					end := last(data[:n])
					if end {
						_ = client.Close() // before the reply can be passed on
					}
					if _, err := upstream.Write(data[:n]); err != nil || end {
						return // the server has the message and carries on
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// cut is relay up to a message with word.
func cut(t *testing.T, server, word string) (addr string) {
	t.Helper()
	return relay(t, server, func(message []byte) bool { return bytes.Contains(message, []byte(word)) })
}

// A transaction whose COMMIT gets no reply may be committed: it fails, and
// isn't run again.
func TestUnansweredCommit(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
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

// A transaction begins in one message with its first read, and later writes are
// sent with the read that follows them. If the reply to the first is lost, the
// transaction runs again.
func TestReadsGoWithTheWritesBefore(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	address, err := url.Parse(testkit.MigratedURL(t))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := store.OpenPostgres(address.String(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close() }()
	f := newFixture(t, plain)
	m := f.mission(nil)
	var mu sync.Mutex
	var messages []string
	address.Host = relay(t, address.Host, func(message []byte) bool {
		mu.Lock()
		defer mu.Unlock()
		if bytes.Contains(message, []byte("BEGIN")) || len(messages) > 0 {
			messages = append(messages, string(message))
		}
		return len(messages) == 1
	})
	db, err := store.OpenPostgres(address.String(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	runs := 0
	f.must(db.Tx(ctx, func(tx store.Tx) error {
		runs++
		if _, err := tx.LockMission(ctx, m.TenantID, m.ID); err != nil {
			return err
		}
		if err := tx.SetLimits(ctx, m.TenantID, mission.Limits{}); err != nil {
			return err
		}
		_, err := tx.LockMission(ctx, m.TenantID, m.ID)
		return err
	}))
	if runs != 2 {
		t.Errorf("the transaction ran %d times, want 2: it lost its first reply", runs)
	}
	mu.Lock()
	defer mu.Unlock()
	sent := slices.DeleteFunc(messages[1:], func(m string) bool {
		return !strings.Contains(m, "BEGIN") && !strings.Contains(m, "UPDATE") && !strings.Contains(m, "COMMIT")
	})
	if len(sent) != 3 || !strings.Contains(sent[0], `FROM "missions"`) || !strings.Contains(sent[1], `"tenants"`) || !strings.Contains(sent[2], "COMMIT") {
		t.Errorf("the transaction's messages are %q", sent)
	}
}

// limits returns the overrides of the tenant's limits.
func (f *fixture) limits() mission.Limits {
	f.t.Helper()
	tenant, err := f.db.Tenant(ctx, f.tenant.ID)
	f.must(err)
	return tenant.Limits
}

// A read of any kind sees the writes before it, and is part of their transaction.
func TestReadsSeeTheWritesBefore(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		posts := f.posts(f.job(f.mission(nil)))
		for name, read := range map[string]func(tx store.Tx, id string) (mission.Content, error){
			"by a prepared statement": func(tx store.Tx, id string) (mission.Content, error) { return tx.LockContent(ctx, f.tenant.ID, id) },
			"by a plain one": func(tx store.Tx, id string) (mission.Content, error) {
				list, err := tx.LockContents(ctx, f.tenant.ID, []string{id})
				if err != nil {
					return mission.Content{}, err
				}
				return list[0], nil
			},
		} {
			for _, fails := range []error{errors.New("failed"), nil} {
				ch, err := posts[0].Schedule(start.Add(time.Duration(100-len(posts))*time.Hour), start)
				f.must(err)
				err = f.tx(func(tx store.Tx) error {
					f.must(tx.ChangeContent(ctx, ch))
					if c, err := read(tx, posts[0].ID); err != nil || c.Status != mission.ContentScheduled {
						t.Errorf("%s, a changed post is %s, %v", name, c.Status, err)
					}
					return fails
				})
				c, readErr := f.db.Content(ctx, f.tenant.ID, posts[0].ID)
				if scheduled := c.Status == mission.ContentScheduled; !errors.Is(err, fails) || readErr != nil || scheduled != (fails == nil) {
					t.Errorf("%s, with %v: the post is %s afterwards; %v, %v", name, fails, c.Status, err, readErr)
				}
			}
			posts = posts[1:]
		}
	})
}

// A context that ends while rows are read ends the reading, in and outside
// transactions, and what is read later is whole. The race detector sees whether the
// rows were used by two goroutines.
func TestReadsEndWithTheirContext(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for range 40 {
			f.mission(nil)
		}
		m := f.mission(nil)
		page := store.Page{Limit: store.MaxPage}
		for i := range 200 {
			limited, cancel := context.WithTimeout(ctx, time.Duration(i)*10*time.Microsecond)
			list, err := f.db.Missions(limited, f.tenant.ID, store.MissionFilter{}, page)
			if err == nil && len(list.List) != 41 {
				t.Errorf("%d missions are listed, want 41", len(list.List))
			}
			_ = f.db.Tx(limited, func(tx store.Tx) error {
				got, err := tx.LockMission(limited, m.TenantID, m.ID)
				if err == nil && got.ID != m.ID {
					t.Errorf("%q is locked, want %q", got.ID, m.ID)
				}
				return err
			})
			cancel()
		}
		if _, err := f.db.Mission(ctx, m.TenantID, m.ID); err != nil {
			t.Error(err)
		}
	})
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
