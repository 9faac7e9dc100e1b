package mission

import (
	"cmp"
	"slices"
	"time"
)

// AttentionKind is why something needs a person.
type AttentionKind string

// The kinds, the most pressing first.
const (
	AttentionDeletion  AttentionKind = "tenant_deletion" // the tenant is to be deleted
	AttentionReconnect AttentionKind = "reconnect"       // an account whose platform refuses its credentials
	AttentionJob       AttentionKind = "job_failed"      // a running mission whose latest job failed
	AttentionOverdue   AttentionKind = "overdue"         // a running mission with posts whose slots have passed
	AttentionUnknown   AttentionKind = "unknown"         // a post of which a person has to say what became of it
	AttentionReview    AttentionKind = "review"          // a post that waits for review
	AttentionContent   AttentionKind = "content_failed"  // a post that failed
	AttentionExpired   AttentionKind = "expired"         // a mission with posts that nobody reviewed in time
	AttentionRenew     AttentionKind = "renew"           // an account whose credentials expire, which only its owner can renew
	AttentionWebhook   AttentionKind = "webhook"         // an endpoint that is failing, or was disabled
	AttentionBudget    AttentionKind = "budget"          // a running mission whose budget is nearly used up
)

// AllAttentionKinds lists the kinds in their order.
func AllAttentionKinds() []AttentionKind {
	return []AttentionKind{
		AttentionDeletion, AttentionReconnect, AttentionJob, AttentionOverdue, AttentionUnknown, AttentionReview, AttentionContent,
		AttentionExpired, AttentionRenew, AttentionWebhook, AttentionBudget,
	}
}

// Earliest reports whether the kind's items are shown in the order of their times, the earliest
// first; others are shown the latest first.
func (k AttentionKind) Earliest() bool {
	return k == AttentionReview || k == AttentionOverdue || k == AttentionDeletion
}

// Bounds of what needs a person.
const (
	// AttentionItems is how many of a kind are shown, and AttentionCounted up to how many
	// are counted.
	AttentionItems   = 5
	AttentionCounted = 100
	// AttentionJobs is how many failed jobs are looked at, and AttentionPosts how many posts that
	// expired, the latest, and that are overdue of each mission.
	AttentionJobs  = 1000
	AttentionPosts = 1000
	// AttentionDeliveries is how many deliveries of an endpoint are looked at, the latest.
	AttentionDeliveries = 20
	// attentionFailed is how long after its slot a post needs a person that failed or expired.
	attentionFailed = 7 * 24 * time.Hour
	// attentionOverdue is how long after its slot a post needs a person that hasn't gone out.
	attentionOverdue = 10 * time.Minute
	// attentionExpiry is how long before their expiry credentials need their owner.
	attentionExpiry = 7 * 24 * time.Hour
)

// AttentionSlots are the slots of posts that need a person.
type AttentionSlots struct {
	// Since is the first slot of posts that failed or expired, DueBefore the end of those that
	// should have gone out.
	Since, DueBefore time.Time
}

// AttentionAt returns the slots of posts that need a person at now.
func AttentionAt(now time.Time) AttentionSlots {
	return AttentionSlots{Since: Millis(now.Add(-attentionFailed)), DueBefore: Millis(now.Add(-attentionOverdue))}
}

// Attention is what needs a person for one reason.
type Attention struct {
	Kind AttentionKind
	// Count is how many there are, at most AttentionCounted; Capped reports that there
	// are more.
	Count  int
	Capped bool
	// Items are the first; see AttentionKind.Earliest.
	Items []AttentionItem
}

// AttentionItem is something that needs a person. It has what its kind has.
type AttentionItem struct {
	// Deadline is until when it can be done: when a post expires, credentials do, or the tenant is
	// deleted.
	Deadline *time.Time
	// Since is since when it is so.
	Since *time.Time
	// Count is how many posts of the mission it is about, or how many of an endpoint's latest
	// deliveries failed, of Of.
	Count, Of *int
	// UsedPercent is how much of a mission's budget is spent or reserved.
	UsedPercent                 *int
	ContentID, MissionID, JobID string
	Integration                 *Integration
	Webhook                     *Webhook
}

// NewAttention returns what needs a person for one reason, of n, which may be
// AttentionCounted+1 for more.
func NewAttention(kind AttentionKind, n int, items []AttentionItem) Attention {
	count := min(n, AttentionCounted)
	return Attention{Kind: kind, Count: count, Capped: n > count, Items: items[:min(len(items), AttentionItems)]}
}

// Expiring reports whether the credentials of a connected account, which are c, expire
// soon or have expired at now, in real time, and only their owner can renew them.
func (i Integration) Expiring(c Credentials, now time.Time) bool {
	return i.Usable() && i.ExpiresAt != nil && !c.Renewable() && i.ExpiresAt.Before(now.Add(attentionExpiry))
}

// MostPressing returns lists of what needs a person as one, in the order of their kinds.
func MostPressing(lists ...[]Attention) []Attention {
	all := append([]Attention{}, slices.Concat(lists...)...)
	slices.SortFunc(all, func(a, b Attention) int {
		return cmp.Compare(slices.Index(AllAttentionKinds(), a.Kind), slices.Index(AllAttentionKinds(), b.Kind))
	})
	return all
}
