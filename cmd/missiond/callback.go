package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"missiond/internal/service"
	"missiond/mission"
	"missiond/web"
)

// callbackLimit bounds what an owner's browser waits for.
const callbackLimit = 25 * time.Second

// consentPatterns are the pages of an owner's consent: the one where it begins,
// and those where platforms, and servers, send the browser back.
var consentPatterns = []string{
	"GET " + service.StartPath + "{start}",
	"GET /integrations/callback/{platform}", "GET /integrations/callback/{platform}/{server}",
}

// consent serves the pages of consentPatterns.
func (a *app) consent(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callbackLimit)
	defer cancel()
	r = r.WithContext(ctx)
	if start := r.PathValue("start"); start != "" {
		a.startConsent(w, r, start)
		return
	}
	a.callback(w, r)
}

// startConsent sends an owner's browser to the platform, with a cookie without
// which nobody can bring back what the owner consents to there.
func (a *app) startConsent(w http.ResponseWriter, r *http.Request, start string) {
	begun, err := a.integrations.Start(r.Context(), start, a.cookieOf(r))
	if err != nil {
		status, m := a.consentFailed(r, err)
		web.Say(w, r, status, m)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: a.cookiePrefix + begun.Cookie, Value: begun.Secret, Path: "/", MaxAge: int(service.GrantLife / time.Second),
		Secure:   a.cookiePrefix != "",                 // not every browser keeps a secure cookie of http://127.0.0.1
		HttpOnly: true, SameSite: http.SameSiteLaxMode, // the platform's page leads back here
	})
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, begun.Address, http.StatusSeeOther)
}

// hostCookie begins the names of cookies that only this host may set, which
// browsers take over TLS alone.
const hostCookie = "__Host-"

// cookieOf reads the cookies of consents.
func (a *app) cookieOf(r *http.Request) service.CookieOf {
	return func(name string) string {
		c, err := r.Cookie(a.cookiePrefix + name)
		if err != nil {
			return ""
		}
		return c.Value
	}
}

// callback is where platforms send the browsers of accounts' owners, who have
// consented or not. They go on to the page that asked for it, with integration
// and status, or error, in the query; without such a page they are told here.
func (a *app) callback(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	i, back, err := a.integrations.Consented(r.Context(), service.Consent{
		State: q.Get("state"), Code: q.Get("code"), Error: q.Get("error"), Issuer: q.Get("iss"), Path: r.URL.EscapedPath(), Cookie: a.cookieOf(r),
	})
	status, said := http.StatusOK, url.Values{"integration": {i.ID}, "status": {string(i.Status)}}
	m := web.Message{Title: "Connected", Text: "Posts go out there from now on. You can close this page."}
	if err != nil {
		status, m = a.consentFailed(r, err)
		said = url.Values{"error": {string(mission.CodeOf(err))}, "error_description": {m.Text}}
	}
	if back != "" {
		if u, err := url.Parse(back); err == nil {
			query := u.Query()
			for k, v := range said {
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

// consentFailed is what an owner is told of an error.
func (a *app) consentFailed(r *http.Request, err error) (int, web.Message) {
	m := web.Message{Title: "Not connected", Text: "Something went wrong here. Connect the platform again."}
	var told *mission.Error
	if !errors.As(err, &told) {
		a.log.ErrorContext(r.Context(), "a platform's callback", "error", err)
		return http.StatusInternalServerError, m
	}
	m.Text = told.Message
	if told.Code == mission.CodeServiceUnavailable {
		return http.StatusServiceUnavailable, m
	}
	if told.Code == mission.CodeForbidden {
		return http.StatusForbidden, m
	}
	return http.StatusBadRequest, m
}
