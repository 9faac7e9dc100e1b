package metatest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

var _ publishertest.Answerer = (*Stub)(nil)

// Answer implements [publishertest.Answerer].
func (s *Stub) Answer(parent, handle, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	p := &stored{Post: publishertest.Post{ID: fmt.Sprintf("18200%012d", s.n), Text: text, Parent: parent}, at: s.Now(), by: handle, comment: s.comments()}
	s.posts = append(s.posts, p)
	return p.ID
}

// comments reports whether replies are comments, as they are on Instagram.
func (s *Stub) comments() bool { return slices.Contains(s.Rules.Lists, "media") }

// ReadsReplies implements [publishertest.Answerer].
func (s *Stub) ReadsReplies(r *http.Request) bool {
	return r.Method == http.MethodGet && (strings.HasSuffix(r.URL.Path, "/conversation") || strings.HasSuffix(r.URL.Path, "/comments"))
}

// IsHidden reports whether a reply is hidden.
func (s *Stub) IsHidden(id string) bool { return s.post(id).hidden }

// answered handles what is about replies; false declines it. The caller holds the lock.
func (s *Stub) answered(w http.ResponseWriter, r *http.Request, id, edge string) bool {
	p, get, post := s.find(id), r.Method == http.MethodGet, r.Method == http.MethodPost
	known := p != nil && !p.deleted
	switch {
	case get && edge == "conversation" && !s.comments(), get && edge == "comments" && s.comments():
		if !known || p.Parent != "" {
			missing(w, id)
			return true
		}
		s.replies(w, r, p)
	case get && edge == "replies" && s.comments() && id != UserID:
		if !known || !p.comment {
			missing(w, id)
			return true
		}
		s.replies(w, r, p)
	case post && edge == "replies" && s.comments():
		s.reply(w, r, id)
	case post && (edge == "manage_reply" && !s.comments() || edge == "" && s.comments() && p != nil && p.comment):
		s.hide(w, r, p)
	default:
		return false
	}
	return true
}

// reply adds an answer to a comment that isn't one itself. The caller holds the lock.
func (s *Stub) reply(w http.ResponseWriter, r *http.Request, id string) {
	if r.ParseForm() != nil || len(r.URL.RawQuery) > 0 || !Only(w, r.PostForm, "message") {
		return
	}
	on := s.find(id)
	if on == nil || !on.comment || on.deleted || s.find(on.Parent).comment {
		missing(w, id)
		return
	}
	if n := utf8.RuneCountInString(r.PostForm.Get("message")); n == 0 || n > 2200 {
		Invalid(w, "message is invalid")
		return
	}
	s.n++
	p := &stored{Post: publishertest.Post{ID: fmt.Sprintf("18100%012d", s.n), Text: r.PostForm.Get("message"), Parent: id}, at: s.Now(), comment: true}
	s.posts = append(s.posts, p)
	Send(w, http.StatusOK, map[string]any{"id": p.ID})
}

// hide hides a reply of a stranger's. The caller holds the lock.
func (s *Stub) hide(w http.ResponseWriter, r *http.Request, p *stored) {
	if r.ParseForm() != nil || len(r.URL.RawQuery) > 0 || !Only(w, r.PostForm, "hide") {
		return
	}
	switch {
	case p == nil || p.deleted:
		missing(w, r.URL.Path)
	case p.by == "" || r.PostForm.Get("hide") != "true":
		Invalid(w, "hide is invalid")
	default:
		p.hidden = true
		Send(w, http.StatusOK, map[string]any{"success": true})
	}
}

// replies lists the replies to a post, or to a comment: on Threads at any depth, the account's too.
// The caller holds the lock.
func (s *Stub) replies(w http.ResponseWriter, r *http.Request, to *stored) {
	q := r.URL.Query()
	if !Only(w, q, "fields", "limit", "after") {
		return
	}
	own, nested, _ := strings.Cut(q.Get("fields"), ",replies{")
	nested = strings.TrimSuffix(nested, "}")
	known := []string{"id", "text", "username", "permalink", "timestamp", "replied_to", "is_reply_owned_by_me", "hide_status"}
	if s.comments() {
		known = []string{"id", "text", "username", "timestamp", "hidden", "user", "from", "parent_id"}
	}
	for _, f := range strings.Split(strings.Trim(own+","+nested, ","), ",") {
		if !slices.Contains(known, f) || nested != "" && !s.comments() {
			Invalid(w, "Tried accessing nonexisting field (%s)", f)
			return
		}
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	from, wrong := strconv.Atoi("0" + q.Get("after"))
	if err != nil || wrong != nil || limit < 1 || limit > 100 {
		Invalid(w, "limit is invalid")
		return
	}
	list := s.below(to, own, nested)
	page := list[min(from, len(list)):min(from+limit, len(list))]
	paging := map[string]any{"cursors": map[string]any{"after": strconv.Itoa(from + len(page)), "before": "0"}}
	if from+len(page) < len(list) {
		paging["next"] = "https://graph.example/next?access_token=secret"
	}
	Send(w, http.StatusOK, map[string]any{"data": page, "paging": paging})
}

// below returns what replies to a post.
func (s *Stub) below(to *stored, fields, nested string) []map[string]any {
	list := []map[string]any{}
	under := map[string]bool{to.ID: true}
	for _, p := range s.posts {
		if p.deleted || !under[p.Parent] || s.comments() && p.Parent != to.ID {
			continue
		}
		under[p.ID] = true
		shown := s.answer(p, fields)
		if replies := s.below(p, nested, ""); nested != "" && len(replies) > 0 {
			shown["replies"] = map[string]any{"data": replies}
		}
		list = append(list, shown)
	}
	return list
}

// answer is a reply as the API shows it.
func (s *Stub) answer(p *stored, fields string) map[string]any {
	all := s.shown(p, []string{"text", "permalink", "timestamp", "replied_to"})
	all["is_reply_owned_by_me"], all["hide_status"], all["hidden"] = p.by == "", "NOT_HUSHED", p.hidden
	if p.hidden {
		all["hide_status"] = "HIDDEN"
	}
	if parent := s.find(p.Parent); parent != nil && parent.comment {
		all["parent_id"] = p.Parent
	}
	all["username"], all["from"] = p.by, map[string]any{"id": "9" + p.by, "username": p.by}
	if p.by == "" {
		all["username"], all["user"], all["from"] = "ada", map[string]any{"id": UserID}, map[string]any{"id": "9" + UserID, "username": "ada"}
	}
	got := map[string]any{"id": p.ID}
	for _, f := range strings.Split(fields, ",") {
		if v, ok := all[f]; ok {
			got[f] = v
		}
	}
	return got
}
