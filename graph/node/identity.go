package node

import (
	"time"

	"missiond/mission"
)

// Viewer is who calls.
type Viewer struct {
	User       mission.User
	Tenant     mission.Tenant
	AuthMethod mission.AuthMethod
	Scopes     []mission.Scope
}

// APIKey is a key as it stands at a time, with its usage.
type APIKey struct {
	ID         string
	Name       string
	KeyPrefix  string
	Scopes     []mission.Scope
	Status     mission.KeyStatus
	LastUsedAt *time.Time
	ExpiresAt  *time.Time
	ValidUntil *time.Time
	RevokedAt  *time.Time
	Usage      APIKeyUsage
	CreatedAt  time.Time
	// CreatedByKeyID is the key that it was made with, nil for a session.
	CreatedByUserID string
	CreatedByKeyID  *string
}

// APIKeyUsage is how often a key was used.
type APIKeyUsage struct {
	TotalRequests int64
	Last30Days    int64
}

// NewAPIKey is a key as it stands at now, with its requests of the last 30
// days.
func NewAPIKey(k mission.APIKey, recent int64, now time.Time) APIKey {
	var with *string
	if k.MadeByKey != "" {
		with = &k.MadeByKey
	}
	return APIKey{
		CreatedByUserID: k.UserID, CreatedByKeyID: with,
		ID: k.ID, Name: k.Name, KeyPrefix: k.KeyPrefix, Scopes: k.Scopes, Status: k.Status(now), LastUsedAt: k.LastUsedAt,
		ExpiresAt: k.ExpiresAt, ValidUntil: k.GraceUntil, RevokedAt: k.EndedAt(now),
		Usage: APIKeyUsage{TotalRequests: k.Requests, Last30Days: recent}, CreatedAt: k.CreatedAt,
	}
}

// APIKeyConnection is a page of keys.
type APIKeyConnection struct {
	Edges    []APIKeyEdge
	PageInfo PageInfo
}

// APIKeyEdge is a key in a list.
type APIKeyEdge struct {
	Cursor string
	Node   APIKey
}

// UserConnection is a page of users.
type UserConnection struct {
	Edges    []UserEdge
	PageInfo PageInfo
}

// UserEdge is a user in a list.
type UserEdge struct {
	Cursor string
	Node   mission.User
}

// AuditEntryConnection is a page of the audit log.
type AuditEntryConnection struct {
	Edges    []AuditEntryEdge
	PageInfo PageInfo
}

// AuditEntryEdge is an entry in the audit log.
type AuditEntryEdge struct {
	Cursor string
	Node   mission.AuditEntry
}

// LoginInput is a login.
type LoginInput struct {
	ClerkToken string
}

// LoginPayload is what login answers.
type LoginPayload struct {
	Token     string
	ExpiresAt time.Time
	User      mission.User
	Tenant    mission.Tenant
}

// RefreshSessionPayload is what refreshSession answers.
type RefreshSessionPayload struct {
	Token     string
	ExpiresAt time.Time
}

// LogoutPayload is what logout answers.
type LogoutPayload struct {
	Success bool
}

// CreateAPIKeyPayload is what createApiKey answers.
type CreateAPIKeyPayload struct {
	APIKey APIKey
	Key    string
	Notice *string
}

// RevokeAPIKeyPayload is what revokeApiKey answers.
type RevokeAPIKeyPayload struct {
	APIKey         APIKey
	AlsoRevokedIDs []string
}

// RotateAPIKeyPayload is what rotateApiKey answers.
type RotateAPIKeyPayload struct {
	OldAPIKey APIKey
	NewAPIKey APIKey
	Key       string
}

// OnboardPayload is what onboard answers.
type OnboardPayload struct {
	Tenant    mission.Tenant
	Brand     mission.Brand
	Mission   *mission.Mission
	NextSteps []string
}

// UpdateTenantPayload is what updateTenant answers.
type UpdateTenantPayload struct {
	Tenant mission.Tenant
}

// UpdateMemberPayload is what updateMember answers.
type UpdateMemberPayload struct {
	Member mission.User
}

// RemoveMemberPayload is what removeMember answers.
type RemoveMemberPayload struct {
	DeletedID     string
	SessionsEnded int
	Keys          []APIKey
}

// EndMemberSessionsPayload is what endMemberSessions answers.
type EndMemberSessionsPayload struct {
	Member        mission.User
	SessionsEnded int
}

// DeleteTenantPayload is what deleteTenant answers.
type DeleteTenantPayload struct {
	Tenant mission.Tenant
}

// RestoreTenantPayload is what restoreTenant answers.
type RestoreTenantPayload struct {
	Tenant mission.Tenant
}

// Usage is how much a tenant asked for.
type Usage struct {
	CurrentPeriod UsagePeriod
	DailyUsage    []mission.DayUsage
}

// UsagePeriod is a calendar month.
type UsagePeriod struct {
	Requests, Limit int64
	ResetAt         time.Time
}

// NewUsage shows how much a tenant asked for.
func NewUsage(u mission.Usage) *Usage {
	return &Usage{CurrentPeriod: UsagePeriod{Requests: u.Requests, Limit: u.Limit, ResetAt: u.ResetAt}, DailyUsage: u.Daily}
}
