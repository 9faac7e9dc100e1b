package linkedintest

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"missiond/internal/publisher/publishertest"
)

// lists matches the query of an organization's posts.
var lists = regexp.MustCompile(`^author=urn%3Ali%3A(person|organization)%3A([\w-]+)&q=author&count=(\d+)&start=(\d+)&sortBy=LAST_MODIFIED$`)

// templates are hashtags in a commentary, which LinkedIn returns as templates.
var templates = regexp.MustCompile(`(^|[\s“])#([\p{L}\p{M}\p{N}_]+)`)

// list shows an organization's posts, the last modified first. The caller holds the lock.
func (s *Stub) list(w http.ResponseWriter, r *http.Request) {
	requested := lists.FindStringSubmatch(r.URL.RawQuery)
	switch {
	case requested == nil:
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request: "+r.URL.RawQuery)
		return
	case requested[1] != "organization" || !s.Listing || "urn:li:organization:"+requested[2] != Organization:
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to access: partnerApiPostsExternal.FINDER-author")
		return
	}
	count, _ := strconv.Atoi(requested[3])
	start, _ := strconv.Atoi(requested[4])
	elements := []any{}
	for _, p := range slices.Backward(s.posts) {
		if p.deleted || s.Now().Sub(p.at) < s.Lag || p.author != Organization || strings.HasPrefix(p.ID, "urn:li:comment:") {
			continue
		}
		if start > 0 {
			start--
			continue
		}
		if len(elements) == count || count > 100 {
			break
		}
		elements = append(elements, map[string]any{
			"id": p.ID, "author": p.author, "commentary": templates.ReplaceAllString(p.commentary, `$1{hashtag|\#|$2}`),
			"createdAt": p.at.UnixMilli(), "publishedAt": p.at.UnixMilli(), "lastModifiedAt": p.at.UnixMilli(), "lifecycleState": "PUBLISHED",
		})
	}
	send(w, http.StatusOK, map[string]any{"paging": map[string]any{"start": start, "count": count}, "elements": elements})
}

// SeedAs adds an author's post.
func (s *Stub) SeedAs(author, commentary string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts = append(s.posts, &stored{author: author, commentary: commentary, at: s.Now(), Post: publishertest.Post{ID: s.urn(), Text: Shown(commentary)}})
}
