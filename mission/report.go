package mission

import (
	"cmp"
	"slices"
	"time"
)

// Grouping is what a report's rows are grouped by.
type Grouping string

// The groupings of decisions, "Analytics".
const (
	GroupByDay      Grouping = "day"
	GroupByPlatform Grouping = "platform"
	GroupByContent  Grouping = "content"
	GroupByAccount  Grouping = "account" // in GraphQL alone, as the next
	GroupByMission  Grouping = "mission"
)

// InterfaceGroupings lists the groupings of the REST interface.
func InterfaceGroupings() []Grouping {
	return []Grouping{GroupByDay, GroupByPlatform, GroupByContent}
}

// AllGroupings lists the groupings.
func AllGroupings() []Grouping { return append(InterfaceGroupings(), GroupByAccount, GroupByMission) }

// MaxReportMissions is how many missions a report lists at most: those with the highest
// figures.
const MaxReportMissions = 50

// Bounds of a report's range, in days.
const (
	maxReportDays     = 366
	defaultReportDays = 30
)

// The years of ranges: those that databases store as dates, with four digits.
const (
	firstYear = 1970
	lastYear  = 9998
)

// DateRange is a range of days of publication, YYYY-MM-DD in UTC, both
// included; "" is no bound.
type DateRange struct{ From, To string }

// ParseDateRange returns a range, either end of which may be "". Errors:
// invalid_request on from or to.
func ParseDateRange(from, to string) (DateRange, error) {
	for _, end := range []struct{ param, day string }{{"from", from}, {"to", to}} {
		at, err := time.Parse(time.DateOnly, end.day)
		if end.day != "" && (err != nil || at.Year() < firstYear || at.Year() > lastYear) {
			return DateRange{}, Invalid(end.param, "Invalid date %.60q: must be YYYY-MM-DD, in the years %d to %d.", end.day, firstYear, lastYear)
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

// FiguresFilter selects the posts whose figures are reported.
type FiguresFilter struct {
	// Published is the days of publication; without bounds, all.
	Published DateRange
	// IntegrationID is the account; "" is all accounts and the sandbox.
	IntegrationID string
	// Platform is the account's, for the indexes; "" without an account.
	Platform Platform
}

// Since returns the time at which the range begins; nil if it has no bound.
func (r DateRange) Since() *time.Time { return startOf(r.From, 0) }

// Until returns the time before which the range ends; nil if it has no bound.
func (r DateRange) Until() *time.Time { return startOf(r.To, 1) }

func startOf(date string, later int) *time.Time {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil
	}
	at = at.AddDate(0, 0, later)
	return &at
}

// ReportRange returns the range of a report at now. Without an end it ends
// today; without a start it begins with the mission, or, if m is nil, covers
// the tenant's last 30 days. Errors: invalid_request on from or to, also if the
// range has more than 366 days.
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

// firstDay returns the first day on which the mission can have published.
func (m Mission) firstDay() string {
	if m.StartsAt != nil {
		return utcDay(*m.StartsAt)
	}
	return utcDay(m.CreatedAt)
}

// ReportInput selects what is reported; "" is the default.
type ReportInput struct {
	// MissionID is "" for all missions of the tenant.
	MissionID string
	// IntegrationID is "" for all accounts; an account may be disconnected by now.
	IntegrationID string
	From, To      string
	GroupBy       Grouping
}

// Grouped returns in with a grouping, by day if it has none. Errors:
// invalid_request on group_by.
func (in ReportInput) Grouped() (ReportInput, error) {
	in.GroupBy = cmp.Or(in.GroupBy, GroupByDay)
	if !slices.Contains(AllGroupings(), in.GroupBy) {
		return in, Invalid("group_by", "Unknown grouping %q: must be one of %s.", in.GroupBy, list(AllGroupings()))
	}
	return in, nil
}

// Report is the latest figures of the posts published within a range.
type Report struct {
	Mission    *Mission      // nil for all of the tenant's
	Of         FiguresFilter // with both days
	GroupBy    Grouping
	Posts      int // that were measured
	Totals     Metrics
	ByDay      []Figures // oldest first; days without posts are left out
	ByPlatform []Figures // in the order of AllPlatforms
	ByAccount  []Figures // in the order of AllPlatforms, then by id
}

// NewReport returns the report with the sums of daily figures, each of which is
// of one account.
func NewReport(m *Mission, of FiguresFilter, by Grouping, days []Figures) Report {
	report := Report{Mission: m, Of: of, GroupBy: by}
	var all []Metrics
	dates, platforms, accounts := map[string][]Figures{}, map[Platform][]Figures{}, map[Destination][]Figures{}
	for _, d := range days {
		report.Posts += d.Posts
		all = append(all, d.Metrics)
		dates[d.Date] = append(dates[d.Date], d)
		platforms[d.Platform] = append(platforms[d.Platform], d)
		account := Destination{Platform: d.Platform, IntegrationID: d.IntegrationID}
		accounts[account] = append(accounts[account], d)
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
	for account, parts := range accounts {
		f := added(parts)
		f.Platform, f.IntegrationID = account.Platform, account.IntegrationID
		report.ByAccount = append(report.ByAccount, f)
	}
	slices.SortFunc(report.ByAccount, func(a, b Figures) int {
		return cmp.Or(
			cmp.Compare(slices.Index(AllPlatforms(), a.Platform), slices.Index(AllPlatforms(), b.Platform)),
			cmp.Compare(a.IntegrationID, b.IntegrationID),
		)
	})
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

// KPIProgress returns the progress of the KPIs of the report's mission at now,
// whatever its days and account; none without a mission.
func (r Report) KPIProgress(now time.Time) []KPIProgress {
	if r.Mission == nil {
		return []KPIProgress{}
	}
	return r.Mission.KPIProgress(now)
}

// Series is the measurements of a post, oldest first. Only the fields that
// identify the post are set in it.
type Series struct {
	Post   Content
	Points []Measurement
}
