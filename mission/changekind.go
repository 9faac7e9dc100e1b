package mission

import "strings"

// ChangeKind is a kind of a tenant's records, whose changes can be followed. What
// happens to missions and posts is followed as events.
type ChangeKind string

// The kinds.
const (
	ChangeKeys         ChangeKind = "api_keys"
	ChangeMembers      ChangeKind = "members" // and their sessions
	ChangeTenant       ChangeKind = "tenant"  // and its brand
	ChangeWebhooks     ChangeKind = "webhooks"
	ChangeDeliveries   ChangeKind = "deliveries"
	ChangeIntegrations ChangeKind = "integrations"
	ChangeMissions     ChangeKind = "missions" // what their users state, and that they are deleted
	ChangeReplies      ChangeKind = "replies"
	ChangeAgents       ChangeKind = "agents"
)

// AllChangeKinds lists them.
func AllChangeKinds() []ChangeKind {
	return []ChangeKind{ChangeKeys, ChangeMembers, ChangeTenant, ChangeWebhooks, ChangeDeliveries, ChangeIntegrations, ChangeMissions, ChangeReplies, ChangeAgents}
}

// Changes returns the kind of the records that an action changes.
func (a AuditAction) Changes() ChangeKind {
	of, _, _ := strings.Cut(string(a), ".")
	switch of {
	case "api_key":
		return ChangeKeys
	case "member":
		return ChangeMembers
	case "webhook":
		return ChangeWebhooks
	case "integration":
		return ChangeIntegrations
	case "agent":
		return ChangeAgents
	default:
		return ChangeTenant
	}
}
