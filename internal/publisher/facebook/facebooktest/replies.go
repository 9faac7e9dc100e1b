package facebooktest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
)

var _ publishertest.Answerer = (*Stub)(nil)

// Answer implements [publishertest.Answerer].
func (s *Stub) Answer(parent, handle, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addComment(s.find(parent), handle, text)
}

// ReadsReplies implements [publishertest.Answerer].
func (s *Stub) ReadsReplies(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments")
}

// IsHidden reports whether a comment is hidden.
func (s *Stub) IsHidden(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id).hidden
}

// Edit changes the text of a comment.
func (s *Stub) Edit(id, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).Text = text
}

// addComment adds a comment, the Page's if by is "", and returns its id. The caller holds the lock.
func (s *Stub) addComment(on *stored, by, text string) string {
	number := on.ID
	if post, comment, ok := strings.Cut(on.ID, "_"); ok && on.comment {
		number = post
	} else if ok {
		number = comment
	}
	if by != "" && s.strangers[by] == "" {
		s.strangers[by] = "7" + s.number()
	}
	return s.add(&stored{
		Post: publishertest.Post{ID: number + "_" + s.number(), Text: text, Parent: on.ID}, page: on.page, at: s.Now(), comment: true, by: by,
	})
}

// comments lists the comments on a post, or the replies to a comment: with filter=stream also those below
// them. The caller holds the lock.
func (s *Stub) comments(w http.ResponseWriter, r *http.Request, on *stored) {
	q := r.URL.Query()
	if !metatest.Only(w, q, "fields", "limit", "after", "filter", "order") {
		return
	}
	fields, ok := metatest.Fields(w, r, "id", "message", "created_time", "from", "is_hidden", "parent{id}", "permalink_url")
	if !ok {
		return
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	switch {
	case s.NoComments:
		metatest.Refuse(w, metatest.Failure{Status: http.StatusForbidden, Code: 10, Message: "(#10) This endpoint requires the 'pages_read_user_content' permission"})
		return
	case err != nil || limit < 1 || limit > 100, q.Has("filter") && q.Get("filter") != "stream", q.Has("order") && q.Get("order") != "reverse_chronological":
		metatest.Invalid(w, "limit, filter or order is invalid")
		return
	}
	var list []any
	under := map[string]bool{on.ID: true}
	for _, p := range s.posts {
		if !under[p.Parent] || p.deleted {
			continue
		}
		under[p.ID] = q.Get("filter") == "stream"
		list = append(list, only(s.shownComment(p), fields))
	}
	if q.Has("order") {
		slices.Reverse(list)
	}
	sendPage(w, list, q.Get("after"), limit)
}

// shownComment is a comment as the API shows it. The caller holds the lock.
func (s *Stub) shownComment(p *stored) map[string]any {
	shown := map[string]any{
		"id": p.ID, "message": p.Text, "created_time": p.created(), "is_hidden": p.hidden, "permalink_url": "https://www.facebook.com/" + p.page + "/posts/" + p.ID,
		"from": map[string]any{"id": s.strangers[p.by], "name": p.by},
	}
	if p.by == "" {
		shown["from"] = map[string]any{"id": p.page, "name": "Acme"}
	}
	if s.find(p.Parent).comment {
		shown["parent{id}"] = map[string]any{"id": p.Parent}
	}
	return shown
}

// hide hides a comment of a stranger's, which isn't hidden yet. The caller holds the lock.
func (s *Stub) hide(w http.ResponseWriter, r *http.Request, p *stored) {
	f, ok := form(w, r, "is_hidden")
	if !ok {
		return
	}
	if len(r.URL.RawQuery) > 0 || p.by == "" || p.hidden || f.Get("is_hidden") != "true" {
		metatest.Invalid(w, "The comment can't be hidden")
		return
	}
	p.hidden = true
	metatest.Send(w, http.StatusOK, map[string]any{"success": true})
}
