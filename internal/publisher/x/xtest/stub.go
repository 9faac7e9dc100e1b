// Package xtest plays X (API v2) for tests.
package xtest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"missiond/internal/publisher/publishertest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// Whom the stub knows: the operator's client, and one owner of an account.
const (
	ClientID     = "client-1"
	ClientSecret = "s3cret/+ &"
	RedirectURL  = "https://missiond.example/callback"
	UserID       = "2244994945"
)

// Stub plays X. What isn't as documented, it refuses.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	mu      sync.Mutex
	n       int
	access  map[string]bool // whether it is good
	refresh map[string]bool
	codes   map[string]grant
	posts   []*stored
	expand  map[string]string // t.co links
	// Secret is the client's; "" makes it a public one.
	Secret string
	// KeepsRefresh makes renewals return no new refresh token.
	KeepsRefresh bool
	// Handle, unless nil, handles a request instead; false declines it.
	Handle func(w http.ResponseWriter, r *http.Request) bool
	// Requests are the requests, oldest first.
	Requests []*http.Request
	// Hidden reports whether timelines show no posts yet.
	Hidden bool
	// Lag is how many looks at the timeline don't show a post that is made from
	// now on, for half an hour at most.
	Lag int
	// Now is X's clock.
	Now func() time.Time
}

// twinsKept is how long the stub refuses the text of a post. X doesn't publish for how long
// it does, so that the stub soon forgets.
const twinsKept = 5 * time.Minute

type grant struct {
	challenge, redirect string
	scopes              []string
}

type stored struct {
	publishertest.Post
	at      time.Time
	figures mission.Metrics
	deleted bool
	files   int
	labels  mission.Labels
	later   []string // ids of its later versions
	unseen  int      // looks at the timeline that don't show it yet
	by      string   // the stranger who wrote it; "" is the account itself
	hidden  bool
}

// New returns an X without posts.
func New() *Stub {
	return &Stub{
		access: map[string]bool{}, refresh: map[string]bool{}, codes: map[string]grant{},
		expand: map[string]string{}, Secret: ClientSecret, Now: time.Now,
	}
}

func (s *Stub) token(kind string) string {
	s.n++
	return fmt.Sprintf("%s-%d-c2VjcmV0", kind, s.n)
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := mission.Credentials{AccessToken: s.token("access"), RefreshToken: s.token("refresh")}
	s.access[c.AccessToken], s.refresh[c.RefreshToken] = true, true
	return c
}

// Expire implements [publishertest.Stub].
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	clear(s.refresh)
}

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/2/tweets"
}

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return r.URL.Path == "/2/users/me" && strings.Contains(r.URL.Query().Get("user.fields"), "public_metrics")
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("x-rate-limit-limit", "100")
	w.Header().Set("x-rate-limit-remaining", "0")
	w.Header().Set("x-rate-limit-reset", strconv.FormatInt(until.Unix(), 10))
	Write(w, http.StatusTooManyRequests, `{"errors":[{"code":88,"message":"Rate limit exceeded"}]}`)
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, p := range s.posts {
		if !p.deleted {
			posts = append(posts, p.Post)
		}
	}
	return posts
}

// Edit gives a post another version, as its author does in X's own application.
func (s *Stub) Edit(id, _ string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.posts {
		if p.ID == id {
			p.later = append(p.later, s.NextID(s.Now()))
		}
	}
}

// Labels returns the labels of a post.
func (s *Stub) Labels(id string) mission.Labels {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.posts {
		if p.ID == id {
			return p.labels
		}
	}
	return mission.Labels{}
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) { s.post(id).figures = figures }

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) { s.post(id).deleted = true }

func (s *Stub) post(id string) *stored {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.posts, func(p *stored) bool { return p.ID == id })
	if i < 0 {
		return &stored{}
	}
	return s.posts[i]
}

// Seed adds a post of a time with figures, and returns its id.
func (s *Stub) Seed(text string, at time.Time, figures mission.Metrics) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &stored{Post: publishertest.Post{ID: s.NextID(at), Text: text}, at: at, figures: figures}
	s.posts = append(s.posts, p)
	return p.ID
}

// Write responds with a body of JSON, or what claims to be.
func Write(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func send(w http.ResponseWriter, status int, body any) {
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	Write(w, status, string(encoded))
}

func refuse(w http.ResponseWriter, status int, kind, detail string) {
	send(w, status, map[string]any{"type": kind, "title": http.StatusText(status), "detail": detail, "status": status})
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Requests = append(s.Requests, r)
	if s.Handle != nil && s.Handle(w, r) {
		return
	}
	if r.URL.Path == "/2/oauth2/token" {
		s.tokens(w, r)
		return
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !ok || !s.access[token] {
		refuse(w, http.StatusUnauthorized, "about:blank", "Unauthorized")
		return
	}
	if s.Uploads(r) {
		s.upload(w, r)
		return
	}
	if hidden := hiddenPath.FindStringSubmatch(r.URL.Path); hidden != nil && r.Method == http.MethodPut {
		s.hide(w, r, hidden[1])
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /2/tweets/search/recent":
		if only(w, r, "query", "max_results", "tweet.fields", "expansions", "user.fields", "since_id", "next_token") {
			s.search(w, r)
		}
	case "GET /2/users/me":
		if only(w, r, "user.fields") {
			me := map[string]any{"id": UserID, "name": "Ann Other", "username": "ann"}
			if strings.Contains(r.URL.Query().Get("user.fields"), "profile_image_url") {
				me["profile_image_url"] = publishertest.Picture
			}
			if s.AsksAudience(r) {
				metrics := map[string]any{"following_count": 3, "tweet_count": 5, "listed_count": 0}
				s.Tell(metrics, "followers_count")
				me["public_metrics"] = metrics
			}
			send(w, http.StatusOK, map[string]any{"data": me})
		}
	case "POST /2/tweets":
		s.create(w, r)
	case "GET /2/users/" + UserID + "/tweets":
		if only(w, r, "max_results", "tweet.fields", "exclude", "start_time") {
			s.timeline(w, r)
		}
	case "GET /2/tweets":
		if only(w, r, "ids", "tweet.fields") {
			s.lookup(w, r)
		}
	default:
		refuse(w, http.StatusNotFound, "about:blank", "Not Found")
	}
}

// only refuses other parameters than those named, as X does.
func only(w http.ResponseWriter, r *http.Request, names ...string) bool {
	for name := range r.URL.Query() {
		if !slices.Contains(names, name) {
			invalid(w, "The query parameter ["+name+"] is not one of ["+strings.Join(names, ",")+"]")
			return false
		}
	}
	return true
}

func invalid(w http.ResponseWriter, message string) {
	send(w, http.StatusBadRequest, map[string]any{
		"errors": []any{map[string]any{"message": message}}, "title": "Invalid Request",
		"detail": "One or more parameters to your request was invalid.",
		"type":   "https://api.twitter.com/2/problems/invalid-request",
	})
}

// create takes a post. The caller holds the lock.
func (s *Stub) create(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Text  string `json:"text"`
		Reply *struct {
			To string `json:"in_reply_to_tweet_id"`
		} `json:"reply"`
		Media *struct {
			IDs []string `json:"media_ids"`
		} `json:"media"`
		MadeWithAI      bool `json:"made_with_ai"`
		PaidPartnership bool `json:"paid_partnership"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	caps := mission.Capabilities{Platform: mission.Twitter, MaxLength: 280, Unit: mission.UnitWeighted, LinkLength: 23} // as X documents them
	if err := d.Decode(&body); err != nil || r.Header.Get("Content-Type") != "application/json" || body.Text == "" || body.Reply != nil && body.Reply.To == "" {
		invalid(w, "The body is invalid")
		return
	}
	if !textlimit.Fits(caps, body.Text) {
		refuse(w, http.StatusForbidden, "about:blank", "Your Tweet text is too long.")
		return
	}
	var files []publishertest.File
	if body.Media != nil {
		var ok bool
		if files, ok = s.attachable(w, body.Media.IDs); !ok {
			return
		}
	}
	p := &stored{Post: publishertest.Post{ID: s.NextID(s.Now()), Text: body.Text}, at: s.Now(), unseen: s.Lag, files: len(files),
		labels: mission.Labels{MadeWithAI: body.MadeWithAI, PaidPartnership: body.PaidPartnership},
	}
	if body.Reply != nil {
		p.Parent = body.Reply.To
	}
	for _, other := range s.posts {
		if !other.deleted && other.Text == p.Text && p.at.Sub(other.at) < twinsKept {
			refuse(w, http.StatusForbidden, "about:blank", "You are not allowed to create a Tweet with duplicate content.")
			return
		}
	}
	s.posts = append(s.posts, p)
	s.Attach(p.ID, files...)
	send(w, http.StatusCreated, map[string]any{"data": map[string]any{"id": p.ID, "text": s.Written(p.Text)["text"]}})
}

// NextID returns the id of a post that is made at a time.
func (s *Stub) NextID(at time.Time) string {
	s.n++
	return strconv.FormatInt((at.UnixMilli()-1288834974657)<<22|int64(s.n), 10)
}

var addresses = regexp.MustCompile(`https?://[^\s<>"]+|\bexample\.org\b`)

// Written is a text as X shows it: composed, escaped, its addresses shortened.
func (s *Stub) Written(text string) map[string]any {
	var links []any
	text = addresses.ReplaceAllStringFunc(strings.TrimSpace(norm.NFC.String(text)), func(address string) string {
		short := "https://t.co/" + fmt.Sprintf("%010d", len(s.expand)+1)
		s.expand[short] = address
		if !strings.Contains(address, "://") {
			address = "http://" + address
		}
		links = append(links, map[string]any{"start": 0, "end": 23, "url": short, "expanded_url": address, "display_url": "…"})
		return short
	})
	text = strings.NewReplacer("&#34;", `"`, "&#39;", "'").Replace(html.EscapeString(text))
	shown := map[string]any{"text": text}
	if links != nil {
		shown["entities"] = map[string]any{"urls": links}
	}
	return shown
}
