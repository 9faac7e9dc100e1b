package mastodon

import (
	"context"
	"net/http"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Audience implements [publisher.Audiences]: how many follow the account now. Servers report nothing
// else of it, and no day before.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	response, err := a.do(ctx, c, call{method: http.MethodGet, path: "/api/v1/accounts/verify_credentials"})
	if err != nil {
		return mission.Audience{}, err
	}
	var account struct {
		Followers *float64 `json:"followers_count"`
	}
	if err := response.JSON(&account); err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(account.Followers)}}, nil
}
