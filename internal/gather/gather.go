// Package gather coalesces concurrent lookups into one.
package gather

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Limits of one batch.
const (
	lookupLimit = 5 * time.Second
	maxKeys     = 500
)

// ErrFull means that too many callers wait for the next batch already.
var ErrFull = errors.New("gather: too many concurrent lookups")

// Group batches concurrent lookups: callers that arrive while a batch is looked up
// share the next one. It is safe for concurrent use.
type Group[V any] struct {
	// Lookup returns the values of distinct keys, by key. Keys without a value are
	// absent.
	Lookup func(ctx context.Context, keys []string) (map[string]V, error)

	mu   sync.Mutex
	busy bool
	next *batch[V]
}

// batch is one lookup, and its result once done is closed.
type batch[V any] struct {
	keys  map[string]struct{}
	done  chan struct{}
	found map[string]V
	err   error
}

// Get returns the value of a key, by a lookup that begins after the call; ok is false
// if there is none. A caller whose context ends doesn't cancel the lookup. Errors:
// ErrFull, Lookup's, the context's.
func (g *Group[V]) Get(ctx context.Context, key string) (v V, ok bool, err error) {
	b, first := g.join(key)
	if b == nil {
		return v, false, ErrFull
	}
	if first {
		g.run(ctx, b)
	}
	select {
	case <-b.done:
		v, ok = b.found[key]
		return v, ok, b.err
	case <-ctx.Done():
		return v, false, ctx.Err()
	}
}

// join adds a key to the next batch and returns the batch, nil if it is full; first
// reports whether the caller is to run it now.
func (g *Group[V]) join(key string) (b *batch[V], first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b = g.next
	if b == nil {
		b = &batch[V]{keys: map[string]struct{}{}, done: make(chan struct{})}
		g.next = b
	}
	if _, joined := b.keys[key]; !joined && len(b.keys) == maxKeys {
		return nil, false
	}
	b.keys[key] = struct{}{}
	if g.busy {
		return b, false
	}
	g.busy, g.next = true, nil
	return b, true
}

// run looks up a batch, and then starts the batch that was joined meanwhile.
func (g *Group[V]) run(ctx context.Context, b *batch[V]) {
	defer func() {
		g.mu.Lock()
		next := g.next
		g.next, g.busy = nil, next != nil
		g.mu.Unlock()
		if next != nil {
			go g.run(ctx, next)
		}
	}()
	defer close(b.done)
	b.err = errors.New("gather: the lookup panicked") // unless it returns
	// The batch is for other callers too: the first may leave.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupLimit)
	defer cancel()
	keys := make([]string, 0, len(b.keys))
	for key := range b.keys {
		keys = append(keys, key)
	}
	b.found, b.err = g.Lookup(ctx, keys)
}
