// Package threads publishes on Threads (Threads API v1.0, pages of 2026-04-14 to 2026-07-02).
package threads

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// scopes are what owners consent to: the profile, posts, their figures, and replies, which the parts
// of threads and first comments are.
var scopes = []string{
	"threads_basic", "threads_content_publish", "threads_manage_insights", "threads_manage_replies", "threads_read_replies",
}

// Options are the addresses of Threads, and the client that the operator registered there.
type Options struct {
	// BaseURL is the API's address; "" for https://graph.threads.net.
	BaseURL string
	// AuthorizeURL is the page where owners consent; "" for https://threads.net/oauth/authorize.
	AuthorizeURL string
	// ClientID and ClientSecret are those of the operator's application; without them nobody can
	// consent.
	ClientID, ClientSecret string
}

// Adapter is the adapter of Threads.
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

// New returns the adapter of Threads.
func New(c publisher.Client, o Options) *Adapter {
	base := strings.TrimSuffix(cmp.Or(o.BaseURL, "https://graph.threads.net"), "/")
	api := meta.New(c, base+"/v1.0")
	return &Adapter{
		api: api,
		tokens: meta.Tokens{
			Client: c, AuthorizeURL: cmp.Or(o.AuthorizeURL, "https://threads.net/oauth/authorize"), Scopes: scopes,
			CodeURL: base + "/oauth/access_token", LongURL: base + "/access_token", RenewURL: base + "/refresh_access_token",
			LongGrant: "th_exchange_token", RenewGrant: "th_refresh_token", ShortField: "access_token",
			ClientID: o.ClientID, ClientSecret: o.ClientSecret,
		},
		containers: meta.Containers{
			API: api, Name: "Threads", Create: "threads", Publish: "threads_publish", State: "status", Problem: "error_message",
			Text: "text", Lists: lists, Again: again,
		},
	}
}

// lists returns the edge that lists posts such as a part: replies have one of their own.
func lists(p mission.Part) string {
	if p.Parent != nil {
		return "replies"
	}
	return "threads"
}

// again reports whether a container with a problem may be made anew.
func again(problem string) bool { return problem == "FAILED_DOWNLOADING_VIDEO" || problem == "UNKNOWN" }

// Connect implements [publisher.Adapter].
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	var me struct {
		ID       string `json:"id"`
		Username string `json:"username"`
		Name     string `json:"name"`
		Picture  string `json:"threads_profile_picture_url"`
	}
	if err := a.api.Get(ctx, c, "/me", url.Values{"fields": {"id,username,name,threads_profile_picture_url"}}, &me); err != nil {
		return mission.Account{}, c, err
	}
	if !meta.IsID(me.ID) {
		return mission.Account{}, c, publisher.Response{}.Malformed()
	}
	c = a.tokens.Typed(ctx, c)
	c.AccountID = me.ID
	daily := meta.DailyPosts(ctx, func(ctx context.Context) (meta.Allowance, error) {
		l, err := a.limits(ctx, c)
		return l.Config, err
	})
	return mission.Account{
		ID: me.ID, Handle: me.Username, Name: cmp.Or(me.Name, me.Username), AvatarURL: me.Picture,
		URL: "https://www.threads.com/@" + url.PathEscape(me.Username), Daily: daily,
	}, c, nil
}

// Refresh implements [publisher.Adapter]. A token is what renews it: once it is a day old, and before
// it expires.
func (a *Adapter) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	return a.tokens.Renew(ctx, c)
}

// Authorize implements [publisher.Authorizer]. Threads' flow has no proof of RFC 7636.
func (a *Adapter) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	return a.tokens.Authorize(g)
}

// Exchange implements [publisher.Authorizer].
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	return a.tokens.Exchange(ctx, g, code)
}

// figures are the names of the metrics of a post. Shares are reposts and quotes; what Threads calls
// shares are posts that were sent to somebody.
var figures = meta.Figures{
	mission.Views: {"views"}, mission.Likes: {"likes"}, mission.Comments: {"replies"}, mission.Shares: {"reposts", "quotes"},
}

// Measure implements [publisher.Adapter].
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	return a.api.Measure(ctx, c, posts, figures, nil)
}
