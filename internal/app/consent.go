package app

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/service/integrations"
	"missiond/mission"
	"missiond/web"
)

// callbackLimit bounds how long an owner's browser waits.
const callbackLimit = 25 * time.Second

// consentPatterns are the routes of an account owner's consent: the page where it
// begins, and those to which platforms and servers redirect the browser.
var consentPatterns = []string{
	"GET " + integrations.StartPath + "{start}",
	"GET /integrations/callback/{platform}", "GET /integrations/callback/{platform}/{server}",
}

// consent serves the routes of consentPatterns.
func (a *App) consent(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callbackLimit)
	defer cancel()
	r = r.WithContext(ctx)
	if start := r.PathValue("start"); start != "" {
		a.startConsent(w, r, start)
		return
	}
	a.callback(w, r)
}

// startConsent redirects an owner's browser to the platform. It sets a cookie,
// which the callback requires: only this browser can complete the consent.
func (a *App) startConsent(w http.ResponseWriter, r *http.Request, start string) {
	begun, err := a.Integrations.Start(r.Context(), start, a.cookieOf(r))
	if err != nil {
		status, m := failedConsent(httpserver.Shown(r.Context(), err))
		web.Say(w, r, status, m)
		return
	}
	prefix := a.cookiePrefix()
	http.SetCookie(w, &http.Cookie{
		Name: prefix + begun.Cookie, Value: begun.Secret, Path: "/", MaxAge: int(integrations.GrantLife / time.Second),
		Secure:   prefix != "",                         // not every browser stores a secure cookie of http://127.0.0.1
		HttpOnly: true, SameSite: http.SameSiteLaxMode, // the platform redirects here
	})
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, begun.Address, http.StatusSeeOther)
}

// hostCookie is the prefix of cookies that only this host can set. Browsers accept
// it over TLS only.
const hostCookie = "__Host-"

// cookiePrefix returns the prefix of cookies' names: hostCookie over TLS, else "".
func (a *App) cookiePrefix() string {
	if strings.HasPrefix(a.PublicURL, "https://") {
		return hostCookie
	}
	return ""
}

// cookieOf returns a function that reads the request's consent cookies.
func (a *App) cookieOf(r *http.Request) integrations.CookieOf {
	return func(name string) string {
		c, err := r.Cookie(a.cookiePrefix() + name)
		if err != nil {
			return ""
		}
		return c.Value
	}
}

// callback handles the redirect of an account owner's browser from a platform,
// whether or not the owner has consented. It redirects to the page that started the
// consent, with integration and status, or error and error_description, in the
// query; without such a page it shows the result.
func (a *App) callback(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	i, back, err := a.Integrations.Consented(r.Context(), integrations.Consent{
		State: q.Get("state"), Code: q.Get("code"), Error: q.Get("error"), Issuer: q.Get("iss"), Path: r.URL.EscapedPath(), Cookie: a.cookieOf(r),
	})
	status, result := http.StatusOK, url.Values{"integration": {i.ID}, "status": {string(i.Status)}}
	m := web.Message{Title: "Connected", Text: "Posts are published there from now on. You can close this page."}
	if err != nil {
		known := httpserver.Shown(r.Context(), err)
		status, m = failedConsent(known)
		result = url.Values{"error": {string(known.Code)}, "error_description": {m.Text}}
	}
	if back != "" {
		if u, err := url.Parse(back); err == nil {
			query := u.Query()
			for k, v := range result {
				query[k] = v
			}
			u.RawQuery = query.Encode()
			w.Header().Set("Referrer-Policy", "no-referrer")
			http.Redirect(w, r, u.String(), http.StatusSeeOther)
			return
		}
	}
	web.Say(w, r, status, m)
}

// failedConsent returns the status and message that an owner sees for an error.
func failedConsent(err *mission.Error) (int, web.Message) {
	m := web.Message{Title: "Not connected", Text: err.Message}
	switch err.Code {
	case mission.CodeInternal:
		m.Text = "Something went wrong here. Connect the platform again."
		return http.StatusInternalServerError, m
	case mission.CodeServiceUnavailable:
		return http.StatusServiceUnavailable, m
	case mission.CodeForbidden:
		return http.StatusForbidden, m
	default:
		return http.StatusBadRequest, m
	}
}
