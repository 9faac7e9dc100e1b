package node

import (
	"time"

	"missiond/mission"
)

// Viewer is the caller.
type Viewer struct {
	User       mission.User
	Tenant     mission.Tenant
	AuthMethod mission.AuthMethod
	Scopes     []mission.Scope
}

// Session is a session as its list shows it.
type Session struct {
	ID        string
	CreatedAt time.Time
	RenewedAt *time.Time
	ExpiresAt time.Time
	Current   bool
}

// NewSession returns a session as the principal sees it.
func NewSession(s mission.Session, p mission.Principal) Session {
	return Session{ID: s.ID, CreatedAt: s.CreatedAt, RenewedAt: s.RenewedAt(), ExpiresAt: s.ExpiresAt, Current: s.ID == p.SessionID}
}

// APIKey is a key with its state at a time and its usage.
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
	// CreatedByKeyID is the key that created it, nil for a session.
	CreatedByUserID string
	CreatedByKeyID  *string
}

// APIKeyUsage is how many times a key was used.
type APIKeyUsage struct {
	TotalRequests int64
	Last30Days    int64
}

// NewAPIKey returns a key as it is at now; recent is the number of its requests in
// the last 30 days.
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

// LoginInput is the input of login.
type LoginInput struct {
	ClerkToken string
}

// LoginPayload is the result of login.
type LoginPayload struct {
	Token     string
	ExpiresAt time.Time
	User      mission.User
	Tenant    mission.Tenant
}

// RefreshSessionPayload is the result of refreshSession.
type RefreshSessionPayload struct {
	Token     string
	ExpiresAt time.Time
}

// CreateAPIKeyPayload is the result of createApiKey.
type CreateAPIKeyPayload struct {
	APIKey APIKey
	Key    string
	Notice *string
}

// RevokeAPIKeyPayload is the result of revokeApiKey.
type RevokeAPIKeyPayload struct {
	APIKey         APIKey
	AlsoRevokedIDs []string
}

// RotateAPIKeyPayload is the result of rotateApiKey.
type RotateAPIKeyPayload struct {
	OldAPIKey APIKey
	NewAPIKey APIKey
	Key       string
}

// OnboardPayload is the result of onboard.
type OnboardPayload struct {
	Tenant    mission.Tenant
	Brand     mission.Brand
	Mission   *mission.Mission
	NextSteps []string
}

// RemoveMemberPayload is the result of removeMember.
type RemoveMemberPayload struct {
	DeletedID     string
	SessionsEnded int
	Keys          []APIKey
}

// EndMemberSessionsPayload is the result of endMemberSessions.
type EndMemberSessionsPayload struct {
	Member        mission.User
	SessionsEnded int
}

// Usage is a tenant's usage.
type Usage struct {
	CurrentPeriod UsagePeriod
	Media         MediaUsage
	Texts         TextUsage
	DailyUsage    []mission.DayUsage
}

// MediaUsage is how many bytes files have.
type MediaUsage struct{ Bytes, Limit float64 }

// TextUsage is how many bytes texts take.
type TextUsage struct{ Bytes, Limit float64 }

// UsagePeriod is a calendar month.
type UsagePeriod struct {
	Requests, Limit int64
	ResetAt         time.Time
}

// NewUsage returns a tenant's usage as shown.
func NewUsage(u mission.Usage) *Usage {
	return &Usage{
		CurrentPeriod: UsagePeriod{Requests: u.Requests, Limit: u.Limit, ResetAt: u.ResetAt}, DailyUsage: u.Daily,
		Media: MediaUsage{float64(u.MediaBytes), float64(u.MediaQuota)}, Texts: TextUsage{float64(u.TextBytes), float64(u.TextQuota)},
	}
}

// AuditFilter filters the audit log.
type AuditFilter struct {
	UserID, KeyID, AgentID, TargetID *string
	Action                           *mission.AuditAction
	CreatedFrom, CreatedTo           *time.Time
}

// Filter returns the filter, which is nil for none.
func (f *AuditFilter) Filter() mission.AuditFilter {
	if f == nil {
		return mission.AuditFilter{}
	}
	return mission.AuditFilter{
		UserID: deref(f.UserID), KeyID: deref(f.KeyID), AgentID: deref(f.AgentID), TargetID: deref(f.TargetID), Action: deref(f.Action),
		Created: mission.Span{From: f.CreatedFrom, Until: f.CreatedTo},
	}
}
