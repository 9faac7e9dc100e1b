package rest

import (
	"context"
	"slices"
	"strings"

	"missiond/mission"
	"missiond/store"
)

type readMissionParams struct {
	MissionPath

	Expand string `query:"expand" doc:"What else to return: content, analytics and health, separated by commas" example:"content"`
}

// expandedMission is the mission object with its requested expansions.
type expandedMission struct {
	mission.Mission

	Notices []mission.Notice `json:"notices" doc:"Notices for its owner about how it is set up"`

	Content   *page[shownContent]       `json:"content,omitzero" doc:"Its latest posts; only with expand=content"`
	Analytics *shownAnalytics           `json:"analytics,omitzero" doc:"Its figures; only with expand=analytics"`
	Health    *nullable[mission.Health] `json:"health,omitzero" doc:"How it is doing, null for a draft and for a completed mission; only with expand=health"`
}

func (a *API) readMission(ctx context.Context, p mission.Principal, in *readMissionParams) (expandedMission, error) {
	expand, err := expansions(p, in.Expand, "content", "analytics", "health")
	if err != nil {
		return expandedMission{}, err
	}
	m, err := a.missions.Mission(ctx, p, in.ID)
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
		days, err := a.missions.DaysOf(ctx, p, []string{m.ID}, mission.FiguresFilter{})
		if err != nil {
			return e, err
		}
		e.Analytics = showAnalytics(mission.NewReport(&m, mission.FiguresFilter{}, mission.GroupByDay, days[m.ID]))
	}
	if expand["health"] {
		health, err := a.missions.HealthsOf(ctx, p, []mission.Mission{m})
		if err != nil {
			return e, err
		}
		e.Health = showHealth(health, m.ID)
	}
	return e, nil
}

// showHealth returns how a mission is doing, which is null for those without health.
func showHealth(healths map[string]mission.Health, id string) *nullable[mission.Health] {
	if h, ok := healths[id]; ok {
		return &nullable[mission.Health]{&h}
	}
	return &nullable[mission.Health]{}
}

// expandScopes are the scopes that expansions need.
var expandScopes = map[string]mission.Scope{
	"content": mission.ScopeContentRead, "analytics": mission.ScopeAnalyticsRead, "health": mission.ScopeMissionsRead,
}

// expansions parses the parameter of a response that has some of the expansions. Errors:
// invalid_request on expand; forbidden.
func expansions(p mission.Principal, text string, known ...string) (map[string]bool, error) {
	expand := map[string]bool{}
	if text == "" {
		return expand, nil
	}
	for _, name := range strings.Split(text, ",") {
		if !slices.Contains(known, name) {
			return nil, mission.Invalid("expand", "Unknown expansion %q: must be one of %s.", name, strings.Join(known, ", "))
		}
		if scope := expandScopes[name]; !p.Has(scope) {
			return nil, mission.Forbidden(scope)
		}
		expand[name] = true
	}
	return expand, nil
}

func (a *API) latestContent(ctx context.Context, p mission.Principal, m mission.Mission) (*page[shownContent], error) {
	filter := store.ContentFilter{MissionID: m.ID}
	list, err := a.missions.Contents(ctx, p, filter, store.Page{Limit: store.DefaultPage})
	if err != nil {
		return nil, err
	}
	show, err := a.showing(ctx, p, list.List...)
	if err != nil {
		return nil, err
	}
	total, err := a.missions.CountContents(ctx, p, filter)
	result := pageOf(list, total, show)
	return &result, err
}

type shownAnalytics struct {
	Totals     mission.Metrics   `json:"totals" doc:"The figures of all published posts; figures that no platform reports are omitted"`
	ByPlatform []platformFigures `json:"by_platform"`
	ByDay      []dayReport       `json:"by_day" doc:"By the day (UTC) of publication, oldest first"`
}

type platformFigures struct {
	Platform mission.Platform `json:"platform" doc:"The platform" example:"twitter"`
	Metrics  mission.Metrics  `json:"metrics" doc:"What the platform reports; figures it doesn't report are left out"`
}

// showAnalytics returns the figures of a mission's whole life; platforms are in the
// mission's order.
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
