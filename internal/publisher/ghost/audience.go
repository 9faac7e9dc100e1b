package ghost

import (
	"context"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

var _ publisher.Audiences = (*Adapter)(nil)

// Audience implements [publisher.Audiences]: how many members the site has now, free ones too. The
// Admin API counts them with a list; of the one member that a list has at least, the id is asked for
// and nothing is read.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	response, err := a.do(ctx, c, call{path: "/members/", query: url.Values{"limit": {"1"}, "fields": {"id"}}})
	if err != nil {
		return mission.Audience{}, err
	}
	var list struct {
		Meta struct {
			Pagination struct {
				Total *float64 `json:"total"`
			} `json:"pagination"`
		} `json:"meta"`
	}
	if err := response.JSON(&list); err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(list.Meta.Pagination.Total)}}, nil
}
