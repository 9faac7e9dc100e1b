// Package blueskytest plays a server of the AT Protocol for tests.
package blueskytest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"mime"
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

// Stub plays the server of one account, and the index behind it.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	t testing.TB
	// Now is the server's clock.
	Now func() time.Time
	// Refusal is what signing in is refused with, or nil; Status what the
	// account is, or "", or Gone.
	Refusal *Problem
	Status  string
	// NoBlobs makes the server refuse uploads, NoEmbeds records with an embed.
	NoBlobs, NoEmbeds bool
	// NoIndex makes the index unreachable for the server.
	NoIndex bool
	// Handles are the accounts that the server knows by their handles besides its own;
	// NoHandles makes it fail to look any up.
	Handles   map[string]string
	NoHandles bool
	// Endpoint is the server's address in the DID document; "" is its own.
	Endpoint string

	mu        sync.Mutex
	password  string
	tokens    map[string]*jwt
	records   []*stored
	requested []string
}

type jwt struct {
	scope string
	ended bool
}

type stored struct {
	key, cid string
	value    json.RawMessage
	post     post
	figures  mission.Metrics
	// by is the stranger who wrote it; "" is the account itself.
	by string
}

// Gone is the Status of an account that is deleted while its tokens hold.
const Gone = "gone"

// The account.
const (
	DID    = "did:plc:z72i7hdynmk6r22z27h6tvur"
	Handle = "ada.bsky.example"
)

// The scopes of tokens.
const (
	accessFor = "com.atproto.appPass"
	renewFor  = "com.atproto.refresh"
	videoFor  = "com.atproto.repo.uploadBlob"
)

// New returns a server whose account has no posts.
func New(t testing.TB) *Stub {
	t.Helper()
	return &Stub{Now: time.Now, t: t, password: rand.Text(), tokens: map[string]*jwt{}}
}

var _ publishertest.Stub = (*Stub)(nil)

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(server string) mission.Credentials {
	return mission.Credentials{Server: server, Identifier: Handle, Password: s.password}
}

// end ends the tokens of a scope.
func (s *Stub) end(scope string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tokens {
		t.ended = t.ended || t.scope == scope
	}
}

// Expire implements [publishertest.Stub].
func (s *Stub) Expire() { s.end(accessFor) }

// ExpireRenewal ends the tokens that renew a session, and leaves the password.
func (s *Stub) ExpireRenewal() { s.end(renewFor) }

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() {
	s.end(accessFor)
	s.end(renewFor)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.password = rand.Text()
}

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.URL.Path == "/xrpc/com.atproto.repo.putRecord" || r.URL.Path == "/xrpc/com.atproto.repo.createRecord"
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("RateLimit-Limit", "5000")
	w.Header().Set("RateLimit-Remaining", "0")
	w.Header().Set("RateLimit-Reset", strconv.FormatInt(until.Unix(), 10))
	w.Header().Set("RateLimit-Policy", "5000;w=3600")
	Refuse(w, http.StatusTooManyRequests, "RateLimitExceeded", "Rate Limit Exceeded")
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, r := range s.records {
		p := publishertest.Post{ID: r.uri(), Text: r.post.Text}
		if r.post.Reply != nil {
			p.Parent = r.post.Reply.Parent.URI
		}
		posts = append(posts, p)
	}
	return posts
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.records {
		if r.uri() == id {
			r.figures = figures
		}
	}
}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = slices.DeleteFunc(s.records, func(r *stored) bool { return r.uri() == id })
}

// Edit replaces the text of a record, as other clients may.
func (s *Stub) Edit(id, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.records {
		if r.uri() == id {
			r.value, _ = json.Marshal(map[string]any{"$type": collection, "text": text, "createdAt": "2026-08-20T00:00:00.000Z"})
		}
	}
}

func (r *stored) uri() string { return "at://" + r.did() + "/" + collection + "/" + r.key }

func (s *Stub) record(key string) *stored {
	i := slices.IndexFunc(s.records, func(r *stored) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	return s.records[i]
}

// Calls counts the calls of a method so far.
func (s *Stub) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, m := range s.requested {
		if m == method {
			n++
		}
	}
	return n
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := strings.CutPrefix(r.URL.Path, "/xrpc/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.requested = append(s.requested, name)
	for _, m := range []struct {
		name, verb, scope string
		response          func(w http.ResponseWriter, r *http.Request)
	}{
		{"com.atproto.server.createSession", http.MethodPost, "", s.createSession},
		{"com.atproto.server.refreshSession", http.MethodPost, renewFor, s.refreshSession},
		{"com.atproto.server.getSession", http.MethodGet, accessFor, s.getSession},
		{"com.atproto.identity.resolveHandle", http.MethodGet, "", s.resolveHandle},
		{"com.atproto.repo.putRecord", http.MethodPost, accessFor, s.putRecord},
		{"com.atproto.repo.createRecord", http.MethodPost, accessFor, s.createRecord},
		{"com.atproto.repo.uploadBlob", http.MethodPost, accessFor, s.uploadBlob},
		{"com.atproto.sync.getBlob", http.MethodGet, "", s.getBlob},
		{"com.atproto.server.getServiceAuth", http.MethodGet, accessFor, s.getServiceAuth},
		{"app.bsky.video.uploadVideo", http.MethodPost, videoFor, s.uploadVideo},
		{"app.bsky.video.getJobStatus", http.MethodGet, "", s.getJobStatus},
		{"com.atproto.repo.getRecord", http.MethodGet, "", s.getRecord},
		{"com.atproto.repo.listRecords", http.MethodGet, "", s.listRecords},
		{"app.bsky.actor.getProfile", http.MethodGet, accessFor, s.getProfile},
		{"app.bsky.feed.getPosts", http.MethodGet, accessFor, s.getPosts},
		{"app.bsky.feed.getPostThread", http.MethodGet, accessFor, s.getPostThread},
	} {
		if m.name != name {
			continue
		}
		if r.Method != m.verb {
			Refuse(w, http.StatusBadRequest, "InvalidRequest", "Incorrect HTTP method ("+r.Method+") expected "+m.verb)
			return
		}
		if m.scope == "" || s.allowed(w, r, m.scope) {
			m.response(w, r)
		}
		return
	}
	Refuse(w, http.StatusNotImplemented, "MethodNotImplemented", "Method Not Implemented")
}

// allowed reports whether the request's token is one of a scope that holds.
func (s *Stub) allowed(w http.ResponseWriter, r *http.Request, scope string) bool {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t := s.tokens[text]
	switch {
	case !ok:
		Refuse(w, http.StatusUnauthorized, "AuthMissing", "Authentication Required")
	case t == nil || t.scope != scope:
		Refuse(w, http.StatusBadRequest, "InvalidToken", "Token could not be verified")
	case t.ended:
		Refuse(w, http.StatusBadRequest, "ExpiredToken", "Token has expired")
	default:
		return true
	}
	return false
}

// Refuse responds with an error.
func Refuse(w http.ResponseWriter, status int, name, words string) {
	answerJSON(w, status, map[string]string{"error": name, "message": words})
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// input reads a request's JSON, which has no field that isn't v's.
func input(w http.ResponseWriter, r *http.Request, v any) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Wrong request encoding (Content-Type): "+kind)
		return false
	}
	if err := strictly(r.Body, v); err != nil {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Invalid input: "+err.Error())
		return false
	}
	return true
}

// write is an input of putRecord or createRecord.
type write struct {
	Repo       string          `json:"repo"`
	Collection string          `json:"collection"`
	Key        string          `json:"rkey"`
	Validate   *bool           `json:"validate"`
	Record     json.RawMessage `json:"record"`
	SwapRecord json.RawMessage `json:"swapRecord"`
	SwapCommit string          `json:"swapCommit"`
}

// writes reads such an input, and returns the record to be written.
func (s *Stub) writes(w http.ResponseWriter, r *http.Request) (write, *stored) {
	var in write
	if !input(w, r, &in) {
		return in, nil
	}
	if in.Repo != DID && in.Repo != Handle || s.Status == Gone {
		Refuse(w, http.StatusForbidden, "AccountNotFound", "Account not found")
		return in, nil
	}
	next := &stored{key: in.Key, value: in.Record, figures: mission.Metrics{}}
	if err := s.check(in, next); errors.Is(err, errNoBlob) {
		Refuse(w, http.StatusBadRequest, "BlobNotFound", err.Error())
		return in, nil
	} else if err != nil {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Invalid "+collection+" record: "+err.Error())
		return in, nil
	}
	var canonical any
	_ = json.Unmarshal(in.Record, &canonical)
	content, _ := json.Marshal(canonical)
	sum := sha256.Sum256(content)
	next.cid = "bafyrei" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:]))
	return in, next
}

func (s *Stub) putRecord(w http.ResponseWriter, r *http.Request) {
	in, next := s.writes(w, r)
	if next == nil {
		return
	}
	current := s.record(in.Key)
	var want *string
	_ = json.Unmarshal(in.SwapRecord, &want)
	switch {
	case current != nil && current.cid == next.cid:
		// The same record again is no commit.
		answerJSON(w, http.StatusOK, map[string]any{"uri": next.uri(), "cid": next.cid, "validationStatus": "valid"})
	case string(in.SwapRecord) == "null" && current != nil, want != nil && (current == nil || current.cid != *want):
		at := "null"
		if current != nil {
			at = current.cid
		}
		Refuse(w, http.StatusBadRequest, "InvalidSwap", "Record was at "+at)
	default:
		if current != nil {
			s.t.Error("a record is replaced")
		}
		s.commit(w, next)
	}
}

func (s *Stub) createRecord(w http.ResponseWriter, r *http.Request) {
	in, next := s.writes(w, r)
	switch {
	case next == nil:
	case s.record(in.Key) != nil:
		Refuse(w, http.StatusInternalServerError, "InternalServerError", "Internal Server Error")
	default:
		s.commit(w, next)
	}
}

func (s *Stub) commit(w http.ResponseWriter, next *stored) {
	s.records = append(s.records, next)
	s.Attach(next.uri(), s.files(next.post.Embed)...)
	answerJSON(w, http.StatusOK, map[string]any{
		"uri": next.uri(), "cid": next.cid, "commit": map[string]string{"cid": "bafyreicommit", "rev": "3l25zusnsfctk"}, "validationStatus": "valid",
	})
}
