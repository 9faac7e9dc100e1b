package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"missiond/internal/identity"
	"missiond/internal/testkit"
)

// Nothing that a client sends is ignored: a query parameter, a second credential, a charset or
// a body that a request has no use for is refused.
func TestNothingIsIgnored(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	id := s.make(restAPI{s}, nil)
	const query = `{ __typename }`
	document := `{"query":"` + query + `"}`
	address := "/graphql?query=" + url.QueryEscape(query)
	typed := func(contentType string) map[string]string { return map[string]string{"Content-Type": contentType} }
	for _, tt := range []struct {
		method, path, body string
		headers            map[string]string
		status             int
		param              string
	}{
		{"GET", address, "", nil, 200, ""},
		{"GET", address + "&variables=%7B%7D&extensions=%7B%7D&operationName=", "", nil, 200, ""},
		{"GET", address + "&query=x", "", nil, 400, "query"},
		{"GET", address + "&variables=%7B%7D&variables=%7B%7D", "", nil, 400, "variables"},
		{"GET", address + "&unknown", "", nil, 400, "unknown"},
		{"GET", address, "{}", nil, 400, ""},
		{"POST", "/graphql", document, typed(`application/json; charset="UTF-8"`), 200, ""},
		{"POST", "/graphql", document, typed("application/json; charset=iso-8859-1"), 415, ""},
		{"PUT", "/v1/missions/" + id, `{"name":"A"}`, typed("application/json; charset=utf-8"), 200, ""},
		{"PUT", "/v1/missions/" + id, `{"name":"A"}`, typed("application/json; charset=utf-16"), 415, ""},
		{"PUT", "/v1/missions/" + id, `{"name":"A"}`, typed("application/json; charset="), 415, ""},
		{"GET", "/v1/missions", " {} ", nil, 200, ""},
		{"GET", "/v1/missions", "null", nil, 200, ""},
		{"GET", "/v1/missions", `{"limit":1}`, nil, 400, ""},
		{"DELETE", "/v1/missions/" + id, `{"confirm":true}`, nil, 400, ""},
		{"DELETE", "/v1/missions/" + id, `{}`, nil, 200, ""},
	} {
		status, code, param, _ := s.sendWith(tt.method, tt.path, tt.body, tt.headers)
		if status != tt.status || param != tt.param {
			t.Errorf("%s %s with %q, %v returned %d %s on %q, want %d on %q", tt.method, tt.path, tt.body, tt.headers, status, code, param, tt.status, tt.param)
		}
	}
	twice := http.Header{"Authorization": {"Bearer " + s.key, "Bearer " + s.key}, "Content-Type": {"application/json"}}
	login := `{"query":"mutation { login(input: {clerkToken: \"` + s.token(identity.DevPerson{Email: "ann@example.com"}) + `\"}) { token } }"}`
	for _, tt := range []struct{ method, path, body string }{
		{"GET", "/v1/missions", ""}, {"GET", address, ""}, {"POST", "/graphql", document}, {"POST", "/graphql", login}, {"POST", "/v1/auth/refresh", ""},
	} {
		req, err := http.NewRequest(tt.method, s.server.URL+tt.path, strings.NewReader(tt.body))
		s.must(err)
		req.Header = twice
		resp, err := s.server.Client().Do(req)
		s.must(err)
		s.must(resp.Body.Close())
		s.equal(tt.method+" "+tt.path+" with two credentials", resp.StatusCode, http.StatusUnauthorized)
	}
	_, resp, err := websocket.Dial(context.Background(), s.server.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: twice}) //nolint:bodyclose // Dial closes it
	if err == nil || resp == nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a socket with two credentials: %v", err)
	}
}
