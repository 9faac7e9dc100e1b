package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// A browser gets a page, with a title and what to do, and a program the envelope, with the same status.
func TestRefuse(t *testing.T) {
	for _, code := range mission.AllCodes() {
		for accept, want := range map[string]string{"text/html,*/*;q=0.8": "<h1>", "*/*": `{"error":`, "application/json": `{"error":`} {
			r := httptest.NewRequest(http.MethodGet, "/l/none", nil)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			refuse(w, r, &mission.Error{Code: code, Message: "So it is.", RetryAfter: 7})
			if w.Code != httpserver.StatusOf(code) || !strings.Contains(w.Body.String(), want) ||
				(w.Header().Get("Retry-After") == "7") != (code != mission.CodeInternal) {
				t.Errorf("%s to %q: %d, %v, %s", code, accept, w.Code, w.Header(), w.Body)
			}
		}
	}
}
