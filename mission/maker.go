package mission

import "time"

// Maker is whoever made a credential for others, a review link or the address of an upload, as they are now: a user, or
// an API key or an agent of one. Looked up at each use, it bounds what is done with the credential: nobody does with it
// what its maker may not do any more.
type Maker struct {
	TenantID string // "" if there is nobody
	// Scopes are those that a key or an agent was made with; nil for a user.
	Scopes []Scope
	// Role is the role of the user, or of the user of the key or the agent.
	Role Role
	// EndsAt is when the user was removed, or the key or the agent ends or has ended; nil if that isn't known. An
	// agent's is in real time, which Agent reports.
	EndsAt *time.Time
	Agent  bool
	// DeletesAt is when the tenant is deleted; nil if it isn't to be.
	DeletesAt *time.Time
}

// principal returns the maker as a caller, whether or not it has ended.
func (m Maker) principal() Principal {
	p := Principal{TenantID: m.TenantID, Scopes: m.Role.Scopes(), DeletesAt: m.DeletesAt}
	if m.Scopes != nil {
		p.Scopes = ScopesWithin(m.Scopes, m.Role)
	}
	return p
}

// Check returns an error unless the maker may do op at now. Errors: unauthorized once it has ended; those of
// Principal.Check.
func (m Maker) Check(op Operation, now time.Time) error {
	if m.EndsAt != nil && !now.Before(*m.EndsAt) {
		return Unauthorized()
	}
	return m.principal().Check(op)
}

// soonest returns the earliest of some times; nil if all are.
func soonest(times ...*time.Time) (first *time.Time) {
	for _, at := range times {
		if at != nil && (first == nil || at.Before(*first)) {
			first = at
		}
	}
	return first
}
