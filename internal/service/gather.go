package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"missiond/internal/clock"
)

// gather reads for all who ask at the same time in one go, and remembers what
// it read for a moment. Who asks while a read is under way waits for the next
// one.
type gather[V any] struct {
	// read answers what there is for distinct keys, by these.
	read func(ctx context.Context, keys []string) (map[string]V, error)

	// forgetful gathers remember nothing.
	forgetful bool

	mu   sync.Mutex
	busy bool
	next *round[V]
	kept map[string]remembered[V]
}

// remembered is what was read, by a read that began at a time of the process.
type remembered[V any] struct {
	value V
	at    time.Duration
}

// round is one read, and what came of it once done is closed.
type round[V any] struct {
	keys  map[string]struct{}
	done  chan struct{}
	found map[string]V
	err   error
}

// Bounds of one read.
const (
	gatherLimit = 5 * time.Second
	gatherKeys  = 500
	// gatherMemory is how many values are remembered.
	gatherMemory = 10_000
)

// memory is how long what was read about a credential goes without another
// look. What takes rights away is answered only once that is over: see forgotten.
const memory = 250 * time.Millisecond

// forgotten waits until no process goes by what it read before now. Rights that
// were taken away in a transaction are gone everywhere once this was called
// after its commit, for no answer is given by what was read before.
func forgotten(ctx context.Context) {
	_ = clock.Sleep(ctx, memory) // who doesn't wait for the answer was told nothing
}

var errGathering = errors.New("service: too many ask at the same time")

// get answers what there is for a key, or was a moment ago; ok is false where
// there is nothing.
func (g *gather[V]) get(ctx context.Context, key string) (v V, ok bool, err error) {
	g.mu.Lock()
	kept, ok := g.kept[key]
	g.mu.Unlock()
	if ok && !g.forgetful && clock.Running()-kept.at < memory {
		return kept.value, true, nil
	}
	return g.look(ctx, key)
}

// look answers what there is for a key now; ok is false where there is nothing.
func (g *gather[V]) look(ctx context.Context, key string) (v V, ok bool, err error) {
	g.mu.Lock()
	r := g.next
	if r == nil {
		r = &round[V]{keys: map[string]struct{}{}, done: make(chan struct{})}
		g.next = r
	}
	if r.keys[key] = struct{}{}; len(r.keys) > gatherKeys {
		delete(r.keys, key)
		g.mu.Unlock()
		return v, false, errGathering
	}
	idle := !g.busy
	if idle {
		g.busy, g.next = true, nil
	}
	g.mu.Unlock()
	if idle {
		g.run(ctx, r)
	}
	select {
	case <-r.done:
		v, ok = r.found[key]
		return v, ok, r.err
	case <-ctx.Done():
		return v, false, ctx.Err()
	}
}

// run makes a read, and has those made that were asked for meanwhile.
func (g *gather[V]) run(ctx context.Context, r *round[V]) {
	begun := clock.Running()
	defer func() {
		g.mu.Lock()
		g.remember(r.found, begun)
		next := g.next
		g.next, g.busy = nil, next != nil
		g.mu.Unlock()
		if next != nil {
			go g.run(ctx, next)
		}
	}()
	defer close(r.done)
	r.err = errGathering // where the read panics
	// It is for others too: who asked first may go.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gatherLimit)
	defer cancel()
	keys := make([]string, 0, len(r.keys))
	for key := range r.keys {
		keys = append(keys, key)
	}
	r.found, r.err = g.read(ctx, keys)
}

// remember keeps what a read found that began at a time.
func (g *gather[V]) remember(found map[string]V, begun time.Duration) {
	if len(g.kept)+len(found) > gatherMemory {
		g.kept = nil
	}
	if g.kept == nil {
		g.kept = make(map[string]remembered[V], len(found))
	}
	for key, v := range found {
		g.kept[key] = remembered[V]{v, begun}
	}
}
