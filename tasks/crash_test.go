package tasks_test

import (
	"context"
	"errors"
	"testing"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// A crash before any statement of a mission's life loses nothing and repeats no
// effect.
func TestCrashAtEveryStatement(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Dialects() {
		t.Run(name, func(t *testing.T) {
			step := int64(testkit.Size(45, 23, 9, 1))
			first := 1 + int64(testkit.Seed(t)%uint64(step))
			t.Logf("every %d statements from statement %d on", step, first)
			crashes, faults := 0, &database.Faults{}
			db := open(t, store.Options{Timing: world.Timing, Database: database.Options{Faults: faults}})
			for n := first; ; n += step {
				if w := world.New(t, db); !liveWithCrash(w, faults, n) {
					break
				}
				crashes++
			}
			if int64(crashes) < 180/step { // a mission has over two hundred statements
				t.Errorf("got only %d crashes", crashes)
			}
			t.Logf("%d crashes", crashes)
		})
	}
}

// liveWithCrash runs a one-day mission of two posts with a crash before the n-th
// statement of its tasks, and checks the result. It returns false if the mission has
// fewer statements.
func liveWithCrash(w *world.World, faults *database.Faults, n int64) bool {
	w.T.Helper()
	one := 1
	m := w.Create(func(in *mission.CreateInput) { in.DurationDays = &one })
	if !w.CrashesAt(faults, n, func() { w.Over(m.ID) }) {
		return false
	}
	w.ExpireLeases()
	w.Idle()
	want := mission.ContentCounts{Generated: 2, Approved: 2, Published: 2}
	if m := w.Mission(m.ID); m.Status != mission.StatusCompleted || m.Counts != want {
		w.T.Errorf("after a crash at statement %d got the mission %s with %+v", n, m.Status, m.Counts)
	}
	w.OnPlatform(m.ID, 2)
	counts := map[mission.EventType]int{}
	for _, e := range w.Events(m.ID) {
		counts[e]++
	}
	for e, want := range map[mission.EventType]int{
		mission.EventMissionStarted: 1, mission.EventContentCreated: 2, mission.EventContentApproved: 2, mission.EventContentScheduled: 2,
		mission.EventContentPublished: 2, mission.EventStageCompleted: 6, mission.EventJobCompleted: 1, mission.EventMissionCompleted: 1,
	} {
		if counts[e] != want {
			w.T.Errorf("after a crash at statement %d got %d %s, want %d", n, counts[e], e, want)
		}
	}
	return true
}

// A worker that returns after its lease expired has lost its task: its writes to it
// are refused.
func TestStaleWorkerIsFenced(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		w.Create(nil)
		task := w.Due()[0]
		r := tasks.NewRunner(w.Parts)
		stale, err := r.Claim(ctx, task.ID)
		w.Must(err)
		w.ExpireLeases()
		if err := r.Handle(ctx, stale); !errors.Is(err, store.ErrLost) {
			t.Errorf("a stale worker's run returned %v, want %v", err, store.ErrLost)
		}
		again, err := r.Claim(ctx, task.ID)
		w.Must(err)
		if again == nil || again.Fence <= stale.Fence || again.Attempt != stale.Attempt {
			t.Errorf("got the second claim %+v after %+v; a lost lease spends no attempt, and the fence increases", again, stale)
		}
		// They are also refused while its new holder runs it.
		if err := r.Handle(ctx, stale); !errors.Is(err, store.ErrLost) {
			t.Errorf("while its new holder runs a stale worker's run returned %v, want %v", err, store.ErrLost)
		}
		if err := r.Handle(ctx, again); err != nil {
			t.Errorf("its new holder's run returned %v", err)
		}
	})
}
