package gather

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Callers that arrive while a batch is looked up share the next one.
func TestGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lookups atomic.Int64
		g := &Group[string]{Lookup: func(_ context.Context, keys []string) (map[string]string, error) {
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
				if v, ok, err := g.Get(t.Context(), key); v != "of "+key || !ok || err != nil {
					t.Errorf("%s is %q, %v, %v", key, v, ok, err)
				}
			})
		}
		all.Wait()
		if n := lookups.Load(); n != 2 {
			t.Errorf("a hundred concurrent callers took %d lookups, want 2", n)
		}
		if v, ok, err := g.Get(t.Context(), "none"); v != "" || ok || err != nil {
			t.Errorf("none is %q, %v, %v", v, ok, err)
		}
	})
}

// A lookup that fails fails for all its callers; the next one is made.
func TestGroupFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure := errors.New("the database is away")
		down := true
		g := &Group[int]{Lookup: func(context.Context, []string) (map[string]int, error) {
			<-time.After(time.Millisecond)
			if down {
				return nil, failure
			}
			return map[string]int{"a": 1}, nil
		}}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, _, err := g.Get(t.Context(), "a"); !errors.Is(err, failure) {
					t.Errorf("the error is %v", err)
				}
			})
		}
		all.Wait()
		down = false
		if v, ok, err := g.Get(t.Context(), "a"); v != 1 || !ok || err != nil {
			t.Errorf("afterwards it is %d, %v, %v", v, ok, err)
		}
	})
}

// A caller whose context ends gets the context's error, and the others their values;
// a batch has maxKeys keys at most.
func TestGroupIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Group[int]{Lookup: func(_ context.Context, keys []string) (map[string]int, error) {
			<-time.After(time.Second)
			return map[string]int{keys[0]: len(keys)}, nil
		}}
		gone, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _, _, _ = g.Get(t.Context(), "first") })
		synctest.Wait()
		for i := range maxKeys {
			all.Go(func() {
				if _, _, err := g.Get(gone, strconv.Itoa(i)); !errors.Is(err, context.Canceled) {
					t.Errorf("a canceled caller gets %v", err)
				}
			})
		}
		synctest.Wait()
		if _, _, err := g.Get(t.Context(), "one more"); !errors.Is(err, ErrFull) {
			t.Errorf("one key too many gets %v", err)
		}
		all.Go(func() {
			if _, _, err := g.Get(t.Context(), "7"); err != nil {
				t.Errorf("a key that is in the batch already gets %v", err)
			}
		})
		synctest.Wait()
		cancel()
		all.Wait()
	})
}
