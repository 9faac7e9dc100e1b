package discord

import (
	"context"
	"net/http"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

var _ publisher.Audiences = (*Adapter)(nil)

// Audience implements [publisher.Audiences] for bots: about how many members the channel's server has
// now, which Discord counts itself. It reports no day before, and nothing to a webhook.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	to, err := placeOf(c)
	if err != nil || to.webhook != "" || !snowflakes.MatchString(to.guild) {
		return mission.Audience{}, err
	}
	var guild struct {
		Members *float64 `json:"approximate_member_count"`
	}
	if _, err := a.call(ctx, to, http.MethodGet, "/guilds/"+to.guild, url.Values{"with_counts": {"true"}}, nil, &guild); err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(guild.Members)}}, nil
}
