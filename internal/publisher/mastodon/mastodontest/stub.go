// Package mastodontest plays a Mastodon server for tests.
package mastodontest

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/publisher/publishertest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// Stub plays a Mastodon server of one account.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	t testing.TB
	// Focuses are those of the files that were uploaded, oldest first.
	Focuses []string
	// Now is the server's clock.
	Now func() time.Time
	// Old is a server without GET /api/v1/statuses (before 4.3).
	Old bool
	// MaxCharacters is the longest status; 0 is 500.
	MaxCharacters int
	// PerURL is what a link counts for; 0 is 23.
	PerURL int
	// NoInstance is a server that doesn't describe itself.
	NoInstance bool
	// Keyless is a server that ignores Idempotency-Keys, as GoToSocial does.
	Keyless bool
	// Privacy is the account's own default visibility; "" is public.
	Privacy string
	// Bare is a server that counts neither replies nor quotes.
	Bare bool

	mu        sync.Mutex
	tokens    map[string]*token
	statuses  []*Status
	keys      map[string]*Status
	apps      map[string]*app
	codes     map[string]*consent
	lastID    int64
	requested []string // the paths of all requests
}

type token struct {
	scopes []string
	ended  bool
}

// Status is one that the server has.
type Status struct {
	ID, Text string
	// Parent is the id of the status to which it replies, or "".
	Parent  string
	At      time.Time
	Reblog  bool
	Edited  bool
	Figures mission.Metrics
	// Visibility is who sees it, and Language what it was sent with, or "".
	Visibility, Language string
	// By is the stranger who wrote it; "" is the account itself.
	By string
}

// keyKept is how long a server knows an Idempotency-Key at most.
const keyKept = time.Hour

// AccountID is its account's.
const AccountID = "109348872"

// New returns a server without statuses.
func New(t testing.TB) *Stub {
	t.Helper()
	return &Stub{
		Now: time.Now,
		t:   t, tokens: map[string]*token{}, keys: map[string]*Status{}, apps: map[string]*app{},
		codes: map[string]*consent{}, lastID: 112_000_000_000_000_000,
	}
}

var _ publishertest.Stub = (*Stub)(nil)

func (s *Stub) issue(scopes ...string) string {
	text := rand.Text()
	s.tokens[text] = &token{scopes: scopes}
	return text
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(address string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mission.Credentials{Server: address, AccessToken: s.issue("read", "write")}
}

// Expire implements [publishertest.Stub].
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tokens {
		t.ended = true
	}
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() { s.Expire() }

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/api/v1/statuses"
}

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return r.URL.Path == "/api/v1/accounts/verify_credentials"
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("X-RateLimit-Limit", "300")
	w.Header().Set("X-RateLimit-Remaining", "0")
	w.Header().Set("X-RateLimit-Reset", until.UTC().Format("2006-01-02T15:04:05.000000Z"))
	refuse(w, http.StatusTooManyRequests, "Too many requests")
}

// Statuses returns the server's statuses, oldest first.
func (s *Stub) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Status, len(s.statuses))
	for i, p := range s.statuses {
		all[i] = *p
	}
	return all
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, p := range s.statuses {
		posts = append(posts, publishertest.Post{ID: p.ID, Text: p.Text, Parent: p.Parent})
	}
	return posts
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.status(id); p != nil {
		p.Figures = figures
	}
}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statuses = slices.DeleteFunc(s.statuses, func(p *Status) bool { return p.ID == id })
}

// Edit gives a status another text, as its author does.
func (s *Stub) Edit(id, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.status(id); p != nil {
		p.Text, p.Edited = text, true
	}
}

func (s *Stub) status(id string) *Status {
	i := slices.IndexFunc(s.statuses, func(p *Status) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return s.statuses[i]
}

// add has the server hold a status.
func (s *Stub) add(text, parent string, at time.Time) *Status {
	s.lastID += 1 << 16
	p := &Status{ID: strconv.FormatInt(s.lastID, 10), Text: text, Parent: parent, At: at, Figures: mission.Metrics{}}
	s.statuses = append(s.statuses, p)
	return p
}

// Seed adds a status to the server, and returns it.
func (s *Stub) Seed(text, parent string, at time.Time) *Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(text, parent, at)
}

// Calls counts the requests of a path so far.
func (s *Stub) Calls(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, p := range s.requested {
		if p == path {
			n++
		}
	}
	return n
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requested = append(s.requested, r.Method+" "+r.URL.Path)
	if r.Method == http.MethodPost && r.URL.Path != "/api/v2/media" && !isForm(w, r) {
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/api/v1/")
	switch {
	case r.Method == http.MethodPost && path == "apps":
		s.register(w, r)
	case r.Method == http.MethodGet && r.URL.Path == "/oauth/authorize":
		s.authorize(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/oauth/token":
		s.token(w, r)
	case r.Method == http.MethodGet && (r.URL.Path == "/api/v2/instance" && !s.Old || path == "instance") && !s.NoInstance:
		s.describe(w)
	case r.Method == http.MethodGet && path == "accounts/verify_credentials":
		s.whenAllowed(w, r, "read:accounts", s.verify)
	case r.Method == http.MethodGet && path == "accounts/"+AccountID+"/statuses":
		s.whenAllowed(w, r, "read:statuses", s.list)
	case r.Method == http.MethodPost && r.URL.Path == "/api/v2/media":
		s.whenAllowed(w, r, "write:media", s.upload)
	case r.Method == http.MethodGet && strings.HasPrefix(path, "media/"):
		s.whenAllowed(w, r, "write:media", s.attachment)
	case r.Method == http.MethodPost && path == "statuses":
		s.whenAllowed(w, r, "write:statuses", s.publish)
	case r.Method == http.MethodGet && path == "statuses" && !s.Old:
		s.whenAllowed(w, r, "read:statuses", s.several)
	case s.ReadsReplies(r):
		s.whenAllowed(w, r, "read:statuses", s.context)
	case r.Method == http.MethodGet && strings.HasPrefix(path, "statuses/"):
		s.whenAllowed(w, r, "read:statuses", s.one)
	default:
		refuse(w, http.StatusNotFound, "The page you are looking for isn't here.")
	}
}

func isForm(w http.ResponseWriter, r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" || r.ParseForm() != nil {
		refuse(w, http.StatusUnsupportedMediaType, "The stub takes forms only")
		return false
	}
	return true
}

// whenAllowed responds where the request's token is good for a scope.
func (s *Stub) whenAllowed(w http.ResponseWriter, r *http.Request, scope string, response http.HandlerFunc) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t := s.tokens[text]
	broad, _, _ := strings.Cut(scope, ":")
	switch {
	case !ok || t == nil || t.ended:
		w.Header().Set("WWW-Authenticate", `Bearer realm="Doorkeeper", error="invalid_token", error_description="The access token is invalid"`)
		refuse(w, http.StatusUnauthorized, "The access token is invalid")
	case !slices.Contains(t.scopes, scope) && !slices.Contains(t.scopes, broad):
		refuse(w, http.StatusForbidden, "This action is outside the authorized scopes")
	default:
		response(w, r)
	}
}

func refuse(w http.ResponseWriter, status int, words string) {
	answerJSON(w, status, map[string]string{"error": words})
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (s *Stub) verify(w http.ResponseWriter, r *http.Request) {
	account := map[string]any{
		"id": AccountID, "username": "ada", "acct": "ada", "display_name": "Ada L.", "url": "https://" + r.Host + "/@ada", "avatar": publishertest.Picture,
		"source": map[string]any{"privacy": "public", "language": nil},
	}
	s.Tell(account, "followers_count")
	answerJSON(w, http.StatusOK, account)
}

// limits returns the longest status, and what a link counts for.
func (s *Stub) limits() (most, perURL int) { return cmp.Or(s.MaxCharacters, 500), cmp.Or(s.PerURL, 23) }

func (s *Stub) describe(w http.ResponseWriter) {
	most, perURL := s.limits()
	answerJSON(w, http.StatusOK, map[string]any{"configuration": map[string]any{
		"statuses": map[string]int{"max_characters": most, "max_media_attachments": 4, "characters_reserved_per_url": perURL},
	}})
}

func (s *Stub) publish(w http.ResponseWriter, r *http.Request) {
	for name := range r.PostForm {
		if !slices.Contains([]string{"status", "in_reply_to_id", "visibility", "language", "media_ids[]"}, name) {
			s.t.Errorf("a status is sent with %q", name)
		}
	}
	key, text, parent := r.Header.Get("Idempotency-Key"), strings.TrimSpace(r.PostForm.Get("status")), r.PostForm.Get("in_reply_to_id")
	caps, _ := mission.CapabilitiesOf(mission.Mastodon)
	caps.MaxLength, caps.LinkLength = s.limits()
	visibility := cmp.Or(r.PostForm.Get("visibility"), s.Privacy, "public")
	switch {
	case !slices.Contains([]string{"public", "unlisted", "private", "direct"}, visibility):
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Visibility is not included in the list")
	case !s.Keyless && key != "" && s.keys[key] != nil && s.Now().Sub(s.keys[key].At) < keyKept:
		answerJSON(w, http.StatusOK, s.shown(r, s.keys[key]))
	case text == "":
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Text can't be blank")
	case !textlimit.Fits(caps, text):
		refuse(w, http.StatusUnprocessableEntity, fmt.Sprintf("Validation failed: Text character limit of %d exceeded", caps.MaxLength))
	case parent != "" && s.status(parent) == nil:
		refuse(w, http.StatusNotFound, "The post you are trying to reply to does not appear to exist.")
	case !s.attachable(w, r.PostForm["media_ids[]"]):
	default:
		p := s.add(text, parent, s.Now())
		s.attach(p.ID, r.PostForm["media_ids[]"])
		p.Visibility, p.Language = visibility, r.PostForm.Get("language")
		if key != "" {
			s.keys[key] = p
		}
		answerJSON(w, http.StatusOK, s.shown(r, p))
	}
}
