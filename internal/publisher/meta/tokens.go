package meta

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Tokens are how the tokens of a platform are made: the code of a consent becomes a token of an hour,
// that one a token of sixty days, which is renewed once it is a day old and before it expires.
type Tokens struct {
	Client publisher.Client
	// AuthorizeURL is the page where owners consent, CodeURL where codes are exchanged, LongURL
	// where tokens are for longer ones, and RenewURL where those are renewed; "" if they don't expire.
	AuthorizeURL, CodeURL, LongURL, RenewURL string
	// LongGrant and RenewGrant are the grant types of the last two, ShortField the field of the
	// short token.
	LongGrant, RenewGrant, ShortField string
	// LongID reports whether the exchange for a longer token names the application.
	LongID bool
	Scopes []string
	// ClientID and ClientSecret are those of the operator's application.
	ClientID, ClientSecret string
}

// app returns the application of a grant: the owner's own or the operator's. Errors:
// publisher.ErrNoClient.
func (t Tokens) app(id, secret string) (string, string, error) {
	if id == "" {
		id, secret = t.ClientID, t.ClientSecret
	}
	if id == "" {
		return "", "", publisher.ErrNoClient
	}
	return id, secret, nil
}

// Authorize returns the address where an owner consents.
func (t Tokens) Authorize(g mission.Grant) (string, mission.Grant, error) {
	id, _, err := t.app(g.ClientID, g.ClientSecret)
	if err != nil {
		return "", g, err
	}
	q := url.Values{
		"client_id": {id}, "redirect_uri": {g.RedirectURL}, "response_type": {"code"}, "state": {g.State},
		"scope": {strings.Join(t.Scopes, ",")},
	}
	return t.AuthorizeURL + "?" + q.Encode(), g, nil
}

// token is the response of a token endpoint. Instagram's has it in a list.
type token struct {
	AccessToken string  `json:"access_token"`
	ExpiresIn   int64   `json:"expires_in"`
	Data        []token `json:"data"`
}

// Exchange returns the credentials for an owner's code.
func (t Tokens) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	id, secret, err := t.app(g.ClientID, g.ClientSecret)
	if err != nil {
		return mission.Credentials{}, err
	}
	form := url.Values{
		"client_id": {id}, "client_secret": {secret}, "grant_type": {"authorization_code"}, "redirect_uri": {g.RedirectURL},
		"code": {strings.TrimSuffix(code, "#_")},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.CodeURL, strings.NewReader(form.Encode()))
	if err != nil {
		return mission.Credentials{}, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	short, err := t.call(req, code, secret)
	if err != nil {
		return mission.Credentials{}, err
	}
	q := url.Values{"grant_type": {t.LongGrant}, "client_secret": {secret}, t.ShortField: {short.AccessToken}}
	if t.LongID {
		q.Set("client_id", id)
	}
	long, err := t.get(ctx, t.LongURL, q)
	if err != nil {
		return mission.Credentials{}, err
	}
	c := mission.Credentials{ClientID: g.ClientID, ClientSecret: g.ClientSecret, Scopes: t.Scopes}
	return t.with(c, long), nil
}

// Renew returns credentials with a new token. The old one stays good. Errors: unauthorized also if
// the token can't be renewed, or not yet.
func (t Tokens) Renew(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	if c.RefreshToken == "" || t.RenewURL == "" {
		return mission.Credentials{}, &mission.PublishError{
			Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Failure: mission.Failure{
				Code: publisher.CodeUnauthorized, Message: "The credentials have ended, and only their owner can renew them.",
			},
		}
	}
	renewed, err := t.get(ctx, t.RenewURL, url.Values{"grant_type": {t.RenewGrant}, "access_token": {c.RefreshToken}})
	if err != nil {
		return mission.Credentials{}, err
	}
	return t.with(c, renewed), nil
}

// Typed returns credentials that a person typed in with a token whose end is known, if it can be
// renewed already: it is a day old.
func (t Tokens) Typed(ctx context.Context, c mission.Credentials) mission.Credentials {
	if c.ExpiresAt != nil || c.AccessToken == "" {
		return c
	}
	c.RefreshToken = c.AccessToken
	if renewed, err := t.Renew(ctx, c); err == nil {
		return renewed
	}
	return c
}

// with returns credentials with a token, which is what renews it.
func (t Tokens) with(c mission.Credentials, made token) mission.Credentials {
	c.AccessToken, c.ExpiresAt = made.AccessToken, nil
	if t.RenewURL != "" {
		c.RefreshToken = made.AccessToken
	}
	if made.ExpiresIn > 0 {
		at := t.Client.Now().Add(time.Duration(made.ExpiresIn) * time.Second).UTC().Truncate(time.Millisecond)
		c.ExpiresAt = &at
	}
	return c
}

func (t Tokens) get(ctx context.Context, address string, q url.Values) (token, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+q.Encode(), http.NoBody)
	if err != nil {
		return token{}, fmt.Errorf("make a request: %w", err)
	}
	return t.call(req, q.Get("client_secret"), q.Get(t.ShortField), q.Get("access_token"))
}

// call asks for a token. Its errors are not accepted: no post is involved.
func (t Tokens) call(req *http.Request, secrets ...string) (made token, err error) {
	response, err := t.Client.Do(req, secrets...)
	if err != nil {
		return made, publisher.Repeatable(err)
	}
	if !response.OK() {
		return made, publisher.Repeatable(denied(response))
	}
	if err := response.JSON(&made); err != nil {
		return made, publisher.Repeatable(err)
	}
	if made.AccessToken == "" && len(made.Data) > 0 {
		made = made.Data[0]
	}
	if made.AccessToken == "" {
		return made, publisher.Repeatable(response.Malformed())
	}
	return made, nil
}

// denied returns the error of a token endpoint. One that refuses a code or a token refuses the
// credentials; one that doesn't know the application, or its secret, says nothing of them.
func denied(response publisher.Response) error {
	var flat struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"error_message"`
		Type    string          `json:"error_type"`
	}
	_ = json.Unmarshal(response.Body, &flat)
	if words := cmp.Or(flat.Message, flat.Type); len(flat.Error) == 0 && words != "" && response.Status < http.StatusInternalServerError {
		return response.Unauthorized(words)
	}
	err := fail(response)
	e, ok := ErrorOf(err)
	switch {
	case !ok:
		return err
	case e.Code == codeClient || e.Code == codeSecret:
		return Pause(response, publisher.CodeUnavailable, "The platform doesn't accept the application", e.words(), failedFor)
	case e.Code == codeInvalid || e.permission():
		return response.Unauthorized(e.words())
	}
	return err
}

// Codes of errors about an application: its id, its secret.
const (
	codeClient = 101
	codeSecret = 1
)
