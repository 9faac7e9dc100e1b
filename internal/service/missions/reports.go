package missions

import (
	"context"
	"slices"
	"time"

	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// reported returns the mission of a report's filter, nil for none. Errors:
// invalid_request on mission_id, also for a mission of another tenant.
func (s *API) reported(ctx context.Context, p mission.Principal, missionID string) (*mission.Mission, error) {
	if missionID == "" {
		return nil, nil
	}
	m, err := s.Mission(ctx, p, missionID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil, mission.Invalid("mission_id", "No such mission: %q.", missionID)
	}
	return &m, err
}

// reportedPlatform returns the platform of a filter's account, which may be disconnected by
// now; "" for none. Errors: invalid_request on integration_id, also for an account of
// another tenant.
func (s *API) reportedPlatform(ctx context.Context, p mission.Principal, integrationID string) (mission.Platform, error) {
	if integrationID == "" {
		return "", nil
	}
	found, err := s.db.AllIntegrationsByID(ctx, p.TenantID, []string{integrationID})
	account, had := found[integrationID]
	if err == nil && !had {
		err = mission.Invalid("integration_id", "No such integration: %q.", integrationID)
	}
	return account.Platform, err
}

// Report returns the report on the tenant's posts, or on those of one mission or account.
// Errors: invalid_request, naming the field.
func (s *API) Report(ctx context.Context, p mission.Principal, in mission.ReportInput) (mission.Report, error) {
	in, err := in.Grouped()
	if err != nil {
		return mission.Report{}, err
	}
	m, err := s.reported(ctx, p, in.MissionID)
	if err != nil {
		return mission.Report{}, err
	}
	r, err := mission.ReportRange(m, in.From, in.To, s.clock.Now())
	if err != nil {
		return mission.Report{}, err
	}
	of := mission.FiguresFilter{Published: r, IntegrationID: in.IntegrationID}
	if of.Platform, err = s.reportedPlatform(ctx, p, in.IntegrationID); err != nil {
		return mission.Report{}, err
	}
	days, err := s.db.DaysOf(ctx, p.TenantID, []string{in.MissionID}, of)
	return mission.NewReport(m, of, in.GroupBy, days[in.MissionID]), err
}

// MissionFigures returns the figures of a tenant's missions in a report: of those
// with the highest in a metric or, if it is "", with the most posts, at most
// mission.MaxReportMissions. Errors: invalid_request on by.
func (s *API) MissionFigures(
	ctx context.Context, p mission.Principal, of mission.FiguresFilter, by mission.Metric,
) ([]mission.Figures, error) {
	if by != "" && !slices.Contains(mission.AllMetrics(), by) {
		return nil, mission.Invalid("by", "Unknown metric %q.", by)
	}
	return s.db.MissionFigures(ctx, p.TenantID, of, by, mission.MaxReportMissions)
}

// DaysOf returns the daily figures of the tenant's missions, by mission id.
func (s *API) DaysOf(
	ctx context.Context, p mission.Principal, missionIDs []string, of mission.FiguresFilter,
) (map[string][]mission.Figures, error) {
	return s.db.DaysOf(ctx, p.TenantID, missionIDs, of)
}

// LearnedBy returns what the tenant's missions have learned, by mission id.
func (s *API) LearnedBy(ctx context.Context, p mission.Principal, missionIDs []string) (map[string]learning.Learned, error) {
	return s.db.LearnedBy(ctx, p.TenantID, missionIDs)
}

// MeasuredPosts returns a page of the tenant's measured posts, latest publication first.
// Errors: invalid_request.
func (s *API) MeasuredPosts(
	ctx context.Context, p mission.Principal, of mission.FiguresFilter, page store.Page,
) (store.Listed[mission.Content], error) {
	if err := page.Check(mission.PrefixContent, "measured post"); err != nil {
		return store.Listed[mission.Content]{}, err
	}
	return s.db.MeasuredPosts(ctx, p.TenantID, of, page)
}

// MeasuredPostsOf returns a page of the measured posts of each mission, latest
// publication first, by mission id. Errors: invalid_request.
func (s *API) MeasuredPostsOf(
	ctx context.Context, p mission.Principal, missionIDs []string, of mission.FiguresFilter, page store.Page,
) (map[string]store.Listed[mission.Content], error) {
	if err := page.Check(mission.PrefixContent, "measured post"); err != nil {
		return nil, err
	}
	return s.db.MeasuredPostsOf(ctx, p.TenantID, missionIDs, of, page)
}

// MeasurementsOf returns the measurements of posts, oldest first, by post id.
func (s *API) MeasurementsOf(ctx context.Context, p mission.Principal, contentIDs []string) (map[string][]mission.Measurement, error) {
	return s.db.MeasurementsOf(ctx, p.TenantID, contentIDs)
}

// exportPage is how many posts an export reads at once. It retains the measurements of one
// page in memory.
const exportPage = 100

// exportLimit is the time limit of reading a page.
const exportLimit = 30 * time.Second

// Export iterates over all measurements of the posts of a range. Between pages it uses
// no database resources. It has everything that existed when it began; later changes may
// be in it or not.
type Export struct {
	db    *store.DB
	next  store.SeriesQuery
	ready []mission.Series
	ended bool
}

// Export begins an export and reads its first page, so that invalid input is refused
// here. Errors: invalid_request, naming the field.
func (s *API) Export(ctx context.Context, p mission.Principal, in mission.ReportInput) (*Export, error) {
	r, err := mission.ParseDateRange(in.From, in.To)
	if err != nil {
		return nil, err
	}
	if _, err := s.reported(ctx, p, in.MissionID); err != nil {
		return nil, err
	}
	e := &Export{db: s.store, next: store.SeriesQuery{
		TenantID: p.TenantID, MissionID: in.MissionID, Range: r, PublishedBy: s.clock.Now(), Limit: exportPage,
	}}
	e.ready, err = e.read(ctx)
	return e, err
}

// Next returns the next posts with their measurements; none at the end.
func (e *Export) Next(ctx context.Context) ([]mission.Series, error) {
	if list := e.ready; list != nil {
		e.ready = nil
		return list, nil
	}
	return e.read(ctx)
}

func (e *Export) read(ctx context.Context) ([]mission.Series, error) {
	if e.ended {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, exportLimit)
	defer cancel()
	list, err := e.db.Series(ctx, e.next)
	if err != nil {
		return nil, err
	}
	if e.ended = len(list) < e.next.Limit; len(list) > 0 {
		last := list[len(list)-1].Post
		e.next.After, e.next.AfterID = *last.PublishedAt, last.ID
	}
	return list, nil
}
