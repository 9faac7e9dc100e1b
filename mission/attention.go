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
	AttentionReconnect AttentionKind = "reconnect"      // an account whose platform refuses its credentials
	AttentionJob       AttentionKind = "job_failed"     // a running mission whose latest job failed
	AttentionReview    AttentionKind = "review"         // a post that waits for review
	AttentionContent   AttentionKind = "content_failed" // a post that failed
	AttentionRenew     AttentionKind = "renew"          // an account whose credentials expire, which only its owner can renew
	AttentionBudget    AttentionKind = "budget"         // a running mission whose budget is nearly used up
)

// AllAttentionKinds lists the kinds in their order.
func AllAttentionKinds() []AttentionKind {
	return []AttentionKind{AttentionReconnect, AttentionJob, AttentionReview, AttentionContent, AttentionRenew, AttentionBudget}
}

// Bounds of what needs a person.
const (
	// AttentionItems is how many of a kind are shown, and AttentionCounted up to how many
	// are counted.
	AttentionItems   = 5
	AttentionCounted = 100
	// AttentionJobs is how many failed jobs are looked at, the latest.
	AttentionJobs = 1000
	// attentionFailed is how long after its slot a failed post needs a person.
	attentionFailed = 7 * 24 * time.Hour
	// attentionExpiry is how long before their expiry credentials need their owner.
	attentionExpiry = 7 * 24 * time.Hour
)

// AttentionSince returns the slot from which on failed posts need a person at now.
func AttentionSince(now time.Time) time.Time { return Millis(now.Add(-attentionFailed)) }

// Attention is what needs a person for one reason.
type Attention struct {
	Kind AttentionKind
	// Count is how many there are, at most AttentionCounted; Capped reports that there
	// are more.
	Count  int
	Capped bool
	// Items are the first: those with the earliest deadlines or, without, the latest.
	Items []AttentionItem
}

// AttentionItem is something that needs a person. It has what its kind has.
type AttentionItem struct {
	// Deadline is until when it can be done: when a post expires, or credentials do.
	Deadline *time.Time
	// UsedPercent is how much of a mission's budget is spent or reserved.
	UsedPercent                 *int
	ContentID, MissionID, JobID string
	Integration                 *Integration
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
