package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"missiond/internal/app"
	"missiond/internal/gateway"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// linkURL is what tracked links begin with.
const linkURL = "http://go.acme.com"

// sendLinks has the tracked links of a post lead somewhere, as publishing it does, and returns the path of its
// first.
func (s *harness) sendLinks(id string) string {
	s.t.Helper()
	c, err := s.DB.Content(context.Background(), s.principal().TenantID, id)
	s.must(err)
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		return tx.AddTrackedLinks(context.Background(), c.TrackedLinks(), s.clock.Now())
	}))
	return missions.LinkPath + c.TrackedLinks()[0].Code
}

// follow follows a link of a server's as a browser does, n times, and returns where it leads.
func (s *harness) follow(server *httptest.Server, path string, n int) (leads string) {
	s.t.Helper()
	client := &http.Client{Transport: server.Client().Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for range n {
		req, err := http.NewRequest(http.MethodGet, server.URL+path, nil)
		s.must(err)
		req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
		resp, err := client.Do(req)
		s.must(err)
		s.must(resp.Body.Close())
		if resp.StatusCode != http.StatusFound || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("Referrer-Policy") != "strict-origin-when-cross-origin" {
			s.t.Fatalf("the link returned %d %v", resp.StatusCode, resp.Header)
		}
		leads = resp.Header.Get("Location")
	}
	return leads
}

func trackedLinks(s *harness, a postAPI) {
	utm := map[string]any{"source": "{platform}", "medium": nil, "campaign": "{mission}", "content": nil}
	id := s.make(a, map[string]any{
		"start_immediately": true, "platforms": []any{"bluesky", "mastodon"},
		"links": map[string]any{"utm": map[string]any{"source": "{platform}", "campaign": "{mission}"}, "track": []any{"bluesky"}},
	})
	s.field(a.read(id), "links", map[string]any{"utm": utm, "track": []any{"bluesky"}})
	post := func(on, text string) string {
		s.t.Helper()
		got := a.add(map[string]any{"mission_id": id, "platform": on, "text": text})
		s.want(got, "", "")
		return got.Fields["id"].(string)
	}
	const text = "See https://acme.com/2.0 and https://acme.com/2.0."
	plain := a.content(post("mastodon", text))
	s.field(plain, "text", text)
	s.field(plain, "links", []any{map[string]any{
		"url": "https://acme.com/2.0", "sent_url": "https://acme.com/2.0?utm_source=mastodon&utm_campaign=a-mission", "clicks": nil,
	}})
	tracked := post("bluesky", text)
	path := s.sendLinks(tracked)
	s.field(a.content(tracked), "links", []any{map[string]any{"url": "https://acme.com/2.0", "sent_url": linkURL + path, "clicks": 0.0}})
	s.equal("where it leads", s.follow(s.server, path, 3), "https://acme.com/2.0?utm_source=bluesky&utm_campaign=a-mission")
	s.must(s.Links.Flush(context.Background()))
	clicked := []any{map[string]any{"url": "https://acme.com/2.0", "sent_url": linkURL + path, "clicks": 3.0}}
	s.field(a.content(tracked), "links", clicked)
	_, list := s.send("GET", "/v1/content?mission_id="+id, nil)
	for _, each := range list["data"].([]any) {
		if each := each.(map[string]any); each["id"] == tracked {
			s.equal("its links in the list", fmt.Sprint(each["links"]), fmt.Sprint(clicked))
		}
	}
	days := graphAPI{s}.run(`query($id: ID!) { content(id: $id) { clicksByDay { date clicks } } }`, map[string]any{"id": tracked}, "content")
	s.field(days, "clicks_by_day", []any{map[string]any{"date": "2026-11-21", "clicks": 3.0}})

	got := a.update(id, map[string]any{"links": map[string]any{"utm": map[string]any{"source": nil, "content": "x"}, "track": []any{"mastodon"}}})
	utm["source"], utm["content"] = nil, "x"
	s.field(got, "links", map[string]any{"utm": utm, "track": []any{"mastodon"}})
	s.equal("what Mastodon thinks of it", at(s.at(got, "notices").([]any)[0].(map[string]any), "param"), "links.track")
	s.field(a.update(id, map[string]any{"links": map[string]any{}}), "links", map[string]any{"utm": utm, "track": []any{"mastodon"}})
	s.field(a.content(tracked), "links", clicked) // it stays as it was decided
	for _, tt := range []struct {
		links map[string]any
		param string
	}{
		{map[string]any{"track": []any{"linkedin"}}, "links.track[0]"},
		{map[string]any{"track": []any{"mastodon", "mastodon"}}, "links.track[1]"},
		{map[string]any{"utm": map[string]any{"source": "{name}"}}, "links.utm.source"},
		{map[string]any{"utm": map[string]any{"campaign": ""}}, "links.utm.campaign"},
		{map[string]any{"utm": map[string]any{"content": strings.Repeat("x", 101)}}, "links.utm.content"},
		{map[string]any{"utm": map[string]any{"medium": "a\nb"}}, "links.utm.medium"},
	} {
		s.want(a.update(id, map[string]any{"links": tt.links}), "invalid_request", tt.param)
	}
	s.key = s.keys["theirs"]
	s.want(a.content(tracked), "not_found", "")
}

func TestLinkScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[postAPI]{{"links are tracked", trackedLinks}})
}

// No click is lost when a process is told to end, as SIGTERM tells it.
func TestClicksOutliveTheProcess(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := restAPI{s}
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"bluesky"}, "links": map[string]any{"track": []any{"bluesky"}}})
	post := a.add(map[string]any{"mission_id": id, "platform": "bluesky", "text": "See https://acme.com/2.0"})
	s.want(post, "", "")
	content := post.Fields["id"].(string)
	path := s.sendLinks(content)
	p := app.New(s.config(s.DB, s.Secrets, func(c *app.Config) {
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &boundless{}, Address: mission.Rate{Limit: 300}, Now: s.real.Now})
	}))
	p.Follow()
	server := httptest.NewServer(p.Handler(app.Pages{}))
	s.follow(server, path, 25)
	server.Close()
	s.must(p.Close())
	s.equal("the clicks", at(a.content(content).Fields["links"].([]any)[0].(map[string]any), "clicks"), 25.0)
	for line := range strings.Lines(s.log.String()) {
		if strings.Contains(line, `"route":"/l/"`) && !strings.Contains(line, `"address":""`) {
			t.Fatalf("the log has the address of who followed a link: %s", line)
		}
	}
}
