package telegram

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/telegram/telegramtest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	publishertest.Run(t, publishertest.Platform{
		Name: mission.Telegram,
		New:  func(*testing.T) publishertest.Stub { return telegramtest.New() },
		Adapter: func(address string, c publisher.Client) publisher.Adapter {
			return New(c, Options{BaseURL: address})
		},
		Threads: true, NoPicture: true,
	})
}
