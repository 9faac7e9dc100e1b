package rest

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/jsonwire"
	"missiond/mission"
	"missiond/store"
)

const tagAnalytics = "Analytics"

// analytics registers the views and the export (decisions, "Analytics").
func (a *API) analytics() {
	handle(a, route{operation: mission.OpAnalyticsRead, method: http.MethodGet, path: "/v1/analytics", status: http.StatusOK, summary: "Read the figures of posts", tag: tagAnalytics}, a.readAnalytics)
	a.registerExport(route{operation: mission.OpAnalyticsExport, method: http.MethodGet, path: "/v1/analytics/export", status: http.StatusOK, summary: "Export every measurement", tag: tagAnalytics})
}

type analyticsParams struct {
	Paging

	MissionID string           `query:"mission_id" doc:"Only posts of this mission"`
	From      string           `query:"from" doc:"The first day of publication (UTC): at most 366 days before to. Defaults to the mission's first day or, without a mission, to the 30 days up to to"`
	To        string           `query:"to" doc:"The last day of publication (UTC). Defaults to today"`
	GroupBy   mission.Grouping `query:"group_by" default:"day" enum:"day,platform,content" doc:"How the figures are grouped. Days and platforms fit in one page, whatever the limit"`
}

// shownReport is a list with the figures of everything that it lists.
type shownReport struct {
	MissionID *string               `json:"mission_id" doc:"The mission whose posts are counted; null for all of the tenant's missions"`
	From      string                `json:"from" doc:"The first day of publication (UTC)"`
	To        string                `json:"to" doc:"The last day of publication (UTC)"`
	GroupBy   mission.Grouping      `json:"group_by" doc:"How data is grouped"`
	Posts     int                   `json:"posts" doc:"How many posts were measured"`
	Totals    mission.Metrics       `json:"totals" doc:"The figures of all these posts; figures that no platform reports are omitted"`
	KPIs      []mission.KPIProgress `json:"kpis" doc:"The progress of each of the mission's KPIs, regardless of the days; empty without a mission"`

	Data    []reportRow `json:"data"`
	HasMore bool        `json:"has_more" doc:"Whether there are more"`
	Total   int         `json:"total"`
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
	Date    string          `json:"date" format:"date"`
	Posts   int             `json:"posts" doc:"How many posts were measured"`
	Metrics mission.Metrics `json:"metrics"`
}

type platformReport struct {
	Platform mission.Platform `json:"platform"`
	Posts    int              `json:"posts" doc:"How many posts were measured"`
	Metrics  mission.Metrics  `json:"metrics"`
}

type postReport struct {
	ContentID   string           `json:"content_id"`
	MissionID   string           `json:"mission_id"`
	Platform    mission.Platform `json:"platform"`
	PublishedAt time.Time        `json:"published_at"`
	MeasuredAt  time.Time        `json:"measured_at"`
	Metrics     mission.Metrics  `json:"metrics"`
}

func (a *API) readAnalytics(ctx context.Context, p mission.Principal, in *analyticsParams) (shownReport, error) {
	if in.StartingAfter != "" && in.GroupBy != mission.GroupByContent {
		return shownReport{}, mission.Invalid("starting_after", "Figures grouped by %s fit in one page.", in.GroupBy)
	}
	report, err := a.service.Report(ctx, p, mission.ReportInput{MissionID: in.MissionID, From: in.From, To: in.To, GroupBy: in.GroupBy})
	if err != nil {
		return shownReport{}, err
	}
	shown := shownReport{
		MissionID: orNull(in.MissionID), From: report.Range.From, To: report.Range.To, GroupBy: report.GroupBy,
		Posts: report.Posts, Totals: report.Totals, KPIs: report.KPIProgress(a.clock.Now()),
	}
	switch report.GroupBy {
	case mission.GroupByDay:
		shown.list(pageOf(report.ByDay, false, len(report.ByDay), func(f mission.Figures) reportRow {
			return reportRow{dayReport{Date: f.Date, Posts: f.Posts, Metrics: f.Metrics}}
		}))
	case mission.GroupByPlatform:
		shown.list(pageOf(report.ByPlatform, false, len(report.ByPlatform), func(f mission.Figures) reportRow {
			return reportRow{platformReport{Platform: f.Platform, Posts: f.Posts, Metrics: f.Metrics}}
		}))
	case mission.GroupByContent:
		var part map[string]store.Part[mission.Content]
		part, err = a.service.MeasuredPostsOf(ctx, p, []string{in.MissionID}, report.Range, in.page())
		shown.list(pageOf(part[in.MissionID].List, part[in.MissionID].More, report.Posts, showMeasured))
	}
	return shown, namingCursor(err)
}

func showMeasured(c mission.Content) reportRow {
	return reportRow{postReport{
		ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, PublishedAt: *c.PublishedAt, MeasuredAt: *c.MeasuredAt, Metrics: c.Metrics,
	}}
}
