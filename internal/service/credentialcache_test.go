package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A value is reused for credentialTTL, and never after awaitExpiry has returned.
func TestCredentialCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lookups, value atomic.Int64
		c := newCredentialCache(false, func(_ context.Context, keys []string) (map[string]int64, error) {
			lookups.Add(1)
			v := value.Load()
			<-time.After(10 * time.Millisecond)
			found := map[string]int64{}
			for _, k := range keys {
				if k != "none" {
					found[k] = v
				}
			}
			return found, nil
		})
		check := func(key string, want int64, wantOK bool) {
			t.Helper()
			if v, ok, err := c.get(t.Context(), key); v != want || ok != wantOK || err != nil {
				t.Errorf("get(%s) = %d, %v, %v; want %d, %v", key, v, ok, err, want, wantOK)
			}
		}
		check("7", 0, true)
		check("none", 0, false)
		before := lookups.Load()
		check("7", 0, true)
		if lookups.Load() != before {
			t.Error("a cached value was looked up again")
		}
		check("none", 0, false)
		if lookups.Load() == before {
			t.Error("a missing key was cached")
		}
		// A lookup that began just before a change must not count after awaitExpiry.
		var all sync.WaitGroup
		all.Go(func() { check("late", 0, true) })
		<-time.After(time.Millisecond)
		value.Store(1)
		awaitExpiry(t.Context())
		for _, key := range []string{"7", "late", "new"} {
			check(key, 1, true)
		}
		all.Wait()
	})
}

// A disabled cache looks up every key; no cache keeps a lookup that failed.
func TestCredentialCacheDisabled(t *testing.T) {
	lookups, failure := 0, errors.New("the database is away")
	c := newCredentialCache(true, func(context.Context, []string) (map[string]int, error) {
		if lookups++; lookups == 1 {
			return nil, failure
		}
		return map[string]int{"a": lookups}, nil
	})
	if _, _, err := c.get(t.Context(), "a"); !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
	for want := 2; want < 4; want++ {
		if v, ok, err := c.get(t.Context(), "a"); v != want || !ok || err != nil {
			t.Errorf("get(a) = %d, %v, %v; want %d", v, ok, err, want)
		}
	}
}
