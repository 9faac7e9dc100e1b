package mission

import "time"

// AuditAction is the kind of change that an audit entry records.
type AuditAction string

// The actions recorded in the audit log.
const (
	AuditKeyCreated    AuditAction = "api_key.created"
	AuditKeyRotated    AuditAction = "api_key.rotated"
	AuditKeyRevoked    AuditAction = "api_key.revoked"
	AuditTenantUpdated AuditAction = "tenant.updated"
	AuditMemberJoined  AuditAction = "member.joined"
	AuditMemberChanged AuditAction = "member.role_changed"
	AuditMemberRemoved AuditAction = "member.removed"
	AuditSessionsEnded AuditAction = "member.sessions_ended"
	AuditDeletionAsked AuditAction = "tenant.deletion_requested"
	AuditRestored      AuditAction = "tenant.restored"

	AuditWebhookCreated AuditAction = "webhook.created"
	AuditWebhookUpdated AuditAction = "webhook.updated"
	AuditWebhookDeleted AuditAction = "webhook.deleted"
	AuditWebhookRotated AuditAction = "webhook.secret_rotated"

	AuditIntegrationConnected    AuditAction = "integration.connected"
	AuditIntegrationUpdated      AuditAction = "integration.updated"
	AuditIntegrationDisconnected AuditAction = "integration.disconnected"
)

// AllAuditActions lists them.
func AllAuditActions() []AuditAction {
	return []AuditAction{
		AuditKeyCreated, AuditKeyRotated, AuditKeyRevoked, AuditTenantUpdated, AuditMemberJoined, AuditMemberChanged,
		AuditMemberRemoved, AuditSessionsEnded, AuditDeletionAsked, AuditRestored,
		AuditWebhookCreated, AuditWebhookUpdated, AuditWebhookDeleted, AuditWebhookRotated,
		AuditIntegrationConnected, AuditIntegrationUpdated, AuditIntegrationDisconnected,
	}
}

// AuditEntry records who changed what, and when.
type AuditEntry struct {
	ID       string
	TenantID string
	// UserID is the user who did it, with the key KeyID or, if that is "", in a
	// session. Both are "" for the operator, on the command line.
	UserID string
	KeyID  string
	Action AuditAction
	// TargetID is the id of what was changed.
	TargetID  string
	Details   map[string]any
	CreatedAt time.Time
}

// NewAuditEntry returns the entry that records that by did action to a target.
func NewAuditEntry(id string, by Principal, action AuditAction, targetID string, details map[string]any, now time.Time) AuditEntry {
	if details == nil {
		details = map[string]any{}
	}
	return AuditEntry{
		ID: id, TenantID: by.TenantID, UserID: by.UserID, KeyID: by.KeyID,
		Action: action, TargetID: targetID, Details: details, CreatedAt: now,
	}
}
