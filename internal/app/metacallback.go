package app

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/service/integrations"
	"missiond/mission"
	"missiond/rest"
	"missiond/web"
)

// metaPath begins the routes that Meta calls about people who leave.
const metaPath = "/integrations/meta/"

// metaPatterns are the routes that Meta calls when a person removes an application or asks to delete
// data, and the page of such a request. They are charged to the sender's address.
var metaPatterns = []string{"POST " + metaPath + "deauthorize", "POST " + metaPath + "data-deletion", "GET " + metaPath + "deletions/{code}"}

// maxMetaBody is the largest body of a call of Meta's, in bytes.
const maxMetaBody = 8 << 10

// metaCallbacks serves the routes of metaPatterns.
func (a *App) metaCallbacks(mux *http.ServeMux) {
	for i, h := range []http.HandlerFunc{a.deauthorized, a.deleteData, a.showDeletion} {
		mux.HandleFunc(metaPatterns[i], func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), callbackLimit)
			defer cancel()
			h(w, r.WithContext(ctx))
		})
	}
}

// metaCall reads a call of Meta's: a form with a signed request. Of a tenant's own application the
// address names the tenant. Errors: invalid_request.
func metaCall(w http.ResponseWriter, r *http.Request) (call integrations.MetaCall, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxMetaBody)
	query, queryErr := url.ParseQuery(r.URL.RawQuery)
	if queryErr != nil || len(query["tenant"]) > 1 || r.ParseForm() != nil || len(r.PostForm["signed_request"]) != 1 {
		return call, mission.Invalid("signed_request", "The body must be a form with one signed_request.")
	}
	return integrations.MetaCall{Signed: r.PostForm.Get("signed_request"), TenantID: query.Get("tenant")}, nil
}

func (a *App) deauthorized(w http.ResponseWriter, r *http.Request) {
	call, err := metaCall(w, r)
	if err == nil {
		err = a.Integrations.Deauthorized(r.Context(), call)
	}
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, struct{}{})
}

func (a *App) deleteData(w http.ResponseWriter, r *http.Request) {
	call, err := metaCall(w, r)
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	d, err := a.Integrations.DeleteData(r.Context(), call)
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"url": a.PublicURL + metaPath + "deletions/" + d.Code, "confirmation_code": d.Code})
}

// day returns a day for people, in UTC.
func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// showDeletion shows a person the state of a request to delete data.
func (a *App) showDeletion(w http.ResponseWriter, r *http.Request) {
	d, err := a.Integrations.Deletion(r.Context(), r.PathValue("code"))
	known := httpserver.Shown(r.Context(), err)
	switch {
	case err != nil && known.Code == mission.CodeNotFound:
		web.Say(w, r, http.StatusNotFound, web.Message{Title: "Not found", Text: "There is no such request, or it is older than a year."})
	case err != nil:
		web.Say(w, r, http.StatusServiceUnavailable, web.Message{Title: "Not available", Text: "Load the page again in a moment."})
	case d.CompletedAt == nil:
		web.Say(w, r, http.StatusOK, web.Message{
			Title: "Not completed yet",
			Text:  "Your request by " + d.Platform.Name() + " of " + day(d.RequestedAt) + " was received, and isn’t completed. If this doesn’t change, ask " + d.Platform.Name() + " to send it again.",
		})
	default:
		web.Say(w, r, http.StatusOK, web.Message{
			Title: "Deleted",
			Text: "What this service stored of your accounts on " + d.Platform.Name() + " was deleted on " + day(*d.CompletedAt) +
				": the credentials, the accounts’ names, addresses and pictures, and their figures by day.",
		})
	}
}
