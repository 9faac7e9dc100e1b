package tasks

import (
	"context"
	"errors"
	"sync"
	"time"

	"missiond/store"
)

// Dispatcher hands the ledger's rows to the queue: woken by commits of its own
// process, at the time of the next row, and every pollEvery for the rows of
// processes that ended before they could.
type Dispatcher struct {
	parts Parts
	wake  chan struct{}
}

const (
	pollEvery = 500 * time.Millisecond
	handBatch = 100
	// afterError is the pause when the database or Redis doesn't answer.
	afterError = time.Second
	// turnLimit bounds one turn of the dispatcher or sweeper.
	turnLimit = 20 * time.Second
)

// NewDispatcher returns a dispatcher that wakes with the database's commits.
func NewDispatcher(p Parts) *Dispatcher {
	d := &Dispatcher{parts: p, wake: make(chan struct{}, 1)}
	p.DB.OnTasks(func() {
		select {
		case d.wake <- struct{}{}:
		default: // it is woken already
		}
	})
	return d
}

// Run hands over until ctx ends.
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
			d.parts.Log.Warn("dispatcher: hand over tasks", "error", err)
		}
		timer.Reset(wait)
	}
}

// turn hands over what is due and answers how long to wait for more.
func (d *Dispatcher) turn(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	hands, err := d.parts.DB.Dispatch(ctx, d.parts.Clock.Now(), handBatch)
	if err != nil {
		return afterError, err
	}
	if left, err := d.ring(ctx, hands); err != nil {
		d.parts.Metrics.handFailures.Add(float64(len(left)))
		if err = errors.Join(err, d.again(ctx, left)); len(left) == len(hands) {
			return afterError, err
		}
		d.parts.Log.Warn("dispatcher: hand over some of the tasks", "left", len(left), "error", err)
	}
	if len(hands) == handBatch {
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

// ring rings for tasks, each queue's beside the others': a queue is on one node
// of a Redis Cluster, and a node that doesn't answer has only its own queues
// wait. It answers those that weren't taken.
func (d *Dispatcher) ring(ctx context.Context, hands []store.Dispatch) (left []store.Dispatch, err error) {
	queues := map[string][]store.Dispatch{}
	for _, h := range hands {
		name := queueName(h.Task.Queue, h.Lane)
		queues[name] = append(queues[name], h)
	}
	var (
		mu   sync.Mutex
		errs []error
		all  sync.WaitGroup
	)
	for _, own := range queues {
		all.Go(func() {
			for i, h := range own {
				if err := d.parts.Queue.ring(ctx, h); err != nil {
					mu.Lock()
					defer mu.Unlock()
					left, errs = append(left, own[i:]...), append(errs, err)
					return
				}
				d.parts.Metrics.hands.WithLabelValues(string(h.Task.Type)).Inc()
			}
		})
	}
	all.Wait()
	return left, errors.Join(errs...)
}

// again has rows that Redis didn't take handed over once more, after a pause in
// which others go first.
func (d *Dispatcher) again(ctx context.Context, hands []store.Dispatch) error {
	ids := make([]string, len(hands))
	for i, h := range hands {
		ids[i] = h.Task.ID
	}
	return d.parts.DB.RedispatchAt(ctx, ids, d.parts.Clock.Now().Add(d.parts.Clock.Domain(afterError)))
}
