package rest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRoot(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /missions/{id}", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.PathValue("id")) })
	mux.HandleFunc("GET /missions", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "all") })
	mux.HandleFunc("/v1/", Unrouted(mux, "/v1/"))
	mux.HandleFunc("POST /v1/missions", func(http.ResponseWriter, *http.Request) {})
	for _, tt := range []struct {
		method, path string
		status       int
		body, header string // a header's value: Allow, or Location
	}{
		{http.MethodGet, "/missions/msn_1", http.StatusOK, "msn_1", ""},
		{http.MethodGet, "/missions", http.StatusOK, "all", ""},
		{http.MethodDelete, "/missions", http.StatusMethodNotAllowed, "", "GET, HEAD"},
		{http.MethodGet, "/unknown", http.StatusNotFound, "", ""},
		{http.MethodGet, "/unknown//path", http.StatusNotFound, "", ""},
		{http.MethodGet, "/v1", http.StatusTemporaryRedirect, "", "/v1/"},
		{http.MethodGet, "/v1/missions", http.StatusMethodNotAllowed, "", "POST"},
		{http.MethodGet, "/v1/unknown", http.StatusNotFound, "", ""},
	} {
		w := httptest.NewRecorder()
		Root(mux).ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, http.NoBody))
		header := w.Header().Get("Allow") + w.Header().Get("Location")
		if w.Code != tt.status || tt.body != "" && w.Body.String() != tt.body || header != tt.header {
			t.Errorf("%s %s: got %d %q %q, want %+v", tt.method, tt.path, w.Code, w.Body, header, tt)
		}
	}
}
