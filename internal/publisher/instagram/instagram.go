// Package instagram publishes on Instagram, for professional accounts (Instagram API with Instagram
// Login, v25.0; pages of 2026-06-02 to 2026-06-22).
package instagram

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// scopes are what owners consent to: the profile, posts, comments (a first comment is one), figures.
var scopes = []string{
	"instagram_business_basic", "instagram_business_content_publish", "instagram_business_manage_comments",
	"instagram_business_manage_insights",
}

// DefaultVersion is the version of the API.
const DefaultVersion = "v25.0"

// Options are the addresses of Instagram, and the client that the operator registered there.
type Options struct {
	// BaseURL is the API's address; "" for https://graph.instagram.com.
	BaseURL string
	// AuthorizeURL is the page where owners consent; "" for https://www.instagram.com/oauth/authorize.
	AuthorizeURL string
	// CodeURL is where codes are exchanged; "" for https://api.instagram.com/oauth/access_token.
	CodeURL string
	// Version is the API's version; "" for DefaultVersion.
	Version string
	// ClientID and ClientSecret are those of the operator's application; without them nobody can
	// consent.
	ClientID, ClientSecret string
}

// Adapter is the adapter of Instagram.
type Adapter struct {
	api        meta.API
	tokens     meta.Tokens
	containers meta.Containers
}

var (
	_ publisher.Authorizer = (*Adapter)(nil)
	_ publisher.Uploader   = (*Adapter)(nil)
	_ publisher.Preparer   = (*Adapter)(nil)
)

// New returns the adapter of Instagram.
func New(c publisher.Client, o Options) *Adapter {
	base := strings.TrimSuffix(cmp.Or(o.BaseURL, "https://graph.instagram.com"), "/")
	api := meta.New(c, base+"/"+cmp.Or(o.Version, DefaultVersion))
	return &Adapter{
		api: api,
		tokens: meta.Tokens{
			Client: c, AuthorizeURL: cmp.Or(o.AuthorizeURL, "https://www.instagram.com/oauth/authorize"), Scopes: scopes,
			CodeURL: cmp.Or(o.CodeURL, "https://api.instagram.com/oauth/access_token"), LongURL: base + "/access_token",
			RenewURL: base + "/refresh_access_token", LongGrant: "ig_exchange_token", RenewGrant: "ig_refresh_token", ShortField: "access_token",
			ClientID: o.ClientID, ClientSecret: o.ClientSecret,
		},
		containers: meta.Containers{
			API: api, Name: "Instagram", Create: "media", Publish: "media_publish", State: "status_code", Problem: "status",
			Text: "caption", Lists: func(mission.Part) string { return "media" }, Again: again,
		},
	}
}

// passing are the codes of failures that making the container anew may mend ("Error Codes").
var passing = []string{"2207001", "2207003", "2207020", "2207032", "2207052", "2207053"}

// again reports whether a container with a problem may be made anew.
func again(problem string) bool {
	for _, code := range passing {
		if strings.Contains(problem, code) {
			return true
		}
	}
	return false
}

// Connect implements [publisher.Adapter].
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	var me struct {
		Person   string `json:"id"`
		ID       string `json:"user_id"`
		Username string `json:"username"`
		Name     string `json:"name"`
		Picture  string `json:"profile_picture_url"`
	}
	if err := a.api.Get(ctx, c, "/me", url.Values{"fields": {"id,user_id,username,name,profile_picture_url"}}, &me); err != nil {
		return mission.Account{}, c, err
	}
	if !meta.IsID(me.ID) || me.Person != "" && !meta.IsID(me.Person) {
		return mission.Account{}, c, publisher.Response{}.Malformed()
	}
	c = a.tokens.Typed(ctx, c)
	c.AccountID, c.OwnerID = me.ID, me.Person
	daily := meta.DailyPosts(ctx, func(ctx context.Context) (meta.Allowance, error) {
		l, err := a.limits(ctx, c)
		return l.Config, err
	})
	return mission.Account{
		ID: me.ID, OwnerID: me.Person, Handle: me.Username, Name: cmp.Or(me.Name, me.Username), AvatarURL: me.Picture,
		URL: "https://www.instagram.com/" + url.PathEscape(me.Username) + "/", Daily: daily,
	}, c, nil
}

// Refresh implements [publisher.Adapter]. A token is what renews it: once it is a day old, and before
// it expires.
func (a *Adapter) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	return a.tokens.Renew(ctx, c)
}

// Authorize implements [publisher.Authorizer]. Instagram's flow has no proof of RFC 7636.
func (a *Adapter) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	return a.tokens.Authorize(g)
}

// Exchange implements [publisher.Authorizer].
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	return a.tokens.Exchange(ctx, g, code)
}

// figures are the names of the metrics of a post. Impressions ended on 2025-04-21.
var figures = meta.Figures{
	mission.Views: {"views"}, mission.Reach: {"reach"}, mission.Likes: {"likes"}, mission.Comments: {"comments"}, mission.Shares: {"shares"},
}

// Measure implements [publisher.Adapter]. Figures may be two days late.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	return a.api.Measure(ctx, c, posts, figures, nil)
}
