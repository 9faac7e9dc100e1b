// Package x publishes on X (API v2, docs.x.com of 2026-08), as an account's
// owner who consented by OAuth 2.
package x

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Options are X's addresses, and the client that the operator registered there.
type Options struct {
	// BaseURL is the API's address; "" for https://api.x.com.
	BaseURL string
	// AuthorizeURL is where owners consent; "" for X's own.
	AuthorizeURL string
	// ClientID identifies the operator's application; without it nobody can
	// consent. ClientSecret is "" for a public client.
	ClientID, ClientSecret string
}

// Adapter is the adapter of X.
type Adapter struct {
	client  publisher.Client
	options Options
}

var (
	_ publisher.Authorizer = (*Adapter)(nil)
	_ publisher.Uploader   = (*Adapter)(nil)
	_ publisher.Audiences  = (*Adapter)(nil)
	_ publisher.Reader     = (*Adapter)(nil)
)

// resetHeader says when a rate limit ends, in Unix seconds.
const resetHeader = "X-Rate-Limit-Reset"

// scopes are those for reading, posting, hiding replies, uploading files, naming the account, and
// renewing the access token, which lasts two hours.
var scopes = []string{"tweet.read", "tweet.write", "tweet.moderate.write", "media.write", "users.read", "offline.access"}

// New returns the adapter of X.
func New(c publisher.Client, o Options) *Adapter {
	o.BaseURL = strings.TrimSuffix(cmp.Or(o.BaseURL, "https://api.x.com"), "/")
	o.AuthorizeURL = cmp.Or(o.AuthorizeURL, "https://x.com/i/oauth2/authorize")
	return &Adapter{client: c, options: o}
}

// Connect implements [publisher.Adapter].
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	response, err := a.call(ctx, c, http.MethodGet, "/2/users/me", url.Values{"user.fields": {"username,name,profile_image_url"}}, nil)
	if err != nil {
		return mission.Account{}, c, err
	}
	var me struct {
		Data struct {
			ID       string `json:"id"`
			Username string `json:"username"`
			Name     string `json:"name"`
			Picture  string `json:"profile_image_url"`
		} `json:"data"`
	}
	if err := response.JSON(&me); err != nil {
		return mission.Account{}, c, err
	}
	if !isID(me.Data.ID) || me.Data.Username == "" {
		return mission.Account{}, c, emptyHanded(response)
	}
	c.AccountID = me.Data.ID
	return mission.Account{
		ID: me.Data.ID, Handle: me.Data.Username,
		Name: cmp.Or(me.Data.Name, me.Data.Username),
		URL:  "https://x.com/" + url.PathEscape(me.Data.Username), AvatarURL: me.Data.Picture,
	}, c, nil
}

// Refresh implements [publisher.Adapter]. X accepts a refresh token once: the one
// in the response replaces it.
func (a *Adapter) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	return a.oauth(c.ClientID, c.ClientSecret, "").Refresh(ctx, c)
}

// Authorize implements [publisher.Authorizer].
func (a *Adapter) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	conf := a.oauth(g.ClientID, g.ClientSecret, g.RedirectURL).Config
	if conf.ClientID == "" {
		return "", g, publisher.ErrNoClient
	}
	return conf.AuthCodeURL(g.State, oauth2.S256ChallengeOption(g.Verifier)), g, nil
}

// Exchange implements [publisher.Authorizer]. A code is valid for 30 seconds.
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	o := a.oauth(g.ClientID, g.ClientSecret, g.RedirectURL)
	if o.Config.ClientID == "" {
		return mission.Credentials{}, publisher.ErrNoClient
	}
	c, err := o.Exchange(ctx, code, g.Verifier)
	c.ClientID, c.ClientSecret = g.ClientID, g.ClientSecret
	return c, err
}

// oauth returns X's OAuth for a client: the owner's own or, if id is "", the operator's.
// Confidential clients send their secret in the header; public ones name themselves in the body.
func (a *Adapter) oauth(id, secret, redirect string) publisher.OAuth {
	if id == "" {
		id, secret = a.options.ClientID, a.options.ClientSecret
	}
	style := oauth2.AuthStyleInHeader
	if secret == "" {
		style = oauth2.AuthStyleInParams
	}
	return publisher.OAuth{Client: a.client, Reset: resetHeader, Config: &oauth2.Config{
		ClientID: id, ClientSecret: secret, RedirectURL: redirect, Scopes: scopes,
		Endpoint: oauth2.Endpoint{
			AuthURL: a.options.AuthorizeURL, TokenURL: a.options.BaseURL + "/2/oauth2/token", AuthStyle: style,
		},
	}}
}

// call makes a call; the response is OK unless there is an error.
func (a *Adapter) call(
	ctx context.Context, c mission.Credentials, method, path string, query url.Values, body any,
) (publisher.Response, error) {
	response, err := a.do(ctx, c, method, path, query, body)
	if err == nil && !response.OK() {
		err = fail(response)
	}
	return response, err
}

// do makes a call and returns any response.
func (a *Adapter) do(
	ctx context.Context, c mission.Credentials, method, path string, query url.Values, body any,
) (publisher.Response, error) {
	address := a.options.BaseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return publisher.Response{}, fmt.Errorf("encode a request: %w", err)
		}
		content = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return publisher.Response{}, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return a.client.Do(req, c.RefreshToken)
}
