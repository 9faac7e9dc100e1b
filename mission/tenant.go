package mission

import "time"

// Tenant is who missions belong to.
type Tenant struct {
	ID   string
	Name string
	Slug string
	Plan TenantPlan
	// Limits override the plan's, by operation ("missions.create": "1000/h").
	Limits    map[string]string
	Brand     Brand
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Role is what a user may do in its tenant.
type Role string

// The roles (decisions, "Identity").
const (
	RoleAdmin  Role = "admin"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
)

// User is a person of a tenant.
type User struct {
	ID        string
	TenantID  string
	Email     string
	Name      string
	Role      Role
	CreatedAt time.Time
}

// APIKey is a tenant's key, without its secret.
type APIKey struct {
	ID        string
	TenantID  string
	UserID    string
	Name      string
	KeyPrefix string
	Scopes    []Scope
	ExpiresAt *time.Time
	RevokedAt *time.Time
	CreatedAt time.Time
}
