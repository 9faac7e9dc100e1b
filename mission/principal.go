package mission

import (
	"cmp"
	"slices"
	"time"
)

// AuthMethod is the kind of credential that a caller authenticates with.
type AuthMethod string

// The kinds of credentials.
const (
	AuthSession AuthMethod = "session"
	AuthAPIKey  AuthMethod = "api_key"
	AuthAgent   AuthMethod = "agent"
)

// Principal is the caller: a tenant's user, with a session or a key, an agent that acts for one, or
// whoever has a review link. Exactly one of KeyID, SessionID, AgentID and LinkID is set.
type Principal struct {
	TenantID  string
	UserID    string // "" with a link
	KeyID     string
	SessionID string
	AgentID   string
	LinkID    string
	// Agent reports that a program acts, of which what people alone decide isn't taken: an agent, or
	// whoever calls its tools with a key.
	Agent bool
	// Leash is what AgentID may do; AgentsMayApprove is the tenant's.
	Leash            Leash
	AgentsMayApprove bool
	// MissionID is the only mission whose posts the principal reaches; "" is any.
	MissionID string
	Scopes    []Scope
	// Plan and Limits are the tenant's.
	Plan   TenantPlan
	Limits Limits
	// DeletesAt is when the tenant is deleted; nil if it isn't to be.
	DeletesAt *time.Time
}

// Method returns how the principal was authenticated.
func (p Principal) Method() AuthMethod {
	switch {
	case p.KeyID != "":
		return AuthAPIKey
	case p.AgentID != "":
		return AuthAgent
	}
	return AuthSession
}

// Credential returns the id of the session, the key, the agent or the link; "" for nobody.
func (p Principal) Credential() string { return p.KeyID + p.SessionID + p.AgentID + p.LinkID }

// Author returns the id of who says or does something, as records name it: the link, the agent, the key or,
// in a session, the user; "" for the operator.
func (p Principal) Author() string { return cmp.Or(p.LinkID, p.AgentID, p.KeyID, p.UserID) }

// Reviewer returns who decides about a post: the link, the agent, the key that one calls with, or the
// user.
func (p Principal) Reviewer() string {
	if p.Agent {
		return p.Author()
	}
	return cmp.Or(p.LinkID, p.UserID)
}

// Reaches reports whether the principal reaches the posts of a mission of its tenant.
func (p Principal) Reaches(missionID string) bool {
	return (p.MissionID == "" || p.MissionID == missionID) && p.Leash.Reaches(missionID)
}

// Has reports whether the principal has s.
func (p Principal) Has(s Scope) bool {
	return s == ScopeAny || slices.Contains(p.Scopes, s) || slices.Contains(p.Scopes, ScopeAdmin)
}

// Check returns an error unless the principal may do op now. Errors: those of
// Permits; conflict if the tenant is to be deleted and the operation changes
// something.
func (p Principal) Check(op Operation) error {
	if err := p.Permits(op); err != nil {
		return err
	}
	if p.DeletesAt != nil && !slices.Contains(whileLeaving, op) {
		return Conflict("The tenant will be deleted on %s; it is read-only until an admin restores it.", p.DeletesAt.Format(time.RFC3339))
	}
	return nil
}

// Permits returns an error unless the principal has the scopes that op needs.
// Errors: unauthorized for nobody, unless the operation is open; forbidden,
// naming the scope; internal_error for an operation that isn't in the table.
func (p Principal) Permits(op Operation) error {
	policy, ok := PolicyOf(op)
	switch {
	case !ok:
		return &Error{Code: CodeInternal, Message: "The operation " + string(op) + " has no policy."}
	case policy.Open:
		return nil
	case p.TenantID == "":
		return Unauthorized()
	case !p.Has(policy.Scope):
		return Forbidden(policy.Scope)
	case policy.AlsoWhen == "" && !p.Has(policy.Also):
		return Forbidden(policy.Also)
	}
	return nil
}

// Enters reports whether the principal still has access at now: only admins'
// sessions have access to a tenant that is to be deleted, and only until it is
// deleted.
func (p Principal) Enters(now time.Time) bool {
	return p.DeletesAt == nil || p.SessionID != "" && p.Has(ScopeAdmin) && now.Before(*p.DeletesAt)
}

// ReadsEvents returns an error unless the principal may read the event log, and
// so have it sent somewhere. Errors: forbidden, naming the scope.
func (p Principal) ReadsEvents() error {
	if !p.Has(eventScope) {
		return Forbidden(eventScope)
	}
	return nil
}

// InSession returns an error unless the principal is in a session. Errors:
// invalid_request for a key.
func (p Principal) InSession() error {
	if p.SessionID == "" {
		return Invalid("", "This operation requires a session; it can't be done with an API key.")
	}
	return nil
}
