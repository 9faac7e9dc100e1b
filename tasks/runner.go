package tasks

import (
	"context"

	"missiond/mission"
)

// Runner runs the due tasks of a ledger on the caller's goroutine, one after another. It
// claims, runs and settles each of them as a Worker does, but without Redis, and it does
// nothing between two calls. With a clock that only the caller moves, missions of many
// days run in seconds, and in the same way each time: for tests and simulations. It is
// safe for concurrent use.
type Runner struct{ worker *Worker }

// dueBatch is how many due tasks a Runner asks the ledger for at once.
const dueBatch = 100

// NewRunner returns a Runner. It needs no Queue; the other parts are a Worker's.
func NewRunner(p Parts) *Runner { return &Runner{worker: newWorker(p)} }

// Due returns the tasks that are due now, in the dispatcher's order. They count as
// dispatched: a task that isn't run is due again once Patience is over.
func (r *Runner) Due(ctx context.Context) ([]mission.Task, error) {
	var due []mission.Task
	for {
		batch, err := r.worker.parts.DB.Dispatch(ctx, r.worker.parts.Clock.Now(), dueBatch)
		if err != nil {
			return nil, err
		}
		for _, d := range batch {
			if d.Lane != "" { // a task without a lane isn't due yet
				due = append(due, d.Task)
			}
		}
		if len(batch) < dueBatch {
			return due, nil
		}
	}
}

// Run runs a task and returns the outcome, as the metric missiond_task_runs_total names
// it; "" if the task isn't to be run: it isn't due, is claimed by another, or is gone.
// How the run failed is logged, and decides about the task's next run. Errors: the
// database's, if the task couldn't be claimed.
func (r *Runner) Run(ctx context.Context, id string) (outcome string, err error) {
	c, err := r.worker.claim(ctx, id)
	return r.execute(ctx, c, err)
}

// execute runs a task that was claimed, unless c is nil.
func (r *Runner) execute(ctx context.Context, c *claim, err error) (outcome string, _ error) {
	if err != nil || c == nil {
		return "", err
	}
	defer r.worker.letGo(c)
	outcome, _ = r.worker.execute(ctx, c)
	return outcome, nil
}

// RunDue runs the tasks that are due now, and those that they add for now, until none
// is due. It returns the number of runs by outcome, which is empty if nothing was run.
func (r *Runner) RunDue(ctx context.Context) (outcomes map[string]int, err error) {
	outcomes = map[string]int{}
	for {
		due, err := r.Due(ctx)
		if err != nil || len(due) == 0 {
			return outcomes, err
		}
		for _, t := range due {
			c, err := r.worker.take(ctx, t.Type, t.ID)
			outcome, err := r.execute(ctx, c, err)
			if err != nil {
				return outcomes, err
			}
			if outcome != "" {
				outcomes[outcome]++
			}
		}
	}
}

// Sweep makes the tasks due whose leases have expired, as a Sweeper does.
func (r *Runner) Sweep(ctx context.Context) error {
	return NewSweeper(r.worker.parts).turn(ctx, false)
}

// Renew renews the leases of the tasks that are being run, as a Worker does from time to
// time.
func (r *Runner) Renew() { r.worker.renewAll() }

// Stop cancels the runs that are under way, as the end of a Worker's drain does: their tasks
// return to the ledger.
func (r *Runner) Stop() { r.worker.stop() }

// ExpireLeases makes the tasks due that are claimed, as though their workers had died and
// their leases had expired.
func (r *Runner) ExpireLeases(ctx context.Context) error {
	_, err := r.worker.parts.DB.ExpireLeases(ctx, 2*lease, r.worker.parts.Clock.Now())
	return err
}
