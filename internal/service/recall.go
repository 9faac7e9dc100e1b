package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/internal/gather"
	"missiond/mission"
)

// recall reads for all who ask at the same time in one go, and goes by what it
// read for a moment.
type recall[V any] struct {
	group gather.Group[V]
	// forgetful recalls go by nothing.
	forgetful bool

	mu   sync.Mutex
	kept map[string]recalled[V]
}

// recalled is what was read, by a read that began at a time of the process.
type recalled[V any] struct {
	value V
	at    time.Duration
}

// maxRecalled is how many values are kept.
const maxRecalled = 10_000

// memory is how long what was read about a credential goes without another
// look. What takes rights away is answered only once that is over: see forgotten.
const memory = 250 * time.Millisecond

// forgotten waits until no process goes by what it read before now. Rights that
// were taken away in a transaction are gone everywhere once this was called
// after its commit, for no answer is given by what was read before.
func forgotten(ctx context.Context) {
	_ = clock.Sleep(ctx, memory) // who doesn't wait for the answer was told nothing
}

// newRecall returns a recall of what read answers for distinct keys.
func newRecall[V any](forgetful bool, read func(ctx context.Context, keys []string) (map[string]V, error)) *recall[V] {
	r := &recall[V]{forgetful: forgetful}
	r.group.Ask = func(ctx context.Context, keys []string) (map[string]V, error) {
		begun := clock.Running()
		found, err := read(ctx, keys)
		r.keep(found, begun)
		return found, err
	}
	return r
}

// get returns what there is for a key, or was a moment ago; ok is false where
// there is nothing.
func (r *recall[V]) get(ctx context.Context, key string) (v V, ok bool, err error) {
	r.mu.Lock()
	kept, ok := r.kept[key]
	r.mu.Unlock()
	if ok && !r.forgetful && clock.Running()-kept.at < memory {
		return kept.value, true, nil
	}
	return r.look(ctx, key)
}

// look returns what there is for a key now; ok is false where there is nothing.
func (r *recall[V]) look(ctx context.Context, key string) (v V, ok bool, err error) {
	v, ok, err = r.group.Get(ctx, key)
	if errors.Is(err, gather.ErrFull) {
		err = &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many callers come at the same time."}
	}
	return v, ok, err
}

// keep keeps what a read found that began at a time.
func (r *recall[V]) keep(found map[string]V, begun time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.kept)+len(found) > maxRecalled {
		r.kept = nil
	}
	if r.kept == nil {
		r.kept = make(map[string]recalled[V], len(found))
	}
	for key, v := range found {
		r.kept[key] = recalled[V]{v, begun}
	}
}
