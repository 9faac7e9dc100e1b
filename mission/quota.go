package mission

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// QuotaSpan is the time in which a daily quota is used up.
const QuotaSpan = 24 * time.Hour

// MaxDailyPosts is the greatest daily quota that an account's platform is believed.
const MaxDailyPosts = 100_000

// DailyQuota is how many posts a platform documents that an account may publish within any
// QuotaSpan.
type DailyQuota struct {
	// Posts is that number; 0 if none is documented.
	Posts int
	// Source is where the platform says so, and AsOf the day when it did, as YYYY-MM-DD.
	Source, AsOf string
}

// DailyPosts returns how many posts the integration's account may publish within any QuotaSpan, as its
// platform told or documents; 0 if neither.
func (i Integration) DailyPosts() int {
	c, ok := CapabilitiesOf(i.Platform)
	if !ok || i.Account == nil {
		return 0
	}
	return cmp.Or(i.Account.Daily, c.Daily.Posts)
}

// Quota is how many posts an account may publish within any QuotaSpan, and when it has published some,
// or is to.
type Quota struct {
	posts int
	taken []time.Time // in order
}

// NewQuota returns the quota of an account that has posts at some times.
func NewQuota(posts int, taken []time.Time) *Quota {
	q := Quota{posts: posts, taken: slices.Clone(taken)}
	slices.SortFunc(q.taken, time.Time.Compare)
	return &q
}

// Posts returns how many posts the account may publish within any QuotaSpan.
func (q *Quota) Posts() int { return q.posts }

// Take adds a post to those of the account; nil counts none.
func (q *Quota) Take(at time.Time) {
	if q == nil {
		return
	}
	i, _ := slices.BinarySearchFunc(q.taken, at, time.Time.Compare)
	q.taken = slices.Insert(q.taken, i, at)
}

// Drop removes a post from those of the account, if it has one then.
func (q *Quota) Drop(at time.Time) {
	if i, ok := slices.BinarySearchFunc(q.taken, at, time.Time.Compare); ok {
		q.taken = slices.Delete(q.taken, i, i+1)
	}
}

// Without returns the quota without the account's post at a time; nil is none.
func (q *Quota) Without(at *time.Time) *Quota {
	rest := NewQuota(q.posts, q.taken)
	if at != nil {
		rest.Drop(*at)
	}
	return rest
}

// Allows reports whether the account may publish another post at a time; nil allows all.
func (q *Quota) Allows(at time.Time) bool {
	if q == nil {
		return true
	}
	with := NewQuota(q.posts, q.taken)
	with.Take(at)
	return !with.over(at)
}

// over reports whether more posts than allowed are within a QuotaSpan that the post at a time is in.
func (q *Quota) over(at time.Time) bool {
	for i, first := range q.taken {
		if first.After(at) {
			break
		}
		next := i + q.posts // the first of the posts that are too many, if it is within the span
		if at.Sub(first) < QuotaSpan && next < len(q.taken) && q.taken[next].Sub(first) < QuotaSpan {
			return true
		}
	}
	return false
}

// Next returns the first time, not before at, at which the account may publish another post.
func (q *Quota) Next(at time.Time) time.Time {
	if q.Allows(at) {
		return at
	}
	for _, t := range q.taken { // it is when one of them is a span ago
		if free := t.Add(QuotaSpan); free.After(at) && q.Allows(free) {
			return free
		}
	}
	return at // unreachable: the last of them is a span ago
}

// Refusal returns the error of a post that a person wants at a time that the quota doesn't allow.
func (q *Quota) Refusal(to Destination, at time.Time) *Error {
	return Invalid(
		"scheduled_at", "%s publishes at most %d posts of an account in 24 hours, which it has around %s. The next one can go out at %s.",
		to.Platform.Name(), q.posts, at.Format(time.RFC3339), q.Next(at).Format(time.RFC3339Nano),
	)
}

// WithinQuotas returns those of some moves after which no account has more posts than its quota, by
// integration, allows, and the others, whose posts stay where they are: the last ones first. What an
// account had too many of before isn't looked at.
func WithinQuotas(quotas map[string]*Quota, moves []ContentChange) (made, over []ContentChange) {
	after := make(map[string]*Quota, len(quotas))
	for id, q := range quotas {
		after[id] = NewQuota(q.posts, q.taken)
	}
	for _, ch := range moves {
		q := after[ch.To.IntegrationID]
		if q == nil {
			continue
		}
		if ch.FromSlot != nil {
			q.Drop(*ch.FromSlot)
		}
		q.Take(*ch.To.ScheduledAt)
	}
	made = slices.Clone(moves)
	for i := len(made) - 1; i >= 0; i-- {
		ch := made[i]
		q := after[ch.To.IntegrationID]
		if q == nil || !q.over(*ch.To.ScheduledAt) {
			continue
		}
		q.Drop(*ch.To.ScheduledAt)
		if ch.FromSlot != nil {
			q.Take(*ch.FromSlot)
		}
		made, over = slices.Delete(made, i, i+1), append(over, ch)
		i = len(made) // its post is back where others may be going
	}
	return made, over
}

// Within returns a plan for a window in which no account has more posts than its quota, by
// integration, allows: slots beyond that are moved to the next time in the window that it allows, which
// isn't in a blackout, or left out. The plan's reasons say so.
func (p Plan) Within(quotas map[string]*Quota, b Blackouts, w Window) Plan {
	if len(quotas) == 0 {
		return p
	}
	busy := map[int64]bool{}
	for _, s := range p.Slots {
		busy[s.At.UnixMilli()] = true
	}
	var kept, beyond []Slot
	for _, s := range p.Slots { // those that fit stay where they are
		if q := quotas[s.IntegrationID]; q.Allows(s.At) {
			q.Take(s.At)
			kept = append(kept, s)
		} else {
			beyond = append(beyond, s)
		}
	}
	changed := map[string]*quotaChange{}
	for _, s := range beyond {
		q := quotas[s.IntegrationID]
		at, ok := q.open(s.At, b, w, busy)
		changed[s.IntegrationID] = changed[s.IntegrationID].plus(s, ok)
		if ok {
			q.Take(at)
			busy[at.UnixMilli()] = true
			s.At = at
			kept = append(kept, s)
		}
	}
	if len(changed) == 0 {
		return p
	}
	slices.SortStableFunc(kept, func(a, b Slot) int { return a.At.Compare(b.At) })
	for i := range kept {
		kept[i].Position = i
	}
	p.Slots, p.Reasons = kept, slices.Clone(p.Reasons)
	for _, s := range slices.SortedFunc(maps.Values(changed), func(a, b *quotaChange) int { return cmp.Compare(a.slot.IntegrationID, b.slot.IntegrationID) }) {
		p.Reasons = append(p.Reasons, s.reason(quotas[s.slot.IntegrationID].posts))
	}
	return p
}

// open returns the first time after at, in a window, at which the account may publish another post,
// and which isn't busy, nor in a blackout; ok is false if there is none.
func (q *Quota) open(at time.Time, b Blackouts, w Window, busy map[int64]bool) (free time.Time, ok bool) {
	for at.Before(w.End) {
		free = b.open(q.Next(at))
		for busy[free.UnixMilli()] {
			free = free.Add(slotGap)
		}
		if _, silent := b.At(free); !silent && q.Allows(free) {
			return free, free.Before(w.End)
		}
		at = free
	}
	return at, false
}

// quotaChange is what became of an account's slots that were beyond its quota.
type quotaChange struct {
	slot           Slot // one of them
	moved, dropped int
}

func (c *quotaChange) plus(s Slot, moved bool) *quotaChange {
	if c == nil {
		c = &quotaChange{slot: s}
	}
	if moved {
		c.moved++
	} else {
		c.dropped++
	}
	return c
}

// reason says why slots were moved and left out.
func (c *quotaChange) reason(posts int) string {
	account := c.slot.Platform.Name()
	if c.slot.AccountHandle != "" {
		account += " (@" + c.slot.AccountHandle + ")"
	}
	return fmt.Sprintf(
		"%s publishes at most %d posts of an account in 24 hours, those of other missions included. Slots moved for that: %d, left out: %d.",
		account, posts, c.moved, c.dropped,
	)
}
