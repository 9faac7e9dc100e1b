package bluesky

import (
	"context"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Audience implements [publisher.Audiences]: how many follow the account now, which its server
// requests from the network's index. No day before is reported.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	response, err := a.do(ctx, call{method: "app.bsky.actor.getProfile", query: url.Values{"actor": {c.AccountID}}}.with(c))
	if err != nil {
		return mission.Audience{}, err
	}
	var profile struct {
		Followers *float64 `json:"followersCount"`
	}
	if err := response.JSON(&profile); err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(profile.Followers)}}, nil
}
