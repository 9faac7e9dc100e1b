package instagram

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/instagram/instagramtest"
	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	publishertest.Run(t, publishertest.Platform{
		Name: mission.Instagram,
		New:  func(*testing.T) publishertest.Stub { return instagramtest.New() },
		Adapter: func(address string, c publisher.Client) publisher.Adapter {
			return New(c, Options{BaseURL: address, CodeURL: address + "/oauth/access_token", ClientID: metatest.ClientID, ClientSecret: metatest.ClientSecret})
		},
		Fetches: true, VideosUndescribed: true,
	})
}
