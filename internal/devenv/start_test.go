package devenv

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The key goes to the token that was printed, and only once.
func TestStartHandsTheKeyOutOnce(t *testing.T) {
	start := NewStart(Env{URL: "http://127.0.0.1:8080", APIKey: "cms_live_x"})
	_, token, _ := strings.Cut(start.Address(), "#start=")
	for _, step := range []struct {
		token  string
		status int
	}{
		{"", http.StatusForbidden},
		{token[1:], http.StatusForbidden},
		{token, http.StatusOK},
		{token, http.StatusForbidden},
		{"", http.StatusForbidden},
	} {
		w := httptest.NewRecorder()
		start.ServeHTTP(w, httptest.NewRequest(http.MethodPost, StartPath, strings.NewReader(step.token)))
		if w.Code != step.status || strings.Contains(w.Body.String(), "cms_live_x") != (step.status == http.StatusOK) {
			t.Errorf("the token %q gets %d %s, want %d", step.token, w.Code, w.Body, step.status)
		}
	}
}
