package tasks

import (
	"context"
	"errors"
	"sync"
	"time"

	"missiond/store"
)

// Dispatcher enqueues the ledger's rows. It runs after commits of its own process, at
// the time of the next row, and every pollEvery for rows of processes that ended
// before they could dispatch them.
type Dispatcher struct {
	parts Parts
	wake  chan struct{}
}

const (
	pollEvery = 500 * time.Millisecond
	// dispatchBatch is how many rows a turn dispatches at most.
	dispatchBatch = 100
	// afterError is the pause after an error of the database or Redis.
	afterError = time.Second
	// turnLimit is the time limit of one turn of the dispatcher or sweeper.
	turnLimit = 20 * time.Second
)

// NewDispatcher returns a dispatcher that runs after the database's commits.
func NewDispatcher(p Parts) *Dispatcher {
	d := &Dispatcher{parts: p, wake: make(chan struct{}, 1)}
	p.DB.OnTasks(func() {
		select {
		case d.wake <- struct{}{}:
		default: // a wake-up is pending already
		}
	})
	return d
}

// Run dispatches until ctx ends.
func (d *Dispatcher) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		case <-timer.C:
		}
		wait, err := d.turn(ctx)
		if err != nil && ctx.Err() == nil {
			d.parts.Log.Warn("dispatcher: dispatch tasks", "error", err)
		}
		timer.Reset(wait)
	}
}

// turn dispatches the tasks that are due, and returns how long to wait for the next
// turn.
func (d *Dispatcher) turn(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	due, err := d.parts.DB.Dispatch(ctx, d.parts.Clock.Now(), dispatchBatch)
	if err != nil {
		return afterError, err
	}
	if left, err := d.enqueue(ctx, due); err != nil {
		d.parts.Metrics.dispatchFailures.Add(float64(len(left)))
		if err = errors.Join(err, d.redispatch(ctx, left)); len(left) == len(due) {
			return afterError, err
		}
		d.parts.Log.Warn("dispatcher: dispatch some of the tasks", "left", len(left), "error", err)
	}
	if len(due) == dispatchBatch {
		return 0, nil
	}
	next, ok, err := d.parts.DB.NextDispatch(ctx)
	if err != nil {
		return afterError, err
	}
	if !ok {
		return pollEvery, nil
	}
	return min(max(d.parts.Clock.Until(next), 0), pollEvery), nil
}

// enqueue enqueues tasks, the queues concurrently: a queue is on one node of a Redis
// Cluster, so that a node that is down delays only its own queues. It returns the tasks
// that weren't enqueued.
func (d *Dispatcher) enqueue(ctx context.Context, due []store.Dispatch) (left []store.Dispatch, err error) {
	queues := map[string][]store.Dispatch{}
	for _, t := range due {
		name := queueName(t.Task.Queue, t.Lane)
		queues[name] = append(queues[name], t)
	}
	var (
		mu   sync.Mutex
		errs []error
		all  sync.WaitGroup
	)
	for queue, own := range queues {
		all.Go(func() {
			// The first notice has workers begin at once, the second finds the rest.
			defer d.parts.Queue.notify(ctx, queue)
			for i, t := range own {
				if err := d.parts.Queue.enqueue(ctx, t); err != nil {
					mu.Lock()
					defer mu.Unlock()
					left, errs = append(left, own[i:]...), append(errs, err)
					return
				}
				if i == 0 && len(own) > 1 {
					d.parts.Queue.notify(ctx, queue)
				}
				d.parts.Metrics.dispatches.WithLabelValues(string(t.Task.Type)).Inc()
			}
		})
	}
	all.Wait()
	return left, errors.Join(errs...)
}

// redispatch has tasks that weren't enqueued dispatched again after a pause, in which
// others go first.
func (d *Dispatcher) redispatch(ctx context.Context, left []store.Dispatch) error {
	ids := make([]string, len(left))
	for i, t := range left {
		ids[i] = t.Task.ID
	}
	return d.parts.DB.RedispatchAt(ctx, ids, d.parts.Clock.Now().Add(d.parts.Clock.Domain(afterError)))
}
