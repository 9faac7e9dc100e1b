package service

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

// Who asks while a read is under way is answered by the next one, together with
// all others who do; what was read is gone by the time that forgotten ends.
func TestGather(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads, value atomic.Int64
		g := &gather[int64]{read: func(_ context.Context, keys []string) (map[string]int64, error) {
			reads.Add(1)
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
		ask := func(key string, want int64, there bool) {
			t.Helper()
			if v, ok, err := g.get(t.Context(), key); v != want || ok != there || err != nil {
				t.Errorf("%s is %d, %v, %v; want %d, %v", key, v, ok, err, want, there)
			}
		}
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() { ask(strconv.Itoa(i), 0, true) })
		}
		all.Wait()
		if n := reads.Load(); n > 2 {
			t.Errorf("a hundred who asked together took %d reads", n)
		}
		ask("none", 0, false)
		before := reads.Load()
		ask("7", 0, true)
		if reads.Load() != before {
			t.Error("what was read just now is read again")
		}
		// A read that began just before a change must not be gone by after forgotten.
		all.Go(func() { ask("late", 0, true) })
		<-time.After(time.Millisecond)
		value.Store(1)
		forgotten(t.Context())
		for _, key := range []string{"7", "late", "new"} {
			ask(key, 1, true)
		}
		all.Wait()
	})
}

func TestGatherFails(t *testing.T) {
	failure := errors.New("the database is away")
	g := &gather[int]{read: func(context.Context, []string) (map[string]int, error) { return nil, failure }}
	for range 3 {
		if _, _, err := g.get(t.Context(), "a"); !errors.Is(err, failure) {
			t.Errorf("the error is %v", err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	wait := make(chan struct{})
	g.read = func(context.Context, []string) (map[string]int, error) { <-wait; return map[string]int{"b": 1}, nil }
	go func() { _, _, _ = g.get(t.Context(), "a") }()
	for {
		g.mu.Lock()
		busy := g.busy
		g.mu.Unlock()
		if busy {
			break
		}
	}
	if _, _, err := g.get(ended, "b"); !errors.Is(err, context.Canceled) {
		t.Errorf("who doesn't wait is told %v", err)
	}
	close(wait)
}
