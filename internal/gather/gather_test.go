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

// Who asks while a question is under way is answered by the next one, together
// with all others who do.
func TestGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		g := &Group[string]{Ask: func(_ context.Context, keys []string) (map[string]string, error) {
			asked.Add(1)
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
		if n := asked.Load(); n != 2 {
			t.Errorf("a hundred who asked together took %d questions", n)
		}
		if v, ok, err := g.Get(t.Context(), "none"); v != "" || ok || err != nil {
			t.Errorf("none is %q, %v, %v", v, ok, err)
		}
	})
}

// A question that fails fails for all who asked it, and the next one is asked.
func TestGroupFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure := errors.New("the database is away")
		down := true
		g := &Group[int]{Ask: func(context.Context, []string) (map[string]int, error) {
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

// Who goes is told so, and the others have their answer; the next question has
// room for so many only.
func TestGroupIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Group[int]{Ask: func(_ context.Context, keys []string) (map[string]int, error) {
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
					t.Errorf("who went is told %v", err)
				}
			})
		}
		synctest.Wait()
		if _, _, err := g.Get(t.Context(), "one more"); !errors.Is(err, ErrFull) {
			t.Errorf("one too many is told %v", err)
		}
		all.Go(func() {
			if _, _, err := g.Get(t.Context(), "7"); err != nil {
				t.Errorf("one who asks for what is asked already is told %v", err)
			}
		})
		synctest.Wait()
		cancel()
		all.Wait()
	})
}
