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

// AllRoles lists them, the one with the most permissions first.
func AllRoles() []Role { return []Role{RoleAdmin, RoleEditor, RoleViewer} }

// Scopes returns the scopes of a role (decisions, "Identity").
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

// RoleOf returns the role of a member of an organisation at the identity
// provider. Providers name roles as they like: Clerk's own are org:admin and
// org:member. An unknown role may only read.
func RoleOf(organizationRole string) Role {
	switch strings.TrimPrefix(strings.ToLower(organizationRole), "org:") {
	case "admin", "owner":
		return RoleAdmin
	case "editor", "member", "basic_member":
		return RoleEditor
	}
	return RoleViewer
}

// ScopesWithin returns those of a key's scopes that its maker's role has: keys
// lose a scope when their maker does.
func ScopesWithin(scopes []Scope, maker Role) []Scope {
	allowed := maker.Scopes()
	return slices.DeleteFunc(slices.Clone(scopes), func(s Scope) bool { return !slices.Contains(allowed, s) })
}

// User is a person of a tenant.
type User struct {
	ID       string `bun:",pk"`
	TenantID string
	// Subject identifies the person at the identity provider; "" for the first
	// admin of a tenant that an operator created.
	Subject string `bun:",nullzero"`
	Email   string // "" if the provider doesn't say
	Name    string // as Email
	Role    Role
	// RoleFrom is where Role comes from.
	RoleFrom RoleSource
	// ProviderRole is the role that the identity provider named last; "" if it
	// has named none.
	ProviderRole Role
	// ReviewEmailsOff reports whether the person wants no e-mails about posts that wait for review.
	ReviewEmailsOff bool
	CreatedAt       time.Time
}

// FirstAdmin reports whether the user was created with its tenant, by an operator: nobody signs in
// as it.
func (u User) FirstAdmin() bool { return u.Subject == "" }

// RoleSource says where a user's role comes from.
type RoleSource string

// The sources of roles.
const (
	// RoleFromProvider follows the organisation's role at each login.
	RoleFromProvider RoleSource = "provider"
	// RoleFromAdmin was set by an admin of the tenant, or by the operator. It
	// lasts until the provider names a different role than before.
	RoleFromAdmin RoleSource = "admin"
	// RoleAsFirst is that of the first user of a tenant whose provider names no
	// roles. It ends as soon as the provider names an admin.
	RoleAsFirst RoleSource = "first"
)

// Join returns the user as one who joins a tenant, with the role that the
// provider names. If it names none, the first user becomes an admin, and all
// others may only read.
func (u User) Join(named string, first bool) User {
	if named == "" && first {
		u.Role, u.RoleFrom = RoleAdmin, RoleAsFirst
		return u
	}
	u.RoleFrom = RoleFromProvider
	return u.Follow(named)
}

// Follow returns the user with the role that the organisation names at a login.
// named is "" if the provider names none.
func (u User) Follow(named string) User {
	role := RoleOf(named)
	switch {
	case named == "" && u.RoleFrom == RoleFromProvider:
		u.Role = role
	case named == "", u.RoleFrom == RoleFromAdmin && u.ProviderRole == role:
	default:
		u.Role, u.RoleFrom, u.ProviderRole = role, RoleFromProvider, role
	}
	return u
}

// Outranked returns the first user after the provider has named an admin: a
// user without a role there may only read.
func (u User) Outranked() User {
	u.Role, u.RoleFrom = RoleOf(""), RoleFromProvider
	return u
}

// MemberKeys says what happens to the keys of a removed member.
type MemberKeys string

// What happens to them.
const (
	KeepKeys   MemberKeys = "keep"
	RevokeKeys MemberKeys = "revoke"
)

// CheckRemoval returns an error unless the principal may remove the user from a
// tenant with that many admins. Errors: conflict for the principal's own user,
// and for the last admin.
func (u User) CheckRemoval(by Principal, admins int) error {
	switch {
	case u.ID == by.UserID:
		return Conflict("You can't remove yourself, or the user who made the API key in use; another admin can.")
	case u.Role == RoleAdmin && admins < 2:
		return Conflict("The tenant's last admin can't be removed.")
	}
	return nil
}

// ParseRole returns the role with a name. Errors: invalid_request on role.
func ParseRole(name Role) (Role, error) {
	if !slices.Contains(AllRoles(), name) {
		return "", Invalid("role", "The role must be one of %s.", list(AllRoles()))
	}
	return name, nil
}
