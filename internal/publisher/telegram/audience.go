package telegram

import (
	"context"

	"missiond/internal/publisher"
	"missiond/mission"
)

var _ publisher.Audiences = (*Adapter)(nil)

// Audience implements [publisher.Audiences]: how many are in the channel now. A bot is told nothing
// else of it, and no day before.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, _ string) (mission.Audience, error) {
	var members *float64
	if err := a.ask(ctx, c, "getChatMemberCount", map[string]any{"chat_id": chatID(c)}, &members); err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(members)}}, nil
}
