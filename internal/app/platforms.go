package app

import (
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky"
	"missiond/internal/publisher/discord"
	"missiond/internal/publisher/facebook"
	"missiond/internal/publisher/ghost"
	"missiond/internal/publisher/instagram"
	"missiond/internal/publisher/linkcard"
	"missiond/internal/publisher/linkedin"
	"missiond/internal/publisher/mastodon"
	"missiond/internal/publisher/telegram"
	"missiond/internal/publisher/threads"
	"missiond/internal/publisher/wordpress"
	"missiond/internal/publisher/x"
	"missiond/mission"
)

// PlatformOptions name the operator's OAuth clients of platforms, and their APIs.
type PlatformOptions struct {
	PublicURL            string      `name:"public-url" help:"The URL at which browsers reach this service, such as https://missions.example.com: platforms redirect account owners there, and review links begin with it. By default http://<addr>." placeholder:"URL"`
	LinkURL              string      `name:"link-url" help:"The URL that tracked links of posts begin with, before /l/: a short name that leads to this service, such as https://go.example.com. All processes need the same. By default --public-url." placeholder:"URL"`
	XClientID            string      `name:"x-client-id" help:"The OAuth 2 client id at X that tenants consent to."`
	XClientSecret        string      `name:"x-client-secret" help:"Its secret, if it is a confidential client."`
	PaidAccountFigures   bool        `name:"paid-account-figures" help:"Read how many follow the accounts of tenants once a day also on X, which charges for each read, 0.1 US cent. No mission pays for it."`
	XURL                 string      `name:"x-url" help:"X's API." default:"https://api.x.com"`
	XAuthorizeURL        string      `name:"x-authorize-url" help:"X's consent page." default:"https://x.com/i/oauth2/authorize"`
	LinkedInClientID     string      `name:"linkedin-client-id" help:"The OAuth 2 client id at LinkedIn that tenants consent to."`
	LinkedInClientSecret string      `name:"linkedin-client-secret" help:"Its secret."`
	LinkedInScopes       []string    `name:"linkedin-scopes" help:"The scopes it requests." default:"openid,profile,w_member_social"`
	LinkedInVersion      string      `name:"linkedin-version" help:"The version of LinkedIn's API, such as 202607; LinkedIn drops each after a year." default:"202607"`
	LinkedInURL          string      `name:"linkedin-url" help:"LinkedIn's API." default:"https://api.linkedin.com"`
	LinkedInAuthURL      string      `name:"linkedin-auth-url" help:"LinkedIn's consent page and token endpoint." default:"https://www.linkedin.com/oauth/v2"`
	TelegramURL          string      `name:"telegram-url" help:"Telegram's Bot API." default:"https://api.telegram.org"`
	DiscordURL           string      `name:"discord-url" help:"Discord's API." default:"https://discord.com/api/v10"`
	Meta                 MetaOptions `embed:""`
}

// MetaOptions name the operator's clients of Meta's platforms, and their APIs.
type MetaOptions struct {
	ThreadsClientID     string `name:"threads-client-id" help:"The id of the app at Meta that tenants consent to for Threads (its Threads app id)."`
	ThreadsClientSecret string `name:"threads-client-secret" help:"Its secret."`
	ThreadsURL          string `name:"threads-url" help:"Threads' API." default:"https://graph.threads.net"`
	ThreadsAuthorizeURL string `name:"threads-authorize-url" help:"Threads' consent page." default:"https://threads.net/oauth/authorize"`

	FacebookClientID     string `name:"facebook-client-id" help:"The id of the app at Meta that tenants consent to for Facebook's Pages."`
	FacebookClientSecret string `name:"facebook-client-secret" help:"Its secret."`
	FacebookURL          string `name:"facebook-url" help:"Facebook's Graph API." default:"https://graph.facebook.com"`
	FacebookAuthorizeURL string `name:"facebook-authorize-url" help:"The address of Facebook's consent page, before its version." default:"https://www.facebook.com"`
	FacebookVersion      string `name:"facebook-version" help:"The version of Facebook's Graph API, such as v25.0; Meta drops each after two years." default:"v25.0"`

	InstagramClientID     string `name:"instagram-client-id" help:"The id of the app at Meta that tenants consent to for Instagram (its Instagram app id)."`
	InstagramClientSecret string `name:"instagram-client-secret" help:"Its secret."`
	InstagramURL          string `name:"instagram-url" help:"Instagram's API." default:"https://graph.instagram.com"`
	InstagramAuthorizeURL string `name:"instagram-authorize-url" help:"Instagram's consent page." default:"https://www.instagram.com/oauth/authorize"`
	InstagramCodeURL      string `name:"instagram-code-url" help:"Instagram's token endpoint for codes." default:"https://api.instagram.com/oauth/access_token"`
	InstagramVersion      string `name:"instagram-version" help:"The version of Instagram's API, such as v25.0; Meta drops each after two years." default:"v25.0"`
}

// Bounds of connections to platforms.
const (
	platformLimit  = 8 * time.Second // of each step; a call may take twice as long
	platformHeader = 16 << 10        // bytes
	platformIdle   = 8
)

// adapters returns the adapters of the platforms that can be connected, and a
// function that closes their connections. rules say which servers may be called.
func (o PlatformOptions) adapters(rules outbound.Rules, log *slog.Logger) (map[mission.Platform]publisher.Adapter, func()) {
	calls := rules.Client(outbound.Options{
		Call: 2 * platformLimit, Connect: platformLimit, Wait: platformLimit, Header: platformHeader,
		Body: publisher.MaxResponse, Idle: platformIdle,
	})
	uploads := rules.Client(outbound.Options{
		Call: publisher.MaxUploadTime, Connect: platformLimit, Wait: publisher.PieceTime, Header: platformHeader,
		Body: publisher.MaxResponse, Idle: platformIdle,
	})
	client := publisher.NewClient(calls, time.Now).Uploading(uploads)
	cards := linkcard.NewReader(rules)
	return map[mission.Platform]publisher.Adapter{
		mission.Mastodon:  mastodon.New(client, mastodon.Options{Website: o.PublicURL}),
		mission.Bluesky:   bluesky.New(client, cards),
		mission.WordPress: wordpress.New(client),
		mission.Ghost:     ghost.New(client),
		mission.Twitter: x.New(
			client,
			x.Options{BaseURL: o.XURL, AuthorizeURL: o.XAuthorizeURL, ClientID: o.XClientID, ClientSecret: o.XClientSecret},
		),
		mission.LinkedIn: linkedin.New(client, linkedin.Options{
			BaseURL: o.LinkedInURL, AuthURL: o.LinkedInAuthURL, Version: o.LinkedInVersion, Scopes: strings.Join(o.LinkedInScopes, " "),
			ClientID: o.LinkedInClientID, ClientSecret: o.LinkedInClientSecret, Cards: cards,
		}),
		mission.Discord: discord.New(client, discord.Options{BaseURL: o.DiscordURL, Website: o.PublicURL, Log: log}),
		mission.Threads: threads.New(client, threads.Options{
			BaseURL: o.Meta.ThreadsURL, AuthorizeURL: o.Meta.ThreadsAuthorizeURL,
			ClientID: o.Meta.ThreadsClientID, ClientSecret: o.Meta.ThreadsClientSecret,
		}),
		mission.Facebook: facebook.New(client, facebook.Options{
			BaseURL: o.Meta.FacebookURL, AuthorizeURL: o.Meta.FacebookAuthorizeURL, Version: o.Meta.FacebookVersion,
			ClientID: o.Meta.FacebookClientID, ClientSecret: o.Meta.FacebookClientSecret,
		}),
		mission.Telegram: telegram.New(client, telegram.Options{BaseURL: o.TelegramURL}),
		mission.Instagram: instagram.New(client, instagram.Options{
			BaseURL: o.Meta.InstagramURL, AuthorizeURL: o.Meta.InstagramAuthorizeURL, CodeURL: o.Meta.InstagramCodeURL, Version: o.Meta.InstagramVersion,
			ClientID: o.Meta.InstagramClientID, ClientSecret: o.Meta.InstagramClientSecret,
		}),
	}, func() { calls.CloseIdleConnections(); uploads.CloseIdleConnections(); cards.Close() }
}

// linkedInVersion matches the versions of LinkedIn's API.
var linkedInVersion = regexp.MustCompile(`^20[0-9]{2}(0[1-9]|1[0-2])$`)

// metaVersion matches the versions of Meta's Graph API.
var metaVersion = regexp.MustCompile(`^v[0-9]{2}\.[0-9]$`)

// check returns an error that names the first wrong flag.
func (o PlatformOptions) check() error {
	if !linkedInVersion.MatchString(o.LinkedInVersion) {
		return fmt.Errorf("--linkedin-version: %q must be a year and a month, such as 202607", o.LinkedInVersion)
	}
	for name, v := range map[string]string{"instagram-version": o.Meta.InstagramVersion, "facebook-version": o.Meta.FacebookVersion} {
		if v != "" && !metaVersion.MatchString(v) {
			return fmt.Errorf("--%s: %q must be a version of the Graph API, such as v25.0", name, v)
		}
	}
	for name, text := range map[string]string{
		"public-url": o.PublicURL, "link-url": o.LinkURL, "x-url": o.XURL, "x-authorize-url": o.XAuthorizeURL, "linkedin-url": o.LinkedInURL,
		"linkedin-auth-url": o.LinkedInAuthURL, "discord-url": o.DiscordURL, "telegram-url": o.TelegramURL, "threads-url": o.Meta.ThreadsURL, "threads-authorize-url": o.Meta.ThreadsAuthorizeURL,
		"facebook-url": o.Meta.FacebookURL, "facebook-authorize-url": o.Meta.FacebookAuthorizeURL,
		"instagram-url": o.Meta.InstagramURL, "instagram-authorize-url": o.Meta.InstagramAuthorizeURL, "instagram-code-url": o.Meta.InstagramCodeURL,
	} {
		u, err := url.Parse(text)
		if text != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
			return fmt.Errorf("--%s: %q must be an absolute URL", name, outbound.Shown(text))
		}
	}
	return nil
}

// configure opens the platforms that posts are published to. address is the API's, or
// "" in a process without one.
func (o PlatformOptions) configure(c *Config, address string) error {
	if err := o.check(); err != nil {
		return err
	}
	adapters, done := o.adapters(c.Rules, c.Log)
	c.closers = append(c.closers, func() error { done(); return nil })
	for p, adapter := range adapters {
		adapters[p] = publisher.Bounded(adapter)
	}
	c.Adapters, c.PublicURL = adapters, strings.TrimRight(o.PublicURL, "/")
	if c.PublicURL == "" {
		c.PublicURL = "http://" + address
	}
	c.MetaSecrets = map[mission.Platform]string{
		mission.Facebook: o.Meta.FacebookClientSecret, mission.Instagram: o.Meta.InstagramClientSecret, mission.Threads: o.Meta.ThreadsClientSecret,
	}
	c.PaidFigures = o.PaidAccountFigures
	c.LinkURL = strings.TrimRight(o.LinkURL, "/")
	if c.LinkURL == "" && (o.PublicURL != "" || address != "") { // else it isn't known where they would lead
		c.LinkURL = c.PublicURL
	}
	if c.MediaPublicURL == "" && (o.PublicURL != "" || address != "") {
		c.MediaPublicURL = c.PublicURL
	}
	return nil
}
