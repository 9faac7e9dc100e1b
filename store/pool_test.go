package store_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
	"missiond/store"
)

// openAt opens a database for a test.
func openAt(t testing.TB, address string, o store.Options) *store.DB {
	t.Helper()
	db, err := store.OpenPostgres(address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// rawAt opens a handle of its own on a database.
func rawAt(t testing.TB, address string) *sql.DB {
	t.Helper()
	raw, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	return raw
}

// occupy begins n transactions, each of which keeps a connection until free is
// called.
func (f *fixture) occupy(n int) (free func()) {
	f.t.Helper()
	held, begun := make(chan struct{}), make(chan error, 2*n)
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			err := f.tx(func(tx store.Tx) error {
				_, err := tx.Tenant(ctx, f.tenant.ID)
				if err == nil {
					begun <- nil
					<-held
				}
				return err
			})
			if err != nil {
				begun <- err
			}
		})
	}
	for range n {
		f.must(<-begun)
	}
	return func() { close(held); all.Wait() }
}

// A process has no more connections than it may, its callers wait for them, and
// credentials are read meanwhile.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	address := testkit.MigratedURL(t)
	const most = 6
	f := newFixture(t, openAt(t, address, store.Options{Database: database.Options{Connections: most, Name: "missiond test 1"}}))
	free := f.occupy(f.db.Connections())
	late, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := f.db.Tenant(late, f.tenant.ID); !database.Unavailable(err) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a read without a connection returns %v, want the end of its time", err)
	}
	waiting := make(chan error, 1)
	go func() {
		_, err := f.db.Tenant(ctx, f.tenant.ID)
		waiting <- err
	}()
	soon, cancel := context.WithTimeout(ctx, await.Long())
	defer cancel()
	if _, err := f.db.KeyHash(soon, f.tenant.ID, "key_1"); err != nil {
		t.Errorf("the credentials aren't read while all connections are in use: %v", err)
	}
	var n int
	raw := rawAt(t, address)
	f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'missiond test 1'").Scan(&n))
	if want := f.db.Connections() + 1; n != want || n > most {
		t.Errorf("the process has %d connections, want %d", n, want)
	}
	free()
	f.must(<-waiting)
	pools := f.db.Pools()
	if work := pools[0]; work.WaitCount == 0 || work.MaxOpenConnections != f.db.Connections() || work.OpenConnections == 0 {
		t.Errorf("the pool's figures are %+v", work)
	}
	if _, err := store.OpenPostgres(address, store.Options{Database: database.Options{Connections: database.MinConnections - 1}}); err == nil {
		t.Error("a process may have too few connections")
	}
	own := openAt(t, address+"&application_name=theirs", store.Options{Database: database.Options{Name: "ours"}})
	_, err := own.Tenant(ctx, f.tenant.ID)
	f.must(err)
	f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'theirs'").Scan(&n))
	if n != 1 {
		t.Errorf("%d connections have the URL's application_name, want 1", n)
	}
}

// What an operator, a timeout or the server's state does to a statement is the
// database's trouble, and passes.
func TestUnavailableByOperators(t *testing.T) {
	t.Parallel()
	address := testkit.MigratedURL(t)
	f := newFixture(t, openAt(t, address, options))
	raw := rawAt(t, address)
	lock, err := raw.BeginTx(ctx, nil)
	f.must(err)
	_, err = lock.ExecContext(ctx, "SELECT FROM tenants WHERE id = $1 FOR UPDATE", f.tenant.ID)
	f.must(err)
	set := func(db *store.DB) error {
		return db.Tx(ctx, func(tx store.Tx) error { return tx.SetLimits(ctx, f.tenant.ID, mission.Limits{}) })
	}
	for _, end := range []string{"pg_cancel_backend", "pg_terminate_backend"} {
		done := make(chan error, 1)
		go func() { done <- set(f.db) }()
		await.Until(t, "the statement waits and is ended by "+end, func() bool {
			var n int
			f.must(raw.QueryRowContext(ctx, "SELECT count("+end+"(pid)) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n))
			return n > 0
		})
		if err := <-done; !database.Unavailable(err) {
			t.Errorf("after %s the transaction returns %v, want it unavailable", end, err)
		}
	}
	for _, setting := range []string{"statement_timeout=30", "lock_timeout=30", "default_transaction_read_only=on"} {
		if err := set(openAt(t, address+"&"+setting, options)); !database.Unavailable(err) {
			t.Errorf("with %s a transaction returns %v, want it unavailable", setting, err)
		}
	}
	f.must(lock.Rollback())
	f.must(set(f.db))
}

// A server with fewer connections than the processes may have serves them all.
func TestServerShortOfConnections(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	server, name := testkit.PostgresServer(t, "max_connections=12", "superuser_reserved_connections=0")
	const processes, callers, rounds = 3, 20, 15
	errs := make([]error, processes)
	var all sync.WaitGroup
	for i := range processes {
		f := &fixture{t: t, db: openAt(t, server.URL(name), options)}
		f.tenant, f.user = f.makeTenant("tenant-" + string(rune('a'+i)))
		all.Go(func() {
			for range rounds {
				errs[i] = errors.Join(errs[i], f.crowd(callers))
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Errorf("a server with fewer connections than are wanted refused: %v", err)
	}
}

// After a promotion all connections lead to the new primary, though the old one
// stays up and lets its clients read.
func TestFailover(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	old, name := testkit.PostgresServer(t)
	f := newFixture(t, openAt(t, old.URL(name), options))
	other, _ := f.makeTenant("other")
	standby := testkit.Standby(t, old) // it has the tenants
	address, err := url.Parse(old.URL(name))
	f.must(err)
	address.Host += "," + standby.Addr
	f.db = openAt(t, address.String(), store.Options{Database: database.Options{Name: "missiond test"}})
	f.must(standby.Promote(ctx))
	f.occupy(8)() // the old primary still accepts writes
	zombie := rawAt(t, old.URL(name))
	lock, err := zombie.BeginTx(ctx, nil)
	f.must(err)
	_, err = lock.ExecContext(ctx, "SELECT FROM tenants WHERE id = $1 FOR UPDATE", f.tenant.ID)
	f.must(err)
	soon, cancel := context.WithTimeout(ctx, await.Long())
	defer cancel()
	set := func(tenant mission.Tenant) error {
		return f.db.Tx(soon, func(tx store.Tx) error { return tx.SetLimits(soon, tenant.ID, mission.Limits{}) })
	}
	stuck := make(chan error, 1)
	go func() { stuck <- set(f.tenant) }()
	await.Until(t, "a write waits at the old primary", func() bool {
		var n int
		f.must(zombie.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n))
		return n > 0
	})
	for _, q := range []string{"ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"} {
		_, err := zombie.ExecContext(ctx, q)
		f.must(err)
	}
	promoted := rawAt(t, standby.URL(name))
	await.Until(t, "a write meets the old primary's refusal, and then the new one", func() bool {
		err := set(other)
		if err != nil && !database.Unavailable(err) {
			t.Fatalf("a write beside a former primary returns %v, want it unavailable", err)
		}
		var n int
		f.must(promoted.QueryRowContext(ctx, "SELECT count(*) FROM tenants WHERE id = $1 AND limits = '{}'", other.ID).Scan(&n))
		return n == 1
	})
	if err := <-stuck; !database.Unavailable(err) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a write that waits at the old primary returns %v, want its connection cut", err)
	}
	f.must(lock.Rollback())
	idle := f.db.Pools()[0].MaxIdleTimeClosed
	await.Until(t, "no connection leads to the old primary", func() bool {
		var n int
		f.must(zombie.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'missiond test'").Scan(&n))
		return n == 0
	})
	if late := f.db.Pools()[0].MaxIdleTimeClosed - idle; late > 0 {
		t.Errorf("%d connections to the old primary weren't closed before they had been idle for long", late)
	}
}

// A transaction that isn't finished keeps no other of its tenant from being
// committed: rows that the whole tenant shares are locked last.
func TestSharedRowsAreLockedLast(t *testing.T) {
	t.Parallel()
	f := newFixture(t, testkit.Postgres(t, options))
	f.mission(nil) // the rows exist
	begun, end, ended := make(chan error, 1), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- f.tx(func(tx store.Tx) error {
			m, events := f.newMission(nil)
			err := tx.CreateMission(ctx, m, events)
			if err == nil {
				_, err = tx.Tenant(ctx, f.tenant.ID) // sends what was written
			}
			begun <- err
			<-end
			return err
		})
	}()
	f.must(<-begun)
	m, events := f.newMission(nil)
	soon, cancel := context.WithTimeout(ctx, await.Long())
	defer cancel()
	err := f.db.Tx(soon, func(tx store.Tx) error { return tx.CreateMission(soon, m, events) })
	close(end)
	if err != nil {
		t.Errorf("a mission can't be created while another of its tenant is: %v", err)
	}
	f.must(<-ended)
	n, err := f.db.CountMissions(ctx, f.tenant.ID, store.MissionFilter{})
	f.must(err)
	if n != 3 {
		t.Errorf("%d missions are counted, want 3", n)
	}
}
