package tasks

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"missiond/internal/clock"
	"missiond/mission"
)

// No goroutine that a test starts may outlive it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryTaskHasAHandler(t *testing.T) {
	w := newWorker(Parts{})
	for task := range mission.TaskTypes() {
		if w.handlers[task] == nil {
			t.Errorf("%s has no handler", task)
		}
	}
}

// Two Asynq tasks of one row that are processed concurrently, with their claims in
// one statement, run the row once: the first that asked runs it, whichever is woken first.
func TestClaimedOnceTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(Parts{Clock: clock.Real(), Metrics: NewMetrics(prometheus.NewRegistry())})
		defer w.stop()
		statements := 0
		w.claims.Lookup = func(_ context.Context, ids []string) (map[string]claimed, error) {
			statements++
			<-time.After(time.Second)
			return map[string]claimed{ids[0]: {Task: mission.Task{ID: ids[0]}}}, nil
		}
		var runs [9]bool
		var all sync.WaitGroup
		for n := range runs {
			task := "tsk_twice"
			if n == 0 {
				task = "tsk_first"
			}
			all.Go(func() {
				c, err := w.claim(t.Context(), task)
				if err != nil {
					t.Error(err)
				}
				runs[n] = c != nil && c.ID == task
			})
			synctest.Wait()
		}
		all.Wait()
		if want := [9]bool{true, true}; runs != want || statements != 2 {
			t.Errorf("got the runs %v by %d statements, want %v by 2", runs, statements, want)
		}
	})
}

// A run costs nothing while there are no traces.
func TestUntracedRun(t *testing.T) { // not parallel: it counts the process's allocations
	w, c := &Worker{}, &claim{}
	c.Type = mission.TaskStageContent
	allocs := testing.AllocsPerRun(100, func() {
		_, span := w.trace(context.Background(), c)
		w.endSpan(span, "done", nil)
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// A call that may outlast its task's lease goes on as long as the lease is renewed, and has ended when another
// worker may claim the task.
func TestCallEndsWithTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, start := &claim{until: leaseEnd()}, time.Now()
		ctx, cancel := c.whileLeased(t.Context(), uploadLimit)
		defer cancel()
		for range 10 {
			<-time.After(renewEvery)
			c.renewed(leaseEnd())
		}
		if ctx.Err() != nil {
			t.Fatalf("the call ended after %s, although the lease was renewed", time.Since(start))
		}
		<-ctx.Done()
		if left := c.left(); left <= 0 || left > lease/2 {
			t.Errorf("the call ended %s before the lease", left)
		}
		c.renewed(leaseEnd())
		short, end := c.whileLeased(t.Context(), callLimit)
		defer end()
		start = time.Now()
		<-short.Done()
		if took := time.Since(start); took != callLimit {
			t.Errorf("a short call ended after %s", took)
		}
	})
}
