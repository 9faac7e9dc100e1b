// Package wordpresstest plays a WordPress site for tests: as a WordPress 6.1 does, but it refuses
// unknown properties and parameters, which that ignores.
package wordpresstest

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// Stub plays a site with one user.
type Stub struct {
	publishertest.Files

	t testing.TB
	// Now is the site's clock.
	Now func() time.Time
	// Plain is a site without permalinks, whose API is behind its front page.
	Plain bool
	// Role is that of the user: "author" unless it is set.
	Role string
	// Becomes is the status that a post which is published gets, as plugins have it; "" is publish.
	// Keeps is the same for a post that is published once it is there.
	Becomes, Keeps string
	// Commentless is a site that doesn't show comments.
	Commentless bool

	mu        sync.Mutex
	passwords []string
	posts     []*Post
	tags      []string // their ids are their places, from 1
	lastID    int
	calls     []string
}

// Post is a post of the site.
type Post struct {
	ID                           int
	Title, Content, Slug, Status string
	Tags                         []int
	Featured                     int
	Made, Modified               time.Time
	Comments                     int
}

var _ publishertest.Stub = (*Stub)(nil)

// User is the name of the site's user.
const User = "Ada L"

// New returns a site without posts.
func New(t testing.TB) *Stub {
	t.Helper()
	return &Stub{t: t, Now: time.Now}
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(address string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passwords = append(s.passwords, rand.Text())
	return mission.Credentials{Server: address, Identifier: User, Password: s.passwords[len(s.passwords)-1]}
}

// Expire implements [publishertest.Stub].
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passwords = nil
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() { s.Expire() }

// route returns the route of a request; ok is false if it finds no API.
func (s *Stub) route(r *http.Request) (route string, ok bool) {
	if s.Plain {
		return r.URL.Query().Get("rest_route"), r.URL.Path == "/" && r.URL.Query().Has("rest_route")
	}
	return strings.CutPrefix(r.URL.Path, "/wp-json")
}

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	route, ok := s.route(r)
	return ok && r.Method == http.MethodPost && route == "/wp/v2/posts"
}

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool {
	route, ok := s.route(r)
	return ok && r.Method == http.MethodPost && strings.HasPrefix(route, "/wp/v2/media")
}

// RateLimited implements [publishertest.Stub]: WordPress itself has no limit, but what is before it.
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("Retry-After", until.UTC().Format(http.TimeFormat))
	http.Error(w, "<html>too many requests</html>", http.StatusTooManyRequests)
}

// Held returns all posts of the site, oldest first.
func (s *Stub) Held() []Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Post, len(s.posts))
	for i, p := range s.posts {
		all[i] = *p
	}
	return all
}

// Tags returns the names of the site's tags, whose ids are their places, from 1.
func (s *Stub) Tags() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tags)
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	var out []publishertest.Post
	for _, p := range s.Held() {
		if p.Status == publish {
			title := publishertest.ReadersText("", p.Title)
			out = append(out, publishertest.Post{ID: strconv.Itoa(p.ID), Text: publishertest.ReadersText(title, p.Content)})
		}
	}
	return out
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) {
	s.Change(id, func(p *Post) { p.Comments = int(figures[mission.Comments]) })
}

// Delete implements [publishertest.Stub]: a post is put in the trash, and gets another slug.
func (s *Stub) Delete(id string) {
	s.Change(id, func(p *Post) { p.Status, p.Slug = "trash", p.Slug+"__trashed" })
}

// Edit has a post's author change its text on the site, a minute after it was made.
func (s *Stub) Edit(id, text string) {
	s.Change(id, func(p *Post) { p.Title, p.Content, p.Modified = text, "", p.Modified.Add(time.Minute) })
}

// Change changes a post.
func (s *Stub) Change(id string, change func(p *Post)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(id)
	if p := s.post(n); p != nil {
		change(p)
	}
}

// Calls returns the requests so far, as methods and routes.
func (s *Stub) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *Stub) post(id int) *Post {
	i := slices.IndexFunc(s.posts, func(p *Post) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return s.posts[i]
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	route, ok := s.route(r)
	if !ok {
		http.Error(w, "<html>Not Found</html>", http.StatusNotFound)
		return
	}
	s.calls = append(s.calls, r.Method+" "+route)
	list, id := route, 0
	if i := strings.LastIndexByte(route, '/'); i > 0 {
		if n, err := strconv.Atoi(route[i+1:]); err == nil {
			list, id = route[:i], n
		}
	}
	switch {
	case r.Method == http.MethodGet && route == "/wp/v2/users/me":
		s.me(w, r)
	case r.Method == http.MethodGet && route == "/wp/v2/posts":
		s.list(w, r)
	case r.Method == http.MethodPost && list == "/wp/v2/posts":
		s.write(w, r, id)
	case r.Method == http.MethodGet && route == "/wp/v2/comments":
		s.comments(w, r)
	case r.Method == http.MethodPost && route == "/wp/v2/tags":
		s.tag(w, r)
	case r.Method == http.MethodPost && route == "/wp/v2/media":
		s.upload(w, r)
	case r.Method == http.MethodPost && list == "/wp/v2/media":
		s.describe(w, r, id)
	case r.Method == http.MethodGet && route == "/wp/v2/media":
		s.media(w, r)
	default:
		s.t.Errorf("the site is asked for %s %s", r.Method, r.URL)
		refuse(w, http.StatusNotFound, "rest_no_route", "No route was found matching the URL and request method.", nil)
	}
}

// known reports whether a request is the user's.
func (s *Stub) known(r *http.Request) bool {
	name, password, ok := r.BasicAuth()
	return ok && name == User && slices.Contains(s.passwords, password)
}

// may reports whether a request's user may publish and upload, and refuses it otherwise.
func (s *Stub) may(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case !s.known(r):
		refuse(w, http.StatusUnauthorized, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.", nil)
	case s.Role == "contributor":
		refuse(w, http.StatusForbidden, "rest_cannot_publish", "Sorry, you are not allowed to publish posts in this post type.", nil)
	default:
		return true
	}
	return false
}

func (s *Stub) me(w http.ResponseWriter, r *http.Request) {
	s.wants(r, "context")
	if !s.known(r) {
		refuse(w, http.StatusUnauthorized, "rest_not_logged_in", "You are not currently logged in.", nil)
		return
	}
	answer(w, r, http.StatusOK, map[string]any{
		"id": 3, "name": "Ada L.", "slug": "ada-l", "link": "http://" + r.Host + "/author/ada-l/", "avatar_urls": map[string]string{"24": "", "96": publishertest.Picture},
		"capabilities": map[string]bool{"edit_posts": true, "publish_posts": s.Role != "contributor"},
	})
}

// wants checks the parameters of a request.
func (s *Stub) wants(r *http.Request, names ...string) {
	for name, values := range r.URL.Query() {
		if len(values) != 1 || name != "_fields" && (name != "rest_route" || !s.Plain) && !slices.Contains(names, name) {
			s.t.Errorf("%s %s has %s=%q", r.Method, r.URL.Path, name, values)
		}
	}
}

// takes reads a request's JSON, without unknown properties.
func takes(w http.ResponseWriter, r *http.Request, v any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil || r.Header.Get("Content-Type") != "application/json" {
		refuse(w, http.StatusBadRequest, "rest_invalid_json", "Invalid JSON body passed.", nil)
		return false
	}
	return true
}

// refuse responds with an error.
func refuse(w http.ResponseWriter, status int, code, words string, data map[string]any) {
	all := map[string]any{"status": status}
	for name, value := range data {
		all[name] = value
	}
	send(w, status, map[string]any{"code": code, "message": words, "data": all})
}

// answer responds with those fields of an object, or of each of a list, that are requested.
func answer(w http.ResponseWriter, r *http.Request, status int, v any) {
	fields := r.URL.Query().Get("_fields")
	only := func(of map[string]any) map[string]any {
		some := map[string]any{}
		for field := range strings.SplitSeq(fields, ",") {
			name, _, _ := strings.Cut(field, ".")
			if value, ok := of[name]; ok {
				some[name] = value
			}
		}
		return some
	}
	switch all := v.(type) {
	case map[string]any:
		if fields != "" {
			v = only(all)
		}
	case []map[string]any:
		some := make([]map[string]any, len(all))
		for i, each := range all {
			some[i] = only(each)
		}
		v = some
	}
	send(w, status, v)
}

func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
