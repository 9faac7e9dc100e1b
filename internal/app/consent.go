package app

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/internal/console"
	"missiond/internal/httpserver"
	"missiond/internal/service/integrations"
	"missiond/mission"
	"missiond/web"
)

// callbackLimit bounds how long an owner's browser waits.
const callbackLimit = 25 * time.Second

// consentPatterns are the routes of an account owner's consent: the page that says who asks,
// and its form, where it begins, and those to which platforms and servers redirect the browser.
var consentPatterns = []string{
	"GET " + integrations.StartPath + "{start}", "POST " + integrations.StartPath + "{start}",
	"GET /integrations/callback/{platform}", "GET /integrations/callback/{platform}/{server}",
}

// consent serves the routes of consentPatterns; cookies are the console's.
func (a *App) consent(cookies *console.Cookies) http.HandlerFunc {
	own := http.NewCrossOriginProtection()
	if u, err := url.Parse(a.PublicURL); err == nil && u.Host != "" { // behind a proxy, Host may be another
		if err := own.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			panic("bug: the public URL has no origin: " + err.Error())
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), callbackLimit)
		defer cancel()
		r = r.WithContext(ctx)
		start := r.PathValue("start")
		switch {
		case start == "":
			a.callback(w, r)
		case r.Method != http.MethodPost:
			a.askConsent(w, r, start, cookies)
		case own.Check(r) != nil:
			web.Say(
				w, r, http.StatusForbidden,
				web.Message{Title: "Not connected", Text: "The form was sent by a page of another site. Open the link again, and go on from there."},
			)
		default:
			a.startConsent(w, r, start)
		}
	}
}

// askConsent shows who asks for a consent and what it is for, so that nobody connects an
// account to a stranger's tenant by a click on a link. Loading the page has no effect.
func (a *App) askConsent(w http.ResponseWriter, r *http.Request, start string, cookies *console.Cookies) {
	asked, err := a.Integrations.Asked(r.Context(), start)
	if err != nil {
		sayNotBegun(w, r, err)
		return
	}
	page := web.ConsentPage{Tenant: asked.Tenant.Name, Platform: asked.Platform.Name(), Rights: rights[asked.Platform], Action: r.URL.EscapedPath()}
	if u, err := url.Parse(asked.Address); err == nil {
		page.Server = u.Host
	}
	if asked.Member != nil {
		page.Member = cmp.Or(asked.Member.Name, asked.Member.Email)
	}
	if token := cookies.SignedIn(r); token != "" {
		p, err := a.Accounts.Identify(r.Context(), token)
		if err == nil && p.TenantID != asked.Tenant.ID {
			var here mission.Tenant
			if here, err = a.Accounts.Tenant(r.Context(), p); err == nil {
				page.Elsewhere = here.Name
			}
		}
	}
	web.Consent(w, page)
}

// rights are what a platform's page of consent asks for, and why, where it asks for each by itself.
var rights = map[mission.Platform][]string{
	mission.Facebook: {
		"to list your Pages, so that one of them is connected", "to publish posts on it", "to read how many reacted to its posts",
		"to read people’s comments on them, so that you see and answer them here",
		"to write comments as the Page, for first comments and answers, and to hide others’", "to read posts’ figures, and the Page’s by day",
	},
	mission.Instagram: {
		"to see the profile, so that you know which one is connected", "to publish posts",
		"to read comments, so that you see and answer them here, to write some, for first comments and answers, and to hide others’",
		"to read posts’ figures, and the account’s by day",
	},
	mission.Threads: {
		"to see the profile, so that you know which one is connected", "to publish posts",
		"to read posts’ figures, and how many follow the profile",
		"to read and write replies, which the parts of a thread and first comments are, and to hide others’",
	},
}

// startConsent redirects an owner's browser to the platform. It sets a cookie,
// which the callback requires: only this browser can complete the consent.
func (a *App) startConsent(w http.ResponseWriter, r *http.Request, start string) {
	begun, err := a.Integrations.Start(r.Context(), start, a.cookieOf(r))
	if err != nil {
		sayNotBegun(w, r, err)
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

// sayNotBegun shows an owner why a link doesn't begin a consent.
func sayNotBegun(w http.ResponseWriter, r *http.Request, err error) {
	status, m := failedConsent(httpserver.Shown(r.Context(), err))
	m.Text += " If somebody sent you the link, ask for a new one."
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
