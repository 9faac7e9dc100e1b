// Package ghosttest plays a Ghost site for tests: as a Ghost 6.65 does, but it refuses unknown
// properties and parameters, which that drops.
package ghosttest

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// Stub plays a site.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	t testing.TB
	// Now is the site's clock.
	Now func() time.Time
	// Meddle has somebody else change a draft between its making and its publication.
	Meddle bool

	mu     sync.Mutex
	keys   map[string][]byte
	posts  []*Post
	lastID int
	calls  []string
}

// Post is a post of the site.
type Post struct {
	ID, Title, Slug, HTML, Status string
	Tags                          []string
	Image, ImageAlt               string
	Updated                       time.Time
	Published                     *time.Time
}

var _ publishertest.Stub = (*Stub)(nil)

// New returns a site without posts.
func New(t testing.TB) *Stub {
	t.Helper()
	return &Stub{t: t, Now: time.Now, keys: map[string][]byte{}}
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(address string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	id := s.id()
	s.keys[id] = secret
	return mission.Credentials{Server: address, AccessToken: id + ":" + hex.EncodeToString(secret)}
}

// id returns an id as Ghost's database has them.
func (s *Stub) id() string {
	s.lastID++
	digits := strconv.FormatInt(int64(s.lastID), 16)
	return "6b08" + strings.Repeat("0", 20-len(digits)) + digits
}

// Expire implements [publishertest.Stub].
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.keys)
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() { s.Expire() }

// Forget implements [publishertest.Stub]: Ghost forgets no file.
func (s *Stub) Forget() {}

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.HasPrefix(r.URL.Path, api+"posts/")
}

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool { return r.URL.Path == api+"images/upload/" }

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool { return r.URL.Path == api+"members/" }

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("Retry-After", until.UTC().Format(http.TimeFormat))
	refuse(w, http.StatusTooManyRequests, "TooManyRequestsError", "", "Too many attempts.")
}

// Held returns all posts of the site, oldest first, drafts too.
func (s *Stub) Held() []Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Post, len(s.posts))
	for i, p := range s.posts {
		all[i] = *p
	}
	return all
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	var out []publishertest.Post
	for _, p := range s.Held() {
		if p.Status == published {
			out = append(out, publishertest.Post{ID: p.ID, Text: publishertest.ReadersText(p.Title, p.HTML)})
		}
	}
	return out
}

// React implements [publishertest.Stub]: Ghost counts nothing that the service could read.
func (s *Stub) React(string, mission.Metrics) {}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts = slices.DeleteFunc(s.posts, func(p *Post) bool { return p.ID == id })
}

// Edit has a post's author change its text on the site, a minute after it was made.
func (s *Stub) Edit(id, text string) {
	s.Change(id, func(p *Post) {
		p.Title, p.HTML, p.Updated = text, "", p.Updated.Add(time.Minute)
	})
}

// Change changes a post.
func (s *Stub) Change(id string, change func(p *Post)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.post(id); p != nil {
		change(p)
	}
}

// Seed adds a post to the site, and returns its id.
func (s *Stub) Seed(p Post) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.ID, p.Updated = s.id(), s.now()
	s.posts = append(s.posts, &p)
	return p.ID
}

// Calls returns the requests so far, as methods and paths.
func (s *Stub) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *Stub) post(id string) *Post {
	i := slices.IndexFunc(s.posts, func(p *Post) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return s.posts[i]
}

// now returns the site's time as its database keeps it: in seconds.
func (s *Stub) now() time.Time { return s.Now().UTC().Truncate(time.Second) }

const api = "/ghost/api/admin/"

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, ok := strings.CutPrefix(r.URL.Path, api)
	s.calls = append(s.calls, r.Method+" "+path)
	if v := r.Header.Get("Accept-Version"); v != "v6.0" {
		s.t.Errorf("%s %s with Accept-Version %q", r.Method, r.URL, v)
	}
	if !ok || !strings.HasSuffix(path, "/") {
		http.Error(w, "<html>not found</html>", http.StatusNotFound)
		return
	}
	if path == "site/" && r.Method == http.MethodGet {
		s.describe(w, r)
		return
	}
	if !s.allowed(w, r) {
		return
	}
	slug, bySlug := strings.CutPrefix(path, "posts/slug/")
	id, byID := strings.CutPrefix(path, "posts/")
	switch {
	case r.Method == http.MethodPost && path == "posts/":
		s.add(w, r)
	case r.Method == http.MethodGet && path == "posts/":
		s.browse(w, r)
	case r.Method == http.MethodGet && path == "members/":
		s.members(w, r)
	case r.Method == http.MethodGet && bySlug:
		s.read(w, r, strings.TrimSuffix(slug, "/"))
	case r.Method == http.MethodPut && byID:
		s.edit(w, r, strings.TrimSuffix(id, "/"))
	case r.Method == http.MethodPost && path == "images/upload/":
		s.upload(w, r)
	default:
		s.t.Errorf("the site is asked for %s %s", r.Method, r.URL)
		refuse(w, http.StatusNotFound, "NotFoundError", "", "Resource not found")
	}
}

func (s *Stub) describe(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{"site": map[string]any{
		"title": "Ada’s pages", "url": "http://" + r.Host + "/", "version": "6.65", "site_uuid": "7ff7571f-2c7e-4509-9479-d64451573d66",
		"icon": publishertest.Picture, "logo": nil, "locale": "en",
	}})
}

// members lists the site's members, one at most and without what is known of them.
func (s *Stub) members(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); len(q) != 2 || q.Get("limit") != "1" || q.Get("fields") != "id" {
		s.t.Errorf("members are asked for with %v", q)
	}
	page := map[string]any{"page": 1, "limit": 1, "pages": 1, "next": nil, "prev": nil}
	s.Tell(page, "total")
	answer(w, http.StatusOK, map[string]any{
		"members": []any{map[string]any{"id": "623199bfe8bc4d3097caefe0"}}, "meta": map[string]any{"pagination": page},
	})
}

// longestToken is the longest life of a token.
const longestToken = 5 * time.Minute

// allowed reports whether a request has a token of a key, and refuses it otherwise.
func (s *Stub) allowed(w http.ResponseWriter, r *http.Request) bool {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Ghost ")
	if !ok {
		refuse(w, http.StatusForbidden, "NoPermissionError", "", "Authorization failed")
		return false
	}
	var unknown bool
	token, err := jwt.Parse(text, func(t *jwt.Token) (any, error) {
		id, _ := t.Header["kid"].(string)
		key, found := s.keys[id]
		if unknown = !found; unknown {
			return nil, jwt.ErrTokenUnverifiable
		}
		return key, nil
	}, jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience("/admin/"), jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithTimeFunc(s.Now))
	switch {
	case unknown:
		refuse(w, http.StatusUnauthorized, "UnauthorizedError", "UNKNOWN_ADMIN_API_KEY", "Unknown Admin API Key")
		return false
	case token == nil:
		refuse(w, http.StatusBadRequest, "BadRequestError", "INVALID_JWT", "Invalid token")
		return false
	case err != nil:
		refuse(w, http.StatusUnauthorized, "UnauthorizedError", "INVALID_JWT", "Invalid token: "+err.Error())
		return false
	}
	made, err1 := token.Claims.GetIssuedAt()
	ends, err2 := token.Claims.GetExpirationTime()
	if err1 != nil || err2 != nil || made == nil || ends.Sub(made.Time) > longestToken {
		refuse(w, http.StatusUnauthorized, "UnauthorizedError", "INVALID_JWT", "Invalid token: maxAge exceeded")
		return false
	}
	return true
}

func refuse(w http.ResponseWriter, status int, kind, code, words string) {
	var named *string
	if code != "" {
		named = &code
	}
	answer(w, status, map[string]any{"errors": []map[string]any{{"message": words, "context": nil, "type": kind, "code": named}}})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
