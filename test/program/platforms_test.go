package program

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/x/xtest"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// The whole course of an integration: an owner consents in a browser, an expiring
// token is renewed, posts and threads are published once each while the program is
// killed, and no credentials are in the log.
func TestPostsGoOutOnPlatforms(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	fedi, x := mastodontest.New(t), xtest.New()
	fediverse, api := httptest.NewServer(fedi), httptest.NewServer(x)
	t.Cleanup(fediverse.Close)
	t.Cleanup(api.Close)
	x.Secret = "client-secret-of-x"
	folder, addr := t.TempDir(), missiond.FreeAddr(t)
	start := func() *missiond.Process {
		return missiond.Dev(t, folder, "--addr", addr, "--clock-speed", "8640", "--x-url", api.URL, "--x-client-id", xtest.ClientID, "--x-client-secret", x.Secret)
	}
	p := start()
	consent(p, fediverse.URL)
	c := x.Credentials("")
	p.Call("POST", "/v1/integrations", map[string]any{"platform": "twitter", "access_token": c.AccessToken, "refresh_token": c.RefreshToken}, http.StatusCreated)
	x.Expire()

	const posts = 12
	id := p.StartMission(1, posts)
	for done := 2; done < posts; done += 4 {
		p.Await("posts that are out", func() bool { n, _ := output.At(p.Status(id), "content", "published").(float64); return int(n) >= done })
		p.Kill()
		p = start()
	}
	p.Await("the mission's end", func() bool { return p.Status(id)["status"] == "completed" })

	var list []any
	p.Await("the posts that were under way at its end", func() bool {
		list, _ = p.Call("GET", "/v1/content?limit=100&mission_id="+id, nil, http.StatusOK)["data"].([]any)
		return !slices.ContainsFunc(list, func(post any) bool {
			content, _ := post.(map[string]any)
			return content["status"] == "publishing"
		})
	})
	out := map[mission.Platform][]publishertest.Post{mission.Mastodon: fedi.Posts(), mission.Twitter: x.Posts()}
	if len(list) != posts {
		t.Errorf("got %d posts, want %d", len(list), posts)
	}
	for _, post := range list {
		content, _ := post.(map[string]any)
		// A kill may cause the end of the mission to cut its last thread off.
		whole, cut := content["status"] == "published", output.At(content, "error", "code") == mission.CodeMissionEnded || content["status"] == "canceled"
		if !whole && !cut {
			t.Errorf("a post on %s is %s: %v", content["platform"], content["status"], content["error"])
		}
		platform, _ := content["platform"].(string)
		parts, _ := content["parts"].([]any)
		if len(parts) == 0 {
			parts = []any{content["text"]}
		}
		for _, part := range parts {
			if n := times(out[mission.Platform(platform)], fmt.Sprint(part)); n > 1 || whole && n != 1 {
				t.Errorf("%q is on %s %d times", part, platform, n)
			}
		}
	}
	p.Kill() // its log is complete then
	showsNo(t, p, c.AccessToken, c.RefreshToken, x.Secret)
}

// consent connects Mastodon in a browser.
func consent(p *missiond.Process, server string) {
	p.T.Helper()
	const page = "http://localhost:3000/done?tab=2"
	pending := p.Call("POST", "/v1/integrations", map[string]any{"platform": "mastodon", "server": server, "return_url": page}, http.StatusCreated)
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.T.Fatal(err)
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(req *http.Request, _ []*http.Request) error {
		if req.URL.Host == "localhost:3000" {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	address := fmt.Sprint(pending["authorize_url"])
	resp, err := browser.Get(address)
	if err != nil {
		p.T.Fatal(err)
	}
	asked, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if start, _ := url.Parse(address); err != nil || resp.StatusCode != http.StatusOK || len(jar.Cookies(start)) > 0 || !strings.Contains(string(asked), "Demo") {
		p.T.Fatalf("the start page is %d, with cookies %v: %s", resp.StatusCode, jar.Cookies(start), asked)
	}
	for origin, want := range map[string]int{"https://attacker.example": http.StatusForbidden, "null": http.StatusForbidden} {
		req, err := http.NewRequest(http.MethodPost, address, nil)
		if err != nil {
			p.T.Fatal(err)
		}
		req.Header.Set("Origin", origin)
		if resp, err = browser.Do(req); err != nil {
			p.T.Fatal(err)
		}
		_ = resp.Body.Close()
		if start, _ := url.Parse(address); resp.StatusCode != want || len(jar.Cookies(start)) > 0 {
			p.T.Fatalf("the form of %s is %d, with cookies %v", origin, resp.StatusCode, jar.Cookies(start))
		}
	}
	if resp, err = browser.PostForm(address, nil); err != nil {
		p.T.Fatal(err)
	}
	_ = resp.Body.Close()
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || back.Host != "localhost:3000" || back.Query().Get("status") != "connected" || back.Query().Get("integration") != pending["id"] || back.Query().Get("tab") != "2" {
		p.T.Fatalf("the browser was redirected to %v (%d), %v", back, resp.StatusCode, err)
	}
	i := p.Call("GET", "/v1/integrations/"+fmt.Sprint(pending["id"]), nil, http.StatusOK)
	if i["status"] != "connected" || output.At(i, "account", "handle") == nil {
		p.T.Errorf("got the integration %v", i)
	}
}

// times returns how often a text is on a platform.
func times(posts []publishertest.Post, text string) (n int) {
	for _, p := range posts {
		if p.Text == text {
			n++
		}
	}
	return n
}

// showsNo fails the test if the program's log contains a secret.
func showsNo(t *testing.T, p *missiond.Process, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(p.Log.String(), secret) {
			t.Errorf("the log contains %q", secret)
		}
	}
}

// A browser that comes back without parameters, or with invalid ones, gets an
// error page that shows nothing else.
func TestCallbackOfNobody(t *testing.T) {
	t.Parallel()
	p := missiond.Dev(t, t.TempDir())
	for _, query := range []string{"", "?state=x&code=y", "?error=access_denied", "?state=" + strings.Repeat("A", 4000), "?state=%00&code=%ff", "?state=a&state=b"} {
		resp, err := http.Get(p.URL + "/integrations/callback/twitter" + query)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || resp.Header.Get("Location") != "" {
			t.Errorf("%.40q returned %d with %v", query, resp.StatusCode, resp.Header)
		}
	}
}

// Invalid flags end the program at once.
func TestPlatformFlags(t *testing.T) {
	t.Parallel()
	for flag, value := range map[string]string{"--linkedin-version": "2026", "--x-url": "api.x.com", "--public-url": "ftp://x"} {
		p := missiond.Launch(t, "dev", "--addr", "127.0.0.1:0", flag, value)
		if err := p.Wait(); err == nil || !strings.Contains(p.Log.String(), flag) {
			t.Errorf("%s %s: %v, %s", flag, value, err, output.Tail(p.Log.String()))
		}
	}
}
