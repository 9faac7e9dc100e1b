package mastodon

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"html"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"missiond/internal/publisher/publishertest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// server plays a Mastodon server of one account.
type server struct {
	t *testing.T
	// old is a server without GET /api/v1/statuses (before 4.3).
	old bool
	// bare is a server that counts neither replies nor quotes.
	bare bool

	mu       sync.Mutex
	tokens   map[string]*token
	statuses []*posted
	keys     map[string]*posted
	apps     map[string]*app
	codes    map[string]*consent
	lastID   int64
	asked    []string // the paths of all requests
}

type token struct {
	scopes []string
	ended  bool
}

type posted struct {
	id, text, parent string
	at               time.Time
	reblog           bool
	figures          mission.Metrics
}

const accountID = "109348872"

func newServer(t *testing.T) *server {
	t.Helper()
	return &server{
		t: t, tokens: map[string]*token{}, keys: map[string]*posted{}, apps: map[string]*app{},
		codes: map[string]*consent{}, lastID: 112_000_000_000_000_000,
	}
}

var _ publishertest.Stub = (*server)(nil)

func (s *server) issue(scopes ...string) string {
	text := rand.Text()
	s.tokens[text] = &token{scopes: scopes}
	return text
}

func (s *server) Credentials(address string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mission.Credentials{Server: address, AccessToken: s.issue("read", "write")}
}

func (s *server) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tokens {
		t.ended = true
	}
}

func (s *server) Revoke() { s.Expire() }

func (s *server) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/api/v1/statuses"
}

func (s *server) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("X-RateLimit-Limit", "300")
	w.Header().Set("X-RateLimit-Remaining", "0")
	w.Header().Set("X-RateLimit-Reset", until.UTC().Format("2006-01-02T15:04:05.000000Z"))
	refuse(w, http.StatusTooManyRequests, "Too many requests")
}

func (s *server) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, p := range s.statuses {
		posts = append(posts, publishertest.Post{ID: p.id, Text: p.text, Parent: p.parent})
	}
	return posts
}

func (s *server) React(id string, figures mission.Metrics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.status(id); p != nil {
		p.figures = figures
	}
}

func (s *server) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statuses = slices.DeleteFunc(s.statuses, func(p *posted) bool { return p.id == id })
}

func (s *server) status(id string) *posted {
	i := slices.IndexFunc(s.statuses, func(p *posted) bool { return p.id == id })
	if i < 0 {
		return nil
	}
	return s.statuses[i]
}

// add has the server hold a status.
func (s *server) add(text, parent string, at time.Time) *posted {
	s.lastID += 1 << 16
	p := &posted{id: strconv.FormatInt(s.lastID, 10), text: text, parent: parent, at: at, figures: mission.Metrics{}}
	s.statuses = append(s.statuses, p)
	return p
}

// seed is add for tests.
func (s *server) seed(text, parent string, at time.Time) *posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(text, parent, at)
}

// calls counts the requests of a path so far.
func (s *server) calls(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, p := range s.asked {
		if p == path {
			n++
		}
	}
	return n
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	if r.Method == http.MethodPost && !isForm(w, r) {
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
	case r.Method == http.MethodGet && path == "accounts/verify_credentials":
		s.whenAllowed(w, r, "read:accounts", s.verify)
	case r.Method == http.MethodGet && path == "accounts/"+accountID+"/statuses":
		s.whenAllowed(w, r, "read:statuses", s.list)
	case r.Method == http.MethodPost && path == "statuses":
		s.whenAllowed(w, r, "write:statuses", s.publish)
	case r.Method == http.MethodGet && path == "statuses" && !s.old:
		s.whenAllowed(w, r, "read:statuses", s.several)
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

// whenAllowed answers where the request's token is good for a scope.
func (s *server) whenAllowed(w http.ResponseWriter, r *http.Request, scope string, answer http.HandlerFunc) {
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
		answer(w, r)
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

func (s *server) verify(w http.ResponseWriter, r *http.Request) {
	answerJSON(w, http.StatusOK, map[string]any{
		"id": accountID, "username": "ada", "acct": "ada", "display_name": "Ada L.", "url": "https://" + r.Host + "/@ada",
		"followers_count": 12, "source": map[string]any{"privacy": "public", "language": nil},
	})
}

func (s *server) publish(w http.ResponseWriter, r *http.Request) {
	for name := range r.PostForm {
		if !slices.Contains([]string{"status", "in_reply_to_id", "visibility", "language"}, name) {
			s.t.Errorf("a status is sent with %q", name)
		}
	}
	key, text, parent := r.Header.Get("Idempotency-Key"), strings.TrimSpace(r.PostForm.Get("status")), r.PostForm.Get("in_reply_to_id")
	caps, _ := mission.CapabilitiesOf(mission.Mastodon)
	switch {
	case !slices.Contains([]string{"public", "unlisted", "private", "direct"}, r.PostForm.Get("visibility")):
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Visibility is not included in the list")
	case key != "" && s.keys[key] != nil:
		answerJSON(w, http.StatusOK, s.shown(r, s.keys[key]))
	case text == "":
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Text can't be blank")
	case !textlimit.Fits(caps, text):
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Text character limit of 500 exceeded")
	case parent != "" && s.status(parent) == nil:
		refuse(w, http.StatusNotFound, "The post you are trying to reply to does not appear to exist.")
	default:
		p := s.add(text, parent, time.Now())
		if key != "" {
			s.keys[key] = p
		}
		answerJSON(w, http.StatusOK, s.shown(r, p))
	}
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 20
	}
	shown := []map[string]any{}
	for _, p := range slices.Backward(s.statuses) {
		// Ids are numbers of one length here, so they compare as texts.
		if before := q.Get("max_id"); before != "" && p.id >= before || p.reblog && q.Get("exclude_reblogs") == "true" {
			continue
		}
		if shown = append(shown, s.shown(r, p)); len(shown) == min(limit, 40) {
			break
		}
	}
	answerJSON(w, http.StatusOK, shown)
}

func (s *server) several(w http.ResponseWriter, r *http.Request) {
	ids, shown := r.URL.Query()["id[]"], []map[string]any{}
	if len(ids) > 20 {
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Too many statuses")
		return
	}
	for _, id := range ids {
		if p := s.status(id); p != nil {
			shown = append(shown, s.shown(r, p))
		}
	}
	answerJSON(w, http.StatusOK, shown)
}

func (s *server) one(w http.ResponseWriter, r *http.Request) {
	p := s.status(strings.TrimPrefix(r.URL.Path, "/api/v1/statuses/"))
	if p == nil {
		refuse(w, http.StatusNotFound, "Record not found")
		return
	}
	answerJSON(w, http.StatusOK, s.shown(r, p))
}

func (s *server) shown(r *http.Request, p *posted) map[string]any {
	var parent any
	if p.parent != "" {
		parent = p.parent
	}
	quotes := float64(int(p.figures[mission.Shares]) / 2)
	shown := map[string]any{
		"id": p.id, "created_at": p.at.UTC().Format("2006-01-02T15:04:05.000Z"), "in_reply_to_id": parent,
		"visibility": "public", "language": "en", "reblog": nil, "content": markup(p.text),
		"uri": "https://" + r.Host + "/users/ada/statuses/" + p.id, "url": "https://" + r.Host + "/@ada/" + p.id,
		"favourites_count": p.figures[mission.Likes], "reblogs_count": p.figures[mission.Shares] - quotes,
		"replies_count": p.figures[mission.Comments], "quotes_count": quotes,
	}
	if s.bare {
		delete(shown, "replies_count")
		delete(shown, "quotes_count")
		shown["reblogs_count"] = p.figures[mission.Shares]
	}
	return shown
}

// entities are what Mastodon links: addresses, accounts with their server, and
// hashtags.
var entities = regexp.MustCompile(`(https?://[^\s<>"]+)|@(\w+)@([\w.-]+\w)|#(\w+)`)

// markup is a text as Mastodon shows it.
func markup(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range entities.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		at = m[1]
		switch {
		case m[2] >= 0:
			b.WriteString(markLink(text[m[2]:m[3]]))
		case m[4] >= 0:
			fmt.Fprintf(&b, `<span class="h-card" translate="no"><a href="https://%s/@%s" class="u-url mention">@<span>%[2]s</span></a></span>`, text[m[6]:m[7]], text[m[4]:m[5]])
		default:
			fmt.Fprintf(&b, `<a href="https://example.social/tags/%s" class="mention hashtag" rel="tag">#<span>%[1]s</span></a>`, text[m[8]:m[9]])
		}
	}
	b.WriteString(html.EscapeString(text[at:]))
	paragraphs := strings.Split(b.String(), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = "<p>" + strings.ReplaceAll(p, "\n", "<br />") + "</p>"
	}
	return strings.Join(paragraphs, "")
}

func markLink(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	shown, hidden, class := rest, "", ""
	if runes := []rune(rest); len(runes) > 30 {
		shown, hidden, class = string(runes[:30]), string(runes[30:]), "ellipsis"
	}
	return fmt.Sprintf(`<a href="%s" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">%s://</span><span class="%s">%s</span><span class="invisible">%s</span></a>`,
		html.EscapeString(address), scheme, class, html.EscapeString(shown), html.EscapeString(hidden))
}

// app is a client that was registered; consent is an owner's, until its code is
// exchanged.
type app struct {
	id, secret, redirect, website string
	scopes                        []string
}

type consent struct {
	app                 *app
	challenge, redirect string
	scopes              []string
}

func (s *server) register(w http.ResponseWriter, r *http.Request) {
	f := r.PostForm
	if f.Get("client_name") == "" || f.Get("redirect_uris") == "" {
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Application name can't be blank, Redirect URI must be an absolute URI.")
		return
	}
	a := &app{id: rand.Text(), secret: rand.Text(), redirect: f.Get("redirect_uris"), website: f.Get("website"), scopes: strings.Fields(f.Get("scopes"))}
	s.apps[a.id] = a
	answerJSON(w, http.StatusOK, map[string]any{
		"id": "563419", "name": f.Get("client_name"), "website": nil, "scopes": a.scopes, "redirect_uri": a.redirect,
		"redirect_uris": []string{a.redirect}, "client_id": a.id, "client_secret": a.secret, "client_secret_expires_at": 0,
	})
}

// authorize is the page where the owner consents, who does at once.
func (s *server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	a := s.apps[q.Get("client_id")]
	asked := strings.Fields(q.Get("scope"))
	if a == nil || q.Get("redirect_uri") != a.redirect || q.Get("response_type") != "code" || len(asked) == 0 ||
		slices.ContainsFunc(asked, func(scope string) bool { return !slices.Contains(a.scopes, scope) }) ||
		q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 {
		http.Error(w, "<h1>The request is malformed</h1>", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	s.codes[code] = &consent{app: a, challenge: q.Get("code_challenge"), redirect: a.redirect, scopes: asked}
	http.Redirect(w, r, a.redirect+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

func (s *server) token(w http.ResponseWriter, r *http.Request) {
	f := r.PostForm
	c := s.codes[f.Get("code")]
	delete(s.codes, f.Get("code"))
	a := s.apps[f.Get("client_id")]
	switch {
	case f.Get("grant_type") != "authorization_code":
		answerJSON(w, http.StatusBadRequest, map[string]string{"error": "unsupported_grant_type"})
	case a == nil || f.Get("client_secret") != a.secret:
		answerJSON(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client", "error_description": "Client authentication failed."})
	case c == nil || c.app != a || c.redirect != f.Get("redirect_uri") || oauth2.S256ChallengeFromVerifier(f.Get("code_verifier")) != c.challenge:
		answerJSON(w, http.StatusBadRequest, map[string]string{
			"error": "invalid_grant", "error_description": "The provided authorization grant is invalid, expired, revoked. It was " + f.Get("code") + ".",
		})
	default:
		answerJSON(w, http.StatusOK, map[string]any{
			"access_token": s.issue(c.scopes...), "token_type": "Bearer", "scope": strings.Join(c.scopes, " "), "created_at": time.Now().Unix(),
		})
	}
}
