package admission

import (
	"sync"

	"missiond/mission"
)

// bounds are how much memory there is for what requests have of one kind, in bytes.
type bounds struct {
	// free is of each request, freeStranger of each without a tenant.
	free, freeStranger int64
	// tenant is for the requests of one tenant, strangers for those without one together, all for all.
	tenant, strangers, all int64
	// of names the kind, in errors.
	of string
}

// ofBodies are the bounds of the requests' bodies. Those that are free are as many as the requests of a
// tenant's rate can have.
var ofBodies = bounds{
	free: 64 << 10, freeStranger: 8 << 10, tenant: 16 << 20, strangers: 4 << 20, all: 64 << 20, of: "large requests",
}

// Bounds of the memory for responses, and for what is read for them. A process with more memory has more
// for all, and so for a tenant, but a response is the same size everywhere.
const (
	maxResponse          = 20 << 20
	minResponses         = 48 << 20
	maxResponses         = 256 << 20
	responsesShare       = 5 // of the process's memory
	maxStrangerResponses = 8 << 20
)

// ofResponses returns the bounds of the responses of a process that is to get by with so many bytes of memory.
func ofResponses(memory int64) bounds {
	all := min(max(memory/responsesShare, minResponses), maxResponses)
	return bounds{free: 64 << 10, freeStranger: 64 << 10, tenant: all, strangers: maxStrangerResponses, all: all, of: "large responses"}
}

// pool is memory of one kind: what is reserved of it, by tenant; "" is for requests without one.
type pool struct {
	bounds

	total int64
	by    map[string]int64
}

func (p *pool) add(tenant string, n int64) {
	p.total += n
	if p.by[tenant] += n; p.by[tenant] == 0 {
		delete(p.by, tenant)
	}
}

// refusal returns why a tenant may not reserve more bytes; "" if it may. A tenant has at most
// as much as it leaves to the others, so that a few tenants don't use up all.
func (p *pool) refusal(tenant string, more int64) string {
	own := p.by[tenant]
	left := p.all - p.strangers - (p.total - p.by[""]) // of what is for tenants
	switch {
	case tenant == "" && own+more > p.strangers:
		return "Too many " + p.of + " without a credential are in progress; try again."
	case tenant != "" && own+more > p.tenant:
		return "Too many " + p.of + " of this tenant are in progress; try again."
	case tenant != "" && own+more > left-more:
		return "Too many " + p.of + " of all tenants are in progress; try again."
	}
	return ""
}

// Reservation is memory for a body, or for a response. A nil Reservation has no bound.
type Reservation struct {
	gate        *Gate
	of          *pool
	tenant      string
	free, bytes int64
	once        sync.Once
}

// Reserve returns a reservation for the body of a tenant's request; "" stands for those without
// one. It counts until Release.
func (g *Gate) Reserve(tenant string) *Reservation {
	if g == nil {
		return nil
	}
	return g.reserve(&g.bodies, tenant)
}

func (g *Gate) reserve(of *pool, tenant string) *Reservation {
	r := &Reservation{gate: g, of: of, tenant: tenant, free: of.free}
	if tenant == "" {
		r.free = of.freeStranger
	}
	return r
}

// Grow makes it a reservation of so many bytes. Call it as the body arrives: what a slow client
// only announces takes nothing from others. Errors: service_unavailable if there isn't as much.
func (r *Reservation) Grow(bytes int64) error {
	if r == nil {
		return nil
	}
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	more := bytes - r.free - r.bytes
	if more <= 0 {
		return nil
	}
	if why := r.of.refusal(r.tenant, more); why != "" {
		r.gate.shed++
		return &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: why}
	}
	r.of.add(r.tenant, more)
	r.bytes += more
	return nil
}

// Release gives the memory back.
func (r *Reservation) Release() {
	if r != nil {
		r.once.Do(r.shrink)
	}
}

// shrink gives back what it has by now.
func (r *Reservation) shrink() {
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	r.of.add(r.tenant, -r.bytes)
	r.bytes = 0
}
