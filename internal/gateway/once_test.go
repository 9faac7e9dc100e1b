package gateway

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"missiond/internal/httpserver"
	"missiond/internal/service/idempotency"
)

// A request without a credential has nothing stored, whatever it sends: once asks no database.
func TestStrangersAreNotKept(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if idempotency.RequestOf(r.Context()) != nil {
			t.Error("a stranger's request is stored")
		}
		w.WriteHeader(http.StatusNoContent)
	})
	route := Route{Fail: func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}}
	g := &Gateway{} // any use of its Requests panics
	for _, key := range []string{"refresh-1", "bad key"} {
		r := httptest.NewRequest(http.MethodPost, "/v1/auth/login", http.NoBody)
		r.Header.Set(httpserver.IdempotencyHeader, key)
		w := httptest.NewRecorder()
		q := &request{Gateway: g, route: route, next: next, w: httpserver.Recorded(w), r: r}
		q.once(r)
		if want := map[string]int{"refresh-1": http.StatusNoContent, "bad key": http.StatusBadRequest}[key]; w.Code != want {
			t.Errorf("the key %q is answered %d, want %d", key, w.Code, want)
		}
	}
}
