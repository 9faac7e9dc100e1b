// Package linkedin publishes on LinkedIn (Posts API, versions of 2026), as a
// member or as an organization that a member acts for.
package linkedin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/oauth2"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkcard"
	"missiond/mission"
)

// DefaultScopes are the scopes that LinkedIn gives every application: to know the
// member and to post as them.
const DefaultScopes = "openid profile w_member_social"

// Options are LinkedIn's addresses, the version of its API, and the client that the
// operator registered there.
type Options struct {
	// BaseURL is the API's address; "" for https://api.linkedin.com.
	BaseURL string
	// AuthURL is the prefix of the addresses of consent and tokens; "" for
	// https://www.linkedin.com/oauth/v2.
	AuthURL string
	// Version is the API's version, as YYYYMM. It is required: LinkedIn has no
	// default, and ends a version a year or more after it began.
	Version string
	// ClientID and ClientSecret are those of the operator's application; without
	// them nobody can consent.
	ClientID, ClientSecret string
	// Scopes are the scopes that owners consent to, separated by spaces; "" for
	// DefaultScopes. LinkedIn approves the others per application:
	// r_member_postAnalytics for members' figures, w_organization_social and
	// r_organization_social for organizations.
	Scopes string
	// Cards reads the pages that posts link to, for their cards; with nil they get none.
	Cards *linkcard.Reader
}

// Adapter is the adapter of LinkedIn.
type Adapter struct {
	client  publisher.Client
	options Options
}

var (
	_ publisher.Authorizer = (*Adapter)(nil)
	_ publisher.Uploader   = (*Adapter)(nil)
	_ publisher.Audiences  = (*Adapter)(nil)
)

// authors matches the URNs of those who may post. The form keeps them from having
// another meaning in an address.
var authors = regexp.MustCompile(`^urn:li:(person|organization):([A-Za-z0-9_-]+)$`)

// New returns the adapter of LinkedIn.
func New(c publisher.Client, o Options) *Adapter {
	o.BaseURL = strings.TrimSuffix(cmp.Or(o.BaseURL, "https://api.linkedin.com"), "/")
	o.AuthURL = strings.TrimSuffix(cmp.Or(o.AuthURL, "https://www.linkedin.com/oauth/v2"), "/")
	o.Scopes = cmp.Or(o.Scopes, DefaultScopes)
	return &Adapter{client: c, options: o}
}

// Connect implements [publisher.Adapter]. The account is the organization that
// AccountID names or, without one, the token's member. LinkedIn tells an
// organization's name only to its administrators, so its URN is used as its name.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	named := authors.FindStringSubmatch(c.AccountID)
	if c.AccountID != "" && named == nil {
		return mission.Account{}, c, &mission.PublishError{Outcome: mission.OutcomeRefused, Failure: mission.Failure{
			Code: publisher.CodeRefused, Message: "The account's id must be urn:li:person:… or urn:li:organization:….",
		}}
	}
	response, err := a.do(ctx, c, http.MethodGet, "/v2/userinfo", nil)
	if err != nil {
		return mission.Account{}, c, err
	}
	if !response.OK() {
		return mission.Account{}, c, a.denied(response)
	}
	var member struct {
		Sub     string `json:"sub"`
		Name    string `json:"name"`
		Picture string `json:"picture"`
	}
	if err := response.JSON(&member); err != nil {
		return mission.Account{}, c, err
	}
	if named != nil && named[1] == "organization" {
		return mission.Account{ID: c.AccountID, Name: c.AccountID, URL: "https://www.linkedin.com/company/" + named[2] + "/"}, c, nil
	}
	c.AccountID = "urn:li:person:" + member.Sub
	if !authors.MatchString(c.AccountID) {
		return mission.Account{}, c, response.Malformed()
	}
	return mission.Account{
		ID: c.AccountID, Name: cmp.Or(member.Name, c.AccountID), URL: "https://www.linkedin.com/", AvatarURL: member.Picture,
	}, c, nil
}

// Refresh implements [publisher.Adapter]. Only LinkedIn's partners get refresh
// tokens; other owners have to consent again every 60 days.
func (a *Adapter) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	o := a.oauth(c.ClientID, c.ClientSecret, "")
	return o.Refresh(ctx, c)
}

// Authorize implements [publisher.Authorizer]. It sends no proof of RFC 7636:
// LinkedIn's flow for confidential clients has none, and rejects a code_verifier as
// invalid_client. The client's secret and the state take its place.
func (a *Adapter) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	conf := a.oauth(g.ClientID, g.ClientSecret, g.RedirectURL).Config
	if conf.ClientID == "" {
		return "", g, publisher.ErrNoClient
	}
	return conf.AuthCodeURL(g.State), g, nil
}

// Exchange implements [publisher.Authorizer].
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	o := a.oauth(g.ClientID, g.ClientSecret, g.RedirectURL)
	if o.Config.ClientID == "" {
		return mission.Credentials{}, publisher.ErrNoClient
	}
	c, err := o.Exchange(ctx, code, "")
	c.ClientID, c.ClientSecret = g.ClientID, g.ClientSecret
	return c, err
}

// oauth returns LinkedIn's OAuth for a client: the owner's own or, if id is "", the operator's.
func (a *Adapter) oauth(id, secret, redirect string) publisher.OAuth {
	if id == "" {
		id, secret = a.options.ClientID, a.options.ClientSecret
	}
	return publisher.OAuth{Client: a.client, Config: &oauth2.Config{
		ClientID: id, ClientSecret: secret,
		RedirectURL: redirect, Scopes: strings.Fields(a.options.Scopes),
		Endpoint: oauth2.Endpoint{
			AuthURL: a.options.AuthURL + "/authorization", TokenURL: a.options.AuthURL + "/accessToken",
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}}
}

// do makes a call and returns any response. target is a path with its query, which
// Rest.li encodes in its own way.
func (a *Adapter) do(ctx context.Context, c mission.Credentials, method, target string, body any) (publisher.Response, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return publisher.Response{}, fmt.Errorf("encode a request: %w", err)
		}
		content = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(ctx, method, a.options.BaseURL+target, content)
	if err != nil {
		return publisher.Response{}, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	if strings.HasPrefix(target, "/rest/") {
		req.Header.Set("LinkedIn-Version", a.options.Version)
		req.Header.Set("X-Restli-Protocol-Version", "2.0.0")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return a.client.Do(req, c.RefreshToken)
}

// within returns a URN as part of a Rest.li query.
func within(urn string) string { return url.QueryEscape(urn) }
