package batchcache

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"missiond/mission"
)

// Callers that arrive while a batch is looked up share the next one.
func TestLookupsAreBatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lookups atomic.Int64
		c := &Cache[string]{Lookup: func(_ context.Context, keys []string) (map[string]string, error) {
			lookups.Add(1)
			<-time.After(10 * time.Millisecond)
			found := map[string]string{}
			for _, k := range keys {
				if k != "none" {
					found[k] = "of " + k
				}
			}
			return found, nil
		}}
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				key := strconv.Itoa(i)
				if v, ok, err := c.Get(t.Context(), key); v != "of "+key || !ok || err != nil {
					t.Errorf("%s is %q, %v, %v", key, v, ok, err)
				}
			})
		}
		all.Wait()
		if n := lookups.Load(); n != 2 {
			t.Errorf("a hundred concurrent callers took %d lookups, want 2", n)
		}
		if v, ok, err := c.Get(t.Context(), "none"); v != "" || ok || err != nil {
			t.Errorf("none is %q, %v, %v", v, ok, err)
		}
	})
}

// A lookup that fails fails for all its callers; the next one is made.
func TestLookupFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure := errors.New("the database is away")
		down := true
		c := &Cache[int]{Lookup: func(context.Context, []string) (map[string]int, error) {
			<-time.After(time.Millisecond)
			if down {
				return nil, failure
			}
			return map[string]int{"a": 1}, nil
		}}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, _, err := c.Get(t.Context(), "a"); !errors.Is(err, failure) {
					t.Errorf("the error is %v", err)
				}
			})
		}
		all.Wait()
		down = false
		if v, ok, err := c.Get(t.Context(), "a"); v != 1 || !ok || err != nil {
			t.Errorf("afterwards it is %d, %v, %v", v, ok, err)
		}
	})
}

// A caller whose context ends gets the context's error, and the others their values;
// a batch has maxKeys keys at most.
func TestLookupsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Cache[int]{Lookup: func(_ context.Context, keys []string) (map[string]int, error) {
			<-time.After(time.Second)
			return map[string]int{keys[0]: len(keys)}, nil
		}}
		gone, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _, _, _ = c.Get(t.Context(), "first") })
		synctest.Wait()
		for i := range maxKeys {
			all.Go(func() {
				if _, _, err := c.Get(gone, strconv.Itoa(i)); !errors.Is(err, context.Canceled) {
					t.Errorf("a canceled caller gets %v", err)
				}
			})
		}
		synctest.Wait()
		if _, _, err := c.Get(t.Context(), "one more"); mission.CodeOf(err) != mission.CodeServiceUnavailable {
			t.Errorf("one key too many gets %v", err)
		}
		all.Go(func() {
			if _, _, err := c.Get(t.Context(), "7"); err != nil {
				t.Errorf("a key that is in the batch already gets %v", err)
			}
		})
		synctest.Wait()
		cancel()
		all.Wait()
	})
}

// A value is reused for the TTL, and no value that a lookup found is once the cache was
// cleared after the lookup began.
func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ttl = time.Second
		var lookups, value atomic.Int64
		c := &Cache[int64]{TTL: ttl, Lookup: func(_ context.Context, keys []string) (map[string]int64, error) {
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
		}}
		check := func(key string, want int64, wantOK bool, wantLookups int64) {
			t.Helper()
			before := lookups.Load()
			if v, ok, err := c.Get(t.Context(), key); v != want || ok != wantOK || err != nil {
				t.Errorf("Get(%s) = %d, %v, %v; want %d, %v", key, v, ok, err, want, wantOK)
			}
			if n := lookups.Load() - before; n != wantLookups {
				t.Errorf("Get(%s) took %d lookups, want %d", key, n, wantLookups)
			}
		}
		check("a", 0, true, 1)
		check("none", 0, false, 1)
		check("none", 0, false, 1) // a missing key isn't cached
		value.Store(1)
		check("a", 0, true, 0)
		<-time.After(ttl - 31*time.Millisecond)
		check("a", 0, true, 0)
		<-time.After(time.Millisecond) // the TTL counts from when the lookup began
		check("a", 1, true, 1)

		var all sync.WaitGroup
		all.Go(func() { check("late", 1, true, 1) })
		<-time.After(time.Millisecond)
		value.Store(2)
		c.Clear()
		all.Wait()
		check("a", 2, true, 1)
		check("late", 2, true, 1)
		check("late", 2, true, 0)
		if v, ok, err := c.GetFresh(t.Context(), "late"); v != 2 || !ok || err != nil || lookups.Load() != 8 {
			t.Errorf("past the cache it is %d, %v, %v, by %d lookups", v, ok, err, lookups.Load())
		}
	})
}

// A cache without a TTL looks up every key.
func TestNoTTL(t *testing.T) {
	lookups := 0
	c := &Cache[int]{Lookup: func(context.Context, []string) (map[string]int, error) {
		lookups++
		return map[string]int{"a": lookups}, nil
	}}
	for want := 1; want < 3; want++ {
		if v, ok, err := c.Get(t.Context(), "a"); v != want || !ok || err != nil {
			t.Errorf("Get(a) = %d, %v, %v; want %d", v, ok, err, want)
		}
	}
	if c.entries != nil {
		t.Error("it keeps values")
	}
}
