package facebook

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/facebook/facebooktest"
	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	publishertest.Run(t, publishertest.Platform{
		Name: mission.Facebook,
		New:  func(*testing.T) publishertest.Stub { return facebooktest.New() },
		Adapter: func(address string, c publisher.Client) publisher.Adapter {
			return New(c, Options{BaseURL: address, ClientID: metatest.ClientID, ClientSecret: metatest.ClientSecret})
		},
		RefusesDuplicates: true, VideosUndescribed: true, ProcessedLater: true,
	})
}
