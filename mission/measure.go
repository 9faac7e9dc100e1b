package mission

import (
	"slices"
	"time"
)

// measureAges are the ages at which a post is measured: often while its readers
// come, then ever more seldom. A post has been measured for good at the last.
var measureAges = []time.Duration{
	FirstMeasure, time.Hour, 3 * time.Hour, 6 * time.Hour, RipeAge,
	1 * day, 2 * day, 3 * day, 5 * day, 7 * day, 14 * day, 21 * day, 30 * day, 60 * day, 90 * day,
}

const day = 24 * time.Hour

// FirstMeasure is the age at which a post is measured at the latest.
const FirstMeasure = 15 * time.Minute

// RipeAge is the age at which posts are compared with each other: most of their
// readers have come, and the next day's plan can learn from them.
const RipeAge = 12 * time.Hour

// MeasureSteps is how many measurements a post has at most.
var MeasureSteps = len(measureAges) + 1

// RipeStep is the step of the schedule that begins at RipeAge.
var RipeStep = MeasureStep(RipeAge)

// MeasureStep is the step of the schedule that a post of an age is in: 0 before
// the first of its ages. A post has one measurement a step, the latest.
func MeasureStep(age time.Duration) int {
	n, reached := slices.BinarySearch(measureAges, age)
	if reached {
		n++
	}
	return n
}

// nextMeasure is when a post is measured after now; nil after the last age.
func nextMeasure(published, now time.Time) *time.Time {
	step := MeasureStep(now.Sub(published))
	if step == len(measureAges) {
		return nil
	}
	at := published.Add(measureAges[step])
	return &at
}

// Retries of posts that couldn't be measured come after a tenth of their age.
const (
	leastMeasureRetry = 15 * time.Minute
	measureRetryShare = 10
)

// MeasureAgain is when a post is measured after an attempt at now: at the
// schedule's next age, or before it where the attempt failed. retryAfter is how
// long its platform wants to be left alone, or 0. nil is never.
func (c Content) MeasureAgain(ok bool, retryAfter time.Duration, now time.Time) *time.Time {
	if c.PublishedAt == nil {
		return nil
	}
	next := nextMeasure(*c.PublishedAt, now)
	if ok || next == nil {
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

// AskedAbout reports whether a post's platform was asked for its figures: a post
// of which it wasn't is to be measured at the schedule's first age.
func (c Content) AskedAbout() bool {
	return c.PublishedAt == nil || c.MeasureAt == nil || c.MeasureAt.After(c.PublishedAt.Add(FirstMeasure))
}

// Measurement is what a post's figures were at a step of the schedule.
type Measurement struct {
	ContentID   string
	MissionID   string
	Platform    Platform
	Step        int
	PublishedAt time.Time
	At          time.Time
	Metrics     Metrics
}

// Age is how old the post was.
func (m Measurement) Age() time.Duration { return m.At.Sub(m.PublishedAt) }

// onTime reports whether the measurement was taken at the age of its step, so
// that it compares with those of other posts at that step. What came late, after
// an outage, had more time to grow.
func (m Measurement) onTime() bool {
	if m.Step == 0 {
		return false
	}
	at := measureAges[m.Step-1]
	return m.Age() <= at+at/4+5*time.Minute
}

// Measurements are the points that posts' new figures, by content id, add to
// their series. A figure that a platform doesn't report any more stays what it
// was.
func Measurements(posts []Content, measured map[string]Metrics, now time.Time) []Measurement {
	var points []Measurement
	for _, c := range posts {
		if m, ok := measured[c.ID]; ok && c.PublishedAt != nil {
			points = append(points, Measurement{
				ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, Step: MeasureStep(now.Sub(*c.PublishedAt)),
				PublishedAt: *c.PublishedAt, At: now, Metrics: c.Metrics.renewed(m),
			})
		}
	}
	return points
}

// Peers are a mission's measurements of other posts: by platform and step, the
// latest posts first.
type Peers map[PeerKey][]Measurement

// PeerKey names measurements that compare with each other.
type PeerKey struct {
	Platform Platform
	Step     int
}

// PeersNeeded are the keys of what assessing points compares them with.
func (m Mission) PeersNeeded(points []Measurement) []PeerKey {
	var keys []PeerKey
	add := func(k PeerKey) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, p := range points {
		add(PeerKey{p.Platform, p.Step})
	}
	if slices.ContainsFunc(points, func(p Measurement) bool { return p.Step == RipeStep }) {
		for _, p := range m.Platforms {
			add(PeerKey{p, RipeStep})
		}
	}
	return keys
}

// Assessment is what new measurements make of their mission.
type Assessment struct {
	Points []Measurement
	Totals PlatformTotals
	// Days are the changes of the figures of days.
	Days []Figures
	// Achieved lists the mission's KPIs that have reached their target, now or
	// before.
	Achieved []KPI
	Trends   Trends
	// Unusual are the ids of the posts that are now found to be unusual.
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

// Assess returns what new measurements of posts make of m. The posts' own
// Metrics are the figures before; peers hold the new ones too. A KPI is told of
// once, as is a post that is unusual.
func (m Mission) Assess(posts []Content, points []Measurement, peers Peers, now time.Time) Assessment {
	a := Assessment{
		Points: points, Totals: m.Totals.Measured(posts, points), Days: DayChanges(posts, points),
		Achieved: slices.DeleteFunc(slices.Clone(m.Achieved), func(k KPI) bool { return !slices.Contains(m.KPIs, k) }),
		Trends:   m.trends(points, peers),
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
		a.Unusual = append(a.Unusual, u.ContentID)
		u.MissionID = m.ID
		a.Events = append(a.Events, m.event(EventAnomalyDetected, now, u))
	}
	return a
}
