package linkedin

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// A member's figures and an organization's are at different addresses, and differ.
func TestAdapter(t *testing.T) {
	common := []mission.Metric{mission.Impressions, mission.Reach, mission.Likes, mission.Comments, mission.Shares}
	for account, reports := range map[string][]mission.Metric{
		linkedintest.Organization: append([]mission.Metric{mission.Clicks}, common...),
		"":                        common,
	} {
		t.Run("as "+account, func(t *testing.T) {
			speaks := linkedintest.Version
			if account == "" {
				speaks = "202603" // before it counted a member's clicks
			}
			publishertest.Run(t, publishertest.Platform{
				Name: mission.LinkedIn,
				New: func(*testing.T) publishertest.Stub {
					s := linkedintest.New()
					s.Account = account
					return s
				},
				Adapter: func(address string, c publisher.Client) publisher.Adapter {
					return New(c, Options{BaseURL: address, AuthURL: address + "/oauth/v2", Version: speaks, ClientID: linkedintest.ClientID, ClientSecret: linkedintest.ClientSecret})
				},
				Renews: true, RefusesDuplicates: true, Reports: reports, NoPicture: account == linkedintest.Organization, FilesUnseen: account == "", NoAudience: account == "",
			})
		})
	}
}
