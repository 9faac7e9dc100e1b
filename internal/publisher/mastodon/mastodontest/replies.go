package mastodontest

import (
	"net/http"
	"strings"

	"missiond/internal/publisher/publishertest"
)

var _ publishertest.Answerer = (*Stub)(nil)

// Answer implements [publishertest.Answerer].
func (s *Stub) Answer(parent, handle, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.add(text, parent, s.Now())
	p.By = handle
	return p.ID
}

// ReadsReplies implements [publishertest.Answerer].
func (s *Stub) ReadsReplies(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/api/v1/statuses/") && strings.HasSuffix(r.URL.Path, "/context")
}

// author returns the Account of a status' author: those of other servers are named with theirs.
func (s *Stub) author(r *http.Request, p *Status) map[string]any {
	if p.By == "" {
		return map[string]any{"id": AccountID, "username": "ada", "acct": "ada", "display_name": "Ada L.", "url": "https://" + r.Host + "/@ada", "avatar": publishertest.Picture}
	}
	return map[string]any{
		"id": "20" + p.ID, "username": p.By, "acct": p.By + "@elsewhere.example", "display_name": strings.ToUpper(p.By), "url": "https://elsewhere.example/@" + p.By,
	}
}

// context shows what a status replies to, and what descends from it.
func (s *Stub) context(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/api/v1/statuses/"), "/context")
	if s.status(id) == nil {
		refuse(w, http.StatusNotFound, "Record not found")
		return
	}
	ancestors, descendants, below := []any{}, []any{}, map[string]bool{id: true}
	for p := s.status(s.status(id).Parent); p != nil; p = s.status(p.Parent) {
		ancestors = append(ancestors, s.shown(r, p))
	}
	for _, p := range s.statuses { // those that reply are younger
		if below[p.Parent] && p.Visibility != "direct" {
			below[p.ID] = true
			descendants = append(descendants, s.shown(r, p))
		}
	}
	answerJSON(w, http.StatusOK, map[string]any{"ancestors": ancestors, "descendants": descendants})
}
