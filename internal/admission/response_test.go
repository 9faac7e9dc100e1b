package admission

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"missiond/mission"
)

// A response has a most, whoever asks; what it couldn't have takes nothing.
func TestResponseHasAMost(t *testing.T) {
	g := New(2)
	for _, tenant := range []string{"a", "b"} {
		r := g.Respond(tenant)
		if err := r.Take(maxResponse - 1); err != nil {
			t.Fatal(err)
		}
		err := r.Take(2)
		if mission.CodeOf(err) != mission.CodeInvalidRequest || !IsFull(err) || !strings.Contains(err.Error(), "20 MiB") {
			t.Errorf("beyond the most got %v", err)
		}
		if err := r.Take(1); err != nil {
			t.Errorf("up to the most got %v", err)
		}
		r.Renew() // the next piece
		if err := r.Take(maxResponse); err != nil {
			t.Errorf("of the next piece got %v", err)
		}
		r.Release()
	}
	if g.responses.total != 0 || len(g.responses.by) != 0 {
		t.Errorf("it is left with %+v", g.responses)
	}
}

// Many take no more than there is for all, one of them leaves as much to others, and what is small is free. All is given
// back, and what is taken afterwards isn't counted.
func TestResponsesAreReserved(t *testing.T) {
	g := New(2)
	g.responses.bounds = ofResponses(0)
	var held []*Response
	take := func(tenant string, bytes int64) error {
		r := g.Respond(tenant)
		held = append(held, r)
		return r.Take(bytes)
	}
	for range 100 {
		for _, tenant := range []string{"a", "b", ""} {
			if err := take(tenant, ofBodies.free); err != nil {
				t.Fatal(err)
			}
		}
	}
	if g.responses.total != 0 {
		t.Errorf("small responses reserve %d bytes", g.responses.total)
	}
	for _, tenant := range []string{"a", "b", "c", ""} {
		var err error
		for err == nil {
			err = take(tenant, 1<<20)
		}
		if !refused(err) || !IsFull(err) {
			t.Errorf("without memory %q got %v", tenant, err)
		}
	}
	if own := g.responses.by["a"]; own > (minResponses-maxStrangerResponses)/2 || own < 16<<20 {
		t.Errorf("the first tenant has %d bytes", own)
	}
	if g.responses.by["c"] == 0 || g.responses.total > minResponses {
		t.Errorf("the third has %d of %d bytes", g.responses.by["c"], g.responses.total)
	}
	for _, r := range held {
		r.Release()
		r.Release() // does nothing
		if err := r.Take(2 * maxResponse); err != nil {
			t.Errorf("after its end got %v", err)
		}
	}
	if g.responses.total != 0 || len(g.responses.by) != 0 {
		t.Errorf("it is left with %+v", g.responses)
	}
}

// The fields of a response take memory at once.
func TestResponseAtOnce(t *testing.T) {
	g := New(2)
	r := g.Respond("a")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				if err := r.Take(1000); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if r.used != 8_000_000 {
		t.Errorf("it has taken %d bytes", r.used)
	}
	r.Release()
}

// What fields take while the response is released is given back.
func TestReleaseWhileFieldsTake(t *testing.T) {
	g := New(2)
	for range 2000 {
		r := g.Respond("a")
		var all sync.WaitGroup
		var released atomic.Bool
		for range 4 {
			all.Go(func() {
				for !released.Load() {
					_ = r.Take(responseStep)
				}
			})
		}
		all.Go(func() { r.Release(); released.Store(true) })
		all.Wait()
	}
	if g.responses.total != 0 {
		t.Errorf("%d bytes are left", g.responses.total)
	}
}

// With more memory there is more for all, and without a limit there still is one.
func TestBoundsOfResponses(t *testing.T) {
	for memory, want := range map[int64]int64{0: 48 << 20, 230 << 20: 48 << 20, 500 << 20: 100 << 20, 1 << 62: 256 << 20} {
		if got := ofResponses(memory).all; got != want {
			t.Errorf("of %d bytes got %d, want %d", memory, got, want)
		}
	}
}

// Outside of requests nothing is bounded.
func TestNoResponse(t *testing.T) {
	var none *Gate
	for _, r := range []*Response{none.Respond("a"), ResponseOf(context.Background())} {
		if err := r.Take(2 * maxResponse); err != nil {
			t.Error(err)
		}
		r.Renew()
		r.Release()
	}
}
