// Package facebook publishes on Facebook's Pages (Graph API v25.0, pages of 2026, and the official names
// of fields in the specifications of Meta's SDKs).
package facebook

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// scopes are what owners consent to: the list of their Pages, posts, what posts got, what people wrote
// below them, comments of the Page's own (a first comment and an answer are some) and hiding others, figures.
var scopes = []string{
	"pages_show_list", "pages_manage_posts", "pages_read_engagement", "pages_read_user_content", "pages_manage_engagement", "read_insights",
}

// DefaultVersion is the version of the API.
const DefaultVersion = "v25.0"

// Options are the addresses of Facebook, and the client that the operator registered there.
type Options struct {
	// BaseURL is the API's address; "" for https://graph.facebook.com.
	BaseURL string
	// AuthorizeURL is the page where owners consent, without its version; "" for
	// https://www.facebook.com.
	AuthorizeURL string
	// Version is the API's version; "" for DefaultVersion.
	Version string
	// ClientID and ClientSecret are those of the operator's application; without them nobody can
	// consent.
	ClientID, ClientSecret string
}

// Adapter is the adapter of Facebook's Pages.
type Adapter struct {
	api    meta.API
	tokens meta.Tokens
}

var (
	_ publisher.Authorizer = (*Adapter)(nil)
	_ publisher.Uploader   = (*Adapter)(nil)
)

// New returns the adapter of Facebook's Pages.
func New(c publisher.Client, o Options) *Adapter {
	at := func(address, otherwise string) string {
		return strings.TrimSuffix(cmp.Or(address, otherwise), "/") + "/" + cmp.Or(o.Version, DefaultVersion)
	}
	base := at(o.BaseURL, "https://graph.facebook.com")
	return &Adapter{
		api: meta.New(c, base),
		tokens: meta.Tokens{
			Client: c, AuthorizeURL: at(o.AuthorizeURL, "https://www.facebook.com") + "/dialog/oauth", Scopes: scopes,
			CodeURL: base + "/oauth/access_token", LongURL: base + "/oauth/access_token", LongGrant: "fb_exchange_token",
			ShortField: "fb_exchange_token", LongID: true, ClientID: o.ClientID, ClientSecret: o.ClientSecret,
		},
	}
}

const (
	// pageFields are the fields of a Page.
	pageFields = "id,name,username,picture{url}"
	// createContent is the task that a person needs on a Page.
	createContent = "CREATE_CONTENT"
	// listed is how many Pages or posts one call lists, pagesPages how many calls list Pages, and
	// lookPages how many look for a post.
	listed     = 100
	pagesPages = 3
	lookPages  = 5
	// shownPages is how many Pages an error names, and shownName how long their names are.
	shownPages = 10
	shownName  = 60
)

// page is a Page as its person, or the Page itself, sees it.
type page struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Username string `json:"username"`
	Picture  struct {
		Data struct {
			URL string `json:"url"`
		} `json:"data"`
	} `json:"picture"`
	AccessToken string   `json:"access_token"`
	Tasks       []string `json:"tasks"`
}

// Connect implements [publisher.Adapter]. With a person's token the account is the Page that AccountID
// names by its id or name or, if it is "", the only one that the person writes for; the Page's token,
// which doesn't expire by time, is stored instead. Facebook names the person by the id of the owner.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	var pages []page
	_, err := meta.Pages(
		ctx, a.api, c, "/me/accounts", url.Values{"fields": {pageFields + ",access_token,tasks"}, "limit": {fmt.Sprint(listed)}}, pagesPages,
		func(p page) bool {
			pages = append(pages, p)
			return true
		},
	)
	if meta.Invalid(err) { // a Page has no Pages: it is its own token
		return a.connectPage(ctx, c)
	}
	if err != nil {
		return mission.Account{}, c, err
	}
	chosen, err := choose(pages, c.AccountID)
	if err != nil {
		return mission.Account{}, c, err
	}
	var me struct {
		ID string `json:"id"`
	}
	if err := a.api.Get(ctx, c, "/me", url.Values{"fields": {"id"}}, &me); err != nil {
		return mission.Account{}, c, err
	}
	if !meta.IsID(chosen.ID) || !meta.IsID(me.ID) || chosen.AccessToken == "" {
		return mission.Account{}, c, publisher.Response{}.Malformed()
	}
	c.AccountID, c.OwnerID = chosen.ID, me.ID
	c.AccessToken, c.RefreshToken, c.ExpiresAt = chosen.AccessToken, "", nil
	return chosen.account(c), c, nil
}

// connectPage is Connect with a Page's own token.
func (a *Adapter) connectPage(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	var p page
	if err := a.api.Get(ctx, c, "/me", url.Values{"fields": {pageFields}}, &p); err != nil {
		return mission.Account{}, c, err
	}
	if !meta.IsID(p.ID) {
		return mission.Account{}, c, publisher.Response{}.Malformed()
	}
	if c.AccountID != "" && !p.is(c.AccountID) {
		return mission.Account{}, c, wrongPage("The access token is that of another Page: " + shown([]page{p}))
	}
	c.AccountID, c.RefreshToken = p.ID, ""
	return p.account(c), c, nil
}

// is reports whether a text names the Page.
func (p page) is(name string) bool { return p.ID == name || strings.EqualFold(p.Username, name) }

func (p page) account(c mission.Credentials) mission.Account {
	return mission.Account{
		ID: p.ID, Handle: p.Username, Name: p.Name, AvatarURL: p.Picture.Data.URL, OwnerID: c.OwnerID, URL: host + cmp.Or(p.Username, p.ID),
	}
}

// choose returns the Page that a text names or, for "", the only one that a person writes for.
func choose(pages []page, name string) (page, error) {
	own := slices.DeleteFunc(slices.Clone(pages), func(p page) bool { return !slices.Contains(p.Tasks, createContent) })
	at := 0
	if name != "" {
		at = slices.IndexFunc(pages, func(p page) bool { return p.is(name) })
	}
	switch {
	case at < 0:
		return page{}, wrongPage("The person has no such Page, or didn’t choose it in the consent")
	case name != "" && !slices.Contains(pages[at].Tasks, createContent):
		return page{}, wrongPage("The person may not publish for the Page: the task “Content” is needed there")
	case name != "":
		return pages[at], nil
	case len(own) == 0:
		return page{}, wrongPage("The person publishes for no Page, or chose none in the consent")
	case len(own) > 1:
		return page{}, wrongPage("Choose one of the person’s Pages, by its id: " + shown(own))
	}
	return own[0], nil
}

// shown lists Pages for people.
func shown(pages []page) string {
	var all []string
	for _, p := range pages[:min(len(pages), shownPages)] {
		all = append(all, publisher.Label(p.ID, shownName)+" ("+publisher.Label(p.Name, shownName)+")")
	}
	if len(pages) > shownPages {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}

// wrongPage returns the error for a Page that can't be connected.
func wrongPage(why string) error {
	return &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Param: "account",
		Failure: mission.Failure{Code: publisher.CodeUnauthorized, Message: why + "."},
	}
}

// Refresh always fails: a Page's token doesn't expire by time, and only a person gets another.
func (a *Adapter) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	return a.tokens.Renew(ctx, c)
}

// Authorize implements [publisher.Authorizer]. Facebook's flow has no proof of RFC 7636.
func (a *Adapter) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	return a.tokens.Authorize(g)
}

// Exchange implements [publisher.Authorizer]: the credentials are a person's until Connect.
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	return a.tokens.Exchange(ctx, g, code)
}
