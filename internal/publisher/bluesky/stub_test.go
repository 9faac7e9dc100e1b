package bluesky

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// pds plays the server of one account, and the index behind it.
type pds struct {
	t *testing.T
	// refusal is what signing in is refused with, or nil; status what the
	// account is, or "".
	refusal *problem
	status  string
	// endpoint is the server's address in the DID document; "" is its own.
	endpoint string

	mu       sync.Mutex
	password string
	tokens   map[string]*jwt
	records  []*stored
	asked    []string
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
}

const (
	did       = "did:plc:z72i7hdynmk6r22z27h6tvur"
	handle    = "ada.bsky.example"
	accessFor = "com.atproto.appPass"
	renewFor  = "com.atproto.refresh"
)

func newPDS(t *testing.T) *pds {
	t.Helper()
	return &pds{t: t, password: rand.Text(), tokens: map[string]*jwt{}}
}

var _ publishertest.Stub = (*pds)(nil)

func (s *pds) Credentials(server string) mission.Credentials {
	return mission.Credentials{Server: server, Identifier: handle, Password: s.password}
}

// end ends the tokens of a scope.
func (s *pds) end(scope string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tokens {
		t.ended = t.ended || t.scope == scope
	}
}

func (s *pds) Expire() { s.end(accessFor) }

func (s *pds) Revoke() {
	s.end(accessFor)
	s.end(renewFor)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.password = rand.Text()
}

func (s *pds) Publishes(r *http.Request) bool {
	return r.URL.Path == "/xrpc/com.atproto.repo.putRecord" || r.URL.Path == "/xrpc/com.atproto.repo.createRecord"
}

func (s *pds) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("RateLimit-Limit", "5000")
	w.Header().Set("RateLimit-Remaining", "0")
	w.Header().Set("RateLimit-Reset", strconv.FormatInt(until.Unix(), 10))
	w.Header().Set("RateLimit-Policy", "5000;w=3600")
	refuse(w, http.StatusTooManyRequests, "RateLimitExceeded", "Rate Limit Exceeded")
}

func (s *pds) Posts() []publishertest.Post {
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

func (s *pds) React(id string, figures mission.Metrics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.records {
		if r.uri() == id {
			r.figures = figures
		}
	}
}

func (s *pds) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = slices.DeleteFunc(s.records, func(r *stored) bool { return r.uri() == id })
}

func (r *stored) uri() string { return "at://" + did + "/" + collection + "/" + r.key }

func (s *pds) record(key string) *stored {
	i := slices.IndexFunc(s.records, func(r *stored) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	return s.records[i]
}

// calls counts the calls of a method so far.
func (s *pds) calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, m := range s.asked {
		if m == method {
			n++
		}
	}
	return n
}

func (s *pds) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := strings.CutPrefix(r.URL.Path, "/xrpc/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.asked = append(s.asked, name)
	for _, m := range []struct {
		name, verb, scope string
		answer            func(w http.ResponseWriter, r *http.Request)
	}{
		{"com.atproto.server.createSession", http.MethodPost, "", s.createSession},
		{"com.atproto.server.refreshSession", http.MethodPost, renewFor, s.refreshSession},
		{"com.atproto.server.getSession", http.MethodGet, accessFor, s.getSession},
		{"com.atproto.repo.putRecord", http.MethodPost, accessFor, s.putRecord},
		{"com.atproto.repo.createRecord", http.MethodPost, accessFor, s.createRecord},
		{"com.atproto.repo.getRecord", http.MethodGet, accessFor, s.getRecord},
		{"app.bsky.feed.getPosts", http.MethodGet, accessFor, s.getPosts},
	} {
		if m.name != name {
			continue
		}
		if r.Method != m.verb {
			refuse(w, http.StatusMethodNotAllowed, "InvalidRequest", "Incorrect HTTP method ("+r.Method+") expected "+m.verb)
			return
		}
		if m.scope == "" || s.allowed(w, r, m.scope) {
			m.answer(w, r)
		}
		return
	}
	refuse(w, http.StatusNotImplemented, "MethodNotImplemented", "Method Not Implemented")
}

// allowed tells whether the request's token is one of a scope that holds.
func (s *pds) allowed(w http.ResponseWriter, r *http.Request, scope string) bool {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t := s.tokens[text]
	switch {
	case !ok:
		refuse(w, http.StatusUnauthorized, "AuthMissing", "Authentication Required")
	case t == nil:
		refuse(w, http.StatusBadRequest, "InvalidToken", "Token could not be verified")
	case t.ended:
		refuse(w, http.StatusBadRequest, "ExpiredToken", "Token has expired")
	case t.scope != scope:
		refuse(w, http.StatusBadRequest, "InvalidToken", "Bad token scope")
	default:
		return true
	}
	return false
}

func refuse(w http.ResponseWriter, status int, name, words string) {
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
		refuse(w, http.StatusBadRequest, "InvalidRequest", "Wrong request encoding (Content-Type): "+kind)
		return false
	}
	if err := strictly(r.Body, v); err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "Invalid input: "+err.Error())
		return false
	}
	return true
}

// issue gives a token.
func (s *pds) issue(scope string, life time.Duration) string {
	encode := base64.RawURLEncoding.EncodeToString
	payload := fmt.Sprintf(`{"scope":%q,"sub":%q,"iat":%d,"exp":%d,"jti":%q}`, scope, did, time.Now().Unix(), time.Now().Add(life).Unix(), rand.Text())
	text := encode([]byte(`{"typ":"at+jwt","alg":"ES256K"}`)) + "." + encode([]byte(payload)) + "." + encode([]byte(rand.Text()))
	s.tokens[text] = &jwt{scope: scope}
	return text
}

// described is what a session tells of its account.
func (s *pds) described(r *http.Request) map[string]any {
	endpoint := s.endpoint
	if endpoint == "" {
		endpoint = "http://" + r.Host
	}
	d := map[string]any{
		"did": did, "handle": handle, "email": "ada@example.com", "emailConfirmed": true, "active": s.status == "",
		"didDoc": map[string]any{
			"@context": []string{"https://www.w3.org/ns/did/v1"}, "id": did, "alsoKnownAs": []string{"at://" + handle},
			"service": []any{
				map[string]any{"id": "#other", "type": "Other", "serviceEndpoint": map[string]any{"uri": "https://other.example"}},
				map[string]any{"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": endpoint},
			},
		},
	}
	if s.status != "" {
		d["status"] = s.status
	}
	return d
}

func (s *pds) opened(w http.ResponseWriter, r *http.Request) {
	d := s.described(r)
	d["accessJwt"], d["refreshJwt"] = s.issue(accessFor, 2*time.Hour), s.issue(renewFor, 90*24*time.Hour)
	answerJSON(w, http.StatusOK, d)
}

func (s *pds) createSession(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Identifier string `json:"identifier"`
		Password   string `json:"password"`
	}
	if !input(w, r, &in) {
		return
	}
	switch {
	case in.Identifier != handle && in.Identifier != did || in.Password != s.password:
		refuse(w, http.StatusUnauthorized, "AuthenticationRequired", "Invalid identifier or password")
	case s.refusal != nil:
		refuse(w, http.StatusUnauthorized, s.refusal.Name, s.refusal.Words)
	default:
		s.opened(w, r)
	}
}

func (s *pds) refreshSession(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "A request body was provided when none was expected")
		return
	}
	s.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")].ended = true
	s.opened(w, r)
}

func (s *pds) getSession(w http.ResponseWriter, r *http.Request) {
	answerJSON(w, http.StatusOK, s.described(r))
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

// writes reads such an input, and answers the record that is to be.
func (s *pds) writes(w http.ResponseWriter, r *http.Request) (write, *stored) {
	var in write
	if !input(w, r, &in) {
		return in, nil
	}
	if in.Repo != did && in.Repo != handle {
		refuse(w, http.StatusUnauthorized, "AuthRequired", "Authentication Required")
		return in, nil
	}
	next := &stored{key: in.Key, value: in.Record, figures: mission.Metrics{}}
	if err := s.check(in, next); err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "Invalid "+collection+" record: "+err.Error())
		return in, nil
	}
	var canonical any
	_ = json.Unmarshal(in.Record, &canonical)
	content, _ := json.Marshal(canonical)
	sum := sha256.Sum256(content)
	next.cid = "bafyrei" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:]))
	return in, next
}

func (s *pds) putRecord(w http.ResponseWriter, r *http.Request) {
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
		refuse(w, http.StatusBadRequest, "InvalidSwap", "Record was at "+next.cid)
	default:
		if current != nil {
			s.t.Error("a record is replaced")
		}
		s.commit(w, next)
	}
}

func (s *pds) createRecord(w http.ResponseWriter, r *http.Request) {
	in, next := s.writes(w, r)
	switch {
	case next == nil:
	case s.record(in.Key) != nil:
		refuse(w, http.StatusInternalServerError, "InternalServerError", "Internal Server Error")
	default:
		s.commit(w, next)
	}
}

func (s *pds) commit(w http.ResponseWriter, next *stored) {
	s.records = append(s.records, next)
	answerJSON(w, http.StatusOK, map[string]any{
		"uri": next.uri(), "cid": next.cid, "commit": map[string]string{"cid": "bafyreicommit", "rev": "3l25zusnsfctk"}, "validationStatus": "valid",
	})
}

// tids are the forms of TIDs, by their specification.
var tids = regexp.MustCompile(`^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$`)

// strictly reads JSON with no field that v hasn't.
func strictly(r interface{ Read([]byte) (int, error) }, v any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// check holds a record to its lexicon.
func (s *pds) check(in write, next *stored) error {
	caps, _ := mission.CapabilitiesOf(mission.Bluesky)
	if err := strictly(bytes.NewReader(in.Record), &next.post); err != nil {
		return err
	}
	p := next.post
	switch _, err := time.Parse(time.RFC3339, p.CreatedAt); {
	case in.Collection != collection || p.Type != collection:
		return errors.New("the stub takes posts only")
	case !tids.MatchString(in.Key):
		return fmt.Errorf("record key %q is no TID", in.Key)
	case err != nil:
		return fmt.Errorf("createdAt must be an valid atproto datetime: %w", err)
	case !textlimit.Fits(caps, p.Text):
		return errors.New("text must not be longer than 300 graphemes")
	}
	if err := checkFacets(p.Text, p.Facets); err != nil {
		return err
	}
	if p.Reply == nil {
		return nil
	}
	for _, ref := range []reference{p.Reply.Root, p.Reply.Parent} {
		if !slices.ContainsFunc(s.records, func(r *stored) bool { return r.uri() == ref.URI && r.cid == ref.CID }) {
			return fmt.Errorf("reply names %+v, which there isn't", ref)
		}
	}
	return nil
}

// checkFacets tells facets that don't stand in a text.
func checkFacets(text string, fs []facet) error {
	end := 0
	for _, f := range fs {
		i := f.Index
		if i.Start < end || i.End <= i.Start || i.End > len(text) || !utf8.RuneStart(text[i.Start]) || i.End < len(text) && !utf8.RuneStart(text[i.End]) {
			return fmt.Errorf("facet %+v isn't within %q", f, text)
		}
		end = i.End
		piece := text[i.Start:i.End]
		if len(f.Features) != 1 {
			return fmt.Errorf("facet %+v has no feature", f)
		}
		feature := f.Features[0]
		link := feature.Type == linkType && feature.URI == piece && feature.Tag == ""
		tag := feature.Type == tagType && "#"+feature.Tag == piece && feature.URI == ""
		if !link && !tag {
			return fmt.Errorf("facet %+v isn't of %q", f, piece)
		}
	}
	return nil
}

func (s *pds) getRecord(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	found := s.record(q.Get("rkey"))
	if q.Get("repo") != did && q.Get("repo") != handle || q.Get("collection") != collection || found == nil {
		refuse(w, http.StatusBadRequest, "RecordNotFound", "Could not locate record: at://"+q.Get("repo")+"/"+q.Get("collection")+"/"+q.Get("rkey"))
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"uri": found.uri(), "cid": found.cid, "value": found.value})
}

func (s *pds) getPosts(w http.ResponseWriter, r *http.Request) {
	uris := r.URL.Query()["uris"]
	if len(uris) == 0 || len(uris) > 25 {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "Error: uris must not have more than 25 elements")
		return
	}
	views := []map[string]any{}
	for _, found := range s.records {
		if !slices.Contains(uris, found.uri()) {
			continue
		}
		quotes := float64(int(found.figures[mission.Shares]) / 2)
		views = append(views, map[string]any{
			"uri": found.uri(), "cid": found.cid, "author": map[string]any{"did": did, "handle": handle}, "record": found.value,
			"likeCount": found.figures[mission.Likes], "replyCount": found.figures[mission.Comments], "bookmarkCount": 1,
			"repostCount": found.figures[mission.Shares] - quotes, "quoteCount": quotes, "indexedAt": "2026-08-20T00:00:00.000Z", "labels": []any{},
		})
	}
	answerJSON(w, http.StatusOK, map[string]any{"posts": views})
}
