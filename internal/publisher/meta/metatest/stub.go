// Package metatest plays what Meta's platforms have in common for tests: tokens, errors, containers
// and insights of a Graph API.
package metatest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// Whom the stubs know: the operator's client, and one owner of an account.
const (
	ClientID     = "1000000000000001"
	ClientSecret = "s3cret/+ &"
	RedirectURL  = "https://missiond.example/callback"
	UserID       = "17841400000000001"
)

// lives of tokens, and how old one must be to be renewed.
const (
	longLife = 60 * 24 * time.Hour
	renewAge = 24 * time.Hour
)

// Rules are what differs between the platforms.
type Rules struct {
	// Version begins the paths of the API.
	Version string
	// Me are the fields of the account.
	Me map[string]any
	// Grant begins the names of the grants that exchange and renew tokens.
	Grant string
	// ListsTokens reports whether the response to a code is in a list.
	ListsTokens bool
	Scopes      []string
	// Create, Publish and Limit are the edges of an account.
	Create, Publish, Limit string
	// State and Problem are the fields of a container's state.
	State, Problem string
	// Failed is what is said of a container whose processing failed.
	Failed string
	// Text is the field of a post's text.
	Text string
	// Form are the fields of a container.
	Form []string
	// Check returns what is wrong with a container; nil if it is right. files are its own, replies
	// whether it replies to a post.
	Check func(form url.Values, children int) *Failure
	// Types are what files may be by their field, Bytes how large.
	Types map[string][]string
	Bytes map[string]int64
	// AltText is the longest alt text, in characters.
	AltText int
	// Lists are the edges that list posts, Insights the metrics that there are.
	Lists    []string
	Insights map[string]mission.Metric
	// LimitCode is the code of a rate limit.
	LimitCode int
	// Gone is what is said of a container that isn't there when it is to be published.
	Gone Failure
	// Address begins a post's.
	Address string
}

// Failure is an error of the API.
type Failure struct {
	Status, Code, Subcode int
	Message               string
	Transient             bool
}

// Stub plays a platform. What isn't as documented, it refuses.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	Rules Rules

	mu         sync.Mutex
	n          int
	access     map[string]time.Time // when it was made; it is good
	expired    map[string]bool
	codes      map[string]bool
	containers map[string]*container
	posts      []*stored
	fetcher    *http.Client
	// Handle, unless nil, handles a request instead; false declines it.
	Handle func(w http.ResponseWriter, r *http.Request) bool
	// Requests are the requests, oldest first.
	Requests []*http.Request
	// Now is the platform's clock.
	Now func() time.Time
	// Used and UsedReplies are how much of the quotas is used up besides the posts, Total and
	// TotalReplies how large they are.
	Used, UsedReplies, Total, TotalReplies int
	// Loses is how many of the next calls that publish a ready container don't find it.
	Loses int
	// Hidden reports whether lists show no posts.
	Hidden bool
	// Ended are the names of insights that have ended: a call that has one is refused.
	Ended []string
	// NoReach reports whether the token may not read the account's insights.
	NoReach bool
	// Youth is how old a token is that is made.
	Youth time.Duration
}

type container struct {
	form      url.Values
	children  []string
	at        time.Time
	published bool
}

type stored struct {
	publishertest.Post
	at      time.Time
	figures mission.Metrics
	deleted bool
	comment bool
	// by is the stranger who wrote it; "" for the account.
	by     string
	hidden bool
	Form   url.Values
}

// fetcher returns what fetches files, without following redirects.
func fetcher() *http.Client {
	const limit = 10 * time.Second
	c := outbound.Rules{Local: true}.Client(outbound.Options{Call: limit, Connect: limit, Wait: limit, Header: 16 << 10, Body: 1 << 30, Idle: 1})
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// New returns a platform without posts.
func New(r Rules) *Stub {
	return &Stub{
		Rules: r, access: map[string]time.Time{}, expired: map[string]bool{}, codes: map[string]bool{}, containers: map[string]*container{},
		Now: time.Now, fetcher: fetcher(), Total: 250, TotalReplies: 1000, Youth: 2 * renewAge,
	}
}

// FetchBy has files be fetched by a transport.
func (s *Stub) FetchBy(t http.RoundTripper) { s.fetcher.Transport = t }

func (s *Stub) token() string {
	s.n++
	t := fmt.Sprintf("token-%d-c2VjcmV0", s.n)
	s.access[t] = s.Now()
	return t
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.token()
	s.access[t] = s.Now().Add(-s.Youth)
	return mission.Credentials{AccessToken: t}
}

// Expire implements [publishertest.Stub]. An expired token can't be renewed.
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() { s.Expire() }

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/"+s.Rules.Publish) || strings.HasSuffix(r.URL.Path, "/comments") || strings.HasSuffix(r.URL.Path, "/replies"))
}

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/"+s.Rules.Create)
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	minutes := int(math.Ceil(until.Sub(s.Now()).Minutes()))
	w.Header().Set("X-Business-Use-Case-Usage", `{"`+UserID+`":[{"type":"instagram","call_count":101,"total_cputime":1,"total_time":1,"estimated_time_to_regain_access":`+strconv.Itoa(minutes)+`}]}`)
	Refuse(w, Failure{Status: http.StatusForbidden, Code: s.Rules.LimitCode, Message: "Application request limit reached"})
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

// Form returns the form of a post's container.
func (s *Stub) Form(id string) url.Values {
	if p := s.post(id); p != nil {
		return p.Form
	}
	return nil
}

// Containers returns the forms of the containers.
func (s *Stub) Containers() (all []url.Values) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.containers {
		all = append(all, k.form)
	}
	return all
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) { s.post(id).figures = figures }

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) { s.post(id).deleted = true }

func (s *Stub) post(id string) *stored {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id)
}

func (s *Stub) find(id string) *stored {
	for _, p := range s.posts {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Refuse responds with an error.
func Refuse(w http.ResponseWriter, f Failure) {
	status := f.Status
	if status == 0 {
		status = http.StatusBadRequest
	}
	body := map[string]any{"message": f.Message, "type": "OAuthException", "code": f.Code, "is_transient": f.Transient, "fbtrace_id": "AbCdEf"}
	if f.Subcode != 0 {
		body["error_subcode"] = f.Subcode
	}
	Send(w, status, map[string]any{"error": body})
}

// Send responds with JSON.
func Send(w http.ResponseWriter, status int, body any) {
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = w.Write(encoded)
}

// Invalid refuses a parameter.
func Invalid(w http.ResponseWriter, format string, args ...any) {
	Refuse(w, Failure{Code: 100, Message: "(#100) " + fmt.Sprintf(format, args...)})
}

func missing(w http.ResponseWriter, id string) {
	Refuse(w, Failure{Code: 100, Subcode: 33, Message: "Unsupported request. Object with ID '" + id + "' does not exist, cannot be loaded due to missing permissions, or does not support this operation"})
}

// Only refuses other parameters than those named, and several values of one.
func Only(w http.ResponseWriter, form url.Values, names ...string) bool {
	for name, values := range form {
		if !slices.Contains(names, name) || len(values) != 1 {
			Invalid(w, "Tried accessing nonexisting field (%s), which isn't one of %v", name, names)
			return false
		}
	}
	return true
}

// Fields refuses other fields than those named.
func Fields(w http.ResponseWriter, r *http.Request, names ...string) ([]string, bool) {
	fields := strings.Split(r.URL.Query().Get("fields"), ",")
	for _, f := range fields {
		if !slices.Contains(names, f) {
			Invalid(w, "Tried accessing nonexisting field (%s)", f)
			return nil, false
		}
	}
	return fields, true
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Requests = append(s.Requests, r)
	if s.Handle != nil && s.Handle(w, r) {
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, s.Rules.Version+"/")
	if !ok {
		s.tokens(w, r)
		return
	}
	if !s.Known(r) {
		Refuse(w, Failure{Status: http.StatusUnauthorized, Code: 190, Subcode: 463, Message: "Error validating access token: Session has expired"})
		return
	}
	if r.Method == http.MethodPost && r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		Invalid(w, "The stub takes forms only")
		return
	}
	s.route(w, r, path)
}

// Known reports whether a request has a good token.
func (s *Stub) Known(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	made, good := s.access[token]
	return ok && good && !s.expired[token] && s.Now().Before(made.Add(longLife))
}

// route responds to a request for a path below the version. The caller holds the lock.
func (s *Stub) route(w http.ResponseWriter, r *http.Request, path string) {
	id, edge, _ := strings.Cut(path, "/")
	own := id == UserID
	switch {
	case r.Method == http.MethodGet && path == "me":
		s.me(w, r)
	case r.Method == http.MethodPost && own && edge == s.Rules.Create:
		s.create(w, r)
	case r.Method == http.MethodPost && own && edge == s.Rules.Publish:
		s.publish(w, r)
	case r.Method == http.MethodGet && own && edge == s.Rules.Limit:
		s.limit(w, r)
	case r.Method == http.MethodGet && own && slices.Contains(s.Rules.Lists, edge):
		s.list(w, r, edge)
	case r.Method == http.MethodGet && own && edge == "threads_insights" && slices.Contains(s.Rules.Lists, "threads"):
		s.followers(w, r)
	case r.Method == http.MethodGet && own && edge == "insights" && slices.Contains(s.Rules.Lists, "media"):
		s.reached(w, r)
	case r.Method == http.MethodGet && edge == "insights":
		s.insights(w, r, id)
	case s.answered(w, r, id, edge):
	case r.Method == http.MethodPost && edge == "comments" && slices.Contains(s.Rules.Lists, "media"):
		s.comment(w, r, id)
	case r.Method == http.MethodGet && edge == "" && s.containers[id] != nil:
		s.state(w, r, id)
	case r.Method == http.MethodGet && edge == "" && s.find(id) != nil:
		s.show(w, r, s.find(id))
	default:
		missing(w, path)
	}
}

func (s *Stub) me(w http.ResponseWriter, r *http.Request) {
	names := []string{"id", "followers_count"}
	for name := range s.Rules.Me {
		names = append(names, name)
	}
	if !Only(w, r.URL.Query(), "fields") {
		return
	}
	fields, ok := Fields(w, r, names...)
	if !ok {
		return
	}
	me := map[string]any{"id": "9" + UserID}
	for _, f := range fields {
		if v, ok := s.Rules.Me[f]; ok {
			me[f] = v
		} else {
			s.Tell(me, f)
		}
	}
	Send(w, http.StatusOK, me)
}
