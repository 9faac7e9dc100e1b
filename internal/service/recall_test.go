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

// What was read is gone by for a moment, and by the time that forgotten ends no
// more.
func TestRecall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads, value atomic.Int64
		r := newRecall(false, func(_ context.Context, keys []string) (map[string]int64, error) {
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
		})
		ask := func(key string, want int64, there bool) {
			t.Helper()
			if v, ok, err := r.get(t.Context(), key); v != want || ok != there || err != nil {
				t.Errorf("%s is %d, %v, %v; want %d, %v", key, v, ok, err, want, there)
			}
		}
		ask("7", 0, true)
		ask("none", 0, false)
		before := reads.Load()
		ask("7", 0, true)
		if reads.Load() != before {
			t.Error("what was read just now is read again")
		}
		ask("none", 0, false)
		if reads.Load() == before {
			t.Error("what wasn't there a moment ago isn't looked for")
		}
		// A read that began just before a change must not be gone by after forgotten.
		var all sync.WaitGroup
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

// A forgetful one reads each time; a read that failed is kept by none.
func TestRecallKeepsNothing(t *testing.T) {
	reads, failure := 0, errors.New("the database is away")
	r := newRecall(true, func(context.Context, []string) (map[string]int, error) {
		if reads++; reads == 1 {
			return nil, failure
		}
		return map[string]int{"a": reads}, nil
	})
	if _, _, err := r.get(t.Context(), "a"); !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
	for want := 2; want < 4; want++ {
		if v, ok, err := r.get(t.Context(), "a"); v != want || !ok || err != nil {
			t.Errorf("it is %d, %v, %v, want %d", v, ok, err, want)
		}
	}
}
