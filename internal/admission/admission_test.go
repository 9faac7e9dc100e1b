package admission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
)

// enter takes a slot that is free.
func enter(t *testing.T, g *Gate, tenant string) (leave func()) {
	t.Helper()
	_, leave, err := g.Enter(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func refused(err error) bool {
	var m *mission.Error
	return errors.As(err, &m) && m.Code == mission.CodeServiceUnavailable && m.RetryAfter == 1
}

// One tenant holds half of the slots at most: another's callers needn't wait. Those who
// wait are refused after the patience, not before, and leave nothing behind.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(4)
		crowd := []func(){enter(t, g, "crowd"), enter(t, g, "crowd")}
		began := time.Now()
		if _, _, err := g.Enter(t.Context(), "crowd"); !refused(err) || time.Since(began) != patience {
			t.Errorf("the third of a tenant got %v after %s", err, time.Since(began))
		}
		began = time.Now()
		others := []func(){enter(t, g, "a"), enter(t, g, "b")}
		if time.Since(began) != 0 {
			t.Errorf("others waited for %s", time.Since(began))
		}
		if _, _, err := g.Enter(t.Context(), "c"); !refused(err) {
			t.Errorf("without a free slot got %v", err)
		}
		for _, leave := range slices.Concat(crowd, others) {
			leave()
			leave() // does nothing
		}
		if g.busy != 0 || g.wait != 0 || len(g.lines) != 0 || g.turns.Len() != 0 {
			t.Errorf("it is left with %+v", g)
		}
		if s := g.Stats(); s.Shed != 2 {
			t.Errorf("%d were refused", s.Shed)
		}
	})
}

// Those who wait get slots in turns, tenant by tenant, and within a tenant in the order
// of their coming.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(2)
		first, second := enter(t, g, "x"), enter(t, g, "y")
		var mu sync.Mutex
		var order []string
		var all sync.WaitGroup
		for _, name := range []string{"a1", "a2", "a3", "b1", "a4", "c1", "b2"} {
			all.Go(func() {
				_, leave, err := g.Enter(t.Context(), name[:1])
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				_ = clock.Sleep(t.Context(), time.Millisecond)
				leave()
			})
			synctest.Wait()
		}
		first() // y keeps its own: there is one slot for all the others
		all.Wait()
		second()
		if got := fmt.Sprint(order); got != "[a1 b1 c1 a2 b2 a3 a4]" {
			t.Errorf("they were admitted as %s", got)
		}
	})
}

// What waits is bounded for a tenant; beyond that a caller is refused at once.
func TestWaitingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(2)
		ctx, cancel := context.WithCancel(t.Context())
		leave := enter(t, g, "crowd")
		var all sync.WaitGroup
		for range maxTenantWaiting {
			all.Go(func() { _, _, _ = g.Enter(ctx, "crowd") })
		}
		synctest.Wait()
		began := time.Now()
		if _, _, err := g.Enter(ctx, "crowd"); !refused(err) || time.Since(began) != 0 {
			t.Errorf("one more of the tenant got %v after %s", err, time.Since(began))
		}
		other := enter(t, g, "other")
		cancel() // those who wait go away
		all.Wait()
		leave()
		other()
		if s := g.Stats(); s.Busy != 0 || s.Waiting != 0 || len(g.lines) != 0 {
			t.Errorf("it is left with %+v", s)
		}
	})
}

// A verb that waits for something else gives its slot back early, once.
func TestLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(2)
		ctx, leave, err := g.Enter(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		Leave(ctx)
		again := enter(t, g, "a")
		leave()
		if g.busy != 1 {
			t.Errorf("%d slots are held, want 1", g.busy)
		}
		again()
		Leave(t.Context()) // has none
		var none *Gate
		if _, leave, err := none.Enter(t.Context(), "a"); err != nil {
			t.Error(err)
		} else {
			leave()
		}
	})
}

// Memory for bodies is bounded, for a tenant, for those without one and for all, and the error
// says whose is full. Few tenants don't use it up, and small bodies need none. All is given back.
func TestBodiesAreReserved(t *testing.T) {
	g := New(2)
	var held []*Reservation
	grow := func(tenant string, bytes int64) error {
		r := g.Reserve(tenant)
		held = append(held, r)
		return r.Grow(bytes)
	}
	fits := func(tenant string, bytes int64) {
		t.Helper()
		if err := grow(tenant, bytes); err != nil {
			t.Fatal(err)
		}
	}
	full := func(tenant string, bytes int64, whose string) {
		t.Helper()
		if err := grow(tenant, bytes); !refused(err) || !strings.Contains(err.Error(), whose) {
			t.Errorf("more than is there for %s got %v", whose, err)
		}
	}
	fits("a", ofBodies.tenant/2+ofBodies.free)
	fits("a", ofBodies.tenant/4+ofBodies.free)
	if err := held[len(held)-1].Grow(ofBodies.tenant/2 + ofBodies.free); err != nil { // as it arrives
		t.Fatal(err)
	}
	full("a", ofBodies.free+1, "of this tenant")
	for range 100 {
		fits("", ofBodies.freeStranger)
		fits("a", ofBodies.free)
	}
	fits("", ofBodies.strangers+ofBodies.freeStranger)
	full("", ofBodies.freeStranger+1, "without a credential")
	for i := range 5 { // each takes all that it gets
		for tenant := string(rune('b' + i)); grow(tenant, 256<<10) == nil; {
			continue
		}
	}
	full("b", 256<<10, "tenant")
	full("f", 2<<20, "of all tenants")
	fits("z", 256<<10)
	if g.bodies.total > ofBodies.all {
		t.Errorf("%d bytes are reserved", g.bodies.total)
	}
	for _, r := range held {
		r.Release()
		r.Release() // does nothing
	}
	if g.bodies.total != 0 || len(g.bodies.by) != 0 {
		t.Errorf("it is left with %+v", g.bodies)
	}
	var none *Gate
	r := none.Reserve("a")
	if err := r.Grow(2 * ofBodies.all); err != nil {
		t.Error(err)
	}
	r.Release()
}
