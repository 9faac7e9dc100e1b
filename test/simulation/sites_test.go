package simulation

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky"
	"missiond/internal/publisher/bluesky/blueskytest"
	"missiond/internal/publisher/discord"
	"missiond/internal/publisher/discord/discordtest"
	"missiond/internal/publisher/facebook"
	"missiond/internal/publisher/facebook/facebooktest"
	"missiond/internal/publisher/ghost"
	"missiond/internal/publisher/ghost/ghosttest"
	"missiond/internal/publisher/instagram"
	"missiond/internal/publisher/instagram/instagramtest"
	"missiond/internal/publisher/linkedin"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/publisher/mastodon"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/telegram"
	"missiond/internal/publisher/telegram/telegramtest"
	"missiond/internal/publisher/threads"
	"missiond/internal/publisher/threads/threadstest"
	"missiond/internal/publisher/wordpress"
	"missiond/internal/publisher/wordpress/wordpresstest"
	"missiond/internal/publisher/x"
	"missiond/internal/publisher/x/xtest"
	"missiond/mission"
)

// Where the platforms are.
const (
	linkedInHost  = "127.0.0.1:9001"
	mastodonHost  = "127.0.0.1:9002"
	blueskyHost   = "127.0.0.1:9003"
	xHost         = "127.0.0.1:9004"
	threadsHost   = "127.0.0.1:9005"
	instagramHost = "127.0.0.1:9006"
	telegramHost  = "127.0.0.1:9007"
	discordHost   = "127.0.0.1:9008"
	wordPressHost = "127.0.0.1:9009"
	ghostHost     = "127.0.0.1:9010"
	facebookHost  = "127.0.0.1:9011"
)

// filesURL is where platforms fetch the files of posts.
const filesURL = "http://files.example.com"

// site is a platform, and what connects an account there.
type site struct {
	platform mission.Platform
	host     string
	stub     publishertest.Stub
	// url returns the address of a post by its id.
	url func(id string) string
	// askable reports whether the platform can be asked for the account's posts.
	askable bool
	// nameless reports whether addresses of posts don't have their ids.
	nameless bool
	// shown returns what readers see of a text.
	shown func(text string) string
}

// connection is the body of the request that connects the account.
func (s site) connection() map[string]any {
	c := s.stub.Credentials("http://" + s.host)
	body := map[string]any{"platform": s.platform}
	for name, value := range map[string]string{
		"access_token": c.AccessToken, "refresh_token": c.RefreshToken, "account": c.AccountID,
		"server": c.Server, "identifier": c.Identifier, "app_password": c.Password,
	} {
		if value != "" {
			body[name] = value
		}
	}
	return body
}

// drawnSites is how many of the platforms that aren't always there a run has.
const drawnSites = 3

// makeSites returns the platforms of a run: LinkedIn, Mastodon, and some of the others.
func makeSites(s *sim) []site {
	others := []func(s *sim) site{onBluesky, onX, onFacebook, onThreads, onInstagram, onTelegram, onDiscord, onWordPress, onGhost}
	s.keyed("sites", 0).Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	sites := []site{onLinkedIn(s), onMastodon(s)}
	for _, make := range others[:drawnSites] {
		sites = append(sites, make(s))
	}
	for i := range sites {
		if sites[i].shown == nil {
			sites[i].shown = func(text string) string { return text }
		}
	}
	return sites
}

// lag is how long a list of LinkedIn's may not show a new post (mission.Lookup.Lag).
const lag = 2 * time.Minute

func onLinkedIn(s *sim) site {
	stub := linkedintest.New()
	stub.Now = time.Now
	// A member's posts can't be listed, an organization's may be.
	askable := s.keyed("listing", 0).IntN(3) == 0
	if askable {
		stub.Listing, stub.Account = true, linkedintest.Organization
		stub.Lag = time.Duration(s.keyed("lag", 0).IntN(3)) * lag / 2
	}
	return site{
		platform: mission.LinkedIn, host: linkedInHost, stub: stub, askable: askable,
		url: func(id string) string { return "https://www.linkedin.com/feed/update/" + id + "/" },
	}
}

func onMastodon(s *sim) site {
	stub := mastodontest.New(s.t)
	stub.Now, stub.Keyless = time.Now, s.keyed("keyless", 0).IntN(3) == 0
	return site{
		platform: mission.Mastodon, host: mastodonHost, stub: stub, askable: true,
		url: func(id string) string { return "https://" + mastodonHost + "/@ada/" + id },
	}
}

func onBluesky(s *sim) site {
	stub := blueskytest.New(s.t)
	stub.Now = time.Now
	return site{
		platform: mission.Bluesky, host: blueskyHost, stub: stub, askable: true,
		url: func(id string) string {
			return "https://bsky.app/profile/" + blueskytest.DID + "/post/" + id[strings.LastIndex(id, "/")+1:]
		},
	}
}

func onX(*sim) site {
	stub := xtest.New()
	stub.Now = time.Now
	return site{
		platform: mission.Twitter, host: xHost, stub: stub, askable: true,
		url: func(id string) string { return "https://x.com/ada/status/" + id },
	}
}

func onFacebook(*sim) site {
	stub := facebooktest.New()
	stub.Now = time.Now
	return site{
		platform: mission.Facebook, host: facebookHost, stub: stub, askable: true,
		url: func(id string) string { return "https://www.facebook.com/" + id },
	}
}

func onThreads(*sim) site {
	stub := threadstest.New()
	stub.Now = time.Now
	return site{
		platform: mission.Threads, host: threadsHost, stub: stub, askable: true, nameless: true,
		url: func(id string) string { return "https://www.threads.com/@ada/post/C" + id },
	}
}

func onInstagram(*sim) site {
	stub := instagramtest.New()
	stub.Now = time.Now
	stub.FetchBy(pictures{})
	return site{
		platform: mission.Instagram, host: instagramHost, stub: stub, askable: true, nameless: true,
		url: func(id string) string { return "https://www.instagram.com/p/C" + id + "/" },
	}
}

func onTelegram(*sim) site {
	stub := telegramtest.New()
	stub.Now = time.Now
	return site{
		platform: mission.Telegram, host: telegramHost, stub: stub,
		url: func(id string) string { return "https://t.me/" + telegramtest.Channel + "/" + id },
	}
}

// onDiscord is Discord with a bot, or with a webhook, whose messages can't be listed.
func onDiscord(s *sim) site {
	stub := discordtest.New()
	stub.Now = time.Now
	stub.Webhook = s.keyed("webhook", 0).IntN(3) == 0
	return site{
		platform: mission.Discord, host: discordHost, stub: stub, askable: !stub.Webhook,
		url: func(id string) string {
			return "https://discord.com/channels/" + discordtest.GuildID + "/" + discordtest.ChannelID + "/" + id
		},
	}
}

func onWordPress(s *sim) site {
	stub := wordpresstest.New(s.t)
	stub.Now = time.Now
	return site{
		platform: mission.WordPress, host: wordPressHost, stub: stub, askable: true, shown: publishertest.ArticleText,
		url: func(id string) string { return "http://" + wordPressHost + "/?p=" + id },
	}
}

func onGhost(s *sim) site {
	stub := ghosttest.New(s.t)
	stub.Now = time.Now
	return site{
		platform: mission.Ghost, host: ghostHost, stub: stub, askable: true, nameless: true, shown: publishertest.ArticleText,
		url: func(id string) string { return "http://" + ghostHost + "/" + id + "/" },
	}
}

// adapters returns those of an instance.
func adapters(calls publisher.Client) map[mission.Platform]publisher.Adapter {
	all := map[mission.Platform]publisher.Adapter{
		mission.LinkedIn: linkedin.New(calls, linkedin.Options{BaseURL: "http://" + linkedInHost, Version: linkedintest.Version}),
		mission.Mastodon: mastodon.New(calls, mastodon.Options{}),
		mission.Bluesky:  bluesky.New(calls, nil),
		mission.Twitter: x.New(calls, x.Options{
			BaseURL: "http://" + xHost, ClientID: xtest.ClientID, ClientSecret: xtest.ClientSecret,
		}),
		mission.Facebook:  facebook.New(calls, facebook.Options{BaseURL: "http://" + facebookHost}),
		mission.Threads:   threads.New(calls, threads.Options{BaseURL: "http://" + threadsHost}),
		mission.Instagram: instagram.New(calls, instagram.Options{BaseURL: "http://" + instagramHost}),
		mission.Telegram:  telegram.New(calls, telegram.Options{BaseURL: "http://" + telegramHost}),
		mission.Discord:   discord.New(calls, discord.Options{BaseURL: "http://" + discordHost + discordtest.Prefix, Website: "https://missiond.example"}),
		mission.WordPress: wordpress.New(calls),
		mission.Ghost:     ghost.New(calls),
	}
	for p, adapter := range all {
		all[p] = publisher.Bounded(adapter)
	}
	return all
}

// pictures serves the files of posts.
type pictures struct{}

// RoundTrip implements http.RoundTripper.
func (pictures) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{
		StatusCode: http.StatusNotFound, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: io.NopCloser(strings.NewReader("a picture")),
	}
	if strings.HasPrefix(r.URL.String(), filesURL+"/v1/") {
		resp.StatusCode = http.StatusOK
		resp.Header.Set("Content-Type", mission.TypeJPEG)
	}
	return resp, nil
}

// picturesOf is how many pictures a tenant has: each is in one post at most within two weeks.
const picturesOf = 60

// some returns the pictures of a mission, in an order of its own.
func (t *tenant) some(r *rand.Rand) []string {
	all := append([]string(nil), t.pictures...)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:picturesOf/2]
}

// picture names the n-th.
func picture(n int) string { return "Bicycle " + strconv.Itoa(n) }
