package xtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher/publishertest"
)

var _ publishertest.Answerer = (*Stub)(nil)

// hiddenPath matches the paths at which replies are hidden.
var hiddenPath = regexp.MustCompile(`^/2/tweets/([0-9]{1,19})/hidden$`)

// searched matches the searches that the stub knows: for the replies in a conversation, without an
// account's.
var searched = regexp.MustCompile(`^conversation_id:([0-9]{1,19}) is:reply -from:([0-9]{1,19})$`)

// Answer implements [publishertest.Answerer].
func (s *Stub) Answer(parent, handle, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &stored{Post: publishertest.Post{ID: s.NextID(s.Now()), Text: text, Parent: parent}, at: s.Now(), by: handle}
	s.posts = append(s.posts, p)
	return p.ID
}

// ReadsReplies implements [publishertest.Answerer].
func (s *Stub) ReadsReplies(r *http.Request) bool { return r.URL.Path == "/2/tweets/search/recent" }

// IsHidden reports whether a reply is hidden.
func (s *Stub) IsHidden(id string) bool { return s.post(id).hidden }

// userID returns the id of a post's author.
func (p *stored) userID() string {
	if p.by == "" {
		return UserID
	}
	h := fnv.New32()
	_, _ = h.Write([]byte(p.by))
	return strconv.Itoa(int(h.Sum32()))
}

// conversation returns the id of the post with which a conversation began.
func (s *Stub) conversation(p *stored) string {
	for p.Parent != "" {
		i := slices.IndexFunc(s.posts, func(o *stored) bool { return o.ID == p.Parent })
		if i < 0 {
			return p.Parent
		}
		p = s.posts[i]
	}
	return p.ID
}

// search finds the replies in a conversation of the last seven days, newest first. The caller holds
// the lock.
func (s *Stub) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("max_results"))
	asked := searched.FindStringSubmatch(q.Get("query"))
	since, begin := q.Get("since_id"), 0
	switch {
	case err != nil || limit < 10 || limit > 100:
		invalid(w, "The `max_results` query parameter value is not between 10 and 100")
		return
	case asked == nil || len(q.Get("query")) > 512:
		invalid(w, "There were errors processing your request: the query isn't known to the stub")
		return
	case since != "" && !regexp.MustCompile(`^[0-9]{1,19}$`).MatchString(since):
		invalid(w, "The `since_id` query parameter is invalid")
		return
	}
	var after int64
	if since != "" {
		after, _ = strconv.ParseInt(since, 10, 64)
		if s.Now().Sub(time.UnixMilli(after>>22+1288834974657)) > 7*24*time.Hour {
			invalid(w, "'since_id' must be a tweet id created after [TIMESTAMP]. Please use a 'since_id' that is larger than the last seven days")
			return
		}
	}
	if token := q.Get("next_token"); token != "" {
		if begin, err = strconv.Atoi(strings.TrimPrefix(token, "b26v89c19zqg8o3f")); err != nil {
			invalid(w, "The `next_token` query parameter is invalid")
			return
		}
	}
	data, users, seen, n, next := []any{}, []any{}, map[string]bool{}, 0, ""
	newest, oldest := "", ""
	for _, p := range slices.Backward(s.posts) {
		id, _ := strconv.ParseInt(p.ID, 10, 64)
		if p.deleted || p.Parent == "" || p.userID() == asked[2] || s.conversation(p) != asked[1] || id <= after || s.Now().Sub(p.at) > 7*24*time.Hour {
			continue
		}
		if n++; n <= begin {
			continue
		}
		if len(data) == limit {
			next = fmt.Sprintf("b26v89c19zqg8o3f%d", begin+limit)
			break
		}
		shown := s.written(p)
		shown["id"], shown["edit_history_tweet_ids"], shown["author_id"] = p.ID, []string{p.ID}, p.userID()
		shown["created_at"] = p.at.UTC().Format("2006-01-02T15:04:05.000Z")
		shown["referenced_tweets"] = []any{map[string]string{"type": "replied_to", "id": p.Parent}}
		data = append(data, shown)
		if newest == "" {
			newest = p.ID
		}
		oldest = p.ID
		if !seen[p.userID()] {
			seen[p.userID()] = true
			users = append(users, map[string]string{"id": p.userID(), "name": strings.ToUpper(p.by), "username": p.by})
		}
	}
	meta := map[string]any{"result_count": len(data)}
	if len(data) == 0 {
		send(w, http.StatusOK, map[string]any{"meta": meta})
		return
	}
	meta["newest_id"], meta["oldest_id"] = newest, oldest
	if next != "" {
		meta["next_token"] = next
	}
	send(w, http.StatusOK, map[string]any{"data": data, "includes": map[string]any{"users": users}, "meta": meta})
}

// hide hides a reply in a conversation that the account began. The caller holds the lock.
func (s *Stub) hide(w http.ResponseWriter, r *http.Request, id string) {
	var body struct {
		Hidden *bool `json:"hidden"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	i := slices.IndexFunc(s.posts, func(p *stored) bool { return p.ID == id && !p.deleted })
	switch {
	case d.Decode(&body) != nil || body.Hidden == nil || r.Header.Get("Content-Type") != "application/json":
		invalid(w, "The body is invalid")
	case i < 0:
		refuse(w, http.StatusNotFound, "https://api.twitter.com/2/problems/resource-not-found", "Could not find tweet with id: ["+id+"].")
	case s.posts[i].Parent == "":
		refuse(w, http.StatusForbidden, "about:blank", "You are not permitted to perform this action.")
	default:
		s.posts[i].hidden = *body.Hidden
		send(w, http.StatusOK, map[string]any{"data": map[string]bool{"hidden": *body.Hidden}})
	}
}
