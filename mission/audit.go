package mission

import (
	"slices"
	"time"
)

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
	AuditHeld          AuditAction = "tenant.held"
	AuditReleased      AuditAction = "tenant.released"

	AuditWriterSet     AuditAction = "tenant.writer_set"
	AuditWriterRemoved AuditAction = "tenant.writer_removed"
	AuditAppSet        AuditAction = "tenant.platform_set"
	AuditAppRemoved    AuditAction = "tenant.platform_removed"

	AuditWebhookCreated AuditAction = "webhook.created"
	AuditWebhookUpdated AuditAction = "webhook.updated"
	AuditWebhookDeleted AuditAction = "webhook.deleted"
	AuditWebhookRotated AuditAction = "webhook.secret_rotated"

	AuditIntegrationConnected    AuditAction = "integration.connected"
	AuditIntegrationUpdated      AuditAction = "integration.updated"
	AuditIntegrationDisconnected AuditAction = "integration.disconnected"

	AuditContentSettled AuditAction = "content.settled"

	AuditLinkCreated AuditAction = "review_link.created"
	AuditLinkRevoked AuditAction = "review_link.revoked"
	// AuditLinkDecided: a post was approved or rejected with the link.
	AuditLinkDecided AuditAction = "review_link.decided"

	AuditMediaUploaded AuditAction = "media.uploaded"
	AuditMediaDeleted  AuditAction = "media.deleted"

	AuditAgentAllowed AuditAction = "agent.allowed"
	AuditAgentRevoked AuditAction = "agent.revoked"
	// AuditAgentActed: an agent changed the target with one of its tools.
	AuditAgentActed AuditAction = "agent.acted"
)

// AllAuditActions lists them.
func AllAuditActions() []AuditAction {
	return []AuditAction{
		AuditKeyCreated, AuditKeyRotated, AuditKeyRevoked, AuditTenantUpdated, AuditMemberJoined, AuditMemberChanged,
		AuditMemberRemoved, AuditSessionsEnded, AuditDeletionAsked, AuditRestored, AuditHeld, AuditReleased,
		AuditWriterSet, AuditWriterRemoved, AuditAppSet, AuditAppRemoved,
		AuditWebhookCreated, AuditWebhookUpdated, AuditWebhookDeleted, AuditWebhookRotated,
		AuditIntegrationConnected, AuditIntegrationUpdated, AuditIntegrationDisconnected, AuditContentSettled,
		AuditLinkCreated, AuditLinkRevoked, AuditLinkDecided, AuditMediaUploaded, AuditMediaDeleted,
		AuditAgentAllowed, AuditAgentRevoked, AuditAgentActed,
	}
}

// AuditEntry records who changed what, and when.
type AuditEntry struct {
	ID       string `bun:",pk"`
	TenantID string
	// UserID is the user who did it, with the key KeyID, by the agent AgentID or, if both are "", in a
	// session. All are "" for the operator, on the command line, and for whoever
	// decided with a review link, which is the target then.
	UserID  string `bun:",nullzero"`
	KeyID   string `bun:",nullzero"`
	AgentID string `bun:",nullzero"`
	Action  AuditAction
	// TargetID is the id of what was changed.
	TargetID  string
	Details   map[string]any
	CreatedAt time.Time
}

// AuditFilter selects entries of an audit log; an empty field doesn't filter.
type AuditFilter struct {
	UserID, KeyID, AgentID, TargetID string
	Action                           AuditAction
	// Created is when they were made.
	Created Span
}

// None reports whether the filter selects all entries.
func (f AuditFilter) None() bool { return f == AuditFilter{} }

// Check returns an error if nothing could pass the filter. Errors: invalid_request.
func (f AuditFilter) Check() error {
	for _, id := range []struct{ param, prefix, of string }{{"user_id", PrefixUser, f.UserID}, {"key_id", PrefixKey, f.KeyID}, {"agent_id", PrefixAgent, f.AgentID}} {
		if id.of != "" && !HasIDForm(id.prefix, id.of) {
			return Invalid(id.param, "Invalid id %q: it must begin with %s.", id.of, id.prefix)
		}
	}
	prefixes := []string{PrefixKey, PrefixUser, PrefixTenant, PrefixWebhook, PrefixIntegration, PrefixContent, PrefixReviewLink, PrefixMission, PrefixMedia, PrefixAgent}
	if f.TargetID != "" && !slices.ContainsFunc(prefixes, func(p string) bool { return HasIDForm(p, f.TargetID) }) {
		return Invalid("target_id", "Invalid id: it must be that of a key, a user, the tenant, an endpoint, an integration, a post, a review link, a mission, a file or an agent.")
	}
	if f.Action != "" && !slices.Contains(AllAuditActions(), f.Action) {
		return Invalid("action", "Unknown action %q.", f.Action)
	}
	return f.Created.check("created")
}

// NewAuditEntry returns the entry that records that by did action to a target.
func NewAuditEntry(id string, by Principal, action AuditAction, targetID string, details map[string]any, now time.Time) AuditEntry {
	if details == nil {
		details = map[string]any{}
	}
	return AuditEntry{
		ID: id, TenantID: by.TenantID, UserID: by.UserID, KeyID: by.KeyID, AgentID: by.AgentID,
		Action: action, TargetID: targetID, Details: details, CreatedAt: now,
	}
}
