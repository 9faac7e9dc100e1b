package linkedintest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"missiond/internal/publisher/publishertest"
)

var _ publishertest.Answerer = (*Stub)(nil)

// activity returns the URN of the activity that a post is, by which LinkedIn names the comments on it.
func activity(post string) string {
	return "urn:li:activity:" + post[strings.LastIndexByte(post, ':')+1:]
}

// Answer implements [publishertest.Answerer].
func (s *Stub) Answer(parent, handle, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	urn := fmt.Sprintf("urn:li:comment:(%s,75%017d)", activity(parent), s.n)
	s.posts = append(s.posts, &stored{Post: publishertest.Post{ID: urn, Text: text, Parent: parent}, author: "urn:li:person:" + handle, at: s.Now()})
	return urn
}

// ReadsReplies implements [publishertest.Answerer].
func (s *Stub) ReadsReplies(r *http.Request) bool {
	return r.Method == http.MethodGet && commented.MatchString(r.URL.EscapedPath())
}

// commenting takes or lists comments. The caller holds the lock.
func (s *Stub) commenting(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.comment(w, r)
	case http.MethodGet:
		s.comments(w, r)
	default:
		refuse(w, http.StatusMethodNotAllowed, 0, "Method Not Allowed")
	}
}

// comments lists the comments on a post, for a token with r_organization_social. The caller holds the
// lock.
func (s *Stub) comments(w http.ResponseWriter, r *http.Request) {
	urn, err := url.PathUnescape(commented.FindStringSubmatch(r.URL.EscapedPath())[1])
	q := r.URL.Query()
	start, bad := strconv.Atoi(q.Get("start"))
	count, worse := strconv.Atoi(q.Get("count"))
	switch {
	case err != nil || bad != nil || worse != nil || start < 0 || count < 1 || count > 100 || len(q) != 2:
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request")
		return
	case s.Account != Organization || !s.Listing:
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to access: socialActions.GET_ALL")
		return
	case s.find(urn) == nil:
		refuse(w, http.StatusNotFound, 0, "The post isn't there")
		return
	}
	elements, n := []any{}, 0
	for _, p := range s.posts {
		if p.deleted || p.Parent != urn {
			continue
		}
		if n++; n <= start || len(elements) == count {
			continue
		}
		id := p.ID[strings.LastIndexByte(p.ID, ',')+1 : len(p.ID)-1]
		elements = append(elements, map[string]any{
			"actor": p.author, "commentUrn": "urn:li:comment:(" + activity(urn) + "," + id + ")", "id": id, "object": activity(urn),
			"message": map[string]any{"attributes": []any{}, "text": p.Text},
			"created": map[string]any{"actor": p.author, "time": p.at.UnixMilli()}, "lastModified": map[string]any{"actor": p.author, "time": p.at.UnixMilli()},
		})
	}
	send(w, http.StatusOK, map[string]any{"elements": elements, "paging": map[string]any{"count": count, "start": start, "links": []any{}, "total": n}})
}
