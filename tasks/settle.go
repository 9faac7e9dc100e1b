package tasks

import (
	"context"
	"errors"
	"time"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

// errTrouble marks an error as trouble of the service's own, besides the database's.
var errTrouble = errors.New("tasks: trouble of our own")

// trouble returns by which trouble of the service's own a run failed: the database
// was unavailable, or Asynq, having lost its Redis, canceled the run. Such a run uses no
// attempt, until the trouble has lasted for mission.TroubleLimit. Every other error does: what the outside refused, what the input caused, a
// panic, a run that reached taskLimit, and whatever isn't classified, so that a mistake
// in the program itself ends too. ctx is the run's, as Asynq made it.
func trouble(ctx context.Context, err error) mission.Trouble {
	var outage *mission.OutageError
	var refused *mission.PublishError
	var known *mission.TroubleError
	switch {
	case errors.As(err, &outage), errors.As(err, &refused), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ""
	case errors.As(err, &known):
		return known.By
	case database.Unavailable(err):
		return mission.TroubleDatabase
	case errors.Is(err, errTrouble), errors.Is(ctx.Err(), context.Canceled):
		return mission.TroubleWorker
	}
	return ""
}

// troublePause is the least pause after trouble, and its jitter, in real time: the runs
// of a whole ledger that failed together don't come back together.
const (
	troublePause  = time.Second
	troubleJitter = 4 * time.Second
)

// settle settles the task of a run that failed, if it isn't settled yet, and returns the
// run's outcome for the metrics and the error to show on the dashboard. What can't be
// recorded is left to the end of the lease, which uses no attempt.
func (w *Worker) settle(ctx context.Context, c *claim, err error) (outcome string, shown error) {
	switch {
	case err == nil:
		return "done", nil
	case errors.Is(err, errPutOff):
		return "put_off", nil
	case errors.Is(err, missions.ErrDone):
		return "nothing", nil
	case errors.Is(err, store.ErrLost):
		return "lost", nil
	case w.stopping.Err() != nil:
		w.returnTask(ctx, c, c.Trouble, 0, returnLimit)
		return "returned", nil //nolint:nilerr // a process that stops is no failure
	}
	if by := trouble(ctx, err); by != "" && !c.TroubleLasts(by, w.parts.Clock.Now()) {
		pause, now := troublePause+clock.Jitter(troubleJitter), w.parts.Clock.Now()
		w.returnTask(ctx, c, by, max(w.parts.Clock.Domain(pause), mission.TroublePause(now.Sub(c.TroubledSince(by, now)))), settleLimit)
		return "trouble", err
	}
	return w.fail(ctx, c, err), err
}

// fail settles a failed attempt, and returns its outcome.
func (w *Worker) fail(ctx context.Context, c *claim, err error) (outcome string) {
	again, setback := false, w.setback(err)
	err = database.Insist(ctx, settleLimit, func(ctx context.Context) (err error) {
		again, err = w.parts.Pipeline.FailTask(ctx, c.Task, setback)
		return err
	})
	w.unsettled(ctx, c, err)
	switch {
	case database.Unavailable(err):
		return "trouble"
	case again:
		return "retry"
	}
	return "failed"
}

// returnTask returns a task to the ledger without counting the attempt; it runs again
// after wait, in domain time.
func (w *Worker) returnTask(ctx context.Context, c *claim, by mission.Trouble, wait, limit time.Duration) {
	w.unsettled(ctx, c, database.Insist(ctx, limit, func(ctx context.Context) error {
		return w.parts.Pipeline.ReturnTask(ctx, c.Task, by, wait)
	}))
}

// unsettled logs that a task couldn't be settled.
func (w *Worker) unsettled(ctx context.Context, c *claim, err error) {
	if err == nil || errors.Is(err, missions.ErrDone) || errors.Is(err, store.ErrLost) {
		return
	}
	w.parts.Log.WarnContext(ctx, "worker: settle a task; it runs again when its lease is over", "type", c.Type, "task", c.ID, "error", err)
}

// setback returns what an error means for its task. The tenant sees the message of an
// error that is meant for it, and a generic one otherwise.
func (w *Worker) setback(err error) missions.Setback {
	var e *mission.Error
	var unusable *mission.WritingError
	var outage *mission.OutageError
	switch {
	case errors.As(err, &e):
		return missions.Setback{Failure: mission.Failure{Code: string(e.Code), Message: e.Message}}
	case errors.As(err, &unusable):
		return missions.Setback{Failure: unusable.Failure}
	case errors.As(err, &outage):
		return missions.Setback{Failure: outage.Failure, Outage: true, RetryAfter: w.parts.Clock.Domain(outage.RetryAfter)}
	}
	return missions.Setback{Failure: mission.InternalFailure()}
}
