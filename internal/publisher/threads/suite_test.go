package threads

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/threads/threadstest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	publishertest.Run(t, publishertest.Platform{
		Name: mission.Threads,
		New:  func(*testing.T) publishertest.Stub { return threadstest.New() },
		Adapter: func(address string, c publisher.Client) publisher.Adapter {
			return New(c, Options{BaseURL: address, ClientID: metatest.ClientID, ClientSecret: metatest.ClientSecret})
		},
		Threads: true, Fetches: true,
	})
}
