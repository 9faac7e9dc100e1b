package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/app"
	"missiond/internal/gateway"
	"missiond/internal/ratelimit"
	"missiond/internal/testkit"
	"missiond/mission"
)

// few is a limiter that takes so many calls.
type few struct {
	mu   sync.Mutex
	left int
}

// Take implements gateway.Limiter.
func (f *few) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	f.mu.Lock()
	defer f.mu.Unlock()
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, b := range buckets {
		f.left -= b.Take
		verdicts[i] = ratelimit.Verdict{OK: f.left >= 0}
	}
	return verdicts
}

// Meta tells without a credential who leaves. Only what it signed has an effect, each call counts against
// the sender's address before anything is looked up, and a person sees what became of a deletion.
func TestMetaCallbacks(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	const secret = "the-apps-secret"
	limit := 24
	another := s.another(func(c *app.Config) {
		c.MetaSecrets = map[mission.Platform]string{mission.Threads: secret}
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &few{left: limit}, Address: mission.Rate{Limit: limit, Per: time.Minute}, Now: s.real.Now})
	})
	server := httptest.NewServer(another.Handler(app.Pages{}))
	testkit.Cleanup(t, server.Close)
	if status, got := s.send("POST", "/v1/integrations", map[string]any{"platform": "threads", "access_token": "good"}); status != http.StatusCreated {
		t.Fatalf("connect: got %d %v", status, got)
	}
	signed := func(secret, user string) string {
		payload := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"algorithm":"HMAC-SHA256","issued_at":%d,"user_id":%q}`, s.real.Now().Unix(), user))
		h := hmac.New(sha256.New, []byte(secret))
		h.Write([]byte(payload))
		return base64.RawURLEncoding.EncodeToString(h.Sum(nil)) + "." + payload
	}
	calls := 0
	call := func(path, kind, body string) (int, string) {
		calls++
		resp, err := server.Client().Post(server.URL+"/integrations/meta/"+path, kind, strings.NewReader(body))
		s.must(err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		s.must(err)
		return resp.StatusCode, string(text)
	}
	const form = "application/x-www-form-urlencoded"
	encoded := func(text string) string { return url.Values{"signed_request": {text}}.Encode() }
	answers := map[string]bool{}
	for _, body := range []string{
		encoded(signed("another", "1")), encoded(signed("", "1")), encoded("a.b"), encoded(signed(secret, "../1")),
	} {
		for _, path := range []string{"deauthorize", "data-deletion", "deauthorize?tenant=" + url.QueryEscape("tnt_' OR 1=1")} {
			status, text := call(path, form, body)
			var refusal struct {
				Error struct {
					Message string `json:"message"`
				} `json:"error"`
			}
			s.must(json.Unmarshal([]byte(text), &refusal))
			if answers[refusal.Error.Message] = true; status != http.StatusBadRequest {
				t.Errorf("%s %s: got %d %s", path, body, status, text)
			}
		}
	}
	if len(answers) != 1 {
		t.Errorf("refusals tell what is wrong: %v", answers)
	}
	for name, c := range map[string][2]string{
		"no form": {"application/json", `{"signed_request":"` + signed(secret, "1") + `"}`}, "two": {form, encoded(signed(secret, "1")) + "&" + encoded(signed(secret, "1"))},
		"too large": {form, encoded(signed(secret, "1")) + "&x=" + strings.Repeat("x", 10<<10)}, "nothing": {form, ""},
	} {
		if status, text := call("data-deletion", c[0], c[1]); status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s", name, status, text)
		}
	}
	connected := func() int {
		_, got := s.send("GET", "/v1/integrations", nil)
		list, _ := got["data"].([]any)
		return len(list)
	}
	if n := connected(); n != 1 {
		t.Fatalf("%d integrations are left of one", n)
	}
	if status, text := call("deauthorize", form, encoded(signed(secret, "1"))); status != http.StatusOK || connected() != 0 {
		t.Errorf("deauthorize: got %d %s, %d are left", status, text, connected())
	}
	status, text := call("data-deletion", form, encoded(signed(secret, "1")))
	var done struct {
		URL  string `json:"url"`
		Code string `json:"confirmation_code"`
	}
	if err := json.Unmarshal([]byte(text), &done); err != nil || status != http.StatusOK || !strings.HasSuffix(done.URL, "/integrations/meta/deletions/"+done.Code) || done.Code == "" {
		t.Fatalf("data-deletion: got %d %s", status, text)
	}
	for code, want := range map[string]int{done.Code: http.StatusOK, "another": http.StatusNotFound} {
		calls++
		resp, err := server.Client().Get(server.URL + "/integrations/meta/deletions/" + code)
		s.must(err)
		page, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != want || want == http.StatusOK && !strings.Contains(string(page), "was deleted on 21 November 2026") {
			t.Errorf("the page of %q: got %d %s", code, resp.StatusCode, page)
		}
	}
	for calls < limit {
		_, _ = call("deauthorize", form, encoded("a.b"))
	}
	if status, _ := call("deauthorize", form, encoded(signed(secret, "1"))); status != http.StatusTooManyRequests {
		t.Errorf("after %d calls: got %d", calls, status)
	}
}
