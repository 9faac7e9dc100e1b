package api

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/mission"
)

// A platform fetches the files of a post that is being published, whole, in ranges or asking for
// the head alone, at an address that redirects nowhere and sets nothing; others have none.
func TestPlatformsFetchFiles(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	ctx, p := context.Background(), s.principal()
	id, at := s.picture(p), s.clock.Now().Add(time.Minute)
	on := s.make(restAPI{s}, map[string]any{"start_immediately": true, "platforms": []any{"twitter"}})
	c, err := s.Missions.CreateContent(ctx, p, missions.ContentInput{
		MissionID: on, Platform: mission.Twitter, Text: new("Look."), Media: []mission.MediaChoice{{MediaID: id}}, ScheduledAt: &at,
	})
	s.must(err)
	address := strings.TrimPrefix(s.Media.Open(c, c.Media[0]).Address, "http://media.example/base")
	if !strings.HasPrefix(address, "/v1/content/"+c.ID+"/files/") {
		t.Fatalf("got %s", address)
	}
	ask := func(method, path string, headers ...string) (status int, h http.Header, body string) {
		t.Helper()
		req, err := http.NewRequest(method, s.server.URL+path, nil)
		s.must(err)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		s.must(err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		s.must(err)
		return resp.StatusCode, resp.Header, string(text)
	}
	if status, _, _ := ask("GET", address); status != http.StatusNotFound {
		t.Errorf("got a %d before the slot", status)
	}
	s.clock.Advance(time.Minute)
	status, h, whole := ask("GET", address)
	if status != http.StatusOK || int64(len(whole)) != c.Media[0].Bytes || h.Get("Content-Type") != mission.TypeJPEG ||
		h.Get("Set-Cookie") != "" || h.Get("Location") != "" || h.Get("Content-Disposition") != "" || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("got a %d of %d bytes with %v", status, len(whole), h)
	}
	status, h, body := ask("HEAD", address)
	if status != http.StatusOK || h.Get("Content-Length") != strconv.FormatInt(c.Media[0].Bytes, 10) || h.Get("Content-Type") != mission.TypeJPEG || body != "" {
		t.Errorf("got a %d with %v for HEAD", status, h)
	}
	status, _, body = ask("GET", address, "Range", "bytes=10-19")
	if status != http.StatusPartialContent || body != whole[10:20] {
		t.Errorf("got a %d with %q for a range", status, body)
	}
	for what, tt := range map[string]struct {
		method, path string
		want         int
	}{
		"another method":     {"POST", address, http.StatusUnauthorized},
		"no parameters":      {"GET", strings.SplitN(address, "?", 2)[0], http.StatusUnauthorized},
		"one more":           {"GET", address + "&variant=original", http.StatusBadRequest},
		"one twice":          {"GET", address + "&tenant=x", http.StatusBadRequest},
		"a path in the hash": {"GET", strings.Replace(address, c.Media[0].Hash, "..%2f..%2fsecret.key", 1), http.StatusUnauthorized},
		"a long hash":        {"GET", strings.Replace(address, c.Media[0].Hash, strings.Repeat("a", 10_000), 1), http.StatusBadRequest},
		"another post":       {"GET", strings.Replace(address, c.ID, never(c.ID), 1), http.StatusUnauthorized},
		"no post":            {"GET", strings.Replace(address, c.ID, "x", 1), http.StatusUnauthorized},
	} {
		if status, _, body := ask(tt.method, tt.path); status != tt.want || strings.Contains(body, whole) {
			t.Errorf("%s: got a %d: %.200s", what, status, body)
		}
	}
	s.must(s.Media.RemoveAll(ctx, p.TenantID))
	if status, _, body := ask("GET", address); status != http.StatusInternalServerError || strings.Contains(body, "v-") {
		t.Errorf("got a %d without the bytes: %s", status, body)
	}
}

// principal returns the caller whose key the harness uses.
func (s *harness) principal() mission.Principal {
	s.t.Helper()
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	return p
}
