package redirect_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/redirect"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	target  = "https://acme.com/%C3%BC?a=b"
)

// limits refuses the requests of an address.
type limits struct{ refused string }

func (l limits) ChargeLink(_ http.ResponseWriter, r *http.Request) error {
	if r.RemoteAddr == l.refused {
		return mission.RateLimited(time.Second, "Too many requests.")
	}
	return nil
}

func fail(w http.ResponseWriter, _ *http.Request, err error) {
	status := map[mission.Code]int{
		mission.CodeRateLimitExceeded: http.StatusTooManyRequests, mission.CodeNotFound: http.StatusNotFound,
		mission.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	}[mission.CodeOf(err)]
	http.Error(w, err.Error(), cmp.Or(status, http.StatusInternalServerError))
}

// served is the links of a world that has a published post with one.
type served struct {
	*world.World

	links   *redirect.Links
	content mission.Content
	code    string
}

func serve(t *testing.T, w *world.World) *served {
	t.Helper()
	m := w.Create(func(in *mission.CreateInput) {
		world.OneDay(in)
		in.Platforms = []mission.Platform{mission.Mastodon}
		in.Links = &mission.LinksInput{Track: in.Platforms}
	})
	c, err := w.Missions.CreateContent(t.Context(), w.Tenant, missions.ContentInput{
		MissionID: m.ID, Platform: mission.Mastodon, Text: new("See https://acme.com/ü?a=b"), ScheduledAt: new(w.Clock.Now().Add(time.Minute)),
	})
	w.Must(err)
	w.Until("it is out", func() bool { return w.Content(c.ID).Status == mission.ContentPublished })
	s := &served{World: w, content: w.Content(c.ID)}
	s.code = s.content.TrackedLinks()[0].Code
	s.open(w)
	return s
}

// open is what a process does that starts.
func (s *served) open(w *world.World) {
	s.links = redirect.New(w.DB, redirect.Options{Clock: w.Clock, Limits: limits{"192.0.2.9:1"}, Fail: fail, Log: slog.New(slog.DiscardHandler)})
}

func (s *served) get(method, path string, headers map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path, r.RemoteAddr = path, "192.0.2.1:1"
	r.Header.Set("User-Agent", firefox)
	for name, value := range headers {
		if name == "address" {
			r.RemoteAddr = value
			continue
		}
		r.Header.Set(name, value)
	}
	got := httptest.NewRecorder()
	s.links.ServeHTTP(got, r)
	return got
}

// clicks returns how often the link was followed, as it is stored.
func (s *served) clicks() int64 {
	s.T.Helper()
	s.Must(s.links.Flush(s.T.Context()))
	found, err := s.Missions.LinksOf(context.Background(), s.Tenant, []mission.Content{s.content})
	s.Must(err)
	return *found[s.content.ID][0].Clicks
}

// A link leads where it says, and only people who follow it are counted.
func TestRedirect(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		s := serve(t, w)
		path := missions.LinkPath + s.code
		got := s.get("GET", path, nil)
		for header, want := range map[string]string{
			"Location": target, "Cache-Control": "no-store", "Referrer-Policy": "strict-origin-when-cross-origin", "X-Robots-Tag": "noindex, nofollow", "Set-Cookie": "",
		} {
			if h := got.Header().Get(header); h != want {
				t.Errorf("%s is %q, want %q", header, h, want)
			}
		}
		if got.Code != http.StatusFound || got.Body.Len() > 0 || s.clicks() != 1 {
			t.Errorf("got %d %q", got.Code, got.Body)
		}
		for name, headers := range map[string]map[string]string{
			"no agent": {"User-Agent": ""}, "a library": {"User-Agent": "Go-http-client/1.1"}, "Mastodon": {"User-Agent": "Mastodon/4.4.1 (http.rb/5.3.1; +https://mastodon.example/) Bot"},
			"Bluesky": {"User-Agent": "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)"}, "X": {"User-Agent": "Twitterbot/1.0"},
			"LinkedIn": {"User-Agent": "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)"}, "WhatsApp": {"User-Agent": "WhatsApp/2.23.20.0"},
			"Facebook":    {"User-Agent": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"},
			"iMessage":    {"User-Agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0"},
			"Google":      {"User-Agent": "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
			"headless":    {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0 Safari/537.36"},
			"Sec-Purpose": {"Sec-Purpose": "prefetch;prerender"}, "Purpose": {"Purpose": "prefetch"}, "X-Purpose": {"X-Purpose": "preview"}, "X-Moz": {"X-Moz": "prefetch"},
			"a script": {"Sec-Fetch-Mode": "cors"}, "an address beyond its limit": {"address": "192.0.2.9:1"},
		} {
			if got := s.get("GET", path, headers); got.Code != http.StatusFound || got.Header().Get("Location") != target || s.clicks() != 1 {
				t.Errorf("%s: got %d to %q, and %d clicks", name, got.Code, got.Header().Get("Location"), s.clicks())
			}
		}
		if got := s.get("HEAD", path, nil); got.Code != http.StatusFound || s.clicks() != 1 {
			t.Errorf("HEAD got %d, and %d clicks", got.Code, s.clicks())
		}
		for _, agent := range []string{firefox, "Mozilla/5.0 (Linux; Android 14; CUBOT X90) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36", "Opera/9.80 (Android; Opera Mini/36.2) Presto/2.12 Version/12.16"} {
			s.get("GET", path, map[string]string{"User-Agent": agent, "Sec-Fetch-Mode": "navigate"})
		}
		if n := s.clicks(); n != 4 {
			t.Errorf("got %d clicks, want 4", n)
		}
	})
}

// Nothing leads anywhere but what the service sent.
func TestNoOtherRedirect(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		s := serve(t, w)
		path := missions.LinkPath + s.code
		for name, other := range map[string]string{
			"no code": missions.LinkPath, "another": missions.LinkPath + "aaaaaaaaaaaaaaaa", "more": path + "/", "more of it": path + "a", "a site": missions.LinkPath + "https://evil.example", "//": missions.LinkPath + "/evil.example",
			"upper case": missions.LinkPath + strings.ToUpper(s.code), "a line": path + "\r\nLocation: https://evil.example", "a null": path + "\x00", "no UTF-8": missions.LinkPath + "\xff\xfe", "unicode": missions.LinkPath + strings.Repeat("ａ", 16),
			"SQL": missions.LinkPath + "' OR '1'='1' --a", "huge": missions.LinkPath + strings.Repeat("a", 1<<20), "dots": missions.LinkPath + "../../etc/passw",
		} {
			if got := s.get("GET", other, nil); got.Code != http.StatusNotFound || got.Header().Get("Location") != "" || got.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s: got %d to %q", name, got.Code, got.Header().Get("Location"))
			}
		}
		if got := s.get("GET", missions.LinkPath+"aaaaaaaaaaaaaaaa", map[string]string{"address": "192.0.2.9:1"}); got.Code != http.StatusTooManyRequests {
			t.Errorf("who guesses beyond the limit got %d", got.Code)
		}
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE", "PROPFIND", "get"} {
			if got := s.get(method, path, nil); got.Code != http.StatusMethodNotAllowed || got.Header().Get("Allow") != "GET, HEAD" || got.Header().Get("Location") != "" {
				t.Errorf("%s got %d", method, got.Code)
			}
		}
		if n := s.clicks(); n != 0 {
			t.Errorf("%d clicks are counted", n)
		}
	})
}

// Counts that can't be written are written later, those of the last second when the process ends.
func TestClicksAreKept(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		s := serve(t, w)
		follow := func(n int) {
			for range n {
				s.get("GET", missions.LinkPath+s.code, nil)
			}
		}
		follow(3)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.links.Flush(ended); err == nil {
			t.Error("clicks are written although the write was canceled")
		}
		follow(2)
		if n := s.clicks(); n != 5 {
			t.Errorf("got %d clicks, want 5", n)
		}
		follow(4)
		w.Clock.Advance(24 * time.Hour)
		follow(1)
		s.links.Run(ended) // the process ends
		if s.open(w); s.clicks() != 10 {
			t.Errorf("got %d clicks after the end of a process, want 10", s.clicks())
		}
		days, err := w.Missions.DailyClicksOf(t.Context(), w.Tenant, []string{s.content.ID})
		w.Must(err)
		if got := fmt.Sprint(days[s.content.ID]); len(days[s.content.ID]) != 2 || days[s.content.ID][0].Clicks != 9 || days[s.content.ID][1].Clicks != 1 {
			t.Errorf("the days have %s", got)
		}
	})
}
