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
	e := expandedMission{Mission: m}
	if expand["content"] {
		if e.Content, err = a.latestContent(ctx, p, m); err != nil {
			return e, err
		}
	}
	if expand["analytics"] {
		v, err := a.service.Analytics(ctx, p, m)
		if err != nil {
			return e, err
		}
		e.Analytics = showAnalytics(v)
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
	ByDay      []dayFigures      `json:"by_day" doc:"By the day (UTC) of publication, oldest first"`
}

type platformFigures struct {
	Platform mission.Platform `json:"platform"`
	Metrics  mission.Metrics  `json:"metrics"`
}

type dayFigures struct {
	Date    string          `json:"date"`
	Posts   int             `json:"posts" doc:"How many posts were measured"`
	Metrics mission.Metrics `json:"metrics"`
}

func showAnalytics(v mission.AnalyticsView) *shownAnalytics {
	s := &shownAnalytics{Totals: v.Totals, ByPlatform: []platformFigures{}, ByDay: []dayFigures{}}
	for _, f := range v.ByPlatform {
		s.ByPlatform = append(s.ByPlatform, platformFigures{Platform: f.Platform, Metrics: f.Metrics})
	}
	for _, f := range v.ByDay {
		s.ByDay = append(s.ByDay, dayFigures{Date: f.Date, Posts: f.Posts, Metrics: f.Metrics})
	}
	return s
}
