package mission

import (
	"cmp"
	"slices"
	"time"
)

// Grouping is what a report has its rows by.
type Grouping string

// The groupings of decisions, "Analytics".
const (
	GroupByDay      Grouping = "day"
	GroupByPlatform Grouping = "platform"
	GroupByContent  Grouping = "content"
)

// AllGroupings lists the groupings.
func AllGroupings() []Grouping { return []Grouping{GroupByDay, GroupByPlatform, GroupByContent} }

// Bounds of a report's range, in days.
const (
	maxReportDays     = 366
	defaultReportDays = 30
)

// The years of ranges: what databases know as days, and write with four digits.
const (
	firstYear = 1970
	lastYear  = 9998
)

// DateRange is days of publication, YYYY-MM-DD in UTC, both included; "" has no
// bound there.
type DateRange struct{ From, To string }

// ParseDateRange reads a range, of which either end may be "". Errors:
// invalid_request on from or to.
func ParseDateRange(from, to string) (DateRange, error) {
	for _, end := range []struct{ param, day string }{{"from", from}, {"to", to}} {
		at, err := time.Parse(time.DateOnly, end.day)
		if end.day != "" && (err != nil || at.Year() < firstYear || at.Year() > lastYear) {
			return DateRange{}, Invalid(end.param, "Invalid date %q: must be YYYY-MM-DD, %d or later.", end.day, firstYear)
		}
	}
	if from != "" && to != "" && from > to {
		return DateRange{}, backward(from, to)
	}
	return DateRange{From: from, To: to}, nil
}

func backward(from, to string) *Error {
	return Invalid("from", "The range must not begin (%s) after its end (%s).", from, to)
}

// Since is the time that the range begins at; nil where it has no bound.
func (r DateRange) Since() *time.Time { return startOf(r.From, 0) }

// Until is the time that the range ends before; nil where it has no bound.
func (r DateRange) Until() *time.Time { return startOf(r.To, 1) }

func startOf(date string, later int) *time.Time {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil
	}
	at = at.AddDate(0, 0, later)
	return &at
}

// ReportRange reads the range of a report at now. Without an end it ends today;
// without a start it begins with its mission, or is the last 30 days of the
// tenant's, where m is nil. Errors: invalid_request on from or to, also where
// the range has more than 366 days.
func ReportRange(m *Mission, from, to string, now time.Time) (DateRange, error) {
	r, err := ParseDateRange(from, to)
	if err != nil {
		return r, err
	}
	if r.To == "" {
		r.To = utcDay(now)
	}
	switch {
	case r.From == "" && m != nil:
		r.From = min(m.firstDay(), r.To)
	case r.From == "":
		r.From = utcDay(startOf(r.To, 1-defaultReportDays).UTC())
	case r.From > r.To:
		return r, backward(r.From, r.To)
	case r.From < utcDay(startOf(r.To, 1-maxReportDays).UTC()):
		return r, Invalid("from", "The range must have at most %d days.", maxReportDays)
	}
	return r, nil
}

func utcDay(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// firstDay is the day before which the mission has published nothing.
func (m Mission) firstDay() string {
	if m.StartsAt != nil {
		return utcDay(*m.StartsAt)
	}
	return utcDay(m.CreatedAt)
}

// ReportInput picks what is reported; "" takes the defaults.
type ReportInput struct {
	// MissionID is "" for all of the tenant's missions together.
	MissionID string
	From, To  string
	GroupBy   Grouping
}

// Grouped returns in with its grouping, by day where it has none. Errors:
// invalid_request on group_by.
func (in ReportInput) Grouped() (ReportInput, error) {
	in.GroupBy = cmp.Or(in.GroupBy, GroupByDay)
	if !slices.Contains(AllGroupings(), in.GroupBy) {
		return in, Invalid("group_by", "Unknown grouping %q: must be day, platform or content.", in.GroupBy)
	}
	return in, nil
}

// Report is what the posts that were published within a range came to, as
// measured last.
type Report struct {
	Mission    *Mission // nil for all of the tenant's
	Range      DateRange
	GroupBy    Grouping
	Posts      int // that were measured
	Totals     Metrics
	ByDay      []Figures // oldest first; days without posts are left out
	ByPlatform []Figures // in the order of AllPlatforms
}

// NewReport adds up the figures of days, which are of one platform each.
func NewReport(m *Mission, r DateRange, by Grouping, days []Figures) Report {
	report := Report{Mission: m, Range: r, GroupBy: by}
	var all []Metrics
	dates, platforms := map[string][]Figures{}, map[Platform][]Figures{}
	for _, d := range days {
		report.Posts += d.Posts
		all = append(all, d.Metrics)
		dates[d.Date] = append(dates[d.Date], d)
		platforms[d.Platform] = append(platforms[d.Platform], d)
	}
	report.Totals = Together(all...)
	for date, parts := range dates {
		f := added(parts)
		f.Date = date
		report.ByDay = append(report.ByDay, f)
	}
	slices.SortFunc(report.ByDay, func(a, b Figures) int { return cmp.Compare(a.Date, b.Date) })
	for _, p := range AllPlatforms() {
		if parts, ok := platforms[p]; ok {
			f := added(parts)
			f.Platform = p
			report.ByPlatform = append(report.ByPlatform, f)
		}
	}
	return report
}

func added(parts []Figures) Figures {
	var f Figures
	metrics := make([]Metrics, len(parts))
	for i, d := range parts {
		f.Posts += d.Posts
		metrics[i] = d.Metrics
	}
	f.Metrics = Together(metrics...)
	return f
}

// KPIProgress returns how far the KPIs of the report's mission have come at now,
// whatever its range; none without a mission.
func (r Report) KPIProgress(now time.Time) []KPIProgress {
	if r.Mission == nil {
		return []KPIProgress{}
	}
	return r.Mission.KPIProgress(now)
}

// Series are the measurements of a post, oldest first. Of the post no more is
// known than what tells what it is.
type Series struct {
	Post   Content
	Points []Measurement
}
