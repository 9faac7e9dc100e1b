package tasks

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// errCrash is the panic that ends a process in these tests.
type errCrash struct{}

// crashing ends the process before its n-th statement from now: uncommitted changes
// are rolled back, committed ones stay.
func (w *world) crashing(faults *store.Faults, n int64, run func()) (crashed bool) {
	w.t.Helper()
	faults.Arm(n, func() { panic(errCrash{}) })
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(errCrash); !ok {
				panic(p)
			}
			crashed = true
		}
		faults.Disarm()
	}()
	run()
	return false
}

// restart starts a process after a crash: the leases of the crashed one expire, and
// its memory is gone.
func (w *world) restart() {
	w.t.Helper()
	w.worker.held = map[string]*claim{}
	w.clock.Advance(lease)
	_, err := w.db.ExpireLeases(context.Background(), 2*lease, w.clock.Now())
	w.must(err)
}

// bare runs a claimed task without the worker's recover: a crash is a crash.
func (w *world) bare(id string) {
	c, err := w.worker.claim(context.Background(), id)
	w.must(err)
	if c == nil {
		return
	}
	err = w.worker.handlers[c.Type](context.Background(), c)
	_, _ = w.worker.settle(context.Background(), c, err)
}

// A crash before any statement of a mission's life loses nothing and repeats no
// effect.
func TestCrashAtEveryStatement(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, store.Options) *store.DB{"sqlite": testkit.SQLite, "postgres": testkit.Postgres} {
		t.Run(name, func(t *testing.T) {
			if name == "postgres" {
				testkit.SkipIfShort(t)
			}
			step := int64(9)
			switch {
			case testing.Short():
				step = 45
			case testkit.Nightly():
				step = 1
			}
			first := 1 + rand.Int64N(step) // different ones each time
			t.Logf("every %d statements from statement %d on", step, first)
			crashes, faults := 0, &store.Faults{}
			db := open(t, store.Options{Timing: timing, Faults: faults})
			for n := first; ; n += step {
				if w := newWorld(t, db); !w.liveWithCrash(faults, n) {
					break
				}
				crashes++
			}
			if crashes < int(180/step) { // a mission has over two hundred statements
				t.Errorf("got only %d crashes", crashes)
			}
			t.Logf("%d crashes", crashes)
		})
	}
}

// liveWithCrash runs a one-day mission of two posts with a crash before the n-th
// statement of its tasks, and checks the result. It returns false if the mission has
// fewer statements.
func (w *world) liveWithCrash(faults *store.Faults, n int64) bool {
	w.t.Helper()
	one := 1
	m := w.create(func(in *mission.CreateInput) { in.DurationDays = &one })
	done := func() bool { return w.mission(m.ID).Status == mission.StatusCompleted }
	live := func() {
		for !done() {
			for tasks := w.due(); len(tasks) > 0; tasks = w.due() {
				for _, t := range tasks {
					w.bare(t.ID)
				}
			}
			if next, ok, err := w.db.NextDispatch(context.Background()); err == nil && ok {
				w.clock.Advance(max(next.Sub(w.clock.Now()), 0))
			}
		}
	}
	if !w.crashing(faults, n, live) {
		return false
	}
	w.restart()
	w.idle()
	want := mission.ContentCounts{Generated: 2, Approved: 2, Published: 2}
	if m := w.mission(m.ID); m.Status != mission.StatusCompleted || m.Counts != want {
		w.t.Errorf("after a crash at statement %d got the mission %s with %+v", n, m.Status, m.Counts)
	}
	w.onPlatform(m.ID, 2)
	counts := map[mission.EventType]int{}
	for _, e := range w.events(m.ID) {
		counts[e]++
	}
	for e, want := range map[mission.EventType]int{
		mission.EventMissionStarted: 1, mission.EventContentCreated: 2, mission.EventContentApproved: 2, mission.EventContentScheduled: 2,
		mission.EventContentPublished: 2, mission.EventStageCompleted: 6, mission.EventJobCompleted: 1, mission.EventMissionCompleted: 1,
	} {
		if counts[e] != want {
			w.t.Errorf("after a crash at statement %d got %d %s, want %d", n, counts[e], e, want)
		}
	}
	return true
}

// A worker that returns after its lease expired has lost its task: its writes to it
// are refused.
func TestStaleWorkerIsFenced(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.create(nil)
		task := w.due()[0]
		stale, err := w.worker.claim(ctx, task.ID)
		w.must(err)
		w.clock.Advance(lease + time.Second)
		_, err = w.db.ExpireLeases(ctx, 2*lease, w.clock.Now())
		w.must(err)
		if err := w.worker.handlers[stale.Type](ctx, stale); !errors.Is(err, store.ErrLost) {
			t.Errorf("a stale worker's run returned %v, want %v", err, store.ErrLost)
		}
		again, err := w.worker.claim(ctx, task.ID)
		w.must(err)
		if again == nil || again.Fence <= stale.Fence || again.Attempt != stale.Attempt {
			t.Errorf("got the second claim %+v after %+v; a lost lease spends no attempt, and the fence increases", again, stale)
		}
		// They are also refused while its new holder runs it.
		if err := w.worker.handlers[stale.Type](ctx, stale); !errors.Is(err, store.ErrLost) {
			t.Errorf("while its new holder runs a stale worker's run returned %v, want %v", err, store.ErrLost)
		}
		if err := w.worker.handlers[again.Type](ctx, again); err != nil {
			t.Errorf("its new holder's run returned %v", err)
		}
	})
}
