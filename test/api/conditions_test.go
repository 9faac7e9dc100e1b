package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
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
	for name, open := range dialects() {
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

// Of requests with one ETag only one changes the record, whatever the clock says.
func TestIfMatchOnce(t *testing.T) {
	t.Parallel()
	for name, open := range dialects() {
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
