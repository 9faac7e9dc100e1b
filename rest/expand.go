package rest

import (
	"context"
	"strings"

	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

type readMissionParams struct {
	MissionPath

	Expand string `query:"expand" doc:"What else to answer: content, analytics, or both with a comma between"`
}

// expandedMission is the mission object and what was asked for beside it.
type expandedMission struct {
	mission.Mission

	Notices []mission.Notice `json:"notices" doc:"What its owner should know about how it is stated"`

	Content   *page[shownContent] `json:"content,omitzero" doc:"Its latest posts; with expand=content only"`
	Analytics *shownAnalytics     `json:"analytics,omitzero" doc:"Its figures; with expand=analytics only"`
}

func (a *API) readMission(ctx context.Context, p mission.Principal, in *readMissionParams) (expandedMission, error) {
	expand, err := expansions(p, in.Expand)
	if err != nil {
		return expandedMission{}, err
	}
	m, err := a.service.Mission(ctx, p, in.ID)
	if err != nil {
		return expandedMission{}, err
	}
	e := expandedMission{Mission: m, Notices: m.Notices()}
	if expand["content"] {
		if e.Content, err = a.latestContent(ctx, p, m); err != nil {
			return e, err
		}
	}
	if expand["analytics"] {
		days, err := a.service.DaysOf(ctx, p, []string{m.ID}, mission.DateRange{})
		if err != nil {
			return e, err
		}
		e.Analytics = showAnalytics(mission.NewReport(&m, mission.DateRange{}, mission.GroupByDay, days[m.ID]))
	}
	return e, nil
}

// scopes of what a mission is expanded by.
var expandScopes = map[string]mission.Scope{"content": mission.ScopeContentRead, "analytics": mission.ScopeAnalyticsRead}

// expansions reads the parameter. Errors: invalid_request on expand; forbidden.
func expansions(p mission.Principal, text string) (map[string]bool, error) {
	expand := map[string]bool{}
	if text == "" {
		return expand, nil
	}
	for _, name := range strings.Split(text, ",") {
		scope, ok := expandScopes[name]
		if !ok {
			return nil, mission.Invalid("expand", "A mission expands by content and analytics, not by %q.", name)
		}
		if !p.Has(scope) {
			return nil, mission.Forbidden(scope)
		}
		expand[name] = true
	}
	return expand, nil
}

func (a *API) latestContent(ctx context.Context, p mission.Principal, m mission.Mission) (*page[shownContent], error) {
	filter := store.ContentFilter{MissionID: m.ID}
	list, more, err := a.service.Contents(ctx, p, filter, store.Page{Limit: service.DefaultPage})
	if err != nil {
		return nil, err
	}
	total, err := a.service.CountContents(ctx, p, filter)
	answer := pageOf(list, more, total, showContent)
	return &answer, err
}

type shownAnalytics struct {
	Totals     mission.Metrics   `json:"totals" doc:"Of all published posts; figures that no platform reports are left out"`
	ByPlatform []platformFigures `json:"by_platform"`
	ByDay      []dayReport       `json:"by_day" doc:"By the day (UTC) of publication, oldest first"`
}

type platformFigures struct {
	Platform mission.Platform `json:"platform"`
	Metrics  mission.Metrics  `json:"metrics"`
}

// showAnalytics shows what a mission came to in all its life; platforms are in
// the mission's order.
func showAnalytics(r mission.Report) *shownAnalytics {
	m := r.Mission
	s := &shownAnalytics{Totals: m.Totals.Of(mission.EveryPlatform), ByPlatform: []platformFigures{}, ByDay: []dayReport{}}
	for _, p := range m.Platforms {
		if figures, ok := m.Totals[p]; ok {
			s.ByPlatform = append(s.ByPlatform, platformFigures{Platform: p, Metrics: figures})
		}
	}
	for _, f := range r.ByDay {
		s.ByDay = append(s.ByDay, dayReport{Date: f.Date, Posts: f.Posts, Metrics: f.Metrics})
	}
	return s
}
