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

// callback is where platforms send the browsers of accounts' owners, who have
// consented or not. They go on to the page that asked for it, with integration
// and status, or error, in the query; without such a page they are told here.
func (a *app) callback(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callbackLimit)
	defer cancel()
	q := r.URL.Query()
	i, back, err := a.integrations.Consented(ctx, service.Consent{State: q.Get("state"), Code: q.Get("code"), Error: q.Get("error")})
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
	return http.StatusBadRequest, m
}
