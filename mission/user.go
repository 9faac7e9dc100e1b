package mission

import (
	"slices"
	"strings"
	"time"
)

// Role is what a user may do in its tenant.
type Role string

// The roles (decisions, "Identity").
const (
	RoleAdmin  Role = "admin"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
)

// AllRoles lists them, the most able first.
func AllRoles() []Role { return []Role{RoleAdmin, RoleEditor, RoleViewer} }

// Scopes answers what a role may do (decisions, "Identity").
func (r Role) Scopes() []Scope {
	switch r {
	case RoleAdmin:
		return AllScopes()
	case RoleEditor:
		return []Scope{
			ScopeMissionsRead, ScopeMissionsWrite, ScopeContentRead, ScopeContentWrite, ScopeAnalyticsRead, ScopeIntegrationsRead,
		}
	case RoleViewer:
		return []Scope{ScopeMissionsRead, ScopeContentRead, ScopeAnalyticsRead, ScopeIntegrationsRead}
	}
	return []Scope{}
}

// RoleOf answers the role of a member of an organisation of the identity
// provider's. Providers name roles as they like: Clerk's own are org:admin and
// org:member. A role that isn't known here may only read.
func RoleOf(organizationRole string) Role {
	switch strings.TrimPrefix(strings.ToLower(organizationRole), "org:") {
	case "admin", "owner":
		return RoleAdmin
	case "editor", "member", "basic_member":
		return RoleEditor
	}
	return RoleViewer
}

// ScopesWithin answers those of a key's scopes that its maker's role has: a
// maker who lost a right takes it from its keys.
func ScopesWithin(scopes []Scope, maker Role) []Scope {
	allowed := maker.Scopes()
	return slices.DeleteFunc(slices.Clone(scopes), func(s Scope) bool { return !slices.Contains(allowed, s) })
}

// User is a person of a tenant.
type User struct {
	ID       string
	TenantID string
	// Subject names the person at the identity provider; "" for the admin that
	// an operator's tenant begins with.
	Subject string
	Email   string // "" where the provider doesn't say
	Name    string // as Email
	Role    Role
	// RoleKept tells that the role is the service's own: the tenant's first
	// user's, or one that an admin gave. Others follow the organisation's.
	RoleKept  bool
	CreatedAt time.Time
}

// ParseRole answers the role of a name. Errors: invalid_request on role.
func ParseRole(name Role) (Role, error) {
	if !slices.Contains(AllRoles(), name) {
		return "", Invalid("role", "The role must be one of %s.", list(AllRoles()))
	}
	return name, nil
}
