package rest

import (
	"context"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/jsonwire"
	"missiond/mission"
	"missiond/store"
)

const tagAnalytics tag = "Analytics"

// routeAnalytics registers the views and the export (decisions, "Analytics").
func (a *API) routeAnalytics() {
	handle(a, tagAnalytics.get(mission.OpAnalyticsRead, "/v1/analytics", "Read the figures of posts"), a.readAnalytics)
	a.registerExport(tagAnalytics.get(mission.OpAnalyticsExport, "/v1/analytics/export", "Export every measurement"))
}

type analyticsParams struct {
	Paging

	MissionID     string           `query:"mission_id" doc:"Only posts of this mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	IntegrationID string           `query:"integration_id" doc:"Only posts of this account, which may be disconnected by now" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	From          string           `query:"from" doc:"The first day of publication (UTC): at most 366 days before to. Defaults to the mission's first day or, without a mission, to the 30 days up to to" example:"2025-03-01"`
	To            string           `query:"to" doc:"The last day of publication (UTC). Defaults to today" example:"2025-03-31"`
	GroupBy       mission.Grouping `query:"group_by" default:"day" enum:"day,platform,content" doc:"How the figures are grouped. Days and platforms fit in one page, whatever the limit" example:"day"`
}

// shownReport is a list with the figures of everything that it lists.
type shownReport struct {
	MissionID     *string               `json:"mission_id" doc:"The mission whose posts are counted; null for all of the tenant's missions" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	IntegrationID *string               `json:"integration_id" doc:"The account whose posts are counted; null for all accounts and the sandbox" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	From          string                `json:"from" doc:"The first day of publication (UTC)" example:"2025-03-01"`
	To            string                `json:"to" doc:"The last day of publication (UTC)" example:"2025-03-31"`
	GroupBy       mission.Grouping      `json:"group_by" doc:"How data is grouped" example:"day"`
	Posts         int                   `json:"posts" doc:"How many posts were measured" example:"3"`
	Totals        mission.Metrics       `json:"totals" doc:"The figures of all these posts; figures that no platform reports are omitted"`
	KPIs          []mission.KPIProgress `json:"kpis" doc:"The progress of each of the mission's KPIs, regardless of the days and the account; empty without a mission"`

	Data    []reportRow `json:"data" doc:"A row each day that has posts, oldest first, or each platform, or each measured post, latest publication first" example:"[{\"date\":\"2025-03-03\",\"metrics\":{\"engagement_rate\":2.98,\"impressions\":1240,\"likes\":37},\"posts\":3}]"`
	HasMore bool        `json:"has_more" doc:"Whether there are more" example:"false"`
	Total   int         `json:"total" doc:"How many rows there are" example:"1"`
}

// list sets the report's rows.
func (r *shownReport) list(p page[reportRow]) {
	r.Data, r.HasMore, r.Total = p.Data, p.HasMore, p.Total
}

// reportRow is a row of a report: a dayReport, a platformReport or a
// postReport.
type reportRow struct{ value any }

// MarshalJSON writes the row.
func (r reportRow) MarshalJSON() ([]byte, error) { return jsonwire.Marshal(r.value) }

// Schema describes the kinds of rows.
func (reportRow) Schema(r huma.Registry) *huma.Schema {
	s := &huma.Schema{}
	for _, row := range []any{dayReport{}, platformReport{}, postReport{}} {
		s.AnyOf = append(s.AnyOf, r.Schema(reflect.TypeOf(row), true, ""))
	}
	return s
}

type dayReport struct {
	Date    string          `json:"date" format:"date" doc:"The day of publication, in UTC" example:"2025-03-03"`
	Posts   int             `json:"posts" doc:"How many posts were measured" example:"3"`
	Metrics mission.Metrics `json:"metrics" doc:"What the platform reports; figures it doesn't report are left out"`
}

type platformReport struct {
	Platform mission.Platform `json:"platform" doc:"The platform" example:"twitter"`
	Posts    int              `json:"posts" doc:"How many posts were measured" example:"3"`
	Metrics  mission.Metrics  `json:"metrics" doc:"What the platform reports; figures it doesn't report are left out"`
}

type postReport struct {
	ContentID   string           `json:"content_id" doc:"The post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	MissionID   string           `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Platform    mission.Platform `json:"platform" doc:"The platform" example:"twitter"`
	PublishedAt time.Time        `json:"published_at" doc:"When it was published"`
	MeasuredAt  time.Time        `json:"measured_at" doc:"When it was measured last"`
	Metrics     mission.Metrics  `json:"metrics" doc:"What the platform reports; figures it doesn't report are left out"`
}

func (a *API) readAnalytics(ctx context.Context, p mission.Principal, in *analyticsParams) (shownReport, error) {
	if in.StartingAfter != "" && in.GroupBy != mission.GroupByContent {
		return shownReport{}, mission.Invalid("starting_after", "Figures grouped by %s fit in one page.", in.GroupBy)
	}
	report, err := a.missions.Report(ctx, p, mission.ReportInput{
		MissionID: in.MissionID, IntegrationID: in.IntegrationID, From: in.From, To: in.To, GroupBy: in.GroupBy,
	})
	if err != nil {
		return shownReport{}, err
	}
	shown := shownReport{
		MissionID: orNull(in.MissionID), IntegrationID: orNull(in.IntegrationID), From: report.Of.Published.From,
		To: report.Of.Published.To, GroupBy: report.GroupBy,
		Posts: report.Posts, Totals: report.Totals, KPIs: report.KPIProgress(a.clock.Now()),
	}
	switch report.GroupBy {
	case mission.GroupByDay:
		shown.list(whole(report.ByDay, func(f mission.Figures) reportRow {
			return reportRow{dayReport{Date: f.Date, Posts: f.Posts, Metrics: f.Metrics}}
		}))
	case mission.GroupByPlatform:
		shown.list(whole(report.ByPlatform, func(f mission.Figures) reportRow {
			return reportRow{platformReport{Platform: f.Platform, Posts: f.Posts, Metrics: f.Metrics}}
		}))
	case mission.GroupByContent:
		var listed store.Listed[mission.Content]
		listed, err = a.measuredPosts(ctx, p, in, report.Of)
		shown.list(pageOf(listed, report.Posts, showMeasured))
	case mission.GroupByAccount, mission.GroupByMission: // the parameter doesn't take them
	}
	return shown, namingCursor(err)
}

// measuredPosts returns the page of posts of a report: a mission's, or the whole tenant's.
func (a *API) measuredPosts(
	ctx context.Context, p mission.Principal, in *analyticsParams, of mission.FiguresFilter,
) (store.Listed[mission.Content], error) {
	if in.MissionID == "" {
		return a.missions.MeasuredPosts(ctx, p, of, in.page())
	}
	parts, err := a.missions.MeasuredPostsOf(ctx, p, []string{in.MissionID}, of, in.page())
	return parts[in.MissionID], err
}

func showMeasured(c mission.Content) reportRow {
	return reportRow{postReport{
		ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, PublishedAt: *c.PublishedAt, MeasuredAt: *c.MeasuredAt, Metrics: c.Metrics,
	}}
}
