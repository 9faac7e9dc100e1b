package blueskytest

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

var _ publishertest.Answerer = (*Stub)(nil)

// did returns the DID of a record's author.
func (r *stored) did() string {
	if r.by == "" {
		return DID
	}
	sum := sha256.Sum256([]byte(r.by))
	return "did:plc:" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:24])
}

// handle returns the handle of a record's author.
func (r *stored) handle() string {
	if r.by == "" {
		return Handle
	}
	return r.by + ".bsky.example"
}

// Answer implements [publishertest.Answerer].
func (s *Stub) Answer(parent, handle, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := &stored{key: fmt.Sprintf("3answer%06d", len(s.records)), by: handle, figures: mission.Metrics{}}
	to := s.at(parent)
	if to == nil {
		s.t.Fatalf("there is no post %s", parent)
	}
	record := map[string]any{"$type": collection, "text": text, "createdAt": s.Now().UTC().Format("2006-01-02T15:04:05.000Z")}
	root := reference{to.uri(), to.cid}
	if to.post.Reply != nil {
		root = to.post.Reply.Root
	}
	record["reply"] = map[string]any{"root": root, "parent": reference{to.uri(), to.cid}}
	n.value, _ = json.Marshal(record)
	_ = json.Unmarshal(n.value, &n.post)
	n.cid = cid(n.value)
	s.records = append(s.records, n)
	return n.uri()
}

// at returns the record at an address, or nil.
func (s *Stub) at(uri string) *stored {
	i := slices.IndexFunc(s.records, func(r *stored) bool { return r.uri() == uri })
	if i < 0 {
		return nil
	}
	return s.records[i]
}

// ReadsReplies implements [publishertest.Answerer].
func (s *Stub) ReadsReplies(r *http.Request) bool {
	return r.URL.Path == "/xrpc/app.bsky.feed.getPostThread"
}

// getPostThread shows a post with the replies to it (app.bsky.feed.getPostThread).
func (s *Stub) getPostThread(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	depth, err := strconv.Atoi(q.Get("depth"))
	for name := range q {
		if !slices.Contains([]string{"uri", "depth", "parentHeight"}, name) {
			s.t.Errorf("a thread is requested with %q", name)
		}
	}
	switch found := s.at(q.Get("uri")); {
	case err != nil || depth < 0 || depth > 1000:
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Error: depth must be 0 to 1000")
	case s.NoIndex:
		Refuse(w, http.StatusBadGateway, "UpstreamFailure", "pipethrough network error")
	case found == nil:
		Refuse(w, http.StatusBadRequest, "NotFound", "Post not found: "+q.Get("uri"))
	default:
		answerJSON(w, http.StatusOK, map[string]any{"thread": s.thread(found, depth)})
	}
}

func (s *Stub) thread(of *stored, depth int) map[string]any {
	view := map[string]any{"$type": "app.bsky.feed.defs#threadViewPost", "post": map[string]any{
		"uri": of.uri(), "cid": of.cid, "author": map[string]any{"did": of.did(), "handle": of.handle(), "displayName": strings.ToUpper(of.by)},
		"record": of.value, "replyCount": 0, "indexedAt": "2026-08-20T00:00:00.000Z",
	}}
	if depth == 0 {
		return view
	}
	replies := []any{}
	for _, r := range s.records {
		if r.post.Reply != nil && r.post.Reply.Parent.URI == of.uri() {
			replies = append(replies, s.thread(r, depth-1))
		}
	}
	view["replies"] = replies
	return view
}
