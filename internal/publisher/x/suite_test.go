package x

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/x/xtest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	publishertest.Run(t, publishertest.Platform{
		Name: mission.Twitter,
		New:  func(*testing.T) publishertest.Stub { return xtest.New() },
		Adapter: func(address string, c publisher.Client) publisher.Adapter {
			return New(c, Options{BaseURL: address, ClientID: xtest.ClientID, ClientSecret: xtest.ClientSecret})
		},
		Threads: true, Renews: true, RefusesDuplicates: true,
	})
}
