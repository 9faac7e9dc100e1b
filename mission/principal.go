package mission

import "slices"

// AuthMethod is the kind of credential that a caller shows.
type AuthMethod string

// The kinds of credentials.
const (
	AuthSession AuthMethod = "session"
	AuthAPIKey  AuthMethod = "api_key"
)

// Principal is who calls: a tenant's user, through a session or a key. Just
// one of KeyID and SessionID is set.
type Principal struct {
	TenantID  string
	UserID    string
	KeyID     string
	SessionID string
	Scopes    []Scope
	// Plan and Limits are the tenant's.
	Plan   TenantPlan
	Limits Limits
}

// Method tells how the principal was recognised.
func (p Principal) Method() AuthMethod {
	if p.KeyID != "" {
		return AuthAPIKey
	}
	return AuthSession
}

// Credential returns the id of the session or the key; "" for nobody.
func (p Principal) Credential() string { return p.KeyID + p.SessionID }

// Has tells whether the principal holds s.
func (p Principal) Has(s Scope) bool {
	return s == ScopeAny || slices.Contains(p.Scopes, s) || slices.Contains(p.Scopes, ScopeAdmin)
}

// Check answers whether the principal may do op. Errors: unauthorized for
// nobody, unless the operation is open; forbidden, naming the scope;
// internal_error for an operation that isn't in the table.
func (p Principal) Check(op Operation) error {
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
	}
	return nil
}

// InSession answers whether the principal is in a session. Errors:
// invalid_request for a key.
func (p Principal) InSession() error {
	if p.SessionID == "" {
		return Invalid("", "This operation is for sessions: an API key can't do it.")
	}
	return nil
}
