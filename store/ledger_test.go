package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

func (f *fixture) dispatch(at time.Time, limit int) []store.Dispatch {
	f.t.Helper()
	dispatched, err := f.db.Dispatch(ctx, at, limit)
	f.must(err)
	return dispatched
}

func (f *fixture) claim(id string, at time.Time) (mission.Task, bool) {
	f.t.Helper()
	task, ok, err := f.db.Claim(ctx, id, at, time.Minute)
	f.must(err)
	return task, ok
}

// claimAs claims a task: with ClaimFree if worker is odd, with Claim otherwise.
func (f *fixture) claimAs(worker int, id string) (mission.Task, bool, error) {
	if worker%2 == 0 {
		return f.db.Claim(ctx, id, start, time.Minute)
	}
	claimed, err := f.db.ClaimFree(ctx, []string{"tsk_none", id}, start, time.Minute)
	task, ok := claimed[id]
	return task, ok, err
}

// ClaimFree claims the tasks that are due and, on Postgres, skips locked ones
// without waiting for them.
func TestClaimFree(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m, other := f.mission(nil), f.mission(nil)
		f.task(m, start)
		f.task(other, start)
		f.task(other, start.Add(time.Second))
		var ids []string
		for _, d := range f.dispatch(start, 10) {
			ids = append(ids, d.Task.ID)
		}
		claim := func(want ...mission.Mission) {
			t.Helper()
			claimed, err := f.db.ClaimFree(ctx, ids, start, time.Minute)
			f.must(err)
			for _, m := range want {
				if !slices.ContainsFunc(ids, func(id string) bool { return claimed[id].MissionID == m.ID && claimed[id].Fence == 1 }) {
					t.Errorf("the task of %s isn't claimed: %+v", m.ID, claimed)
				}
			}
			if len(claimed) != len(want) {
				t.Errorf("claimed are %+v, want %d", claimed, len(want))
			}
		}
		if strings.HasSuffix(t.Name(), "sqlite") { // SQLite has one writer
			claim(m, other)
			return
		}
		rolledBack := errors.New("rolled back")
		if err := f.tx(func(tx store.Tx) error {
			f.must(tx.ParkTasks(ctx, m.ID))
			_, err := tx.LockMission(ctx, m.TenantID, m.ID) // sends the deferred write
			f.must(err)
			claim(other)
			return rolledBack
		}); !errors.Is(err, rolledBack) {
			t.Error(err)
		}
		claim(m)
	})
}

// A task is dispatched a horizon ahead to be shown, at its time to be run, and
// again if nobody claimed it, but never once it is claimed.
func TestDispatch(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		due := start.Add(3 * time.Hour)
		f.task(f.mission(nil), due)
		for _, step := range []struct {
			at         time.Time
			dispatched int
			lane       store.Lane
		}{
			{start, 0, ""},
			{due.Add(-timing.Horizon), 1, ""},
			{due.Add(-time.Millisecond), 0, ""},
			{due, 1, store.LaneNormal},
			{due.Add(timing.Patience - 1), 0, ""},
			{due.Add(timing.Patience), 1, store.LaneNormal},
			{due.Add(2 * timing.Patience), 0, ""},
			{due.Add(4 * timing.Patience), 1, store.LaneNormal},
		} {
			dispatched := f.dispatch(step.at, 10)
			if len(dispatched) != step.dispatched || len(dispatched) == 1 && dispatched[0].Lane != step.lane {
				t.Errorf("after %s there are %+v", step.at.Sub(start), dispatched)
			}
		}
		at, ok, err := f.db.NextDispatch(ctx)
		if err != nil || !ok || !at.Equal(due.Add(7*timing.Patience)) {
			t.Errorf("the next dispatch is at %s, %v, %v", at, ok, err)
		}
	})
}

// Concurrent dispatchers get different tasks, all of them, in the order of
// their times.
func TestDispatchOnce(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		const tasks = 60
		f.must(f.tx(func(tx store.Tx) error {
			var list []mission.Task
			for i := range tasks {
				list = append(list, mission.NewTask(m, mission.TaskCycleBegin, fmt.Sprint(i), start.Add(-time.Duration(i)*time.Second)))
			}
			return tx.AddTasks(ctx, start, list...)
		}))
		var mu sync.Mutex
		seen := map[string]int{}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				for {
					dispatched, err := f.db.Dispatch(ctx, start, 7)
					if err != nil || len(dispatched) == 0 {
						if err != nil {
							t.Error(err)
						}
						return
					}
					mu.Lock()
					for _, d := range dispatched {
						seen[d.Task.ID]++
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		for id, n := range seen {
			if n != 1 {
				t.Errorf("%s was dispatched %d times", id, n)
			}
		}
		if len(seen) != tasks {
			t.Errorf("%d of %d tasks were dispatched", len(seen), tasks)
		}
	})
}

// Only the first of a tenant's many tasks go through the normal lane, the rest
// through the bulk lane. Another tenant's task goes through the normal one.
func TestLanes(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		flood := f.mission(nil)
		for range store.MaxNormal + 5 {
			f.task(flood, start)
		}
		lanes := map[store.Lane]int{}
		for _, d := range f.dispatch(start, 100) {
			lanes[d.Lane]++
		}
		if lanes[store.LaneNormal] != store.MaxNormal || lanes[store.LaneBulk] != 5 {
			t.Errorf("the flood's lanes are %v", lanes)
		}
		f.tenant, f.user = f.makeTenant("quiet")
		f.task(f.mission(nil), start)
		if dispatched := f.dispatch(start, 100); len(dispatched) != 1 || dispatched[0].Lane != store.LaneNormal {
			t.Errorf("the quiet tenant's are %+v", dispatched)
		}
	})
}

// Parked tasks of paused missions leave the normal lane to the tenant's other
// missions.
func TestParkedTasksLeaveTheirLane(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for range store.MaxNormal + 2 {
			paused := f.mission(nil)
			f.task(paused, start)
			if dispatched := f.dispatch(start, 1); len(dispatched) != 1 {
				t.Fatalf("dispatched %+v", dispatched)
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.ParkTasks(ctx, paused.ID) }))
		}
		f.task(f.mission(nil), start)
		if dispatched := f.dispatch(start, 10); len(dispatched) != 1 || dispatched[0].Lane != store.LaneNormal {
			t.Errorf("the active mission's are %+v, want one in the normal lane", dispatched)
		}
	})
}

// Redispatching a lane doesn't put its tasks ahead of tasks that were never
// dispatched.
func TestRedispatchKeepsTheOrder(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		first, second := f.mission(nil), f.mission(nil)
		f.task(first, start)
		f.must(f.tx(func(tx store.Tx) error {
			return tx.AddTasks(ctx, start.Add(time.Minute), mission.NewTask(second, mission.TaskContentPublish, "cnt_1", start.Add(time.Minute)))
		}))
		now := start.Add(2 * time.Minute)
		f.must(f.db.RedispatchLane(ctx, mission.QueuePipeline, store.LaneNormal, now))
		if dispatched := f.dispatch(now, 1); len(dispatched) != 1 || dispatched[0].Task.MissionID != first.ID {
			t.Errorf("dispatched %+v, want the task that waits longest", dispatched)
		}
	})
}

// A task is claimed once, when it is due, and only its holder settles it.
func TestClaimIsExclusive(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		f.task(m, start)
		id := f.dispatch(start, 1)[0].Task.ID
		if _, ok := f.claim(id, start.Add(-time.Millisecond)); ok {
			t.Error("a task was claimed before its time")
		}
		const workers = 16
		var all sync.WaitGroup
		won := make(chan mission.Task, workers)
		for i := range workers {
			all.Go(func() {
				if task, ok, err := f.claimAs(i, id); err != nil {
					t.Error(err)
				} else if ok {
					won <- task
				}
			})
		}
		all.Wait()
		if len(won) != 1 {
			t.Fatalf("%d workers claimed the task", len(won))
		}
		held := <-won
		if held.Attempt != 1 || held.Fence != 1 || held.Subject != m.ID || held.Type != mission.TaskCycleBegin {
			t.Errorf("the claimed task is %+v", held)
		}
		stale := held
		stale.Fence--
		for name, settle := range map[string]func(tx store.Tx, task mission.Task) error{
			"hold":    func(tx store.Tx, task mission.Task) error { return tx.RequireLease(ctx, task) },
			"finish":  func(tx store.Tx, task mission.Task) error { return tx.FinishTask(ctx, task) },
			"park":    func(tx store.Tx, task mission.Task) error { return tx.ParkTask(ctx, task) },
			"release": func(tx store.Tx, task mission.Task) error { return tx.ReleaseTask(ctx, task, start, start, 1) },
		} {
			if err := f.tx(func(tx store.Tx) error { return settle(tx, stale) }); !errors.Is(err, store.ErrLost) {
				t.Errorf("%s by a stale holder returns %v", name, err)
			}
		}
		f.must(f.tx(func(tx store.Tx) error { return errors.Join(tx.RequireLease(ctx, held), tx.FinishTask(ctx, held)) }))
		if err := f.tx(func(tx store.Tx) error { return tx.FinishTask(ctx, held) }); !errors.Is(err, store.ErrLost) {
			t.Errorf("finishing a task twice returns %v", err)
		}
	})
}

// A task whose lease expires is claimed again without spending an attempt, up
// to ten times. A renewed lease doesn't expire.
func TestLeases(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.task(f.mission(nil), start)
		id, now := f.dispatch(start, 1)[0].Task.ID, start
		held, _ := f.claim(id, now)
		f.must(f.db.Renew(ctx, []mission.Task{held}, 50*time.Minute))
		stale := held
		stale.Fence++
		f.must(f.db.Renew(ctx, []mission.Task{stale}, 0))
		if n, err := f.db.ExpireLeases(ctx, 49*time.Minute, now.Add(49*time.Minute)); n != 0 || err != nil {
			t.Errorf("%d renewed leases expired, %v", n, err)
		}
		now = now.Add(time.Hour)
		for lost := 1; lost <= 12; lost++ {
			if n, err := f.db.ExpireLeases(ctx, 50*time.Minute, now); n != 1 || err != nil {
				t.Fatalf("%d leases expired, %v", n, err)
			}
			f.dispatch(now, 1)
			var ok bool
			if held, ok = f.claim(id, now); !ok {
				t.Fatal("the task isn't claimed again")
			}
			if want := max(1, lost-9); held.Attempt != want || held.Fence != int64(lost+1) {
				t.Errorf("after %d lost leases the task has attempt %d, fence %d", lost, held.Attempt, held.Fence)
			}
			now = now.Add(time.Minute)
		}
	})
}

func TestReleaseParkAndRedispatch(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		f.task(m, start)
		id := f.dispatch(start, 1)[0].Task.ID
		held, _ := f.claim(id, start)
		again := start.Add(time.Minute)
		f.must(f.tx(func(tx store.Tx) error { return tx.ReleaseTask(ctx, held, again, start, held.Attempt) }))
		if at, ok, err := f.db.RunAt(ctx, id); err != nil || !ok || !at.Equal(again) {
			t.Errorf("the released task runs at %s, %v, %v", at, ok, err)
		}
		if d := f.dispatch(again, 1)[0]; d.Task.Dispatches != 1 || d.Task.Fence != 1 {
			t.Errorf("a released task is dispatched as %+v, want 1 dispatch and fence 1", d.Task)
		}
		held, _ = f.claim(id, again)
		if held.Attempt != 2 {
			t.Errorf("the released task has attempt %d", held.Attempt)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.ParkTask(ctx, held) }))
		f.task(m, start.Add(time.Hour))
		f.must(f.tx(func(tx store.Tx) error { return tx.ParkTasks(ctx, m.ID) }))
		if dispatched := f.dispatch(start.Add(9*time.Hour), 10); len(dispatched) != 0 {
			t.Errorf("parked tasks are dispatched: %+v", dispatched)
		}
		later := start.Add(2 * time.Hour)
		f.must(f.tx(func(tx store.Tx) error {
			parked, err := tx.ParkedTasks(ctx, m.ID)
			if err != nil || len(parked) != 2 || parked[0].Attempt != 1 {
				t.Errorf("the parked tasks are %+v, %v", parked, err)
			}
			for i := range parked {
				parked[i].RunAt = later
			}
			return tx.Unpark(ctx, parked, start)
		}))
		if dispatched := f.dispatch(later, 10); len(dispatched) != 2 {
			t.Errorf("after the pause dispatched %+v", dispatched)
		}
		f.must(f.db.RedispatchLane(ctx, mission.QueuePublish, store.LaneNormal, later))
		f.must(f.db.RedispatchLane(ctx, mission.QueuePipeline, store.LaneBulk, later))
		if dispatched := f.dispatch(later, 10); len(dispatched) != 0 {
			t.Errorf("redispatching other lanes dispatched %+v, want none", dispatched)
		}
		f.must(f.db.RedispatchLane(ctx, mission.QueuePipeline, store.LaneNormal, later))
		if dispatched := f.dispatch(later, 10); len(dispatched) != 2 || dispatched[0].Task.Dispatches < 2 {
			t.Errorf("redispatching the lane dispatched %+v, want both", dispatched)
		}
		f.must(f.tx(func(tx store.Tx) error {
			putOff := mission.Task{ID: id, RunAt: later.Add(timing.Horizon + time.Second)}
			return tx.Unpark(ctx, []mission.Task{putOff}, later)
		}))
		f.must(f.db.RedispatchLane(ctx, mission.QueuePipeline, store.LaneNormal, later))
		if dispatched := f.dispatch(later, 10); len(dispatched) != 1 || dispatched[0].Task.ID == id {
			t.Errorf("redispatching the lane, with one task put off beyond the horizon, dispatched %+v", dispatched)
		}
		f.must(f.db.RedispatchAt(ctx, []string{id}, later))
		if dispatched := f.dispatch(later, 10); len(dispatched) != 1 || dispatched[0].Task.ID != id {
			t.Errorf("redispatching one task dispatched %+v", dispatched)
		}
	})
}

// The dispatcher is woken once per commit that wrote tasks, and not by a
// rollback.
func TestCommitsWake(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		woken := 0
		f.db.OnTasks(func() { woken++ })
		m := f.mission(nil)
		if woken != 0 {
			t.Error("a commit without tasks woke the dispatcher")
		}
		f.must(f.tx(func(tx store.Tx) error {
			return tx.AddTasks(ctx, start, mission.NewTask(m, mission.TaskCycleBegin, m.ID, start), mission.NewTask(m, mission.TaskMissionEnd, m.ID, start))
		}))
		_ = f.tx(func(tx store.Tx) error {
			return errors.Join(tx.AddTasks(ctx, start, mission.NewTask(m, mission.TaskCycleBegin, m.ID, start)), errors.New("no"))
		})
		if woken != 1 {
			t.Errorf("the dispatcher was woken %d times", woken)
		}
	})
}

// One task that checks a tenant's posts again waits at a time: it sees what was written while
// it waited. One that runs may have passed a post.
func TestRechecksAreOne(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		now := start
		add := func() {
			t.Helper()
			f.must(f.tx(func(tx store.Tx) error { return tx.AddRecheck(ctx, f.tenant.ID, now) }))
		}
		add()
		add()
		tasks, err := f.db.Dispatch(ctx, now, 100)
		f.must(err)
		if len(tasks) != 1 {
			t.Fatalf("%d tasks wait", len(tasks))
		}
		_, ok, err := f.db.Claim(ctx, tasks[0].Task.ID, now, time.Minute)
		f.must(err)
		if !ok {
			t.Fatal("it can't be claimed")
		}
		add()
		add()
		waiting, err := f.db.Dispatch(ctx, now, 100)
		f.must(err)
		if len(waiting) != 1 {
			t.Errorf("while one runs %d wait", len(waiting))
		}
	})
}
