package node

import (
	"time"

	"missiond/mission"
)

// Analytics is a report. Posts is the report's own, and the total of its list of
// posts.
type Analytics struct {
	MissionID *string
	// IntegrationID is the account; nil for all of them.
	IntegrationID *string
	From, To      string
	GroupBy       mission.Grouping
	Posts         int
	Totals        Metrics
	KpiProgress   []mission.KPIProgress
	Days          []AnalyticsDay      // nil if grouped otherwise
	Platforms     []AnalyticsPlatform // nil if grouped otherwise
	Accounts      []AnalyticsAccount  // nil if grouped otherwise
	// Picked selects the posts that are listed. A day that would leave out nothing may
	// be missing.
	Picked mission.FiguresFilter
}

// NewAnalytics returns a report as shown at now; picked selects the posts that are
// listed.
func NewAnalytics(r mission.Report, picked mission.FiguresFilter, now time.Time) *Analytics {
	a := &Analytics{
		From: r.Of.Published.From, To: r.Of.Published.To, GroupBy: r.GroupBy, Posts: r.Posts, Totals: *NewMetrics(r.Totals),
		KpiProgress: r.KPIProgress(now), Picked: picked,
	}
	if r.Mission != nil {
		a.MissionID = &r.Mission.ID
	}
	if r.Of.IntegrationID != "" {
		a.IntegrationID = &r.Of.IntegrationID
	}
	switch r.GroupBy {
	case mission.GroupByDay:
		a.Days = make([]AnalyticsDay, len(r.ByDay))
		for i, f := range r.ByDay {
			a.Days[i] = AnalyticsDay{Date: f.Date, Posts: f.Posts, Metrics: *NewMetrics(f.Metrics)}
		}
	case mission.GroupByPlatform:
		a.Platforms = make([]AnalyticsPlatform, len(r.ByPlatform))
		for i, f := range r.ByPlatform {
			a.Platforms[i] = AnalyticsPlatform{Platform: f.Platform, Posts: f.Posts, Metrics: *NewMetrics(f.Metrics)}
		}
	case mission.GroupByAccount:
		a.Accounts = make([]AnalyticsAccount, len(r.ByAccount))
		for i, f := range r.ByAccount {
			a.Accounts[i] = AnalyticsAccount{Platform: f.Platform, Posts: f.Posts, Metrics: *NewMetrics(f.Metrics)}
			if f.IntegrationID != "" {
				a.Accounts[i].IntegrationID = &f.IntegrationID
			}
		}
	case mission.GroupByContent, mission.GroupByMission:
	}
	return a
}

// AnalyticsDay is the figures of a day.
type AnalyticsDay struct {
	Date    string
	Posts   int
	Metrics Metrics
}

// AnalyticsPlatform is the figures of a platform.
type AnalyticsPlatform struct {
	Platform mission.Platform
	Posts    int
	Metrics  Metrics
}

// AnalyticsAccount is the figures of an account.
type AnalyticsAccount struct {
	Platform mission.Platform
	// IntegrationID is the account; nil for the sandbox.
	IntegrationID *string
	Posts         int
	Metrics       Metrics
}

// AnalyticsMission is the figures of a mission.
type AnalyticsMission struct {
	MissionID string
	Posts     int
	Metrics   Metrics
}

// MeasuredPost is the latest figures of a post.
type MeasuredPost struct {
	ContentID   string
	MissionID   string
	Platform    mission.Platform
	PublishedAt time.Time
	MeasuredAt  time.Time
	Metrics     Metrics
}

// NewMeasuredPost returns a measured post as shown.
func NewMeasuredPost(c mission.Content) MeasuredPost {
	return MeasuredPost{
		ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, PublishedAt: *c.PublishedAt,
		MeasuredAt: *c.MeasuredAt, Metrics: *NewMetrics(c.Metrics),
	}
}

// Measurement is the figures of a post at an age.
type Measurement struct {
	MeasuredAt time.Time
	AgeSeconds int
	Metrics    Metrics
}

// NewMeasurements returns a post's series as shown.
func NewMeasurements(series []mission.Measurement) []Measurement {
	shown := make([]Measurement, len(series))
	for i, m := range series {
		shown[i] = Measurement{MeasuredAt: m.At, AgeSeconds: int(m.Age().Seconds()), Metrics: *NewMetrics(m.Metrics)}
	}
	return shown
}
