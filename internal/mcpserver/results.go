package mcpserver

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

type resultsIn struct {
	paging
	detailed

	MissionID     string           `json:"mission_id,omitempty"`
	IntegrationID string           `json:"integration_id,omitempty"`
	From          string           `json:"from,omitempty" doc:"First day of publication, YYYY-MM-DD in UTC. If omitted, the mission's first day, or 30 days back"`
	To            string           `json:"to,omitempty" doc:"Last day; today if omitted"`
	GroupBy       mission.Grouping `json:"group_by,omitempty" doc:"day, if omitted; mission without mission_id alone"`
}

type resultsOut struct {
	From    string          `json:"from"`
	To      string          `json:"to"`
	Posts   int             `json:"posts" doc:"How many posts were measured"`
	Totals  mission.Metrics `json:"totals"`
	KPIs    []kpi           `json:"kpis" doc:"Of the mission, whatever the days"`
	GroupBy string          `json:"group_by"`
	paged[resultRow]
	Learned []lesson `json:"learned,omitempty" doc:"With detail full: what the mission's plans prefer by now"`
}

type resultRow struct {
	Date        string           `json:"date,omitempty"`
	Platform    mission.Platform `json:"platform,omitempty"`
	AccountID   string           `json:"integration_id,omitempty"`
	Mission     *named           `json:"mission,omitempty"`
	PostID      string           `json:"post_id,omitempty"`
	PublishedAt *time.Time       `json:"published_at,omitempty"`
	Posts       int              `json:"posts"`
	Metrics     mission.Metrics  `json:"metrics"`
}

// lesson is a choice that plans prefer.
type lesson struct {
	Metric  mission.Metric  `json:"metric"`
	Factor  learning.Factor `json:"factor"`
	Choice  string          `json:"choice"`
	Posts   int             `json:"posts" doc:"How many measured posts it rests on"`
	Typical *float64        `json:"typical,omitempty"`
}

func resultTools() []*tool {
	return []*tool{
		doing(tool{
			name: "results_get", title: "Read results", op: mission.OpAnalyticsRead, reads: true,
			description: "Returns the figures of published posts by day, platform, account, mission or post, the progress of KPIs and, with detail full, what a mission has learned.",
		}, getResults),
	}
}

func getResults(ctx context.Context, c *call, in resultsIn) (out resultsOut, err error) {
	if in.MissionID, err = c.within(in.MissionID); err != nil {
		return out, err
	}
	if in.StartingAfter != "" && in.GroupBy != mission.GroupByContent {
		return out, mission.Invalid("starting_after", "Only group_by content has pages; a shorter range has fewer rows.")
	}
	if in.MissionID != "" && in.GroupBy == mission.GroupByMission {
		return out, mission.Invalid("group_by", "Leave mission_id out to group by mission.")
	}
	report, err := c.missions.Report(ctx, c.p, mission.ReportInput{
		MissionID: in.MissionID, IntegrationID: in.IntegrationID, From: in.From, To: in.To, GroupBy: in.GroupBy,
	})
	if err != nil {
		return out, naming(err, mission.CodeNotFound, "mission_id")
	}
	kpis := conciseKPI
	if in.full() {
		kpis = maxIDs
	}
	out = resultsOut{
		From: report.Of.Published.From, To: report.Of.Published.To, Posts: report.Posts, Totals: report.Totals,
		KPIs: showKPIs(report.KPIProgress(c.clock.Now()), kpis), GroupBy: string(report.GroupBy),
	}
	if out.paged, err = c.figures(ctx, in, report); err != nil || !in.full() || in.MissionID == "" {
		return out, err
	}
	learned, err := c.missions.LearnedBy(ctx, c.p, []string{in.MissionID})
	out.Learned = lessons(learned[in.MissionID])
	return out, err
}

// figures returns the rows of a report.
func (c *call) figures(ctx context.Context, in resultsIn, report mission.Report) (paged[resultRow], error) {
	var list []mission.Figures
	switch report.GroupBy {
	case mission.GroupByContent:
		return c.measured(ctx, in, report.Of)
	case mission.GroupByMission:
		figures, err := c.missions.MissionFigures(ctx, c.p, report.Of, "")
		if err != nil {
			return paged[resultRow]{}, err
		}
		return c.byMission(ctx, in, figures)
	case mission.GroupByPlatform:
		list = report.ByPlatform
	case mission.GroupByAccount:
		list = report.ByAccount
	case mission.GroupByDay:
		list = report.ByDay
	}
	rows := make([]resultRow, len(list))
	for i, f := range list {
		rows[i] = resultRow{Date: f.Date, Platform: f.Platform, AccountID: f.IntegrationID, Posts: f.Posts, Metrics: f.Metrics}
	}
	return cutRows(rows, in.detailed), nil
}

// cutRows returns the rows that fit; there is no further page.
func cutRows(rows []resultRow, d detailed) paged[resultRow] {
	data, n := fitted(rows, d.budget())
	return paged[resultRow]{Data: data, HasMore: n < len(rows)}
}

func (c *call) byMission(ctx context.Context, in resultsIn, list []mission.Figures) (paged[resultRow], error) {
	var posts []mission.Content
	for _, f := range list {
		posts = append(posts, mission.Content{MissionID: f.MissionID})
	}
	names, err := c.namesOf(ctx, posts...)
	var rows []resultRow
	for _, f := range list {
		name := names[f.MissionID]
		rows = append(rows, resultRow{Mission: &name, Posts: f.Posts, Metrics: f.Metrics})
	}
	return cutRows(rows, in.detailed), err
}

// measured returns a page of measured posts.
func (c *call) measured(ctx context.Context, in resultsIn, of mission.FiguresFilter) (paged[resultRow], error) {
	none := paged[resultRow]{}
	page, err := in.page()
	if err != nil {
		return none, err
	}
	var list store.Listed[mission.Content]
	if in.MissionID == "" {
		list, err = c.missions.MeasuredPosts(ctx, c.p, of, page)
	} else {
		var parts map[string]store.Listed[mission.Content]
		parts, err = c.missions.MeasuredPostsOf(ctx, c.p, []string{in.MissionID}, of, page)
		list = parts[in.MissionID]
	}
	if err != nil {
		return none, namingCursor(err)
	}
	names, err := c.namesOf(ctx, list.List...)
	rows := make([]resultRow, len(list.List))
	for i, post := range list.List {
		name := names[post.MissionID]
		rows[i] = resultRow{
			Platform: post.Platform, AccountID: post.IntegrationID, Mission: &name, PostID: post.ID, PublishedAt: post.PublishedAt, Posts: 1, Metrics: post.Metrics,
		}
	}
	return pageOf(list, rows, in.detailed, func(post mission.Content) string { return post.ID }), err
}

// lessons returns the choices that plans prefer.
func lessons(learned learning.Learned) (list []lesson) {
	for _, metric := range learned.Model.Beliefs() {
		for _, b := range metric.Beliefs {
			if b.Preferred && len(list) < maxIDs {
				list = append(list, lesson{metric.Metric, b.Factor, b.Choice, b.Observations, b.Mean})
			}
		}
	}
	return list
}
