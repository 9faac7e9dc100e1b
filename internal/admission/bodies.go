package admission

import (
	"sync"

	"missiond/mission"
)

// Bounds of the bodies that are in memory. The first bytes of each are free, as many as the
// requests of a tenant's rate can have; beyond them there is so much for the requests of one
// tenant, for those without a tenant together, and for all.
const (
	freeBytes         = 64 << 10
	freeStrangerBytes = 8 << 10

	maxTenantBytes   = 16 << 20
	maxStrangerBytes = 4 << 20
	maxBytes         = 64 << 20
)

// bodies are the bytes of bodies that are reserved, by tenant; "" is for requests without one.
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

// refusal returns why a tenant may not reserve more bytes; "" if it may. A tenant has at most
// as much as it leaves to the others, so that a few tenants don't use up all.
func (b *bodies) refusal(tenant string, more int64) string {
	own := b.of[tenant]
	left := maxBytes - maxStrangerBytes - (b.total - b.of[""]) // of what is for tenants
	switch {
	case tenant == "" && own+more > maxStrangerBytes:
		return "Too many large requests without a credential are in progress; try again."
	case tenant != "" && own+more > maxTenantBytes:
		return "Too many large requests of this tenant are in progress; try again."
	case tenant != "" && own+more > left-more:
		return "Too many large requests of all tenants are in progress; try again."
	}
	return ""
}

// Reservation is memory for a body. A nil Reservation has no bound.
type Reservation struct {
	gate        *Gate
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
	r := &Reservation{gate: g, tenant: tenant, free: freeBytes}
	if tenant == "" {
		r.free = freeStrangerBytes
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
	if why := r.gate.bodies.refusal(r.tenant, more); why != "" {
		r.gate.shed++
		return &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: why}
	}
	r.gate.bodies.add(r.tenant, more)
	r.bytes += more
	return nil
}

// Release gives the memory back.
func (r *Reservation) Release() {
	if r == nil {
		return
	}
	r.once.Do(func() {
		r.gate.mu.Lock()
		defer r.gate.mu.Unlock()
		r.gate.bodies.add(r.tenant, -r.bytes)
	})
}
