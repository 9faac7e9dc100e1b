package app

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky"
	"missiond/internal/publisher/linkcard"
	"missiond/internal/publisher/linkedin"
	"missiond/internal/publisher/mastodon"
	"missiond/internal/publisher/x"
	"missiond/mission"
)

// PlatformOptions name the operator's OAuth clients of platforms, and their APIs.
type PlatformOptions struct {
	PublicURL            string   `name:"public-url" help:"The URL at which browsers reach this service, such as https://missions.example.com: platforms redirect account owners there, and review links begin with it. By default http://<addr>." placeholder:"URL"`
	XClientID            string   `name:"x-client-id" help:"The OAuth 2 client id at X that tenants consent to."`
	XClientSecret        string   `name:"x-client-secret" help:"Its secret, if it is a confidential client."`
	XURL                 string   `name:"x-url" help:"X's API." default:"https://api.x.com"`
	XAuthorizeURL        string   `name:"x-authorize-url" help:"X's consent page." default:"https://x.com/i/oauth2/authorize"`
	LinkedInClientID     string   `name:"linkedin-client-id" help:"The OAuth 2 client id at LinkedIn that tenants consent to."`
	LinkedInClientSecret string   `name:"linkedin-client-secret" help:"Its secret."`
	LinkedInScopes       []string `name:"linkedin-scopes" help:"The scopes it requests." default:"openid,profile,w_member_social"`
	LinkedInVersion      string   `name:"linkedin-version" help:"The version of LinkedIn's API, such as 202607; LinkedIn drops each after a year." default:"202607"`
	LinkedInURL          string   `name:"linkedin-url" help:"LinkedIn's API." default:"https://api.linkedin.com"`
	LinkedInAuthURL      string   `name:"linkedin-auth-url" help:"LinkedIn's consent page and token endpoint." default:"https://www.linkedin.com/oauth/v2"`
}

// Bounds of connections to platforms.
const (
	platformLimit  = 8 * time.Second // of each step; a call may take twice as long
	platformHeader = 16 << 10        // bytes
	platformIdle   = 8
)

// adapters returns the adapters of the platforms that can be connected, and a
// function that closes their connections. rules say which servers may be called.
func (o PlatformOptions) adapters(rules outbound.Rules) (map[mission.Platform]publisher.Adapter, func()) {
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
		mission.Mastodon: mastodon.New(client, mastodon.Options{Website: o.PublicURL}),
		mission.Bluesky:  bluesky.New(client, cards),
		mission.Twitter: x.New(
			client,
			x.Options{BaseURL: o.XURL, AuthorizeURL: o.XAuthorizeURL, ClientID: o.XClientID, ClientSecret: o.XClientSecret},
		),
		mission.LinkedIn: linkedin.New(client, linkedin.Options{
			BaseURL: o.LinkedInURL, AuthURL: o.LinkedInAuthURL, Version: o.LinkedInVersion, Scopes: strings.Join(o.LinkedInScopes, " "),
			ClientID: o.LinkedInClientID, ClientSecret: o.LinkedInClientSecret, Cards: cards,
		}),
	}, func() { calls.CloseIdleConnections(); uploads.CloseIdleConnections(); cards.Close() }
}

// linkedInVersion matches the versions of LinkedIn's API.
var linkedInVersion = regexp.MustCompile(`^20[0-9]{2}(0[1-9]|1[0-2])$`)

// check returns an error that names the first wrong flag.
func (o PlatformOptions) check() error {
	if !linkedInVersion.MatchString(o.LinkedInVersion) {
		return fmt.Errorf("--linkedin-version: %q must be a year and a month, such as 202607", o.LinkedInVersion)
	}
	for name, text := range map[string]string{
		"public-url": o.PublicURL, "x-url": o.XURL, "x-authorize-url": o.XAuthorizeURL, "linkedin-url": o.LinkedInURL,
		"linkedin-auth-url": o.LinkedInAuthURL,
	} {
		u, err := url.Parse(text)
		if text != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
			return fmt.Errorf("--%s: %q must be an absolute URL", name, text)
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
	adapters, done := o.adapters(c.Rules)
	c.closers = append(c.closers, func() error { done(); return nil })
	for p, adapter := range adapters {
		adapters[p] = publisher.Bounded(adapter)
	}
	c.Adapters, c.PublicURL = adapters, strings.TrimRight(o.PublicURL, "/")
	if c.PublicURL == "" {
		c.PublicURL = "http://" + address
	}
	if c.MediaPublicURL == "" && (o.PublicURL != "" || address != "") {
		c.MediaPublicURL = c.PublicURL
	}
	return nil
}
