package mission

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// HealthState is how a running mission is doing, in one word.
type HealthState string

// The states. The first that applies is a mission's.
const (
	// HealthHeld: somebody has stopped it. It is paused, by a person or by the tenant's hold, the
	// service's operator holds all posts, or the tenant is to be deleted.
	HealthHeld HealthState = "held"
	// HealthBlocked: something doesn't work that its posts need. An account isn't connected, the
	// latest job failed, or the budget is used up.
	HealthBlocked HealthState = "blocked"
	// HealthStarving: posts wait for review, and without a decision nothing goes out.
	HealthStarving HealthState = "starving"
	// HealthBehind: a KPI's pace is below what it needs.
	HealthBehind HealthState = "behind"
	HealthOnPace HealthState = "on_pace" // none of these
)

// AllHealthStates lists the states in the order in which they take precedence.
func AllHealthStates() []HealthState {
	return []HealthState{HealthHeld, HealthBlocked, HealthStarving, HealthBehind, HealthOnPace}
}

// Health is how a mission is doing.
type Health struct {
	State   HealthState `json:"state" doc:"How it is doing, in a word" example:"starving"`
	Message string      `json:"message" doc:"Why, for people" example:"2 posts wait for review, and none is approved for the next 24 hours."`
	// Since is since when; nil where that isn't known.
	Since *time.Time `json:"since" doc:"Since when; null where that isn't known"`
}

// PostTimes are when a mission's posts went out last, and go out next.
type PostTimes struct {
	// NextApproved is the earliest slot of the posts that are approved and not out; nil if there
	// are none.
	NextApproved *time.Time
	// NextWaiting is the earliest slot before SlotsUntil of those that wait for review; nil if there
	// is none.
	NextWaiting *time.Time
	// LastPublished is when a post was published last; nil if none was.
	LastPublished *time.Time
}

// slotsAhead is how far ahead slots need approved posts.
const slotsAhead = 24 * time.Hour

// SlotsUntil returns the time before which the slots of posts that wait for review matter at now.
func SlotsUntil(now time.Time) time.Time { return Millis(now.Add(slotsAhead)) }

// HealthSituation is what a mission's health follows from. Of the situation, its task, its unknown
// posts and the pauses of its accounts don't matter.
type HealthSituation struct {
	MissionSituation

	Times PostTimes
}

// healthChecks find a mission's state other than HealthOnPace, in their order of precedence.
var healthChecks = []func(HealthSituation) *Health{
	HealthSituation.held,
	HealthSituation.blocked,
	HealthSituation.starving,
	HealthSituation.behind,
}

// HealthOf returns how a mission is doing that is active or paused; nil for a draft and for a
// completed one.
func HealthOf(s HealthSituation) *Health {
	if !s.Mission.HasHealth() {
		return nil
	}
	for _, check := range healthChecks {
		if h := check(s); h != nil {
			return h
		}
	}
	message := "Nothing keeps its posts from going out."
	if len(s.judged()) > 0 {
		message += " Its KPIs are on pace."
	}
	return &Health{State: HealthOnPace, Message: message}
}

// HasHealth reports whether the mission runs, if need be with its clock stopped: drafts and
// completed missions have no health.
func (m Mission) HasHealth() bool { return m.Status == StatusActive || m.Status == StatusPaused }

// health returns the reason as a state.
func (r Reason) health(state HealthState) *Health {
	return &Health{State: state, Message: r.Message, Since: r.Since}
}

// held returns who has stopped the mission. A blackout is part of its plan, and doesn't hold it.
func (s HealthSituation) held() *Health {
	reasons := s.stopped()
	if len(reasons) == 0 {
		return nil
	}
	return reasons[0].health(HealthHeld)
}

// blocked returns what doesn't work. A platform that wants no calls for now, and an attempt that is
// made again, end by themselves and don't block.
func (s HealthSituation) blocked() *Health {
	for _, r := range slices.Concat(s.failedJob(), s.throughAccounts(), s.paid(), s.missing()) {
		switch r.Code {
		case ReasonJobFailed, ReasonNotConnected, ReasonReconnect, ReasonBudget:
			return r.health(HealthBlocked)
		case ReasonPostsMissing:
			// What is left of the budget doesn't pay for the next post. It may have been raised since.
			if r.Failure.Code == CodeBudgetExhausted && s.Mission.NearlySpent() {
				return r.health(HealthBlocked)
			}
		default:
		}
	}
	return nil
}

// nearlySpent is the share of a budget, in percent, from which on a person is told.
const nearlySpent = 80

// NearlySpent reports whether four fifths of the mission's budget are spent or reserved.
func (m Mission) NearlySpent() bool {
	b := m.Constraints.BudgetCents
	return b != nil && m.Spent+m.Reserved >= Micros(*b)*MicrosPerCent*nearlySpent/100
}

// patience returns how long nothing may be published or measured before the mission starves or is
// behind: two days more than the longest time between two of its posting days, so three days for
// one that posts daily.
func (m Mission) patience() time.Duration {
	return 2*day + map[Cadence]time.Duration{Daily: day, Weekdays: 3 * day, Weekly: 7 * day, Biweekly: 14 * day, Monthly: 31 * day}[m.Constraints.Cadence]
}

// starving returns the state of a mission whose posts wait for review, if none is approved whose
// slot is within a day, though one that waits has such a slot; or if none is approved at all and none
// was published for the mission's patience. In a blackout nothing has to go out.
func (s HealthSituation) starving() *Health {
	m, o := s.Mission, s.Times
	if m.Counts.PendingReview == 0 {
		return nil
	}
	waiting := "A post waits for review"
	if n := m.Counts.PendingReview; n > 1 {
		waiting = fmt.Sprintf("%d posts wait for review", n)
	}
	last, since := m.StartsAt, "yet"
	if o.LastPublished != nil {
		last, since = o.LastPublished, "since "+m.said(*o.LastPublished)
	}
	_, silent := m.BlackoutAt(s.Now)
	if o.NextApproved == nil && !silent && last != nil && s.Now.Sub(*last) >= m.patience() {
		return &Health{State: HealthStarving, Message: waiting + "; none is approved, and nothing was published " + since + ".", Since: last}
	}
	until := SlotsUntil(s.Now)
	if o.NextWaiting != nil && o.NextWaiting.Before(until) && (o.NextApproved == nil || !o.NextApproved.Before(until)) {
		return &Health{State: HealthStarving, Message: waiting + ", and none is approved for the next 24 hours."}
	}
	return nil
}

// onPace is the share of the pace that a KPI needs from which on it isn't behind: figures rise and
// fall by a few percent.
const onPace = 0.9

// kpiPace is a KPI's pace and what it needs: of a count what a day brings, of engagement_rate the rate.
type kpiPace struct {
	KPIProgress

	pace, needed float64
}

// share returns the share of what it needs that the KPI has.
func (k kpiPace) share() float64 { return k.pace / k.needed }

// judged returns the paces of those of the mission's KPIs that say something: whose target isn't
// reached, which a platform of the mission reports, once the mission's clock has run for its
// patience. A rate needs RateFloor impressions.
func (s HealthSituation) judged() (paces []kpiPace) {
	m := s.Mission
	if m.StartsAt == nil {
		return nil
	}
	ran := s.Now.Sub(*m.StartsAt) - m.PausedFor
	if ran < m.patience() {
		return nil
	}
	for _, p := range m.KPIProgress(s.Now) {
		seen := p.Metric != EngagementRate || m.Totals.Of(p.Platform)[Impressions] >= RateFloor
		if p.NeededPerDay == nil || *p.NeededPerDay <= 0 || len(p.ReportedBy) == 0 || !seen {
			continue
		}
		paces = append(paces, kpiPace{KPIProgress: p, pace: deref(p.PacePerDay, 0), needed: *p.NeededPerDay})
	}
	return paces
}

// behind returns the KPI whose pace is the furthest below what it needs.
func (s HealthSituation) behind() *Health {
	paces := slices.DeleteFunc(s.judged(), func(k kpiPace) bool { return k.share() >= onPace })
	if len(paces) == 0 {
		return nil
	}
	worst := slices.MinFunc(paces, func(a, b kpiPace) int { return cmp.Compare(a.share(), b.share()) })
	return &Health{State: HealthBehind, Message: worst.sentence()}
}

func (k kpiPace) sentence() string {
	name := strings.ReplaceAll(string(k.Metric), "_", " ")
	if k.Platform != EveryPlatform {
		name += " on " + k.Platform.Name()
	}
	if k.Metric == EngagementRate {
		return fmt.Sprintf("The KPI %s is at %s %%; the posts to come need %s %%.", name, shortly(k.pace), shortly(k.needed))
	}
	return fmt.Sprintf("The KPI %s gains %s a day and needs %s a day to reach %s.", name, shortly(k.pace), shortly(k.needed), shortly(k.Target))
}

// shortly returns a figure for people: whole from 100 on, else with up to two digits.
func shortly(v float64) string {
	if math.Abs(v) >= 100 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
