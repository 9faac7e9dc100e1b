package mission

import (
	"slices"
	"time"
)

// KPIDay is a day in the course of a KPI.
type KPIDay struct {
	// Date is the day, YYYY-MM-DD in UTC, like the days of all figures.
	Date string
	// Value is the KPI's figure over the posts published up to the day, as
	// measured last; nil before the first measured post and for days to come.
	Value *float64
	// Target is the value to reach.
	Target float64
	// Needed is the value at the end of the day of a KPI that reaches its target
	// in a straight line: of a count a growing share of the target, of
	// engagement_rate the target.
	Needed float64
}

// KPIHistory returns the course of one of m's KPIs, a day each from the
// mission's start to its end: at most the last 366, whose first then includes
// what was before. days are the mission's figures, oldest first. The value of
// the last day that has begun at now is the KPI's current one. It is nil if m
// has no such KPI, and empty for a draft.
func (m Mission) KPIHistory(metric Metric, platform Platform, days []Figures, now time.Time) []KPIDay {
	at := slices.IndexFunc(m.KPIs, func(k KPI) bool { return k.Metric == metric && k.Platform == platform })
	if at < 0 {
		return nil
	}
	k, history, sum, today := m.KPIs[at], []KPIDay{}, Metrics{}, utcDay(now)
	dates := m.dates()
	for i, date := range dates {
		for len(days) > 0 && (days[0].Date <= date || i == len(dates)-1) {
			if k.Counts(days[0].Platform) {
				sum = Together(sum, days[0].Metrics)
			}
			days = days[1:]
		}
		day := KPIDay{Date: date, Target: k.Target, Needed: k.Target}
		if k.Metric != EngagementRate {
			day.Needed *= m.elapsedBy(date)
		}
		if v, ok := sum[k.Metric]; ok && date <= today {
			day.Value = &v
		}
		history = append(history, day)
	}
	return history
}

// dates returns the days (UTC) from the mission's start to its end, at most the
// last maxReportDays; none of a draft.
func (m Mission) dates() []string {
	if m.Status == StatusDraft || m.StartsAt == nil || m.EndsAt == nil {
		return nil
	}
	// The moment of the end isn't part of the mission.
	first, last := *startOf(utcDay(*m.StartsAt), 0), *startOf(utcDay(m.EndsAt.Add(-time.Millisecond)), 0)
	if earliest := last.AddDate(0, 0, 1-maxReportDays); first.Before(earliest) {
		first = earliest
	}
	var dates []string
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		dates = append(dates, utcDay(day))
	}
	return dates
}

// elapsedBy returns the share of the time between the mission's start and its
// end that is over at the end of a day, pauses included: 0 to 1.
func (m Mission) elapsedBy(date string) float64 {
	whole := m.EndsAt.Sub(*m.StartsAt)
	if whole <= 0 {
		return 1
	}
	return min(1, max(0, float64(startOf(date, 1).Sub(*m.StartsAt))/float64(whole)))
}
