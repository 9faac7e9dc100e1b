// Package console signs people in to the console and out of it. Their session's token
// is stored in a cookie, which pages' scripts can't read.
package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/internal/service/accounts"
)

// Names of the cookies. Browsers store one with the prefix __Host- only if this host set it,
// over HTTPS.
const (
	securePrefix = "__Host-"
	sessionName  = "missiond"
	attemptName  = "missiond-login-" // and the beginning of the attempt's state
)

// Sessions are the accounts' sessions.
type Sessions interface {
	Login(ctx context.Context, token string) (accounts.Issued, error)
	// Renew issues the next token of a session whose token has little time left; ok is
	// false if it has more, or isn't valid.
	Renew(ctx context.Context, credential string) (issued accounts.Issued, ok bool, err error)
	Revoke(ctx context.Context, credential string) error
}

// Cookies store sessions' tokens in browsers.
type Cookies struct {
	Sessions Sessions
	// DevPort is the port of a development run, on loopback and without HTTPS; "" elsewhere.
	// The cookies' names have it, since the ports of a host share its cookies.
	DevPort string
	// Origin is the console's own, such as https://console.example.com, if that isn't
	// what the Host header says; else "".
	Origin string
}

// Credential wraps the handler of /graphql: the cookie of a request that has no
// Authorization header is its credential if one of the console's own pages sent it.
// Other pages of the browser may call too, with credentials of their own: their
// requests pass without one. A socket's first message may have another credential,
// which wins.
func (c *Cookies) Credential(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := c.token(r)
		if token == "" || strings.Join(r.Header.Values("Authorization"), "") != "" || !c.own(r) {
			next.ServeHTTP(w, r)
			return
		}
		if issued, ok, err := c.Sessions.Renew(r.Context(), token); err == nil && ok {
			c.setSession(w, issued)
			token = issued.Token
		} // else the request itself says what is wrong
		if upgrades(r) {
			next.ServeHTTP(w, r.WithContext(httpserver.WithCookie(r.Context(), token)))
			return
		}
		r = r.WithContext(r.Context())
		r.Header = r.Header.Clone()
		r.Header.Set("Authorization", "Bearer "+token)
		next.ServeHTTP(w, r)
	})
}

// SignedIn returns the token of the session that a browser has in the console, "" without one.
// It says who somebody is; it is no credential of a request that another site may have sent.
func (c *Cookies) SignedIn(r *http.Request) string { return c.token(r) }

// own reports whether a page of the console sent a request, or no page did. What a page
// could have a browser send without asking, a GET, has to say so by itself.
func (c *Cookies) own(r *http.Request) bool {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	switch {
	case origin == "null" && site == "same-origin" && !upgrades(r):
		return true // the form of a page without a referrer
	case origin != "":
		return c.same(origin, r.Host) && (site == "" || site == "same-origin")
	case upgrades(r):
		return false // browsers name the origin
	case site != "":
		return site == "same-origin" || site == "none" && r.Method == http.MethodGet
	case r.Method == http.MethodGet:
		return r.Header.Get("X-Requested-With") != "" || r.Header.Get("Apollo-Require-Preflight") != ""
	}
	return true
}

// upgrades reports whether a request opens a WebSocket.
func upgrades(r *http.Request) bool { return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") }

// same reports whether an origin is the console's. A page without HTTPS isn't, except on
// loopback: whoever is on the way could have written it.
func (c *Cookies) same(origin, host string) bool {
	if c.Origin != "" && origin == c.Origin {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && (c.DevPort != "" || identity.CheckAddress(origin) == nil) && strings.EqualFold(u.Host, host)
}

// token returns the session's token that a request's cookie has, or "".
func (c *Cookies) token(r *http.Request) string {
	cookie, err := r.Cookie(c.name(sessionName))
	if err != nil || identity.IsKey(cookie.Value) {
		return ""
	}
	return cookie.Value
}

func (c *Cookies) name(of string) string {
	if c.DevPort != "" {
		return of + "-" + c.DevPort
	}
	return securePrefix + of
}

// of is the inverse of name; ok is false for a cookie of others.
func (c *Cookies) of(name string) (of string, ok bool) {
	if c.DevPort != "" {
		return strings.CutSuffix(name, "-"+c.DevPort)
	}
	return strings.CutPrefix(name, securePrefix)
}

// setSession sets the cookie of a session. It ends with the token.
func (c *Cookies) setSession(w http.ResponseWriter, issued accounts.Issued) {
	c.set(w, sessionName, issued.Token, issued.ExpiresAt)
}

// forget removes a cookie.
func (c *Cookies) forget(w http.ResponseWriter, name string) { c.set(w, name, "", time.Unix(1, 0)) }

func (c *Cookies) set(w http.ResponseWriter, name, value string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: c.name(name), Value: value, Path: "/", Expires: expires, HttpOnly: true, Secure: c.DevPort == "", SameSite: http.SameSiteLaxMode,
	})
}

// Session answers a request of the console's pages with 204 if somebody is signed in, and
// renews their cookie if it is time; else with 401.
func (c *Cookies) Session(auth gateway.Authenticator) http.Handler {
	return c.Credential(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if _, err := gateway.Authenticate(auth, r); err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
}
