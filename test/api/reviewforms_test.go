package api

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// shows checks a response of the page.
func (v *reviewing) shows(what string, got page, status int, texts ...string) {
	v.t.Helper()
	for _, text := range texts {
		if !strings.Contains(got.text, html.EscapeString(text)) {
			v.t.Errorf("%s: the page lacks %q: %s", what, text, got.main())
		}
	}
	v.equal(what, got.status, status)
}

// main returns what a page says, without its style.
func (p page) main() string {
	_, main, _ := strings.Cut(p.text, "<main>")
	return main
}

// typedAgain is how a page shows what was typed.
const typedAgain = ">%s</textarea>"

// What a form's field takes is taken, whatever its characters, as a comment and as a reason.
func TestReviewTextsOfAnyCharacters(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	v, readers := s.reviewing(mayDecide(), nil), s.reviewing(mission.ReviewLinkInput{Name: "Readers", ExpiresInHours: 2}, nil)
	for _, v := range []*reviewing{v, readers} {
		for i, text := range []string{"あ", "😀", "ก\r\n", "हि", "%"} {
			most := fieldMost(t, s.visit("GET", v.path, nil).text)
			text = strings.TrimRight(strings.Repeat(text, most/utf8.RuneCountInString(strings.ReplaceAll(text, "\r", ""))), "\r\n")
			s.equal(fmt.Sprint(i, " as a comment"), s.visit("POST", v.path, form("comment", v.posts[0], 1, "text", text)).status, 303)
			if v == readers {
				continue
			}
			_, err := s.Missions.ReopenContent(context.Background(), v.admin, v.posts[0])
			s.equal(fmt.Sprint(i, " reopened"), err == nil, i > 0)
			s.equal(fmt.Sprint(i, " as a reason"), s.visit("POST", v.path, form("reject", v.posts[0], 1, "text", text)).status, 303)
			c, err := s.Missions.Content(context.Background(), v.admin, v.posts[0])
			s.must(err)
			s.equal(fmt.Sprint(i, " stored"), *c.RejectionReason, strings.ReplaceAll(text, "\r\n", "\n"))
		}
	}
}

// fieldMost returns how many characters the field of a page takes.
func fieldMost(t *testing.T, text string) (most int) {
	t.Helper()
	_, text, _ = strings.Cut(text, `<textarea name="text" maxlength="`)
	if n, err := fmt.Sscanf(text, "%d", &most); n != 1 || err != nil {
		t.Fatalf("the page has no field: %v", err)
	}
	return most
}

// What was typed is on the page that refuses it.
func TestReviewKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newHarness(t, testkit.SQLite)
	v := s.reviewing(mayDecide(), nil)
	typed := "Typed <b>\"long\"</b> ago, 言"
	kept := fmt.Sprintf(typedAgain, html.EscapeString(typed))
	keeps := func(what string, got page, status int, texts ...string) {
		t.Helper()
		if !strings.Contains(got.text, kept) {
			t.Errorf("%s: what was typed is lost: %s", what, got.main())
		}
		v.shows(what, got, status, texts...)
	}
	send := func(action string, i int) page {
		return s.visit("POST", v.path, form(action, v.posts[i], 1, "text", typed))
	}
	for _, long := range []string{strings.Repeat("x", 2001), strings.Repeat("言", 5000)} {
		for _, action := range []string{"comment", "reject", "approve"} {
			got := s.visit("POST", v.path, form(action, v.posts[0], 1, "text", long))
			s.equal(action+" with too much", fmt.Sprint(got.status, strings.Contains(got.text, fmt.Sprintf(typedAgain, long))), "400 true")
		}
	}
	hidden := s.visit("POST", v.path, form("approve", v.posts[0], 1, "text", "a\u202eb"))
	s.equal("a hidden character", fmt.Sprint(hidden.status, strings.Contains(hidden.text, "a\u202eb</textarea>")), "400 true")
	invalid := s.visit("POST", v.path, form("comment", v.posts[0], 1, "text", "caf\xe9"))
	v.shows("bytes that aren't UTF-8", invalid, 400, "caf\ufffd")
	s.equal("the post", v.status(0), mission.ContentPendingReview)
	empty := s.visit("POST", v.path, form("comment", v.posts[0], 1, "text", " \n"))
	v.shows("no comment", empty, 400, "Write a comment first.")

	text := "Another text"
	_, err := s.Missions.EditContent(ctx, v.admin, v.posts[0], missions.EditInput{Text: &text})
	s.must(err)
	keeps("another revision", send("approve", 0), 409, "changed since you read it")
	_, err = s.Missions.RejectContent(ctx, v.admin, v.posts[1], "", nil)
	s.must(err)
	decided := send("reject", 1)
	keeps("somebody else's decision", decided, 409, "somebody decided about the post before you", "It is rejected now.", "Add it as a comment")
	again := s.visit("POST", v.path, form("comment", v.posts[1], 1, "text", typed))
	s.equal("as a comment", again.status, 303)
	comments, err := s.Missions.ReviewComments(ctx, v.admin, v.posts[1], store.Page{Limit: 2})
	s.must(err)
	s.equal("the comment", comments.List[0].Text, typed)

	another := s.visit("POST", v.path, form("approve", v.posts[2], 1, "text", typed), "Sec-Fetch-Site", "cross-site")
	s.equal("another site's form comes back", strings.Contains(another.text, kept), false)
	s.bound(testkit.MiniredisAt(t, scenarioStart))
	limited := page{}
	for range 1000 {
		if limited = send("comment", 2); limited.status == http.StatusTooManyRequests {
			break
		}
	}
	keeps("too many requests", limited, 429, "Send again")
	s.equal("the form again", strings.Contains(limited.text, `name="content" value="`+v.posts[2]+`"`) && strings.Contains(limited.text, `value="comment">Send again`), true)
}

// What was typed is on the page of a link that has ended, or may do less than before.
func TestReviewKeepsWhatWasTypedAtTheEnd(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newHarness(t, testkit.SQLite)
	v := s.reviewing(mayDecide(), nil)
	typed := form("comment", v.posts[0], 1, "text", "Typed")
	keeps := func(what string, status int) {
		t.Helper()
		got := s.visit("POST", v.path, typed)
		s.equal(what, fmt.Sprint(got.status, strings.Contains(got.text, fmt.Sprintf(typedAgain, "Typed")), strings.Contains(got.text, "<button")), fmt.Sprint(status, true, false))
	}
	typed.Set("content", "cnt_01jd0000000000000000000000")
	keeps("a post that is gone", 404)
	typed.Set("content", v.posts[1])
	_, err := s.Missions.RevokeReviewLink(ctx, v.admin, "", v.link.Link.ID)
	s.must(err)
	keeps("a link that has ended", 410)
}

// The same decision again, as by a second click or after Back, is the first one. Another one isn't made, and the page says
// by what it was decided.
func TestReviewTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			v := s.reviewing(mayDecide(), nil)
			approve, reject := form("approve", v.posts[0], 1, "text", "Nice\r\none"), form("reject", v.posts[1], 1, "text", "Too loud\r\nhere")
			for i := range 2 {
				for _, f := range []url.Values{approve, reject} {
					s.equal(fmt.Sprint(f.Get("action"), i), s.visit("POST", v.path, f).status, 303)
				}
			}
			comments, err := s.Missions.ReviewComments(ctx, v.admin, v.posts[0], store.Page{Limit: 9})
			s.must(err)
			s.equal("comments", fmt.Sprint(len(comments.List), comments.List[0].Text), "1Nice\none")
			v.shows("the other decision", s.visit("POST", v.path, form("reject", v.posts[0], 1)), 409, "with this page the post was approved before")
			v.shows("the other decision", s.visit("POST", v.path, form("approve", v.posts[1], 1)), 409, "with this page the post was rejected before")
			v.shows("another reason", s.visit("POST", v.path, form("reject", v.posts[1], 1, "text", "Another")), 409, "with this page the post was rejected before", "Another")
		})
	}
}

// An address says that something was done only if it was.
func TestReviewSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	v, other := s.reviewing(mayDecide(), nil), s.reviewing(mayDecide(), map[string]any{"name": "Other"})
	_, err := s.Missions.ApproveContent(context.Background(), v.admin, v.posts[1], nil)
	s.must(err)
	s.visit("POST", other.path, form("approve", other.posts[0], 1))
	for what, done := range map[string]string{
		"a word": "approve", "one that waits": v.posts[0], "somebody else's": v.posts[1], "another link's": other.posts[0], "none": "cnt_01jd0000000000000000000000", "bytes": "%E9",
	} {
		got := s.visit("GET", v.path+"?done="+done, nil)
		s.equal(what, fmt.Sprint(got.status, strings.Contains(got.text, `role="status"`)), "200 false")
	}
}

// Times are in the mission's zone, which is named, and a post whose time has come says that it goes out when it is approved.
func TestReviewTimes(t *testing.T) {
	t.Parallel()
	element := func(at time.Time) string { // Go's templates escape the plus sign
		return fmt.Sprintf(`<time datetime="%s">%s`, strings.ReplaceAll(at.Format(time.RFC3339), "+", "&#43;"), at.Format("Monday 2 January 2006, 15:04 "))
	}
	for zone, said := range map[string][]string{
		"Europe/Berlin": {"Times are those of Europe/Berlin.", " CET"}, "Asia/Kathmandu": {"Times are those of Asia/Kathmandu.", " UTC&#43;05:45"},
		"America/Sao_Paulo": {"Times are those of America/Sao_Paulo.", " UTC-03:00"}, "UTC": {"Times are those of UTC.", " UTC<"},
	} {
		s := newHarness(t, testkit.SQLite)
		long := mission.ReviewLinkInput{Name: "Acme", ExpiresInHours: 48}
		v := s.reviewing(long, map[string]any{"constraints": map[string]any{"require_approval": true, "posts_per_day": 3, "timezone": zone}})
		c, err := s.Missions.Content(context.Background(), v.admin, v.posts[1])
		s.must(err)
		location, err := time.LoadLocation(zone)
		s.must(err)
		slot := element(c.ScheduledAt.In(location))
		got := s.visit("GET", v.path, nil)
		for _, text := range append(said, "Goes out "+slot) {
			if !strings.Contains(got.text, text) {
				t.Errorf("%s: the page lacks %q: %s", zone, text, got.main())
			}
		}
		s.clock.Advance(c.ScheduledAt.Sub(s.clock.Now()))
		got = s.visit("GET", v.path, nil)
		if passed := "Its time, " + slot; !strings.Contains(got.text, passed) || !strings.Contains(got.text, "</time>, has passed: it goes out when it is approved.") {
			t.Errorf("%s: the page lacks %q: %s", zone, passed, got.main())
		}
	}
}
