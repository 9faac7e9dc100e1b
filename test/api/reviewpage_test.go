package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// reviewing is a mission with posts in review, and a link to them.
type reviewing struct {
	*harness

	admin   mission.Principal
	mission mission.Mission
	posts   []string
	link    missions.MadeReviewLink
	// path is where the link leads.
	path string
}

// reviewing makes a mission with three posts in review and a link.
func (s *harness) reviewing(in mission.ReviewLinkInput, changes map[string]any) *reviewing {
	s.t.Helper()
	ctx := context.Background()
	whole := map[string]any{"name": "Summer", "start_immediately": true, "platforms": []any{"twitter"}, "constraints": map[string]any{"require_approval": true, "posts_per_day": 3}}
	for name, value := range changes {
		whole[name] = value
	}
	v := &reviewing{harness: s}
	var err error
	v.admin, err = s.Accounts.Authenticate(ctx, s.key)
	s.must(err)
	v.mission, err = s.Missions.Mission(ctx, v.admin, s.make(restAPI{s}, whole))
	s.must(err)
	for i := range 3 {
		v.posts = append(v.posts, s.postAt(v.mission, *v.mission.PipelineJobID, i))
	}
	v.link, err = s.Missions.CreateReviewLink(ctx, v.admin, v.mission.ID, in)
	s.must(err)
	u, err := url.Parse(v.link.URL)
	s.must(err)
	v.path = u.Path
	return v
}

// mayDecide is a link with which posts are approved.
func mayDecide() mission.ReviewLinkInput {
	return mission.ReviewLinkInput{Name: "Acme", ExpiresInHours: 2, MayDecide: new(true)}
}

// page is a response of the review page.
type page struct {
	status int
	header http.Header
	text   string
}

// visit sends a request without a credential, and doesn't follow redirects.
func (s *harness) visit(method, path string, form url.Values, headers ...string) page {
	s.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequest(method, s.server.URL+path, body)
	s.must(err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	s.must(err)
	return page{resp.StatusCode, resp.Header, string(text)}
}

// form returns a form of the page about a post.
func form(action, id string, revision int, more ...string) url.Values {
	f := url.Values{"action": {action}, "content": {id}, "revision": {fmt.Sprint(revision)}}
	for i := 0; i < len(more); i += 2 {
		f.Set(more[i], more[i+1])
	}
	return f
}

// status returns the state of a post.
func (v *reviewing) status(i int) mission.ContentStatus {
	v.t.Helper()
	c, err := v.Missions.Content(context.Background(), v.admin, v.posts[i])
	v.must(err)
	return c.Status
}

// The page shows what waits, as text alone whatever is in it, and takes decisions and comments.
func TestReviewPage(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			ctx := context.Background()
			s := newHarness(t, open)
			const evil = `<script>alert(1)</script>"'&`
			v := s.reviewing(mission.ReviewLinkInput{Name: "Acme " + evil, ExpiresInHours: 2, MayDecide: new(true)}, map[string]any{"name": "Summer " + evil})
			text := "First line\n" + evil + " https://acme.example/a"
			files := []mission.MediaChoice{{MediaID: s.picture(v.admin), AltText: new("A door " + evil)}}
			_, err := s.Missions.EditContent(ctx, v.admin, v.posts[0], missions.EditInput{Text: &text, Media: &files, FirstComment: mission.Optional[string]{Given: true, Value: new("More " + evil)}})
			s.must(err)
			_, err = s.Missions.CommentContent(ctx, v.admin, v.posts[0], mission.ReviewCommentInput{Text: "Ours " + evil, Start: new(0), End: new(14)})
			s.must(err)
			got := s.visit("GET", v.path, nil)
			escaped := `&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;`
			for _, want := range []string{
				"Summer " + escaped, "Acme " + escaped, "First line\n" + escaped + " https://acme.example/a", `alt="A door ` + escaped + `"`, "More " + escaped, "Ours " + escaped,
				"on “First line\n&lt;sc”", "X", "Saturday 21 November 2026, ", `lang="en"`, `name="viewport"`, v.posts[1], v.posts[2],
			} {
				if !strings.Contains(got.text, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if got.status != 200 || strings.Contains(got.text, "<script") {
				t.Errorf("got %d %s", got.status, got.text)
			}
			for header, want := range map[string]string{
				"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
				"X-Frame-Options": "DENY", "Content-Type": "text/html; charset=utf-8",
			} {
				s.equal(header, got.header.Get(header), want)
			}
			csp := got.header.Get("Content-Security-Policy")
			for _, want := range []string{"default-src 'none'", "img-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
				if !strings.Contains(csp, want) || strings.Contains(csp, "script") || strings.Contains(csp, "unsafe") {
					t.Errorf("the policy is %q, without %q", csp, want)
				}
			}
			_, source, _ := strings.Cut(got.text, `<img src="`)
			source, _, _ = strings.Cut(source, `"`)
			s.equal("the picture", s.visit("GET", strings.ReplaceAll(source, "&amp;", "&"), nil).status, 200)

			stale := s.visit("POST", v.path, form("approve", v.posts[0], 1))
			if stale.status != 409 || !strings.Contains(stale.text, "changed since you read it") || !strings.Contains(stale.text, `name="revision" value="2"`) {
				t.Errorf("an older revision got %d %s", stale.status, stale.text)
			}
			stale = s.visit("POST", v.path, form("comment", v.posts[0], 1, "text", "Typed long ago"))
			s.equal("what was typed is kept", fmt.Sprint(stale.status, strings.Contains(stale.text, ">Typed long ago</textarea>")), "409 true")
			s.equal("the post", v.status(0), mission.ContentPendingReview)

			for i, f := range []url.Values{form("comment", v.posts[0], 2, "text", "Theirs\r\nhere"), form("approve", v.posts[0], 2), form("reject", v.posts[1], 1, "reason", "Too loud")} {
				done := s.visit("POST", v.path, f, "Sec-Fetch-Site", "same-origin", "Origin", "null")
				s.equal(fmt.Sprint(i, " leads to"), fmt.Sprint(done.status, " ", done.header.Get("Location")), "303 "+v.path+"?done="+f.Get("content"))
				said := []string{"Your comment was added.", "The post is approved.", "The post is rejected."}[i]
				if after := s.visit("GET", done.header.Get("Location"), nil); after.status != 200 || !strings.Contains(after.text, `role="status">`+said) {
					t.Errorf("%s: got %d %s", f.Get("action"), after.status, after.text)
				}
			}
			rejected, err := s.Missions.Content(ctx, v.admin, v.posts[1])
			s.must(err)
			s.equal("who decided", rejected.ReviewedBy, v.link.Link.ID)
			s.equal("why", *rejected.RejectionReason, "Too loud")
			s.equal("approved", v.status(0), mission.ContentApproved)
			s.visit("POST", v.path, form("comment", v.posts[0], 2, "text", "Theirs\r\nhere")) // again, as by a double click
			comments, err := s.Missions.ReviewComments(ctx, v.admin, v.posts[0], store.Page{Limit: 2})
			s.must(err)
			s.equal("the comments", comments.List[1].Text, "Ours "+evil)
			s.equal("the comment", comments.List[0].Text+" by "+comments.List[0].AuthorName, "Theirs\nhere by Acme "+evil)
			injected := s.visit("GET", v.path+"?done="+url.QueryEscape(evil)+"&after="+url.QueryEscape(evil), nil)
			s.equal("another flash", fmt.Sprint(injected.status, strings.Contains(injected.text, "notice\""), strings.Contains(injected.text, "alert(1)</script>")), "200 false false")
		})
	}
}

// The page shows links as they are sent, and where those lead that don't say it.
func TestReviewPageShowsSentLinks(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	v := s.reviewing(mayDecide(), map[string]any{"links": map[string]any{"utm": map[string]any{"source": "x&y"}, "track": []string{"twitter"}}})
	text := "See https://www.example.com/a?b=1"
	c, err := s.Missions.EditContent(context.Background(), v.admin, v.posts[0], missions.EditInput{Text: &text})
	s.must(err)
	links := c.Links(nil)
	got := s.visit("GET", v.path, nil)
	for _, want := range []string{"See " + links[0].SentURL + "<", links[0].SentURL + " leads to https://www.example.com/a?b=1<"} {
		if !strings.Contains(got.text, want) {
			t.Errorf("the page lacks %q: %s", want, got.text)
		}
	}
}

// Twenty posts are shown at a time, and a decision leads back to the page that it was made on.
func TestReviewPages(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	v := s.reviewing(mayDecide(), map[string]any{"constraints": map[string]any{"require_approval": true, "posts_per_day": 22}})
	for i := 3; i < 22; i++ {
		v.posts = append(v.posts, s.postAt(v.mission, *v.mission.PipelineJobID, i))
	}
	shown := func(text string) (found []string) {
		for _, id := range v.posts {
			if strings.Contains(text, `<article id="`+id) {
				found = append(found, id)
			}
		}
		return found
	}
	first := s.visit("GET", v.path, nil)
	_, next, _ := strings.Cut(first.text, v.path+"?after=")
	after, _, _ := strings.Cut(next, `"`)
	second := s.visit("GET", v.path+"?after="+after, nil)
	rest := shown(second.text)
	s.equal("posts", fmt.Sprint(len(shown(first.text)), len(rest), strings.Contains(second.text, "Next posts")), "20 2 false")
	done := s.visit("POST", v.path, form("approve", rest[0], 1, "after", after))
	s.equal("it leads to", done.header.Get("Location"), v.path+"?after="+after+"&done="+rest[0])
	s.equal("what is left there", fmt.Sprint(shown(s.visit("GET", done.header.Get("Location"), nil).text)), fmt.Sprint(rest[1:]))
}

// Of two who decide at once, one does, and the other is told.
func TestTwoDecideAtOnce(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			v := s.reviewing(mayDecide(), nil)
			for i := range v.posts {
				statuses := make(chan int)
				for _, action := range []string{"approve", "reject"} {
					go func() { statuses <- s.visit("POST", v.path, form(action, v.posts[i], 1)).status }()
				}
				got := []int{<-statuses, <-statuses}
				if slices.Sort(got); !slices.Equal(got, []int{303, 409}) {
					t.Errorf("got %v", got)
				}
			}
		})
	}
}

// A link that is guessed, has ended, or is another's shows and changes nothing; nor does a request
// that isn't the page's own form.
func TestReviewPageRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newHarness(t, testkit.SQLite)
	s.key = s.keys["theirs"]
	theirs := s.reviewing(mayDecide(), map[string]any{"name": "Theirs"})
	s.key = s.keys["ours"]
	v, other := s.reviewing(mayDecide(), nil), s.reviewing(mission.ReviewLinkInput{Name: "Readers", ExpiresInHours: 1}, map[string]any{"name": "Other"})
	refused := func(what string, got page, status int) {
		t.Helper()
		leaks := strings.Contains(got.text, "Summer") || strings.Contains(got.text, "Acme")
		if got.status != status || leaks || got.header.Get("Cache-Control") != "no-store" || !strings.Contains(got.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: got %d %v %s", what, got.status, got.header, got.text)
		}
	}
	for what, path := range map[string]string{
		"no token": "/review/", "a short one": v.path[:len(v.path)-1], "another": "/review/" + strings.Repeat("A", 43),
		"a longer one": v.path + "A", "a path below": v.path + "/posts", "padded": v.path + "=",
	} {
		refused(what, s.visit("GET", path, nil), 404)
		refused(what, s.visit("POST", path, form("approve", v.posts[0], 1)), 404)
	}
	refused("another mission's post", s.visit("POST", v.path, form("approve", other.posts[0], 1)), 404)
	refused("another tenant's post", s.visit("POST", v.path, form("approve", theirs.posts[0], 1)), 404)
	refused("a comment on another's post", s.visit("POST", v.path, form("comment", theirs.posts[0], 1, "text", "x")), 404)
	refused("no post", s.visit("POST", v.path, form("approve", "cnt_01jd0000000000000000000000", 1)), 404)
	refused("a link that may not decide", s.visit("POST", other.path, form("approve", other.posts[0], 1)), 403)
	refused("a link that may not decide", s.visit("POST", other.path, form("reject", other.posts[0], 1)), 403)
	if got := s.visit("GET", other.path, nil); got.status != 200 || strings.Contains(got.text, `value="approve"`) || !strings.Contains(got.text, `value="comment"`) {
		t.Errorf("a link for comments shows %d %s", got.status, got.text)
	}
	s.equal("a comment", s.visit("POST", other.path, form("comment", other.posts[0], 1, "text", "x")).status, 303)
	for what, headers := range map[string][]string{
		"another site": {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, "another port": {"Sec-Fetch-Site", "same-site"},
		"an older browser's other site": {"Origin", "https://evil.example"}, "another site's null": {"Sec-Fetch-Site", "cross-site", "Origin", "null"},
	} {
		refused(what, s.visit("POST", v.path, form("approve", v.posts[0], 1), headers...), 403)
	}
	approve := "?" + form("approve", v.posts[0], 1).Encode()
	s.equal("a GET", s.visit("GET", v.path+approve, nil).status, 200)
	s.equal("a HEAD", s.visit("HEAD", v.path+approve, nil).text, "")
	s.equal("a PUT", s.visit("PUT", v.path+approve, nil).status, 405)
	s.equal("an empty POST", s.visit("POST", v.path+approve, nil).status, 400)
	s.equal("no revision", s.visit("POST", v.path, url.Values{"action": {"approve"}, "content": {v.posts[0]}}).status, 400)
	s.equal("nothing to do", s.visit("POST", v.path, form("publish", v.posts[0], 1)).status, 400)
	refused("a giant form", s.visit("POST", v.path, form("comment", v.posts[0], 1, "text", strings.Repeat("x", 64<<10))), 413)
	s.equal("a framed page", s.visit("GET", v.path, nil, "Sec-Fetch-Dest", "iframe").header.Get("X-Frame-Options"), "DENY")
	s.equal("what became of the post", v.status(0), mission.ContentPendingReview)
	if l, err := s.Missions.ReviewLink(ctx, v.admin, "", v.link.Link.ID); err != nil || l.LastUsedAt != nil {
		t.Errorf("refused requests count as uses: %+v, %v", l, err)
	}

	_, err := s.Missions.RevokeReviewLink(ctx, v.admin, "", v.link.Link.ID)
	s.must(err)
	s.clock.Advance(time.Hour)
	refused("expired", s.visit("GET", other.path, nil), 410)
	refused("revoked", s.visit("GET", v.path, nil), 410)
	refused("revoked", s.visit("POST", v.path, form("approve", v.posts[0], 1)), 410)
	s.equal("what became of the post", v.status(0), mission.ContentPendingReview)
	_, err = s.Missions.PauseMission(ctx, v.admin, v.mission.ID)
	s.must(err)
	s.must(s.Missions.DeleteMission(ctx, v.admin, v.mission.ID))
	refused("deleted", s.visit("GET", v.path, nil), 404)
	if strings.Contains(s.log.String(), v.path) {
		t.Error("the log has the address of a link")
	}
}

// What comes too often from an address doesn't reach the database.
func TestReviewPageIsLimited(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.bound(testkit.MiniredisAt(t, scenarioStart))
	served, before := 0, s.faults.Statements()
	for range 1000 {
		got := s.visit("GET", "/review/"+strings.Repeat("A", 43), nil)
		if got.status == http.StatusNotFound {
			served++
		} else if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" || got.header.Get("Cache-Control") != "no-store" {
			t.Fatalf("got %d %v", got.status, got.header)
		}
	}
	if n := s.faults.Statements() - before; served != 300 || n > int64(served)+10 { // the feed has its own
		t.Errorf("a thousand requests: %d were served, with %d statements", served, n)
	}
}
