package facebook

import (
	"context"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

var _ publisher.Audiences = (*Adapter)(nil)

// daily are a Page's insights by day, which only Pages with a hundred likes have. Those about impressions
// and fans ended in 2025.
var daily = []meta.Daily{
	{Figure: mission.FigureReach, Name: "page_total_media_view_unique"}, {Figure: mission.FigureViews, Name: "page_media_view"},
}

// Audience implements [publisher.Audiences]: how many follow the Page now, and how many people saw
// something of it, and how often, on each of the last days that are over. Where Facebook reports neither,
// its followers are what is known.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, since string) (mission.Audience, error) {
	followers, err := a.api.Followers(ctx, c)
	if err != nil {
		return mission.Audience{}, err
	}
	days, err := a.api.ByDay(ctx, c, since, daily, nil)
	if err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: followers}, Days: days}, nil
}
