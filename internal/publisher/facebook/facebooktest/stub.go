// Package facebooktest plays Facebook's Pages (Graph API v25.0) for tests. What isn't as documented, or
// not needed, it refuses.
package facebooktest

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// Whom the stub knows: a person, and the Pages that the person has.
const (
	UserID = "10220000000000001"
	PageID = "104000000000001"
	// OtherPage is another Page of the person, which only a stub with Others has; on the Page
	// ReadPage the person may not publish.
	OtherPage = "104000000000002"
	ReadPage  = "104000000000003"
)

// version begins the paths of the API.
const version = "/v25.0/"

// maxMessage is the longest text. Facebook publishes no limit: it is the service's own.
const maxMessage = 5_000

// Stub plays Facebook.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	mu sync.Mutex
	n  int
	// users and pages are the good tokens of the person and of Pages, by the Page.
	users  map[string]bool
	pages  map[string]string
	codes  map[string]bool
	videos map[string]*video // by the session
	posts  []*stored
	// strangers are the ids of those who commented, by name.
	strangers map[string]string
	// Handle, unless nil, handles a request instead; false declines it.
	Handle func(w http.ResponseWriter, r *http.Request) bool
	// Requests are the requests, oldest first.
	Requests []*http.Request
	// Now is the platform's clock.
	Now func() time.Time
	// Others reports whether the person has more Pages than one, and None whether none.
	Others, None bool
	// Ended are the names of insights that have ended: a call that has one is refused.
	Ended []string
	// Views are how often the Page was seen, by day.
	Views map[string]int
	// NoComments reports whether the token may not read what people wrote.
	NoComments bool
	// BadLinks reports whether no link's page can be read.
	BadLinks bool
	// Hidden is how many of the next lists show no posts.
	Hidden int
}

type stored struct {
	publishertest.Post

	page    string
	at      time.Time
	figures mission.Metrics
	deleted bool
	comment bool
	// by is the stranger who wrote a comment; "" for the Page.
	by     string
	hidden bool
	link   string
	// video is the session of a post that is a video; its id is the video's.
	video string
}

// New returns a Facebook without posts.
func New() *Stub {
	return &Stub{
		users: map[string]bool{}, pages: map[string]string{}, codes: map[string]bool{}, videos: map[string]*video{},
		strangers: map[string]string{}, Now: time.Now,
	}
}

// number returns the next number, which ends ids and tokens.
func (s *Stub) number() string {
	s.n++
	return strconv.Itoa(1_000_000 + s.n)
}

func (s *Stub) userToken() string {
	t := "EAAuser-" + s.number() + "-c2VjcmV0"
	s.users[t] = true
	return t
}

func (s *Stub) pageToken(page string) string {
	t := "EAApage-" + s.number() + "-c2VjcmV0"
	s.pages[t] = page
	return t
}

// Credentials implements [publishertest.Stub]: they are the person's.
func (s *Stub) Credentials(string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mission.Credentials{AccessToken: s.userToken()}
}

// PageCredentials returns a Page's own credentials.
func (s *Stub) PageCredentials() mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mission.Credentials{AccessToken: s.pageToken(PageID)}
}

// Expire implements [publishertest.Stub]. Tokens of Pages end only with all others.
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.users)
	clear(s.pages)
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() { s.Expire() }

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	path := r.URL.Path
	return r.Method == http.MethodPost &&
		(strings.HasSuffix(path, "/feed") || strings.HasSuffix(path, "/comments") || strings.HasSuffix(path, "/videos") && r.URL.Query().Get("upload_phase") == "finish")
}

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool {
	return r.Method == http.MethodPost && !s.Publishes(r) && (strings.HasSuffix(r.URL.Path, "/photos") || strings.HasSuffix(r.URL.Path, "/videos"))
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	minutes := int(math.Ceil(until.Sub(s.Now()).Minutes()))
	w.Header().Set("X-Business-Use-Case-Usage", `{"`+PageID+`":[{"type":"pages","call_count":101,"total_cputime":1,"total_time":1,"estimated_time_to_regain_access":`+strconv.Itoa(minutes)+`}]}`)
	metatest.Refuse(w, metatest.Failure{Code: 80001, Message: "There have been too many calls to this Page account."})
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, p := range s.posts {
		if !p.deleted && p.by == "" {
			posts = append(posts, p.Post)
		}
	}
	return posts
}

// LinkOf returns the link that a post was given.
func (s *Stub) LinkOf(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id).link
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).figures = figures
}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).deleted = true
}

// Seed adds a post of a time, and returns its id.
func (s *Stub) Seed(text string, at time.Time) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(&stored{Post: publishertest.Post{Text: text}, page: PageID, at: at})
}

// add adds a post, with an id of its own unless it has one. The caller holds the lock.
func (s *Stub) add(p *stored) string {
	if p.ID == "" {
		p.ID = p.page + "_" + s.number()
	}
	s.posts = append(s.posts, p)
	return p.ID
}

// find returns a post by its id or, of a video, by that of the post that shows it.
func (s *Stub) find(id string) *stored {
	for _, p := range s.posts {
		if p.ID == id || p.video != "" && p.page+"_9"+p.ID == id {
			return p
		}
	}
	return nil
}

// gone refuses an object that isn't there.
func gone(w http.ResponseWriter, id string) {
	metatest.Refuse(w, metatest.Failure{Code: 100, Subcode: 33, Message: "Unsupported request. Object with ID '" + id + "' does not exist, cannot be loaded due to missing permissions, or does not support this operation"})
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Requests = append(s.Requests, r)
	if s.Handle != nil && s.Handle(w, r) {
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, version)
	switch {
	case !ok:
		gone(w, r.URL.Path)
		return
	case path == "oauth/access_token":
		s.tokens(w, r)
		return
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	page, own := s.pages[token]
	switch {
	case r.URL.Query().Has("access_token"):
		metatest.Invalid(w, "The stub takes tokens in a header only")
	case s.users[token]:
		s.person(w, r, path)
	case own:
		s.route(w, r, path, page)
	default:
		metatest.Refuse(w, metatest.Failure{Status: http.StatusUnauthorized, Code: 190, Subcode: 463, Message: "Error validating access token: Session has expired"})
	}
}

// person responds to a request with the person's token.
func (s *Stub) person(w http.ResponseWriter, r *http.Request, path string) {
	switch {
	case r.Method == http.MethodGet && path == "me":
		s.show(w, r, map[string]any{"id": UserID, "name": "Ada Other"})
	case r.Method == http.MethodGet && path == "me/accounts":
		s.accounts(w, r)
	default:
		metatest.Refuse(w, metatest.Failure{Status: http.StatusForbidden, Code: 200, Message: "(#200) A page access token is required for this call"})
	}
}

// accounts lists the person's Pages, two a page.
func (s *Stub) accounts(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !metatest.Only(w, q, "fields", "limit", "after") {
		return
	}
	fields, ok := metatest.Fields(w, r, "id", "name", "username", "picture{url}", "access_token", "tasks")
	if !ok {
		return
	}
	all := []string{PageID}
	if s.Others {
		all = append(all, OtherPage, ReadPage)
	}
	if s.None {
		all = nil
	}
	const size = 2
	from, _ := strconv.Atoi(q.Get("after"))
	data := []any{}
	for _, id := range all[min(from, len(all)):min(from+size, len(all))] {
		whole := s.pageOf(id)
		whole["access_token"] = s.pageToken(id)
		whole["tasks"] = []string{"ANALYZE", "MODERATE", "CREATE_CONTENT", "MANAGE"}
		if id == ReadPage {
			whole["tasks"] = []string{"ANALYZE"}
		}
		data = append(data, only(whole, fields))
	}
	paging := map[string]any{"cursors": map[string]any{"after": strconv.Itoa(from + len(data)), "before": "0"}}
	if from+size < len(all) {
		paging["next"] = "https://graph.example/next?access_token=secret"
	}
	metatest.Send(w, http.StatusOK, map[string]any{"data": data, "paging": paging})
}

// pageOf returns a Page as the API shows it.
func (s *Stub) pageOf(id string) map[string]any {
	return map[string]any{
		"id": id, "name": "Acme " + id[len(id)-1:], "username": "acme." + id[len(id)-1:],
		"picture{url}": map[string]any{"data": map[string]any{"url": publishertest.Picture}},
	}
}

// only returns the fields of an object that were asked for, and its id.
func only(object map[string]any, fields []string) map[string]any {
	got := map[string]any{"id": object["id"]}
	for _, f := range fields {
		if v, ok := object[f]; ok {
			name, _, _ := strings.Cut(strings.ReplaceAll(f, "{", "."), ".")
			got[name] = v
		}
	}
	return got
}

// show shows the fields of an object that are asked for; more are those that it may lack.
func (s *Stub) show(w http.ResponseWriter, r *http.Request, object map[string]any, more ...string) {
	names := append([]string{"id"}, more...)
	for name := range object {
		names = append(names, name)
	}
	if !metatest.Only(w, r.URL.Query(), "fields") {
		return
	}
	if fields, ok := metatest.Fields(w, r, names...); ok {
		metatest.Send(w, http.StatusOK, only(object, fields))
	}
}

// form reads the form of a request, which has no other fields than those named.
func form(w http.ResponseWriter, r *http.Request, names ...string) (url.Values, bool) {
	if r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || r.ParseForm() != nil {
		metatest.Invalid(w, "The stub takes forms only")
		return nil, false
	}
	return r.PostForm, metatest.Only(w, r.PostForm, names...)
}

// route responds to a request with a Page's token. The caller holds the lock.
func (s *Stub) route(w http.ResponseWriter, r *http.Request, path, page string) {
	id, edge, _ := strings.Cut(path, "/")
	own := id == page
	post := s.find(id)
	switch {
	case r.Method == http.MethodGet && path == "me":
		me := s.pageOf(page)
		s.Tell(me, "followers_count")
		s.show(w, r, me, "followers_count")
	case r.Method == http.MethodGet && path == "me/accounts":
		metatest.Invalid(w, "Tried accessing nonexisting field (accounts) on node type (Page)")
	case r.Method == http.MethodPost && own && edge == "feed":
		s.feed(w, r, page)
	case r.Method == http.MethodPost && own && edge == "photos":
		s.photo(w, r, page)
	case r.Method == http.MethodPost && own && edge == "videos":
		s.phase(w, r, page)
	case r.Method == http.MethodGet && own && edge == "insights":
		s.pageInsights(w, r, page)
	case r.Method == http.MethodGet && own && edge == "published_posts":
		s.list(w, r, page)
	case r.Method == http.MethodGet && edge == "" && s.session(id) != nil:
		s.showVideo(w, r, s.session(id))
	case post == nil || post.deleted || post.page != page:
		gone(w, id)
	case r.Method == http.MethodPost && edge == "comments":
		s.commentOn(w, r, post)
	case r.Method == http.MethodGet && edge == "comments":
		s.comments(w, r, post)
	case r.Method == http.MethodPost && edge == "" && post.comment:
		s.hide(w, r, post)
	case r.Method == http.MethodGet && edge == "" && post.comment:
		s.show(w, r, s.shownComment(post))
	case r.Method == http.MethodGet && edge == "insights":
		s.insights(w, r, post, id)
	case r.Method == http.MethodGet && edge == "":
		s.showPost(w, r, post)
	default:
		gone(w, path)
	}
}
