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

// credentialCache is a cache of credentialTTL whose misses are batched.
type credentialCache[V any] struct {
	group gather.Group[V]
	// disabled has every get look up its key.
	disabled bool

	mu      sync.Mutex
	entries map[string]cacheEntry[V]
}

// cacheEntry is a value, and when in the process's time its lookup began.
type cacheEntry[V any] struct {
	value V
	at    time.Duration
}

// maxCached is how many entries a cache has at most.
const maxCached = 10_000

// credentialTTL is how long a credential is used without another lookup. A
// request that takes rights away returns only after that: see awaitExpiry.
const credentialTTL = 250 * time.Millisecond

// awaitExpiry waits until no process uses a value that it looked up before the
// call. Call it after the commit of a transaction that takes rights away: when it
// returns, they are gone in every process, since no request is answered from an
// older value.
func awaitExpiry(ctx context.Context) {
	_ = clock.Sleep(ctx, credentialTTL) // a caller that leaves early was promised nothing
}

// newCredentialCache returns a cache of what lookup returns for distinct keys.
func newCredentialCache[V any](disabled bool, lookup func(ctx context.Context, keys []string) (map[string]V, error)) *credentialCache[V] {
	c := &credentialCache[V]{disabled: disabled}
	c.group.Lookup = func(ctx context.Context, keys []string) (map[string]V, error) {
		begun := clock.Running()
		found, err := lookup(ctx, keys)
		c.add(found, begun)
		return found, err
	}
	return c
}

// get returns the value of a key, which may be as old as credentialTTL; ok is
// false if there is none.
func (c *credentialCache[V]) get(ctx context.Context, key string) (v V, ok bool, err error) {
	c.mu.Lock()
	entry, ok := c.entries[key]
	c.mu.Unlock()
	if ok && !c.disabled && clock.Running()-entry.at < credentialTTL {
		return entry.value, true, nil
	}
	return c.lookup(ctx, key)
}

// lookup returns the value that a key has now; ok is false if there is none.
// Errors: service_unavailable if too many lookups wait.
func (c *credentialCache[V]) lookup(ctx context.Context, key string) (v V, ok bool, err error) {
	v, ok, err = c.group.Get(ctx, key)
	if errors.Is(err, gather.ErrFull) {
		err = &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many requests arrive at the same time."}
	}
	return v, ok, err
}

// add adds what a lookup found that began at a time.
func (c *credentialCache[V]) add(found map[string]V, begun time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries)+len(found) > maxCached {
		c.entries = nil
	}
	if c.entries == nil {
		c.entries = make(map[string]cacheEntry[V], len(found))
	}
	for key, v := range found {
		c.entries[key] = cacheEntry[V]{v, begun}
	}
}
