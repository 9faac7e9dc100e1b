package bluesky

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// session is a server's description of a session: all of createSession's and
// refreshSession's response, and getSession's without the tokens.
type session struct {
	AccessJWT  string `json:"accessJwt"`
	RefreshJWT string `json:"refreshJwt"`
	DID        string `json:"did"`
	Handle     string `json:"handle"`
	// Active is nil from servers that are older than it.
	Active *bool  `json:"active"`
	Status string `json:"status"`
	// Document is the account's DID document, if the server includes it.
	Document json.RawMessage `json:"didDoc"`
}

// Connect opens a session with the account's app password, or reads the account of
// the session that is already open: servers limit how often one may sign in.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	var s session
	var err error
	if c.AccessToken == "" {
		s, err = a.signIn(ctx, c)
	} else {
		s, err = a.session(ctx, call{method: "com.atproto.server.getSession"}.with(c))
		s.AccessJWT, s.RefreshJWT = c.AccessToken, c.RefreshToken
	}
	if err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	name, c := cmp.Or(s.Handle, s.DID), s.into(c)
	return mission.Account{ID: s.DID, Handle: s.Handle, Name: name, URL: profile(s.DID), AvatarURL: a.avatar(ctx, c)}, c, nil
}

// avatarLimit limits the call for an account's picture.
const avatarLimit = 3 * time.Second

// avatar returns the address of the account's picture; "" if the server doesn't say:
// a PDS asks the network's index, which may be unavailable.
func (a *Adapter) avatar(ctx context.Context, c mission.Credentials) string {
	ctx, cancel := context.WithTimeout(ctx, avatarLimit)
	defer cancel()
	response, err := a.do(ctx, call{method: "app.bsky.actor.getProfile", query: url.Values{"actor": {c.AccountID}}}.with(c))
	var shown struct {
		Avatar string `json:"avatar"`
	}
	if err != nil || response.JSON(&shown) != nil {
		return ""
	}
	return shown.Avatar
}

// Refresh renews the session or, if it can't be renewed any more, opens another
// with the app password.
func (a *Adapter) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	s, err := a.renew(ctx, c)
	if c.Password != "" && unauthorized(err) {
		s, err = a.signIn(ctx, c)
	}
	if err != nil {
		return mission.Credentials{}, err
	}
	if c.AccountID != "" && s.DID != c.AccountID {
		return mission.Credentials{}, refusedHere("the name and the password are another account's by now")
	}
	return s.into(c), nil
}

func (a *Adapter) renew(ctx context.Context, c mission.Credentials) (session, error) {
	if c.RefreshToken == "" {
		return session{}, refusedHere("there is no session to renew")
	}
	return a.opened(ctx, call{
		server: c.Server, method: "com.atproto.server.refreshSession", procedure: true,
		token: c.RefreshToken, secrets: []string{c.AccessToken, c.Password},
	})
}

// signIn opens a session. Servers allow few of these a day.
func (a *Adapter) signIn(ctx context.Context, c mission.Credentials) (session, error) {
	return a.opened(ctx, call{
		server: c.Server, method: "com.atproto.server.createSession", secrets: []string{c.Password},
		input: struct {
			Identifier string `json:"identifier"`
			Password   string `json:"password"`
		}{c.Identifier, c.Password},
	})
}

// opened makes a call that opens a session, and returns the session with its
// tokens.
func (a *Adapter) opened(ctx context.Context, k call) (session, error) {
	s, err := a.session(ctx, k)
	if err == nil && (s.AccessJWT == "" || s.RefreshJWT == "") {
		return session{}, publisher.Response{Status: http.StatusOK}.Malformed()
	}
	return s, err
}

// session makes a call that returns a session, and checks that its account is in
// good standing.
func (a *Adapter) session(ctx context.Context, k call) (session, error) {
	response, err := a.do(ctx, k)
	if p := problemOf(response); k.input == nil && p.Name == invalidRequest && !response.OK() {
		// A server has no other response about a deleted or suspended account if
		// called only for its session.
		return session{}, response.Unauthorized(p.Words)
	}
	if err != nil {
		return session{}, err
	}
	var s session
	if err := response.JSON(&s); err != nil {
		return session{}, err
	}
	if !strings.HasPrefix(s.DID, "did:") {
		return session{}, response.Malformed()
	}
	if s.Active != nil && !*s.Active {
		return session{}, response.Unauthorized("the account is " + cmp.Or(s.Status, "not active"))
	}
	return s, nil
}

// refusedHere returns the error for credentials that needn't be sent to be
// rejected.
func refusedHere(why string) error { return publisher.Response{}.Unauthorized(why) }

// into returns the credentials with the session in them.
func (s session) into(c mission.Credentials) mission.Credentials {
	c.AccountID, c.AccessToken, c.RefreshToken = s.DID, s.AccessJWT, s.RefreshJWT
	c.ExpiresAt = expiry(s.AccessJWT)
	c.Server = cmp.Or(s.server(c.Server), c.Server)
	return c
}

// server returns the address of the account's own server, by its DID document; ""
// if the document names none that may be called instead of another.
func (s session) server(instead string) string {
	var document struct {
		Service []struct {
			ID       string `json:"id"`
			Type     string `json:"type"`
			Endpoint any    `json:"serviceEndpoint"`
		} `json:"service"`
	}
	if err := json.Unmarshal(s.Document, &document); err != nil {
		return ""
	}
	for _, service := range document.Service {
		text, ok := service.Endpoint.(string)
		if !ok || !strings.HasSuffix(service.ID, "#atproto_pds") || service.Type != "AtprotoPersonalDataServer" {
			continue
		}
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.User != nil {
			return ""
		}
		// A token that was sent encrypted isn't sent in the clear from now on.
		if u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(instead, "http://") {
			return u.Scheme + "://" + u.Host
		}
		return ""
	}
	return ""
}

// expiry returns when a token says that it ends, which is for the server to check;
// nil if it doesn't say.
func expiry(token string) *time.Time {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil
	}
	var claims struct {
		Exp int64 `json:"exp"`
	}
	// A year of five digits couldn't be stored as JSON.
	if err := json.Unmarshal(payload, &claims); err != nil || claims.Exp <= 0 || claims.Exp > lastSecond {
		return nil
	}
	at := time.Unix(claims.Exp, 0).UTC()
	return &at
}

// lastSecond is the last second of the year 9999.
const lastSecond = 253402300799

// profile returns the address of an account's page.
func profile(did string) string { return "https://bsky.app/profile/" + did }
