package instagram

import (
	"context"
	"net/url"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

var _ publisher.Audiences = (*Adapter)(nil)

// Audience implements [publisher.Audiences]: how many follow the account now, and how many accounts it
// reached on each of the last days that are over. Where Instagram reports no reach of the account, its
// followers are what is known.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, since string) (mission.Audience, error) {
	followers, err := a.api.Followers(ctx, c)
	if err != nil {
		return mission.Audience{}, err
	}
	days, err := a.api.ByDay(ctx, c, since, []meta.Daily{{Figure: mission.FigureReach, Name: "reach"}}, url.Values{"metric_type": {"time_series"}})
	if err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: followers}, Days: days}, nil
}
