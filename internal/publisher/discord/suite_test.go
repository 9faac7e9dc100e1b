package discord

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/discord/discordtest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// options are those of an adapter of a stub at an address.
func options(address string) Options {
	return Options{BaseURL: address + discordtest.Prefix, Website: "https://missiond.example"}
}

func TestAdapter(t *testing.T) {
	for name, set := range map[string]func(*discordtest.Stub){
		"as a bot":                           func(*discordtest.Stub) {},
		"as a bot, with nonces shown":        func(s *discordtest.Stub) { s.ShowsNonces = true },
		"as a bot in a channel of followers": func(s *discordtest.Stub) { s.Channel = discordtest.Announcement },
		"by a webhook":                       func(s *discordtest.Stub) { s.Webhook = true },
	} {
		t.Run(name, func(t *testing.T) {
			probe := discordtest.New()
			set(probe)
			id, account := discordtest.BotID, mission.DiscordChannel+discordtest.ChannelID
			if probe.Webhook {
				id, account = discordtest.WebhookID, discordtest.WebhookID
			}
			publishertest.Run(t, publishertest.Platform{
				Name: mission.Discord,
				New: func(t *testing.T) publishertest.Stub {
					s := discordtest.New()
					set(s)
					described(t, s)
					return s
				},
				Adapter: func(address string, c publisher.Client) publisher.Adapter { return New(c, options(address)) },
				Account: account, NoAudience: probe.Webhook,
				Picture: "https://cdn.discordapp.com/avatars/" + id + "/" + discordtest.Avatar + ".png",
			})
		})
	}
}
