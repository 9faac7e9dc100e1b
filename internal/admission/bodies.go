package admission

import (
	"sync"

	"missiond/mission"
)

// Bounds of the bodies that are in memory, or that callers have announced: of one tenant's
// requests, and of all.
const (
	maxTenantBytes = 16 << 20
	maxBytes       = 64 << 20
)

// bodies are the bytes of bodies that are reserved, by tenant.
type bodies struct {
	total int64
	of    map[string]int64
}

func (b *bodies) add(tenant string, n int64) {
	b.total += n
	if b.of[tenant] += n; b.of[tenant] == 0 {
		delete(b.of, tenant)
	}
}

// Reservation is memory for a body.
type Reservation struct {
	gate   *Gate
	tenant string
	bytes  int64
	once   sync.Once
}

// Reserve reserves memory for the body of a tenant's request, before it is read: a slow
// client would hold it for long. It is held until Release. Errors: service_unavailable if
// there isn't as much for the tenant.
func (g *Gate) Reserve(tenant string, bytes int64) (*Reservation, error) {
	if g == nil || bytes <= 0 {
		return nil, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bodies.of[tenant]+bytes > maxTenantBytes || g.bodies.total+bytes > maxBytes {
		g.shed++
		return nil, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many large requests of this tenant are in progress; try again."}
	}
	g.bodies.add(tenant, bytes)
	return &Reservation{gate: g, tenant: tenant, bytes: bytes}, nil
}

// Shrink gives back what a body of so many bytes doesn't need.
func (r *Reservation) Shrink(bytes int64) {
	if r == nil {
		return
	}
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	if bytes < r.bytes {
		r.gate.bodies.add(r.tenant, bytes-r.bytes)
		r.bytes = bytes
	}
}

// Release gives the memory back.
func (r *Reservation) Release() {
	if r != nil {
		r.once.Do(func() { r.Shrink(0) })
	}
}
