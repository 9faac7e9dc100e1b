package gateway

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"missiond/internal/httpserver"
	"missiond/internal/service/idempotency"
	"missiond/mission"
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

// A route that reads its bodies itself, and can't tell what they say, takes no key: a retry couldn't be told from
// another request.
func TestUntoldContentsTakeNoKey(t *testing.T) {
	route := Route{Uploads: true, Fail: func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), httpserver.StatusOf(mission.CodeOf(err)))
	}}
	r := httptest.NewRequest(http.MethodPost, "/v1/media", http.NoBody)
	r.Header.Set(httpserver.IdempotencyHeader, "key")
	q := &request{Gateway: &Gateway{}, route: route, next: http.NotFoundHandler(), r: r}
	if _, _, _, err := q.begin(r, mission.Principal{}, "key"); mission.CodeOf(err) != mission.CodeInvalidRequest {
		t.Errorf("got %v", err)
	}
}

// What changes how a body is read changes the fingerprint; how JSON is announced doesn't.
func TestFingerprint(t *testing.T) {
	of := func(method, target, contentType, body string) string {
		r := httptest.NewRequest(method, target, http.NoBody)
		r.Header.Set("Content-Type", contentType)
		return fingerprint(r, []byte(body))
	}
	one := of("POST", "/a?b=c", "application/json", "{}")
	for name, same := range map[string]string{
		"charset": of("POST", "/a?b=c", "application/json; charset=utf-8", "{}"), "no type": of("POST", "/a?b=c", "", "{}"),
	} {
		if same != one {
			t.Errorf("%s: another fingerprint", name)
		}
	}
	seen := map[string]string{one: "the first"}
	for name, other := range map[string]string{
		"method": of("PUT", "/a?b=c", "application/json", "{}"), "path": of("POST", "/b?b=c", "application/json", "{}"),
		"query": of("POST", "/a?b=d", "application/json", "{}"), "body": of("POST", "/a?b=c", "application/json", "{ }"),
		"CSV": of("POST", "/a?b=c", "text/csv", "{}"), "TSV": of("POST", "/a?b=c", "text/tab-separated-values", "{}"),
		"Latin-1": of("POST", "/a?b=c", "text/csv; charset=iso-8859-1", "{}"), "UTF-8": of("POST", "/a?b=c", "text/csv; charset=utf-8", "{}"),
	} {
		if before, ok := seen[other]; ok {
			t.Errorf("%s has the fingerprint of %s", name, before)
		}
		seen[other] = name
	}
	if of("POST", "/a", "text/csv; charset=UTF-8", "a") != of("POST", "/a", "Text/CSV;charset=utf-8", "a") {
		t.Error("case and spaces of a type count")
	}
}
