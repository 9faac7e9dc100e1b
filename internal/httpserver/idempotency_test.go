package httpserver

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// A request without a credential has nothing kept, whatever it sends: Once does
// not even read its body, and asks no database.
func TestStrangersAreNotKept(t *testing.T) {
	tell := func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if idempotency.RequestOf(r.Context()) != nil {
			t.Error("a stranger's request is kept")
		}
		w.WriteHeader(http.StatusNoContent)
	})
	var none *idempotency.Requests // any use of it panics
	for _, key := range []string{"refresh-1", "bad key"} {
		r := httptest.NewRequest(http.MethodPost, "/v1/auth/login", http.NoBody)
		r.Header.Set(IdempotencyHeader, key)
		r = r.WithContext(WithPrincipal(r.Context(), mission.Principal{}))
		w := httptest.NewRecorder()
		Once(none, 1, tell, func() { t.Error("it is replayed") }, next).ServeHTTP(w, r)
		if want := map[string]int{"refresh-1": http.StatusNoContent, "bad key": http.StatusBadRequest}[key]; w.Code != want {
			t.Errorf("the key %q is answered %d, want %d", key, w.Code, want)
		}
	}
}
