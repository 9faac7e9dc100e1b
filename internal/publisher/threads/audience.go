package threads

import (
	"context"
	"net/url"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

var _ publisher.Audiences = (*Adapter)(nil)

// Audience implements [publisher.Audiences]: how many follow the profile now. Threads reports no day
// before.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	var list meta.List[struct {
		Name  string `json:"name"`
		Total struct {
			Value *float64 `json:"value"`
		} `json:"total_value"`
	}]
	if err := a.api.Get(ctx, c, "/"+c.AccountID+"/threads_insights", url.Values{"metric": {"followers_count"}}, &list); err != nil {
		return mission.Audience{}, err
	}
	var found mission.Audience
	for _, each := range list.Data {
		if each.Name == "followers_count" {
			found.Now.Followers = publisher.Whole(each.Total.Value)
		}
	}
	return found, nil
}
