package mission

import (
	"slices"
	"time"
)

// measureAges are the ages at which a post is measured: often while most
// readers see it, then less and less often. The measurement at the last age is
// final.
var measureAges = []time.Duration{
	FirstMeasure, time.Hour, 3 * time.Hour, 6 * time.Hour, RipeAge,
	1 * day, 2 * day, 3 * day, 5 * day, 7 * day, 14 * day, 21 * day, 30 * day, 60 * day, 90 * day,
}

const day = 24 * time.Hour

// FirstMeasure is the age at which a post is first measured, at the latest.
const FirstMeasure = 15 * time.Minute

// RipeAge is the age at which posts are compared with each other: most readers
// have seen them, and the next day's plan can learn from them.
const RipeAge = 12 * time.Hour

// MeasureSteps is the maximal number of measurements of a post.
var MeasureSteps = len(measureAges) + 1

// RipeStep is the step of the schedule that begins at RipeAge.
var RipeStep = MeasureStep(RipeAge)

// MeasureStep returns the step of the schedule for a post of an age: 0 before
// the first age. A post has one measurement per step, the latest.
func MeasureStep(age time.Duration) int {
	n, reached := slices.BinarySearch(measureAges, age)
	if reached {
		n++
	}
	return n
}

// nextMeasure returns when a post is measured after now; nil after the last
// age.
func nextMeasure(published, now time.Time) *time.Time {
	step := MeasureStep(now.Sub(published))
	if step == len(measureAges) {
		return nil
	}
	at := published.Add(measureAges[step])
	return &at
}

// Posts that couldn't be measured are retried after a tenth of their age.
const (
	leastMeasureRetry = 15 * time.Minute
	measureRetryShare = 10
)

// MeasureAgain returns when a post is measured after an attempt at now: at the
// schedule's next age, or earlier if the attempt failed. retryAfter is the wait
// that the platform requested, or 0. nil means never.
func (c Content) MeasureAgain(ok bool, retryAfter time.Duration, now time.Time) *time.Time {
	if c.PublishedAt == nil {
		return nil
	}
	next := nextMeasure(*c.PublishedAt, now)
	if ok || next == nil || !c.Reported() {
		return next
	}
	wait := max(leastMeasureRetry, now.Sub(*c.PublishedAt)/measureRetryShare)
	if retry := now.Add(wait); retry.Before(*next) {
		next = &retry
	}
	if quiet := now.Add(retryAfter); next.Before(quiet) {
		next = &quiet
	}
	return next
}

// Measurable reports whether there are figures of the post: those of its platform, or the service's own count
// of clicks, or what its platform shows of it is read back with them. Reported reports whether its platform
// has any figures, or is read, and so is asked.
func (c Content) Measurable() bool { return c.Reported() || c.CountsLinkClicks() }

// Reported is described at Measurable.
func (c Content) Reported() bool {
	caps, known := CapabilitiesOf(c.Platform)
	return !known || len(caps.Metrics) > 0 || caps.ReadBack
}

// MeasurementRequested reports whether the platform has been called for the post's
// figures: a post for which it hasn't is measured at the schedule's first age.
func (c Content) MeasurementRequested() bool {
	return c.PublishedAt == nil || c.MeasureAt == nil || c.MeasureAt.After(c.PublishedAt.Add(FirstMeasure))
}

// Measurement is a post's figures at a step of the schedule.
type Measurement struct {
	ContentID string `bun:",pk"`
	MissionID string
	Platform  Platform
	// IntegrationID is the account that published the post; "" is the sandbox.
	IntegrationID string `bun:",scanonly"`
	Step          int    `bun:",pk"`
	PublishedAt   time.Time
	At            time.Time `bun:"measured_at"`
	Metrics       Metrics
}

// peers returns the key of the measurements that m can be compared with.
func (m Measurement) peers() PeerKey { return PeerKey{m.Platform, m.IntegrationID, m.Step} }

// Age returns how old the post was.
func (m Measurement) Age() time.Duration { return m.At.Sub(m.PublishedAt) }

// onTime reports whether the measurement was taken at the age of its step, so
// that it can be compared with those of other posts at that step. Figures
// measured late, after an outage, had more time to grow.
func (m Measurement) onTime() bool {
	if m.Step == 0 {
		return false
	}
	at := measureAges[m.Step-1]
	return m.Age() <= at+at/4+5*time.Minute
}

// MeasuredBy returns until when a post was published that has a measurement of a
// step by now.
func MeasuredBy(step int, now time.Time) time.Time {
	if step == 0 {
		return now
	}
	return now.Add(-measureAges[step-1])
}

// Measurements returns the points that the posts' new figures, by content id,
// add to their series. A figure that a platform no longer reports retains its
// value.
func Measurements(posts []Content, measured map[string]Metrics, now time.Time) []Measurement {
	var points []Measurement
	for _, c := range posts {
		if m, ok := measured[c.ID]; ok && c.PublishedAt != nil {
			points = append(points, Measurement{
				ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, IntegrationID: c.IntegrationID,
				Step: MeasureStep(now.Sub(*c.PublishedAt)), PublishedAt: *c.PublishedAt, At: now, Metrics: c.Metrics.renewed(m),
			})
		}
	}
	return points
}

// Peers are a mission's measurements to compare with, by account and step, the
// latest posts first.
type Peers map[PeerKey][]Measurement

// PeerKey identifies measurements that can be compared with each other: those of
// an account's posts at one age. Another account has other followers.
type PeerKey struct {
	Platform      Platform
	IntegrationID string
	Step          int
}

// Ripened reports whether points have a post that has reached RipeAge.
func Ripened(points []Measurement) bool {
	return slices.ContainsFunc(points, func(p Measurement) bool { return p.Step == RipeStep })
}

// PeersNeeded returns the keys of the measurements that Assess needs for
// points. measured are the accounts that published the mission's measured posts;
// they are needed if the points have Ripened.
func PeersNeeded(points []Measurement, measured []Destination) []PeerKey {
	var keys []PeerKey
	add := func(k PeerKey) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, p := range points {
		add(p.peers())
	}
	if Ripened(points) {
		for _, d := range measured {
			add(PeerKey{d.Platform, d.IntegrationID, RipeStep})
		}
	}
	return keys
}

// Assessment is what changes in a mission because of new measurements.
type Assessment struct {
	Points []Measurement
	Totals PlatformTotals
	// Days are the changes of the daily figures.
	Days []Figures
	// Achieved lists the mission's KPIs that have reached their target, now or
	// before.
	Achieved []KPI
	Trends   Trends
	// AutonomyEnded is what ended the mission's row of approvals last.
	AutonomyEnded *AutonomyEnd
	// Unusual are the ids of the posts newly found to be unusual.
	Unusual []string
	Events  []Event
}

// KPIAchievedData is the data of analytics.kpi_achieved.
type KPIAchievedData struct {
	MissionID string   `json:"mission_id"`
	Metric    Metric   `json:"metric"`
	Platform  Platform `json:"platform"`
	Target    float64  `json:"target"`
	Current   float64  `json:"current"`
}

// Assess returns what changes in m because of new measurements of posts. The
// posts' own Metrics are the previous figures; peers contain the new ones too.
// An achieved KPI and an unusual post are reported once.
func (m Mission) Assess(posts []Content, points []Measurement, peers Peers, now time.Time) Assessment {
	a := Assessment{
		Points: points, Totals: m.Totals.Measured(posts, points), Days: DayChanges(posts, points),
		Achieved: slices.DeleteFunc(slices.Clone(m.Achieved), func(k KPI) bool { return !slices.Contains(m.KPIs, k) }),
		Trends:   m.trends(points, peers), AutonomyEnded: m.AutonomyEnded,
	}
	for _, k := range m.KPIs {
		current, ok := k.reached(a.Totals.Of(k.Platform))
		if !ok || slices.Contains(a.Achieved, k) {
			continue
		}
		a.Achieved = append(a.Achieved, k)
		a.Events = append(a.Events, m.event(EventKPIAchieved, now, KPIAchievedData{
			MissionID: m.ID, Metric: k.Metric, Platform: k.Platform, Target: k.Target, Current: current,
		}))
	}
	for _, u := range unusual(posts, points, peers) {
		a.AutonomyEnded = &AutonomyEnd{EndedByAnomaly, now, &u.ContentID}
		a.Unusual = append(a.Unusual, u.ContentID)
		u.MissionID = m.ID
		a.Events = append(a.Events, m.event(EventAnomalyDetected, now, u))
	}
	return a
}
