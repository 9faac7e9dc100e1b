package tasks

import (
	"context"
	"errors"
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

// NewDispatcher answers a dispatcher that wakes with the database's commits.
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
	hands, err := d.parts.DB.HandOver(ctx, d.parts.Clock.Now(), handBatch)
	if err != nil {
		return afterError, err
	}
	for i, h := range hands {
		if err := d.parts.Queue.ring(ctx, h); err != nil {
			d.parts.Metrics.handFailures.Add(float64(len(hands) - i))
			return afterError, errors.Join(err, d.again(ctx, hands[i:]))
		}
		d.parts.Metrics.hands.WithLabelValues(string(h.Task.Type)).Inc()
	}
	if len(hands) == handBatch {
		return 0, nil
	}
	next, ok, err := d.parts.DB.NextRing(ctx)
	if err != nil {
		return afterError, err
	}
	if !ok {
		return pollEvery, nil
	}
	return min(max(d.parts.Clock.Until(next), 0), pollEvery), nil
}

// again has rows that Redis didn't take handed over once more.
func (d *Dispatcher) again(ctx context.Context, hands []store.Hand) error {
	ids := make([]string, len(hands))
	for i, h := range hands {
		ids[i] = h.Task.ID
	}
	return d.parts.DB.Ring(ctx, ids, d.parts.Clock.Now())
}
