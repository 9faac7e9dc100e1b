package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"missiond/internal/testkit"
)

// sendWith sends a request with headers, and returns the status, the error's code and param,
// and the response's headers.
func (s *harness) sendWith(method, path, body string, headers map[string]string) (status int, code, param string, h http.Header) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.server.URL+path, strings.NewReader(body))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	var response struct {
		Error  struct{ Code, Param string }
		Errors []struct{ Extensions struct{ Code, Param string } }
	}
	_ = json.NewDecoder(resp.Body).Decode(&response) // of a 412 or a 415
	if len(response.Errors) > 0 {
		response.Error = response.Errors[0].Extensions
	}
	return resp.StatusCode, response.Error.Code, response.Error.Param, resp.Header
}

// A PUT or DELETE with the ETag of what was read changes that alone, on every path that both
// are served on.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			rest := restAPI{s}
			hook := rest.call("POST", "/webhooks", object{"url": "https://example.com/a", "events": []string{"content.published"}}).Fields["id"].(string)
			key := rest.call("POST", "/auth/keys", object{"name": "A", "scopes": []string{"missions:read"}}).Fields["id"].(string)
			link := rest.connect(object{"platform": "twitter", "access_token": "good"}).Fields["id"].(string)
			m := s.make(rest, nil)
			tag := func(path string) string {
				t.Helper()
				status, _, _, h := s.sendWith("GET", path, "", nil)
				if status != http.StatusOK || h.Get("ETag") == "" {
					t.Fatalf("GET %s returned %d, %v", path, status, h)
				}
				return h.Get("ETag")
			}
			for _, tt := range []struct{ path, first, second string }{
				{"/v1/missions/" + m, `{"name":"First"}`, `{"name":"Second"}`},
				{"/v1/webhooks/" + hook, `{"url":"https://example.com/b"}`, `{"url":"https://example.com/c"}`},
				{"/v1/integrations/" + link, `{"label":"First"}`, `{"label":"Second"}`},
				{"/v1/tenant", `{"name":"First"}`, `{"name":"Second"}`},
			} {
				put := func(body, match string, want int, code string) {
					t.Helper()
					status, got, param, _ := s.sendWith("PUT", tt.path, body, map[string]string{"If-Match": match})
					if status != want || got != code || code != "" && param != "If-Match" {
						t.Errorf("PUT %s with If-Match %s returned %d %s on %q", tt.path, match, status, got, param)
					}
				}
				read := tag(tt.path)
				for _, stale := range []string{`"stale"`, "W/" + read, `"a", "b"`, `"a,` + strings.Trim(read, `"`) + `"`} {
					put(tt.first, stale, http.StatusPreconditionFailed, "precondition_failed")
				}
				for _, broken := range []string{"stale", `"a`, strings.Trim(read, `"`), ",", `"a" "b"`, `*, "a"`, `w/"a"`} {
					put(tt.first, broken, http.StatusBadRequest, "invalid_request")
				}
				if tag(tt.path) != read {
					t.Fatalf("%s was changed", tt.path)
				}
				put(`{"unknown":1}`, `"stale"`, http.StatusPreconditionFailed, "precondition_failed") // before the body is looked at
				put(tt.first, `"other" , `+read, http.StatusOK, "")
				put(tt.second, read, http.StatusPreconditionFailed, "precondition_failed")
				put(tt.second, "*", http.StatusOK, "")
			}
			for _, path := range []string{"/v1/missions/" + m, "/v1/webhooks/" + hook, "/v1/integrations/" + link, "/v1/auth/keys/" + key} {
				read := tag(path)
				if status, code, _, _ := s.sendWith("DELETE", path, "", map[string]string{"If-Match": `"stale"`}); status != http.StatusPreconditionFailed || code != "precondition_failed" {
					t.Errorf("DELETE %s returned %d %s", path, status, code)
				}
				if status, code, _, _ := s.sendWith("DELETE", path, "", map[string]string{"If-Match": read}); status != http.StatusOK {
					t.Errorf("DELETE %s returned %d %s", path, status, code)
				}
			}
			if status, code, _, _ := s.sendWith("DELETE", "/v1/missions/"+m, "", map[string]string{"If-Match": "*"}); status != http.StatusNotFound || code != "not_found" {
				t.Errorf("deleting what isn't there returned %d %s", status, code)
			}
		})
	}
}

// Every route keeps a condition or refuses it by its name: none is ignored, and none is taken for a fault of the service.
func TestConditionsOnEveryRoute(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	estate := s.estate("conditions")
	s.key = estate.key
	_, served := s.send("GET", "/v1/openapi.json", nil)
	paths := served["paths"].(map[string]any)
	names := []string{"Content-Type", "If-Match", "If-None-Match"}
	send := func(method, path, name, value string) (int, string, string) {
		t.Helper()
		status, code, param, _ := s.sendWith(method, path, "{}", map[string]string{name: value, "Content-Type": "application/json"})
		if status >= http.StatusInternalServerError {
			t.Errorf("%s %s with %s: %s returned %d %s", method, path, name, value, status, code)
		}
		if slices.Contains(names, param) && status != http.StatusBadRequest && status != http.StatusPreconditionFailed {
			t.Errorf("%s %s with %s: %s returned %d on %s", method, path, name, value, status, param)
		}
		return status, code, param
	}
	tried := 0
	for path, methods := range paths {
		target := estate.fill(path)
		_, reads := methods.(map[string]any)["get"]
		there := func() bool {
			status, _, _, _ := s.sendWith("GET", target, "", nil)
			return reads && status == http.StatusOK
		}
		for method := range methods.(map[string]any) {
			method = strings.ToUpper(method)
			for _, match := range []string{`"stale"`, "*", "broken"} {
				if method == "DELETE" && path == "/v1/tenant" && match == "*" {
					continue // nothing could be changed any more
				}
				tried++
				served := there()
				status, code, param := send(method, target, "If-Match", match)
				if changes := method == "POST" || !reads; changes && (status < 400 || code == "invalid_request" && param != "If-Match") {
					t.Errorf("%s %s with If-Match: %s returned %d %s on %q", method, path, match, status, code, param)
				}
				if method != "POST" && reads && match != "*" && (status < 400 || served && param != "If-Match") {
					t.Errorf("%s %s with If-Match: %s returned %d %s on %q", method, path, match, status, code, param)
				}
			}
			for _, match := range []string{`"stale"`, "*"} {
				status, code, param := send(method, target, "If-None-Match", match)
				if method != "GET" && (status < 400 || code == "invalid_request" && param != "If-None-Match") {
					t.Errorf("%s %s with If-None-Match: %s returned %d %s on %q", method, path, match, status, code, param)
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d conditions were tried", tried)
	}
}

// What has one record of its own for the whole tenant or caller is changed by its ETag too.
func TestIfMatchOnSingleRecords(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			if status, _ := s.send("POST", "/v1/tenant/hold", object{"reason": "An accident"}); status != http.StatusOK {
				t.Fatalf("hold returned %d", status)
			}
			const path = "/v1/tenant/hold"
			_, _, _, h := s.sendWith("GET", path, "", nil)
			for _, tt := range []struct {
				match string
				want  int
			}{{`"stale"`, 412}, {h.Get("ETag"), 200}, {h.Get("ETag"), 412}} {
				if status, code, param, _ := s.sendWith("DELETE", path, "", map[string]string{"If-Match": tt.match}); status != tt.want || status != 200 && param != "If-Match" {
					t.Errorf("DELETE with %s returned %d %s on %q", tt.match, status, code, param)
				}
			}
			status, _, _, _ := s.sendWith("GET", path, "", map[string]string{"If-Match": `"stale"`})
			if status != http.StatusPreconditionFailed {
				t.Errorf("GET of another returned %d", status)
			}
		})
	}
}

// Of requests with one ETag only one changes the record, whatever the clock says.
func TestIfMatchOnce(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			path := "/v1/missions/" + s.make(restAPI{s}, nil)
			for range 5 {
				_, _, _, h := s.sendWith("GET", path, "", nil)
				var wg sync.WaitGroup
				statuses := make([]int, 6)
				for i := range statuses {
					wg.Go(func() {
						for statuses[i] = http.StatusServiceUnavailable; statuses[i] == http.StatusServiceUnavailable; { // as it is told to
							statuses[i], _, _, _ = s.sendWith("PUT", path, `{"description":"`+strings.Repeat("x", i+1)+h.Get("ETag")[1:5]+`"}`, map[string]string{"If-Match": h.Get("ETag")})
						}
					})
				}
				wg.Wait()
				won := 0
				for _, status := range statuses {
					switch status {
					case http.StatusOK:
						won++
					case http.StatusPreconditionFailed:
					default:
						t.Errorf("got %d", status)
					}
				}
				if won != 1 {
					t.Fatalf("%d requests changed it: %v", won, statuses)
				}
			}
		})
	}
}

// A body that is encoded is refused as such on every route, GraphQL's too.
func TestContentEncoding(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	_, served := s.send("GET", "/v1/openapi.json", nil)
	estate := s.estate("encoded")
	s.key = estate.key
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write([]byte(`{"query":"{ __typename }"}`))
	s.must(err)
	s.must(w.Close())
	tried := 0
	refuse := func(method, path string) {
		t.Helper()
		for coding, body := range map[string]string{"gzip": zipped.String(), "deflate": `{"name":"A"}`, "identity, br": "{}"} {
			tried++
			status, code, _, h := s.sendWith(method, path, body, map[string]string{"Content-Encoding": coding})
			if status != http.StatusUnsupportedMediaType || code != "unsupported_media_type" || h.Get("Accept-Encoding") != "identity" {
				t.Errorf("%s %s with %s returned %d %s, Accept-Encoding %q", method, path, coding, status, code, h.Get("Accept-Encoding"))
			}
		}
	}
	refuse("POST", "/graphql")
	for path, methods := range served["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			if op.(map[string]any)["requestBody"] != nil && path != "/v1/auth/login" {
				refuse(strings.ToUpper(method), estate.fill(path))
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d were tried", tried)
	}
	for _, path := range []string{"/v1/missions", "/graphql"} {
		if status, code, _, _ := s.sendWith("POST", path, `{}`, map[string]string{"Content-Encoding": "Identity"}); status != http.StatusBadRequest {
			t.Errorf("POST %s with identity returned %d %s", path, status, code)
		}
	}
}
