package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"missiond/internal/clock"
	"missiond/internal/httpserver"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky"
	"missiond/internal/publisher/desk"
	"missiond/internal/publisher/linkedin"
	"missiond/internal/publisher/mastodon"
	"missiond/internal/publisher/sandbox"
	"missiond/internal/publisher/x"
	"missiond/internal/seal"
	"missiond/internal/service"
	"missiond/mission"
)

// platformFlags name the operator's clients of platforms, and where those are.
type platformFlags struct {
	PublicURL            string   `name:"public-url" help:"Where browsers reach this service, as in https://missions.example.com: platforms send the owners of accounts back there. http://<addr> where it isn't given." placeholder:"URL"`
	XClientID            string   `name:"x-client-id" help:"The OAuth 2 client of X that tenants consent to."`
	XClientSecret        string   `name:"x-client-secret" help:"Its secret, where it is a confidential client."`
	XURL                 string   `name:"x-url" help:"X's API." default:"https://api.x.com"`
	XAuthorizeURL        string   `name:"x-authorize-url" help:"Where X asks for consent." default:"https://x.com/i/oauth2/authorize"`
	LinkedInClientID     string   `name:"linkedin-client-id" help:"The OAuth 2 client of LinkedIn that tenants consent to."`
	LinkedInClientSecret string   `name:"linkedin-client-secret" help:"Its secret."`
	LinkedInScopes       []string `name:"linkedin-scopes" help:"What it asks for." default:"openid,profile,w_member_social"`
	LinkedInVersion      string   `name:"linkedin-version" help:"The version of LinkedIn's API, as in 202607; LinkedIn drops one after a year." default:"202607"`
	LinkedInURL          string   `name:"linkedin-url" help:"LinkedIn's API." default:"https://api.linkedin.com"`
	LinkedInAuthURL      string   `name:"linkedin-auth-url" help:"Where LinkedIn asks for consent and gives tokens." default:"https://www.linkedin.com/oauth/v2"`
}

// Bounds of connections to platforms.
const (
	platformLimit = 8 * time.Second
	platformIdle  = 8
)

// adapters returns the platforms that can be connected. Those whose servers
// tenants name are called under rules.
func (f platformFlags) adapters(rules outbound.Rules) (map[mission.Platform]publisher.Adapter, func()) {
	transport := rules.Transport(platformLimit, platformIdle)
	client := publisher.NewClient(&http.Client{Transport: transport, Timeout: 2 * platformLimit}, time.Now)
	return map[mission.Platform]publisher.Adapter{
		mission.Mastodon: mastodon.New(client, mastodon.Options{Website: f.PublicURL}),
		mission.Bluesky:  bluesky.New(client),
		mission.Twitter:  x.New(client, x.Options{BaseURL: f.XURL, AuthorizeURL: f.XAuthorizeURL, ClientID: f.XClientID, ClientSecret: f.XClientSecret}),
		mission.LinkedIn: linkedin.New(client, linkedin.Options{
			BaseURL: f.LinkedInURL, AuthURL: f.LinkedInAuthURL, Version: f.LinkedInVersion, Scopes: strings.Join(f.LinkedInScopes, " "),
			ClientID: f.LinkedInClientID, ClientSecret: f.LinkedInClientSecret,
		}),
	}, transport.CloseIdleConnections
}

// linkedInVersion is how LinkedIn writes the versions of its API.
var linkedInVersion = regexp.MustCompile(`^20[0-9]{2}(0[1-9]|1[0-2])$`)

// check returns what is wrong with the flags.
func (f platformFlags) check() error {
	if !linkedInVersion.MatchString(f.LinkedInVersion) {
		return fmt.Errorf("--linkedin-version: %q isn't a year and a month, as in 202607", f.LinkedInVersion)
	}
	for name, text := range map[string]string{
		"public-url": f.PublicURL, "x-url": f.XURL, "x-authorize-url": f.XAuthorizeURL, "linkedin-url": f.LinkedInURL, "linkedin-auth-url": f.LinkedInAuthURL,
	} {
		u, err := url.Parse(text)
		if text != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
			return fmt.Errorf("--%s: %q isn't an absolute URL", name, text)
		}
	}
	return nil
}

// openPlatforms makes ready where posts go out. address is the API's, or "".
func (a *app) openPlatforms(f platformFlags, secrets *seal.Keyring, rules outbound.Rules, address string, origins []string) error {
	if err := f.check(); err != nil {
		return err
	}
	adapters, done := f.adapters(rules)
	a.closers = append(a.closers, func() error { done(); return nil })
	for p, adapter := range adapters {
		adapters[p] = publisher.Bounded(adapter)
	}
	base := strings.TrimRight(f.PublicURL, "/")
	if base == "" {
		base = "http://" + address
	}
	if strings.HasPrefix(base, "https://") {
		a.cookiePrefix = hostCookie
	}
	a.integrations = service.NewIntegrations(a.db, service.IntegrationsOptions{
		Clock: a.clock, Real: clock.Real(), Secrets: secrets, Rules: rules, Adapters: adapters, PublicURL: base, Callers: a.accounts,
		Origins: func(origin string) bool { return httpserver.AllowsOrigin(origins, origin) },
	})
	a.parts.Publisher = desk.New(a.integrations, adapters, sandbox.New(a.db, a.clock, sandbox.Audience{Seed: sandboxSeed}), a.log)
	return nil
}
