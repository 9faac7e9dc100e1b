// Package reviewpage serves the page to which a review link leads: what waits for review in one
// mission, for people without an account. It needs no script. Only its POSTs change anything,
// since scanners of mail follow links.
package reviewpage

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

// Limits of a request, and of what a page shows.
const (
	maxBody       = 64 << 10 // several times what the field takes: text that is too long comes back to be shortened
	requestLimit  = 30 * time.Second
	shownPosts    = 20
	shownComments = 20
)

// Options are what New needs.
type Options struct {
	Missions *missions.API
	Media    *media.Service
	Gateway  *gateway.Gateway
	Clock    missions.Clock
}

type pages struct{ Options }

// New returns the handler of the paths below missions.ReviewPath.
func New(o Options) http.Handler {
	p := &pages{o}
	route := gateway.Route{Open: true, MaxBody: maxBody, Limit: requestLimit, Fail: p.fail}
	next := o.Gateway.Handler(route, http.HandlerFunc(p.serve))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// open returns the link that a request's path names; ok is false if there is none that works,
// which it has responded with.
func (p *pages) open(w http.ResponseWriter, r *http.Request) (l mission.ReviewLink, ok bool) {
	l, err := p.Missions.OpenReviewLink(r.Context(), strings.TrimPrefix(r.URL.Path, missions.ReviewPath))
	switch code := mission.CodeOf(err); {
	case code == mission.CodeNotFound:
		write(w, http.StatusNotFound, "message", message{"No such page", "Check that the address is complete.", p.sent(w, r, "")})
	case code == mission.CodeConflict:
		write(w, http.StatusGone, "message", message{"This link has ended", "Ask whoever sent it to you for a new one.", p.sent(w, r, "")})
	case err != nil:
		p.fail(w, r, err)
	}
	return l, err == nil
}

func (p *pages) serve(w http.ResponseWriter, r *http.Request) {
	l, ok := p.open(w, r)
	if !ok {
		return
	}
	r = r.WithContext(httpserver.WithPrincipal(r.Context(), l.Principal())) // for the log
	v := view{pages: p, link: l, path: r.URL.Path}
	var err error
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		v.after = r.URL.Query().Get("after")
		v.about = r.URL.Query().Get("done")
		err = v.show(w, r, http.StatusOK)
	case http.MethodPost:
		err = v.take(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		err = &mission.Error{Code: mission.CodeMethodNotAllowed, Message: "This page is read and filled in."}
	}
	if err != nil {
		p.fail(w, r, err)
	}
}

// statuses are those of the errors that the page itself doesn't explain.
var statuses = map[mission.Code]int{
	mission.CodeInvalidRequest: http.StatusBadRequest, mission.CodeUnauthorized: http.StatusBadRequest, mission.CodeForbidden: http.StatusForbidden,
	mission.CodeNotFound: http.StatusNotFound, mission.CodeConflict: http.StatusConflict, mission.CodePayloadTooLarge: http.StatusRequestEntityTooLarge,
	mission.CodeRateLimitExceeded: http.StatusTooManyRequests, mission.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	mission.CodeServiceUnavailable: http.StatusServiceUnavailable,
}

// fail responds with a page that says what went wrong.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	shown := httpserver.Shown(r.Context(), err)
	if shown.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(shown.RetryAfter))
	}
	status := cmp.Or(statuses[shown.Code], http.StatusInternalServerError)
	button := ""
	if status >= http.StatusInternalServerError || status == http.StatusTooManyRequests {
		button = "Send again"
	}
	write(w, status, "message", message{"That didn't work", shown.Message, p.sent(w, r, button)})
}

// view is a request of the page of a link.
type view struct {
	*pages

	link mission.ReviewLink
	path string
	// after is the cursor of the page.
	after string
	// about is the post to which something was done, or to which problem says why nothing was; typed is what was typed.
	about, problem, typed string
	// kept is the form of a comment of what was typed, for a post that isn't on the page any more.
	kept sent
}

// show responds with the page.
func (v view) show(w http.ResponseWriter, r *http.Request, status int) error {
	p := v.link.Principal()
	m, err := v.Missions.Mission(r.Context(), p, v.link.MissionID)
	if err != nil {
		return err
	}
	posts, comments, err := v.read(r.Context(), p)
	if err != nil {
		return err
	}
	done := ""
	if v.problem == "" {
		if done, err = v.done(r.Context(), p); err != nil {
			return err
		}
	}
	s := show{m, v.Clock.Now()}
	page := review{
		Title: "Review: " + m.Name, Mission: m.Name, Name: v.link.Name, Zone: m.Constraints.Zone().String(), Until: s.at(v.link.ExpiresAt),
		MayDecide: v.link.MayDecide && !m.ReviewersOnly, MayComment: v.link.MayComment, Most: mission.MaxReviewComment,
		Done: done, Problem: v.problem, Path: v.path, After: v.after,
	}
	if page.MayDecide {
		page.Most = mission.MaxReason // it may be one
	}
	if notice := v.problem + done; notice != "" { // what a screen reader says first
		page.Title = notice + " " + page.Title
	}
	for _, c := range posts.List {
		shown := s.post(c, comments[c.ID], v.after, func(f mission.PostMedia) string { return v.Media.PostLink(c.TenantID, f) })
		if c.ID == v.about {
			shown.Typed, v.typed = v.typed, ""
		}
		page.Posts = append(page.Posts, shown)
	}
	if v.typed != "" { // into the form of a post that doesn't wait any more
		page.Sent = &v.kept
	}
	if posts.More {
		page.Next = address(v.path, cmp.Or(posts.Next, posts.List[len(posts.List)-1].ID), "")
	}
	write(w, status, "review", page)
	return nil
}

// done returns what was done to the post that the page is about, as it says itself: an address tells nobody what wasn't
// done; "" for nothing.
func (v view) done(ctx context.Context, p mission.Principal) (string, error) {
	if v.about == "" {
		return "", nil
	}
	c, err := v.Missions.Content(ctx, p, v.about)
	if err == nil && v.decided(c) {
		return "The post is " + decision(c) + ".", nil
	}
	var latest map[string]store.Listed[mission.ReviewComment]
	if err == nil {
		latest, err = v.Missions.ReviewCommentsOf(ctx, p, []string{c.ID}, store.Page{Limit: 1})
	}
	switch list := latest[c.ID].List; {
	case mission.CodeOf(err) == mission.CodeNotFound:
		return "", nil
	case err == nil && len(list) > 0 && list[0].AuthorID == v.link.ID:
		return "Your comment was added.", nil
	}
	return "", err
}

// decided reports whether the post was approved or rejected with the link.
func (v view) decided(c mission.Content) bool {
	return c.ReviewedBy == v.link.ID && c.Status != mission.ContentPendingReview
}

// decisions are what the verbs of forms decide.
var decisions = map[string]string{"approve": "approved", "reject": "rejected"}

// decision returns what was decided about a post.
func decision(c mission.Content) string {
	if c.Status == mission.ContentRejected {
		return "rejected"
	}
	return "approved"
}

// read returns a page of what waits for review, the soonest to expire first, with the latest
// comments. A cursor that isn't one is that of the first page.
func (v *view) read(ctx context.Context, p mission.Principal) (
	posts store.Listed[mission.Content], comments map[string]store.Listed[mission.ReviewComment], err error,
) {
	q := mission.ContentQuery{
		MissionID: v.link.MissionID, Statuses: []mission.ContentStatus{mission.ContentPendingReview}, Order: mission.OrderDeadline,
	}
	posts, err = v.Missions.ListContents(ctx, p, q, store.Page{Limit: shownPosts, After: v.after})
	if v.after != "" && mission.CodeOf(err) == mission.CodeInvalidRequest {
		v.after = ""
		posts, err = v.Missions.ListContents(ctx, p, q, store.Page{Limit: shownPosts})
	}
	if err != nil || len(posts.List) == 0 {
		return posts, nil, err
	}
	ids := make([]string, len(posts.List))
	for i, c := range posts.List {
		ids[i] = c.ID
	}
	comments, err = v.Missions.ReviewCommentsOf(ctx, p, ids, store.Page{Limit: shownComments})
	return posts, comments, err
}
