package x

import (
	"context"
	"net/http"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Audience implements [publisher.Audiences]: how many follow the account now. X charges for the
// read, as for that of anything which the account owns.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	response, err := a.call(ctx, c, http.MethodGet, "/2/users/me", url.Values{"user.fields": {"public_metrics"}}, nil)
	if err != nil {
		return mission.Audience{}, err
	}
	var me struct {
		Data *struct {
			Public struct {
				Followers *float64 `json:"followers_count"`
			} `json:"public_metrics"`
		} `json:"data"`
	}
	if err := response.JSON(&me); err != nil {
		return mission.Audience{}, err
	}
	if me.Data == nil {
		return mission.Audience{}, emptyHanded(response)
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(me.Data.Public.Followers)}}, nil
}
