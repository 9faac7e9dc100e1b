package app

import (
	"net/http"
	"strconv"
	"strings"

	"missiond/internal/httpserver"
	"missiond/mission"
	"missiond/rest"
	"missiond/web"
)

// shows reports whether a request is that of a browser that shows a page, and not for the API.
func shows(r *http.Request) bool {
	return httpserver.ShowsPages(r) && !strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != "/graphql"
}

// refuse responds to a request with an error: with a page to a browser that shows what it gets, and with the API's
// envelope to others.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Add("Vary", "Accept")
	if !shows(r) {
		rest.WriteError(w, r, err)
		return
	}
	shown := httpserver.Shown(r.Context(), err)
	if shown.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(shown.RetryAfter))
	}
	web.Say(w, r, httpserver.StatusOf(shown.Code), refusalPage(shown, httpserver.RequestID(r.Context())))
}

// refusalPage returns what a page says of an error: what happened, and what to do.
func refusalPage(err *mission.Error, requestID string) web.Message {
	switch err.Code {
	case mission.CodeRateLimitExceeded:
		return web.Message{
			Title: "Too many requests",
			Text:  "More came from your network at once than are served. Load the page again in " + seconds(max(1, err.RetryAfter)) + ".",
		}
	case mission.CodeServiceUnavailable:
		return web.Message{Title: "Not available", Text: "Load the page again in a moment."}
	case mission.CodeNotFound:
		return web.Message{Title: "Not found", Text: err.Message + " Check that the address is complete."}
	case mission.CodeInternal:
		return web.Message{
			Title: "Something went wrong",
			Text:  "Load the page again. If that doesn’t help, tell whoever runs the service the request’s number: " + requestID + ".",
		}
	default:
		return web.Message{Title: "That didn’t work", Text: err.Message}
	}
}

func seconds(n int) string {
	if n == 1 {
		return "a second"
	}
	return strconv.Itoa(n) + " seconds"
}
