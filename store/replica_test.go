package store_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"missiond/internal/database"
	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/store"
)

// replicated is a database with a replica, and another process's way to it, which has
// none.
type replicated struct {
	*fixture

	other *fixture
}

func newReplicated(t *testing.T, address, replica string) replicated {
	t.Helper()
	o := options
	o.Database.ReadURL = replica
	r := replicated{fixture: newFixture(t, openAt(t, address, o)), other: &fixture{t: t, db: openAt(t, address, options)}}
	r.other.tenant, r.other.user = r.tenant, r.user
	return r
}

// reads fails the test unless a new request reads a mission that was created just
// before, in the list and by id. It returns whether the replica has answered.
func (f replicated) reads() bool {
	f.t.Helper()
	m := f.other.mission(nil)
	request := database.AllowReplica(ctx)
	part, err := f.db.Missions(request, f.tenant.ID, store.MissionFilter{}, store.Page{Limit: 1})
	f.must(err)
	if len(part.List) != 1 || part.List[0].ID != m.ID {
		f.t.Fatalf("a list after the mission %s was created begins with %v", m.ID, part.List)
	}
	_, err = f.db.Mission(request, f.tenant.ID, m.ID)
	f.must(err)
	on, err := store.OnStandby(request, f.db)
	f.must(err)
	return on
}

// answered waits until the replica answers.
func (f replicated) answered() {
	f.t.Helper()
	await.Until(f.t, "the replica answers", f.reads)
}

// A replica answers reads, and callers read what they and others wrote.
func TestReplica(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	primary, name := testkit.PostgresServer(t)
	standby := testkit.Standby(t, primary)
	f := newReplicated(t, primary.URL(name), standby.URL(name))
	f.must(f.db.TryReplica(ctx))
	f.answered()
	if on, err := store.OnStandby(ctx, f.db); on || err != nil {
		t.Errorf("a request that doesn't allow the replica is answered by it (%v)", err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				m := f.other.mission(nil)
				if _, err := f.db.Mission(database.AllowReplica(ctx), f.tenant.ID, m.ID); err != nil {
					t.Errorf("a mission that was created: %v", err)
				}
			}
		})
	}
	all.Wait()

	admin := rawAt(t, standby.URL(name))
	exec := func(query string) {
		t.Helper()
		if _, err := admin.ExecContext(ctx, query); err != nil {
			t.Fatal(err)
		}
	}
	exec("SELECT pg_wal_replay_pause()")
	before, _ := f.db.Replica()
	await.Until(t, "the replica has paused", func() bool { return !f.reads() }) // it may still replay a record
	for range 5 {
		if f.reads() {
			t.Error("a replica that lags answers")
		}
	}
	await.Until(t, "a read beside a lagging replica that is counted", func() bool {
		s, _ := f.db.Replica()
		return !f.reads() && s.Lagging > before.Lagging // a busy machine's replica may be too slow to say that it lags
	})
	exec("SELECT pg_wal_replay_resume()")
	f.answered()

	f.must(standby.Promote(ctx))
	await.Until(t, "the former replica isn't used", func() bool { return !f.reads() })
	if f.reads() {
		t.Error("a replica that became a primary answers")
	}
}

// signalAll sends a server's processes a signal.
func signalAll(server *servers.Postgres, s syscall.Signal) error {
	errs := []error{server.Signal(s)}
	pid := strconv.Itoa(server.PID())
	children, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	if err != nil {
		return err
	}
	for _, child := range strings.Fields(string(children)) {
		pid, err := strconv.Atoi(child)
		if err == nil {
			err = syscall.Kill(pid, s)
		}
		if !errors.Is(err, syscall.ESRCH) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Nothing fails while a replica is down, freezes, or ends in the middle of reads, and
// it is used again once it is back.
func TestReplicaFails(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	primary, name := testkit.PostgresServer(t)
	standby := testkit.Standby(t, primary)
	f := newReplicated(t, primary.URL(name), standby.URL(name))
	for _, disaster := range []struct {
		name  string
		begin func() error
		end   func() error
	}{
		{"killed", func() error { standby.Kill(); return nil }, func() error { return standby.Start(ctx) }},
		{"frozen", func() error { return signalAll(standby, syscall.SIGSTOP) }, func() error { return signalAll(standby, syscall.SIGCONT) }},
	} {
		f.answered()
		stop, errs := make(chan struct{}), make(chan error, 4)
		for range cap(errs) {
			go func() {
				for {
					select {
					case <-stop:
						errs <- nil
						return
					default:
					}
					if _, err := f.db.Missions(database.AllowReplica(ctx), f.tenant.ID, store.MissionFilter{}, store.Page{Limit: 100}); err != nil {
						errs <- fmt.Errorf("%s: %w", disaster.name, err)
						return
					}
				}
			}()
		}
		f.must(disaster.begin())
		await.Until(t, disaster.name+": the primary answers", func() bool { return !f.reads() })
		close(stop)
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if f.reads() {
			t.Errorf("%s: the replica answers", disaster.name)
		}
		f.must(disaster.end())
	}
	f.answered()
	if s, _ := f.db.Replica(); s.Answered == 0 || s.Unavailable == 0 {
		t.Errorf("the figures are %+v", s)
	}
}

// A server that is no standby of the database answers nothing.
func TestWrongReplica(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	primary, of := testkit.PostgresServer(t)
	elsewhere, _ := testkit.PostgresServer(t)
	for name, address := range map[string]string{
		"itself":            primary.URL(of),
		"another database":  elsewhere.URL(of),
		"another's replica": testkit.Standby(t, elsewhere).URL(of),
		"nothing":           "postgres://postgres@127.0.0.1:1/postgres?sslmode=disable",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options
			o.Database.ReadURL = address
			f := replicated{fixture: &fixture{t: t, db: openAt(t, primary.URL(of), o)}}
			f.tenant, f.user = f.makeTenant(strings.ReplaceAll(name, " ", "-"))
			f.other = f.fixture
			if err := f.db.TryReplica(ctx); err == nil {
				t.Error("it passes for a replica")
			}
			if f.reads() {
				t.Error("it answers")
			}
		})
	}
}
