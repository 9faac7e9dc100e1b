package world

import (
	"context"
	"runtime"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// Due returns the tasks that are due now, in the dispatcher's order.
func (w *World) Due() []mission.Task {
	w.T.Helper()
	due, err := w.NewRunner(w.Parts).Due(context.Background())
	w.Must(err)
	return due
}

// Run claims a task and runs it as a worker does.
func (w *World) Run(id string) {
	w.T.Helper()
	outcome, err := w.NewRunner(w.Parts).Run(context.Background(), id)
	w.Must(err)
	if outcome != "" {
		w.Outcomes[outcome]++
	}
}

// Step runs the tasks that are due now, and those that they add for now, and reports
// whether there were any.
func (w *World) Step() bool {
	w.T.Helper()
	outcomes, err := w.NewRunner(w.Parts).RunDue(context.Background())
	w.Must(err)
	for outcome, n := range outcomes {
		w.Outcomes[outcome] += n
	}
	return len(outcomes) > 0
}

// Until runs tasks until done returns true, moving the clock to the time of the next
// task whenever nothing is due.
func (w *World) Until(what string, done func() bool) {
	w.T.Helper()
	for range 10_000 {
		w.Step()
		if done() {
			return
		}
		next, ok, err := w.DB.NextDispatch(context.Background())
		w.Must(err)
		if !ok {
			w.T.Fatalf("no task is left, and the condition isn't met: %s", what)
		}
		if wait := next.Sub(w.Clock.Now()); wait > 0 {
			w.Clock.Advance(wait)
		}
	}
	w.T.Fatalf("the condition is never met: %s", what)
}

// Over runs tasks until a mission is completed.
func (w *World) Over(missionID string) {
	w.T.Helper()
	w.Until("the mission's end", func() bool { return w.Mission(missionID).Status == mission.StatusCompleted })
}

// Idle runs tasks until none is left, that is, until the last post's last measurement.
func (w *World) Idle() {
	w.T.Helper()
	w.Until("an empty ledger", func() bool {
		_, waiting, err := w.DB.NextDispatch(context.Background())
		w.Must(err)
		return !waiting
	})
}

// Pass moves the clock on, and runs the tasks that become due in the meantime, each at
// its time.
func (w *World) Pass(d time.Duration) {
	w.T.Helper()
	end := w.Clock.Now().Add(d)
	for {
		w.Step()
		next, ok, err := w.DB.NextDispatch(context.Background())
		w.Must(err)
		if !ok || next.After(end) {
			break
		}
		w.Clock.Advance(max(next.Sub(w.Clock.Now()), time.Millisecond))
	}
	w.Clock.Advance(max(end.Sub(w.Clock.Now()), 0))
	w.Step()
}

// Crash ends the process that a function of Crashes stands for: its transaction is rolled
// back, and nothing that it had yet to do is done. Call it on the function's goroutine.
func (w *World) Crash() {
	w.crashed = true
	runtime.Goexit()
}

// Crashes runs a function and reports whether it ended in a Crash.
func (w *World) Crashes(run func()) bool {
	w.T.Helper()
	w.crashed = false
	returned, over := false, make(chan struct{})
	go func() {
		defer close(over)
		run()
		returned = true
	}()
	<-over
	if !returned && !w.crashed {
		w.T.FailNow() // the function has failed the test
	}
	return w.crashed
}

// CrashesAt is Crashes with a Crash before the n-th statement of the database from now.
func (w *World) CrashesAt(faults *database.Faults, n int64, run func()) bool {
	w.T.Helper()
	faults.Arm(n, w.Crash)
	defer faults.Disarm()
	return w.Crashes(run)
}

// lease is how long the tasks of a process that crashed wait for another one.
const lease = 15 * time.Second

// ExpireLeases lets the time of a lease pass: the tasks that are claimed become due.
func (w *World) ExpireLeases() {
	w.T.Helper()
	w.Clock.Advance(lease)
	w.Must(w.NewRunner(w.Parts).ExpireLeases(context.Background()))
}
