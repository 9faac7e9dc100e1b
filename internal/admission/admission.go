// Package admission shares a process's verbs between tenants: at most so many run at
// once, a share of them for one tenant, and those that wait are admitted in turns, tenant
// by tenant. What can't be admitted soon is refused at once.
package admission

import (
	"container/list"
	"context"
	"runtime/debug"
	"sync"
	"time"

	"missiond/mission"
)

// Bounds of what waits: of one tenant's callers and of all, and how long one waits.
const (
	maxTenantWaiting = 512
	maxWaiting       = 4096
	patience         = time.Second
)

// share is the part of the slots that one tenant may have: half.
const share = 2

// Gate admits callers. A nil Gate admits everybody. It is safe for concurrent use.
type Gate struct {
	slots, most int

	mu    sync.Mutex
	busy  int
	wait  int // how many wait
	shed  int64
	lines map[string]*line // of tenants with a slot, or who wait for one
	turns *list.List       // the lines in which somebody waits, the next one first

	bodies, responses pool
}

// line are the callers of a tenant.
type line struct {
	tenant  string
	busy    int
	waiting *list.List    // callers, the first one first
	turn    *list.Element // nil if nobody waits
}

// caller waits for a slot, which it has once ready is closed.
type caller struct{ ready chan struct{} }

// New returns a gate with so many slots, of which one tenant may have half; at least
// one.
func New(slots int) *Gate {
	slots = max(1, slots)
	return &Gate{
		slots: slots, most: max(1, slots/share), lines: map[string]*line{}, turns: list.New(),
		bodies:    pool{bounds: ofBodies, by: map[string]int64{}},
		responses: pool{bounds: ofResponses(debug.SetMemoryLimit(-1)), by: map[string]int64{}},
	}
}

type slotKey struct{}

// Enter waits for a slot for a tenant's caller. The caller has the slot until leave or Leave with the context that Enter returns. Errors:
// service_unavailable if too many wait, or a slot isn't free soon; the context's.
func (g *Gate) Enter(ctx context.Context, tenant string) (admitted context.Context, leave func(), err error) {
	if g == nil {
		return ctx, func() {}, nil
	}
	l, one, err := g.join(tenant)
	if err == nil && one != nil {
		err = g.await(ctx, l, one)
	}
	if err != nil {
		return ctx, nil, err
	}
	leave = sync.OnceFunc(func() { g.leave(l) })
	return context.WithValue(ctx, slotKey{}, leave), leave, nil
}

// Leave gives back the slot of ctx's caller, if it has one: a verb that is about to wait
// for something other than the database calls it, and goes on without a slot.
func Leave(ctx context.Context) {
	if leave, ok := ctx.Value(slotKey{}).(func()); ok {
		leave()
	}
}

// join takes a slot, or joins those who wait for one, as the caller that it returns.
func (g *Gate) join(tenant string) (*line, *list.Element, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[tenant]
	if l == nil {
		l = &line{tenant: tenant, waiting: list.New()}
	}
	if g.busy < g.slots && l.busy < g.most && l.waiting.Len() == 0 {
		g.lines[tenant] = l
		l.busy++
		g.busy++
		return l, nil, nil
	}
	if l.waiting.Len() >= maxTenantWaiting || g.wait >= maxWaiting {
		return nil, nil, g.refuse()
	}
	g.lines[tenant] = l
	if l.turn == nil {
		l.turn = g.turns.PushBack(l)
	}
	g.wait++
	return l, l.waiting.PushBack(&caller{ready: make(chan struct{})}), nil
}

// await waits until a caller has its slot, for as long as callers wait.
func (g *Gate) await(ctx context.Context, l *line, element *list.Element) error {
	one := callerOf(element)
	late := time.NewTimer(patience)
	defer late.Stop()
	var err error
	select {
	case <-one.ready:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-late.C:
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-one.ready: // meanwhile
		return nil
	default:
	}
	g.remove(l, element)
	g.forget(l)
	if err == nil {
		err = g.refuse()
	}
	return err
}

func (g *Gate) leave(l *line) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l.busy--
	g.busy--
	for g.busy < g.slots && g.admitNext() {
	}
	g.forget(l)
}

// admitNext gives a slot to the first caller of the next tenant that may have one, and
// reports whether there is one.
func (g *Gate) admitNext() bool {
	for turn := g.turns.Front(); turn != nil; turn = turn.Next() {
		l := lineOf(turn)
		if l.busy >= g.most {
			continue
		}
		first := l.waiting.Front()
		l.busy++
		g.busy++
		g.turns.MoveToBack(turn)
		g.remove(l, first)
		close(callerOf(first).ready)
		return true
	}
	return false
}

// remove takes a caller from those who wait.
func (g *Gate) remove(l *line, element *list.Element) {
	l.waiting.Remove(element)
	g.wait--
	if l.waiting.Len() == 0 {
		g.turns.Remove(l.turn)
		l.turn = nil
	}
}

// forget drops a line that nobody is in.
func (g *Gate) forget(l *line) {
	if l.busy == 0 && l.turn == nil {
		delete(g.lines, l.tenant)
	}
}

func (g *Gate) refuse() error {
	g.shed++
	return &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many requests of this tenant are in progress; try again."}
}

// Stats are a gate's figures.
type Stats struct {
	// Busy is how many callers have a slot, Waiting how many wait for one.
	Busy, Waiting int
	// Shed is how many were refused so far.
	Shed int64
}

// Stats returns the gate's figures.
func (g *Gate) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Stats{Busy: g.busy, Waiting: g.wait, Shed: g.shed}
}

func callerOf(e *list.Element) *caller {
	c, ok := e.Value.(*caller)
	if !ok {
		panic("bug: something else waits among the callers")
	}
	return c
}

func lineOf(e *list.Element) *line {
	l, ok := e.Value.(*line)
	if !ok {
		panic("bug: something else is among the lines")
	}
	return l
}
