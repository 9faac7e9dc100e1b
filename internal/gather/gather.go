// Package gather lets all who ask the same kind of question at the same time be
// answered by one.
package gather

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Bounds of one question.
const (
	askLimit = 5 * time.Second
	maxKeys  = 500
)

// ErrFull is the answer if too many wait for the next question already.
var ErrFull = errors.New("gather: too many ask at the same time")

// Group asks for all who ask at the same time in one go: who comes while a
// question is under way waits for the next one. It is safe for concurrent use.
type Group[V any] struct {
	// Ask returns what there is for distinct keys, by these.
	Ask func(ctx context.Context, keys []string) (map[string]V, error)

	mu   sync.Mutex
	busy bool
	next *round[V]
}

// round is one question, and what came of it once done is closed.
type round[V any] struct {
	keys  map[string]struct{}
	done  chan struct{}
	found map[string]V
	err   error
}

// Get returns what there is for a key, by a question that is asked from now on;
// ok is false if there is nothing. Who goes before the answer is there hasn't
// withdrawn the question. Errors: ErrFull, Ask's, the context's.
func (g *Group[V]) Get(ctx context.Context, key string) (v V, ok bool, err error) {
	r, first := g.join(key)
	if r == nil {
		return v, false, ErrFull
	}
	if first {
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

// join adds a key to the next question, which is nil if that is full; first
// is true for who is to ask it now.
func (g *Group[V]) join(key string) (r *round[V], first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r = g.next
	if r == nil {
		r = &round[V]{keys: map[string]struct{}{}, done: make(chan struct{})}
		g.next = r
	}
	if _, there := r.keys[key]; !there && len(r.keys) == maxKeys {
		return nil, false
	}
	r.keys[key] = struct{}{}
	if g.busy {
		return r, false
	}
	g.busy, g.next = true, nil
	return r, true
}

// run asks a question, and has that asked which was put meanwhile.
func (g *Group[V]) run(ctx context.Context, r *round[V]) {
	defer func() {
		g.mu.Lock()
		next := g.next
		g.next, g.busy = nil, next != nil
		g.mu.Unlock()
		if next != nil {
			go g.run(ctx, next)
		}
	}()
	defer close(r.done)
	r.err = errors.New("gather: the question was cut off") // if it panics
	// It is for others too: who asked first may go.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	keys := make([]string, 0, len(r.keys))
	for key := range r.keys {
		keys = append(keys, key)
	}
	r.found, r.err = g.Ask(ctx, keys)
}
