// Package mastodon is the adapter of Mastodon's API (docs.joinmastodon.org), which
// GoToSocial, Pleroma and others implement too. Each tenant has their own server.
package mastodon

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Options are what a deployment configures.
type Options struct {
	// Website is the service's own address, which servers show beside its name
	// where an owner consents; "" if there is none.
	Website string
}

// resetHeader says when a rate limit ends, in RFC 3339.
const resetHeader = "X-RateLimit-Reset"

// Adapter publishes on the server that the credentials name.
type Adapter struct {
	client  publisher.Client
	website string
}

var (
	_ publisher.Authorizer = (*Adapter)(nil)
	_ publisher.Uploader   = (*Adapter)(nil)
	_ publisher.Reader     = (*Adapter)(nil)
	_ publisher.Audiences  = (*Adapter)(nil)
	_ publisher.Replier    = (*Adapter)(nil)
)

// New returns an adapter that makes its calls with c.
func New(c publisher.Client, o Options) *Adapter {
	return &Adapter{client: c, website: o.Website}
}

// account is the API's Account, or CredentialAccount.
type account struct {
	ID          string `json:"id"`
	Username    string `json:"username"`
	Acct        string `json:"acct"`
	DisplayName string `json:"display_name"`
	URL         string `json:"url"`
	Avatar      string `json:"avatar"`
}

// Connect gets the token's account from the server, with the server's own limits.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	response, err := a.do(ctx, c, call{method: http.MethodGet, path: "/api/v1/accounts/verify_credentials"})
	if err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	var whose account
	if err := response.JSON(&whose); err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	if whose.ID == "" || cmp.Or(whose.Acct, whose.Username) == "" {
		return mission.Account{}, mission.Credentials{}, response.Malformed()
	}
	c.AccountID = whose.ID
	account := whose.account(c.Server)
	account.Limits = a.limits(ctx, c)
	return account, c, nil
}

// account returns the account in the service's form.
func (w account) account(server string) mission.Account {
	name := cmp.Or(w.Acct, w.Username)
	handle := name
	// A server names its own accounts without its host.
	if u, err := url.Parse(server); err == nil && !strings.Contains(name, "@") {
		handle = name + "@" + u.Host
	}
	address := webAddress(w.URL)
	if address == "" {
		address = base(server) + "/@" + name
	}
	return mission.Account{
		ID: w.ID, Handle: handle, Name: cmp.Or(strings.TrimSpace(w.DisplayName), w.Username, name), URL: address, AvatarURL: w.Avatar,
	}
}

// Refresh always fails: tokens don't expire, and only their owner's consent makes
// another.
func (a *Adapter) Refresh(context.Context, mission.Credentials) (mission.Credentials, error) {
	refused := publisher.Response{Status: http.StatusUnauthorized}
	return mission.Credentials{}, refused.Unauthorized("the server has ended the token, and only the account's owner can give another")
}

// call is a request to the API.
type call struct {
	method, path string
	query        url.Values
	form         url.Values
	// key is the Idempotency-Key, or "".
	key string
}

// do makes a call and returns the response if it is OK.
func (a *Adapter) do(ctx context.Context, c mission.Credentials, k call) (publisher.Response, error) {
	address := base(c.Server) + k.path
	if len(k.query) > 0 {
		address += "?" + k.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, k.method, address, strings.NewReader(k.form.Encode()))
	if err != nil {
		return publisher.Response{}, noAddress()
	}
	req.Header.Set("Accept", "application/json")
	if c.AccessToken != "" {
		req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	}
	if len(k.form) > 0 {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if k.key != "" {
		req.Header.Set("Idempotency-Key", k.key)
		// net/http by itself retries a request with such a key on a lost
		// connection. Retries aren't decided here, so it gets no way to do so.
		req.GetBody = nil
	}
	response, err := a.client.Do(req, c.ClientSecret)
	if err != nil {
		return publisher.Response{}, err
	}
	if !response.OK() {
		return response, failure(response)
	}
	return response, nil
}

// noAddress returns the error for an invalid server address.
func noAddress() error {
	return publisher.Response{}.Refused(publisher.CodeRefused, "The server's address can't be called", "")
}

// failure returns the error for a response that isn't OK.
func failure(a publisher.Response) error {
	words := serverMessage(a)
	switch {
	case denied(a, words):
		return a.Unauthorized(words)
	case a.Status == http.StatusTooManyRequests:
		return a.Fail(words, a.Until(resetHeader))
	default:
		return a.Fail(words, 0)
	}
}

// serverMessage returns the server's message for an error.
func serverMessage(a publisher.Response) string {
	var e struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if err := json.Unmarshal(a.Body, &e); err != nil {
		return "" // a proxy's page, perhaps
	}
	return cmp.Or(e.Description, e.Error)
}

// denied reports whether an error is about the credentials: a token that was
// revoked, or has other scopes, or isn't a person's, or whose owner may not sign
// in.
func denied(a publisher.Response, words string) bool {
	switch a.Status {
	case http.StatusUnauthorized:
		return true
	case http.StatusForbidden, http.StatusUnprocessableEntity:
	default:
		return false
	}
	// The message may be in the account's language; RFC 6750's challenge isn't.
	challenge := a.Header.Get("WWW-Authenticate")
	if strings.Contains(challenge, "insufficient_scope") || strings.Contains(challenge, "invalid_token") {
		return true
	}
	words = strings.ToLower(words)
	for _, sign := range []string{"authorized scopes", "access token", "requires an authenticated user", "your login is"} {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}

// base returns a server's address without a slash at its end.
func base(server string) string { return strings.TrimRight(server, "/") }

// webAddress returns an address that a browser may open, or "": whoever runs the
// server wrote it.
func webAddress(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return text
}
