// Package batchcache is a cache for a short TTL whose misses are batched.
package batchcache

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
)

const (
	// lookupTimeout is longer than a lookup may wait for a connection alone.
	lookupTimeout = 15 * time.Second
	// maxKeys is how many distinct keys a batch has at most, maxEntries how many
	// entries a cache.
	maxKeys    = 500
	maxEntries = 10_000
)

// Cache caches the values of keys. Concurrent lookups of one key are coalesced into
// one, and callers that arrive while a batch is looked up share the next one. It is
// safe for concurrent use.
type Cache[V any] struct {
	// Lookup returns the values of distinct keys, by key. Keys without a value are
	// absent.
	Lookup func(ctx context.Context, keys []string) (map[string]V, error)
	// TTL is how long a value is used, in real time from when its lookup began. If it
	// is 0, every call is a lookup.
	TTL time.Duration

	mu      sync.Mutex
	entries map[string]entry[V]
	clears  int // how many times the cache was cleared
	busy    bool
	next    *batch[V]
}

// entry is a value, and when in the process's time its lookup began.
type entry[V any] struct {
	value V
	begun time.Duration
}

// batch is one lookup, and its result once done is closed.
type batch[V any] struct {
	ctx   context.Context // its first caller's, of which the lookup has the values
	keys  map[string]struct{}
	done  chan struct{}
	found map[string]V
	err   error
}

// Get returns the value of a key, which may be as old as the TTL; ok is false if there
// is none, which isn't cached. Errors: GetFresh's.
func (c *Cache[V]) Get(ctx context.Context, key string) (v V, ok bool, err error) {
	c.mu.Lock()
	e, ok := c.entries[key]
	c.mu.Unlock()
	if ok && clock.Running()-e.begun < c.TTL {
		return e.value, true, nil
	}
	return c.GetFresh(ctx, key)
}

// GetFresh returns the value of a key by a lookup that begins after the call; ok is
// false if there is none. A caller whose context ends doesn't cancel the lookup.
// Errors: service_unavailable if too many callers wait, Lookup's, the context's.
func (c *Cache[V]) GetFresh(ctx context.Context, key string) (v V, ok bool, err error) {
	v, ok, _, err = c.GetFirst(ctx, key)
	return v, ok, err
}

// GetFirst is GetFresh; first reports whether no caller before has asked the same lookup for
// the key.
func (c *Cache[V]) GetFirst(ctx context.Context, key string) (v V, ok, first bool, err error) {
	b, first, runs := c.join(ctx, key)
	if b == nil {
		return v, false, false, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many requests arrive at the same time."}
	}
	if runs {
		c.run(b)
	}
	select {
	case <-b.done:
		v, ok = b.found[key]
		return v, ok, first, b.err
	case <-ctx.Done():
		return v, false, first, ctx.Err()
	}
}

// Clear drops all values whose lookup began before the call.
func (c *Cache[V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = nil
	c.clears++
}

// join adds a key to the next batch and returns the batch, nil if it is full; first
// reports whether the key is new to it, runs whether the caller is to run it now.
func (c *Cache[V]) join(ctx context.Context, key string) (b *batch[V], first, runs bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b = c.next
	if b == nil {
		b = &batch[V]{ctx: ctx, keys: map[string]struct{}{}, done: make(chan struct{})}
		c.next = b
	}
	_, joined := b.keys[key]
	if !joined && len(b.keys) == maxKeys {
		return nil, false, false
	}
	b.keys[key] = struct{}{}
	if c.busy {
		return b, !joined, false
	}
	c.busy, c.next = true, nil
	return b, true, true
}

// run looks up a batch, and then starts the batch that was joined meanwhile.
func (c *Cache[V]) run(b *batch[V]) {
	c.mu.Lock()
	begun, clears := clock.Running(), c.clears
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		next := c.next
		c.next, c.busy = nil, next != nil
		c.mu.Unlock()
		close(b.done) // whoever asks again now joins the batch after the next
		if next != nil {
			go c.run(next)
		}
	}()
	b.err = errors.New("batchcache: the lookup panicked") // unless it returns
	// The batch is for other callers too: the first may leave.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), lookupTimeout)
	defer cancel()
	b.found, b.err = c.Lookup(ctx, slices.Sorted(maps.Keys(b.keys)))
	c.add(b.found, begun, clears)
}

// add caches what a lookup found that began at a time, unless the cache was cleared
// since.
func (c *Cache[V]) add(found map[string]V, begun time.Duration, clears int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.TTL == 0 || clears != c.clears {
		return
	}
	if c.entries == nil || len(c.entries)+len(found) > maxEntries {
		c.entries = make(map[string]entry[V], len(found))
	}
	for key, v := range found {
		c.entries[key] = entry[V]{v, begun}
	}
}
