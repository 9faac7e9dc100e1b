// Package reviewpage serves the page to which a review link leads: what waits for review in one
// mission, for people without an account. It needs no script. Only its POSTs change anything,
// since scanners of mail follow links.
package reviewpage

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
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
	maxBody       = 16 << 10
	requestLimit  = 30 * time.Second
	shownPosts    = 20
	shownComments = 20
)

// Options are what New needs.
type Options struct {
	Missions *missions.API
	Media    *media.Service
	Gateway  *gateway.Gateway
}

type pages struct {
	missions *missions.API
	media    *media.Service
}

// New returns the handler of the paths below missions.ReviewPath.
func New(o Options) http.Handler {
	p := &pages{missions: o.Missions, media: o.Media}
	route := gateway.Route{Open: true, MaxBody: maxBody, Limit: requestLimit, Fail: fail}
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
	l, err := p.missions.OpenReviewLink(r.Context(), strings.TrimPrefix(r.URL.Path, missions.ReviewPath))
	switch code := mission.CodeOf(err); {
	case code == mission.CodeNotFound:
		write(w, http.StatusNotFound, "message", message{"No such page", "Check that the address is complete."})
	case code == mission.CodeConflict:
		write(w, http.StatusGone, "message", message{"This link has ended", "Ask whoever sent it to you for a new one."})
	case err != nil:
		fail(w, r, err)
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
		v.done = done[r.URL.Query().Get("done")]
		err = v.show(w, r, http.StatusOK)
	case http.MethodPost:
		err = v.take(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		err = &mission.Error{Code: mission.CodeMethodNotAllowed, Message: "This page is read and filled in."}
	}
	if err != nil {
		fail(w, r, err)
	}
}

// done are what was just done, by the codes in addresses.
var done = map[string]string{"approve": "The post is approved.", "reject": "The post is rejected.", "comment": "Your comment was added."}

// statuses are those of the errors that the page itself doesn't explain.
var statuses = map[mission.Code]int{
	mission.CodeInvalidRequest: http.StatusBadRequest, mission.CodeUnauthorized: http.StatusBadRequest, mission.CodeForbidden: http.StatusForbidden,
	mission.CodeNotFound: http.StatusNotFound, mission.CodeConflict: http.StatusConflict, mission.CodePayloadTooLarge: http.StatusRequestEntityTooLarge,
	mission.CodeRateLimitExceeded: http.StatusTooManyRequests, mission.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	mission.CodeServiceUnavailable: http.StatusServiceUnavailable,
}

// fail responds with a page that says what went wrong.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	shown := httpserver.Shown(r.Context(), err)
	if shown.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(shown.RetryAfter))
	}
	write(w, cmp.Or(statuses[shown.Code], http.StatusInternalServerError), "message", message{"That didn't work", shown.Message})
}

// view is a request of the page of a link.
type view struct {
	*pages

	link mission.ReviewLink
	path string
	// after is the cursor of the page.
	after string
	// done is what was just done; problem is why nothing was, with the post and what was typed.
	done, problem, about string
	typed                typed
}

// show responds with the page.
func (v view) show(w http.ResponseWriter, r *http.Request, status int) error {
	p := v.link.Principal()
	m, err := v.missions.Mission(r.Context(), p, v.link.MissionID)
	if err != nil {
		return err
	}
	posts, comments, err := v.read(r.Context(), p)
	if err != nil {
		return err
	}
	s := show{m}
	page := review{
		Title: "Review: " + m.Name, Mission: m.Name, Name: v.link.Name, MayDecide: v.link.MayDecide && !m.ReviewersOnly, MayComment: v.link.MayComment, Until: s.at(v.link.ExpiresAt),
		Done: v.done, Problem: v.problem, Path: v.path, After: v.after,
	}
	if notice := v.problem + v.done; notice != "" { // what a screen reader says first
		page.Title = notice + " " + page.Title
	}
	for _, c := range posts.List {
		shown := s.post(c, comments[c.ID], v.after, func(f mission.PostMedia) string { return v.media.PostLink(c.TenantID, f) })
		if c.ID == v.about {
			shown.Typed = v.typed
		}
		page.Posts = append(page.Posts, shown)
	}
	if posts.More {
		page.Next = address(v.path, cmp.Or(posts.Next, posts.List[len(posts.List)-1].ID), "")
	}
	write(w, status, "review", page)
	return nil
}

// read returns a page of what waits for review, the soonest to expire first, with the latest
// comments. A cursor that isn't one is that of the first page.
func (v *view) read(ctx context.Context, p mission.Principal) (
	posts store.Listed[mission.Content], comments map[string]store.Listed[mission.ReviewComment], err error,
) {
	q := mission.ContentQuery{
		MissionID: v.link.MissionID, Statuses: []mission.ContentStatus{mission.ContentPendingReview}, Order: mission.OrderDeadline,
	}
	posts, err = v.missions.ListContents(ctx, p, q, store.Page{Limit: shownPosts, After: v.after})
	if v.after != "" && mission.CodeOf(err) == mission.CodeInvalidRequest {
		v.after = ""
		posts, err = v.missions.ListContents(ctx, p, q, store.Page{Limit: shownPosts})
	}
	if err != nil || len(posts.List) == 0 {
		return posts, nil, err
	}
	ids := make([]string, len(posts.List))
	for i, c := range posts.List {
		ids[i] = c.ID
	}
	comments, err = v.missions.ReviewCommentsOf(ctx, p, ids, store.Page{Limit: shownComments})
	return posts, comments, err
}

// take carries a form out, and leads back to the page.
func (v view) take(w http.ResponseWriter, r *http.Request) error {
	if foreign(r) {
		return &mission.Error{Code: mission.CodeForbidden, Message: "The form of another site was sent here."}
	}
	if err := r.ParseForm(); err != nil {
		return mission.Invalid("", "The form can't be read.")
	}
	f := r.PostForm
	v.after, v.about, v.typed = f.Get("after"), f.Get("content"), typed{Reason: f.Get("reason"), Text: f.Get("text")}
	err := v.do(r.Context(), f)
	switch code := mission.CodeOf(err); {
	case err == nil:
		http.Redirect(w, r, address(v.path, v.after, f.Get("action")), http.StatusSeeOther)
		return nil
	case code != mission.CodeConflict && code != mission.CodeInvalidRequest:
		return err
	}
	if _, ok := v.open(w, r); !ok { // it has ended meanwhile
		return nil
	}
	v.problem = v.explain(r.Context(), f, err)
	return v.show(w, r, statuses[mission.CodeOf(err)])
}

// do carries out what a form asks for. Errors: those of the verbs.
func (v view) do(ctx context.Context, f url.Values) error {
	p, id := v.link.Principal(), f.Get("content")
	revision, err := strconv.Atoi(f.Get("revision"))
	if err != nil {
		return mission.Invalid("revision", "The form has no revision.")
	}
	switch f.Get("action") {
	case "approve":
		_, err = v.missions.ApproveContent(ctx, p, id, &revision)
	case "reject":
		_, err = v.missions.RejectContent(ctx, p, id, f.Get("reason"), &revision)
	case "comment":
		_, err = v.missions.CommentContent(ctx, p, id, mission.ReviewCommentInput{Text: f.Get("text"), Revision: &revision})
	default:
		err = mission.Invalid("action", "The form asks for nothing that this page does.")
	}
	return err
}

// explain returns why a form wasn't carried out, in words for somebody who sees the page.
func (v view) explain(ctx context.Context, f url.Values, err error) string {
	c, gone := v.missions.Content(ctx, v.link.Principal(), f.Get("content"))
	switch {
	case gone != nil:
	case strconv.Itoa(c.Revision) != f.Get("revision"):
		return "Nothing was done: the post was changed since you read it. If it still waits for review, its new text is below."
	case mission.CodeOf(err) == mission.CodeConflict && f.Get("action") != "comment" && c.Status != mission.ContentPendingReview:
		return "Nothing was done: somebody decided about the post before you, or its time was over. It is " +
			strings.ReplaceAll(string(c.Status), "_", " ") + " now."
	}
	return "Nothing was done. " + httpserver.Shown(ctx, err).Message
}

// foreign reports whether a browser says that another site's page sent a form. The address is
// what allows it; browsers that don't say where a form of a page without a referrer comes from
// may send it.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site != "same-origin"
	}
	origin := r.Header.Get("Origin")
	if origin == "" || origin == "null" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || !strings.EqualFold(u.Host, r.Host)
}
