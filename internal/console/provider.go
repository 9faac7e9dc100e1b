package console

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"missiond/internal/clock"
	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/internal/outbound"
	"missiond/mission"
	"missiond/web"
)

// Provider is the client of an OpenID Connect provider: the authorization code flow with
// PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636).
type Provider struct {
	// Issuer is the provider's, whose configuration is at
	// <issuer>/.well-known/openid-configuration.
	Issuer string
	// ClientID and ClientSecret are the console's at the provider.
	ClientID, ClientSecret string
	// URL is the console's own, without a path, such as https://console.example.com.
	URL string
	// Rules are those of the process's calls.
	Rules outbound.Rules

	mu       sync.Mutex
	found    *discovery    // nil before the first
	failedAt time.Duration // when the last discovery that failed ended, by clock.Running
}

// discovery is a fetch of the provider's endpoints, which all sign-ins wait for.
type discovery struct {
	done     chan struct{}
	endpoint oauth2.Endpoint
	err      error
}

// Limits of calls to the provider, and of a sign-in.
const (
	providerLimit = 10 * time.Second
	attemptLife   = 10 * time.Minute
	// maxAttempts is how many sign-ins a browser has under way at most: the headers of
	// its requests have a cookie of each.
	maxAttempts = 5
	// discoverAgain is how long after a discovery that failed the next may be made.
	discoverAgain = 5 * time.Second
)

// attempt is a sign-in under way, which its browser stores. It may have several, in as many
// tabs.
type attempt struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
	Next     string `json:"next"`
}

// send sends a browser to the provider.
func (s *SignIn) send(w http.ResponseWriter, r *http.Request, next string) {
	config, err := s.Provider.config(r.Context())
	if err != nil {
		s.refuse(w, r, &mission.Error{Code: mission.CodeServiceUnavailable, Message: "The identity provider can't be reached."}, err)
		return
	}
	a := attempt{State: oauth2.GenerateVerifier(), Nonce: oauth2.GenerateVerifier(), Verifier: oauth2.GenerateVerifier(), Next: next}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // an & would take six bytes
	if err := enc.Encode(a); err != nil {
		s.refuse(w, r, err, nil)
		return
	}
	s.forgetAttempts(w, r)
	s.Cookies.set(w, attemptCookie(a.State), base64.RawURLEncoding.EncodeToString(text.Bytes()), s.Clock.Now().Add(attemptLife))
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, config.AuthCodeURL(a.State, oauth2.S256ChallengeOption(a.Verifier), oauth2.SetAuthURLParam("nonce", a.Nonce)), http.StatusFound)
}

// callback signs in whom the provider sent back.
func (s *SignIn) callback(w http.ResponseWriter, r *http.Request) {
	if s.Provider == nil {
		http.NotFound(w, r)
		return
	}
	q := r.URL.Query()
	a, ok := s.attempt(r, q.Get("state"))
	if ok {
		s.Cookies.forget(w, attemptCookie(a.State))
	}
	if !ok || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(a.State)) != 1 {
		s.refuse(w, r, &mission.Error{Code: mission.CodeForbidden, Message: "This sign-in was begun in another browser, or more than ten minutes ago."}, nil)
		return
	}
	if q.Get("error") != "" {
		s.refuse(w, r, &mission.Error{Code: mission.CodeForbidden, Message: "The identity provider didn't sign you in."}, nil)
		return
	}
	token, err := s.Provider.exchange(r.Context(), q.Get("code"), a)
	if err != nil {
		s.refuse(w, r, &mission.Error{Code: mission.CodeForbidden, Message: "The identity provider didn't confirm the sign-in."}, err)
		return
	}
	issued, err := s.Cookies.Sessions.Login(r.Context(), token)
	if err != nil {
		s.refuse(w, r, err, nil)
		return
	}
	s.enterAs(w, r, issued)
	http.Redirect(w, r, returnTo(a.Next), http.StatusSeeOther)
}

// refuse shows why nobody is signed in; cause is for the log alone.
func (s *SignIn) refuse(w http.ResponseWriter, r *http.Request, err, cause error) {
	if cause != nil {
		s.Log.Warn("console: sign-in", "error", cause, "request_id", httpserver.RequestID(r.Context()))
	}
	web.SignIn(w, statusOf(err), web.SignInPage{Title: "You aren't signed in", Text: httpserver.Shown(r.Context(), err).Message, Link: LoginPath, LinkText: "Try again"})
}

// attemptCookie returns the name of the cookie of the attempt with a state.
func attemptCookie(state string) string {
	const enough = 8
	return attemptName + state[:min(len(state), enough)]
}

// forgetAttempts removes the cookies of a browser's attempts if it has too many for another.
func (s *SignIn) forgetAttempts(w http.ResponseWriter, r *http.Request) {
	var names []string
	for _, c := range r.Cookies() {
		if name, ok := s.Cookies.of(c.Name); ok && strings.HasPrefix(name, attemptName) {
			names = append(names, name)
		}
	}
	if len(names) < maxAttempts {
		return
	}
	for _, name := range names {
		s.Cookies.forget(w, name)
	}
}

// attempt returns the sign-in with a state that a browser has under way.
func (s *SignIn) attempt(r *http.Request, state string) (a attempt, ok bool) {
	cookie, err := r.Cookie(s.Cookies.name(attemptCookie(state)))
	if err != nil {
		return a, false
	}
	text, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	return a, err == nil && json.Unmarshal(text, &a) == nil && a.State != "" && a.Nonce != "" && a.Verifier != ""
}

// exchange returns the provider's token for a code. Errors: of the provider, and a token
// of another sign-in.
func (p *Provider) exchange(ctx context.Context, code string, a attempt) (string, error) {
	config, err := p.config(ctx)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, providerLimit)
	defer cancel()
	token, err := config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, p.client()), code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return "", err
	}
	text, _ := token.Extra("id_token").(string)
	if nonce := identity.Nonce(text); subtle.ConstantTimeCompare([]byte(nonce), []byte(a.Nonce)) != 1 {
		return "", errors.New("the id_token has another nonce")
	}
	return text, nil
}

// config returns the flow's configuration. Errors: of the discovery, and the end of ctx.
func (p *Provider) config(ctx context.Context) (*oauth2.Config, error) {
	d := p.discovery(ctx)
	select {
	case <-d.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if d.err != nil {
		return nil, d.err
	}
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: d.endpoint, RedirectURL: p.URL + CallbackPath, Scopes: []string{"openid", "email", "profile"},
	}, nil
}

// discovery returns the one that is under way or has succeeded, or failed a moment ago;
// otherwise it begins one.
func (p *Provider) discovery(ctx context.Context) *discovery {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil && !p.found.failed() {
		return p.found
	}
	if p.found != nil && clock.Running()-p.failedAt < discoverAgain {
		return p.found
	}
	d := &discovery{done: make(chan struct{})}
	p.found = d
	go func() {
		defer close(d.done)
		d.endpoint, d.err = p.discover(context.WithoutCancel(ctx))
		if d.err != nil {
			p.mu.Lock()
			p.failedAt = clock.Running()
			p.mu.Unlock()
		}
	}()
	return d
}

// failed reports whether the discovery is over, without success.
func (d *discovery) failed() bool {
	select {
	case <-d.done:
		return d.err != nil
	default:
		return false
	}
}

// discover fetches the provider's endpoints (OpenID Connect Discovery 1.0, section 4).
func (p *Provider) discover(ctx context.Context) (e oauth2.Endpoint, err error) {
	ctx, cancel := context.WithTimeout(ctx, providerLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, identity.WellKnown(p.Issuer, "openid-configuration"), nil)
	if err != nil {
		return e, err
	}
	response, err := p.client().Do(r)
	if err != nil {
		return e, err
	}
	defer func() { _ = response.Body.Close() }()
	var found struct {
		Issuer string `json:"issuer"`
		Auth   string `json:"authorization_endpoint"`
		Token  string `json:"token_endpoint"`
	}
	if response.StatusCode != http.StatusOK {
		return e, fmt.Errorf("%s: %s", r.URL, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return e, fmt.Errorf("%s: %w", r.URL, err)
	}
	if found.Issuer != p.Issuer {
		return e, fmt.Errorf("%s names the issuer %q", r.URL, found.Issuer)
	}
	for _, address := range []string{found.Auth, found.Token} {
		if err := identity.CheckAddress(address); err != nil {
			return e, err
		}
	}
	return oauth2.Endpoint{AuthURL: found.Auth, TokenURL: found.Token}, nil
}

// CheckURL checks the console's own URL: https, or http on loopback, without a path.
func CheckURL(address string) error {
	if err := identity.CheckAddress(address); err != nil {
		return err
	}
	if u, err := url.Parse(address); err != nil || u.Scheme+"://"+u.Host != address {
		return errors.New("it must have no path: https://console.example.com")
	}
	return nil
}

// client returns a client for calls to the provider.
func (p *Provider) client() *http.Client { return identity.NewClient(p.Rules, providerLimit) }
