package metatest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// containerLife is how long a container lasts.
const containerLife = 24 * time.Hour

// create makes a container. The caller holds the lock.
func (s *Stub) create(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || len(r.URL.RawQuery) > 0 || !Only(w, r.PostForm, s.Rules.Form...) {
		return
	}
	f := r.PostForm
	k := &container{form: f, at: s.Now()}
	if text := f.Get("children"); text != "" {
		k.children = strings.Split(text, ",")
	}
	if problem := s.Rules.Check(f, len(k.children)); problem != nil {
		Refuse(w, *problem)
		return
	}
	if to := f.Get("reply_to_id"); f.Has("reply_to_id") && s.find(to) == nil {
		missing(w, to)
		return
	}
	for _, child := range k.children {
		if c := s.containers[child]; c == nil || c.form.Get("is_carousel_item") != "true" || s.stateOf(child) != "FINISHED" {
			Invalid(w, "The child %s isn't a finished carousel item", child)
			return
		}
	}
	if n := utf8.RuneCountInString(f.Get("alt_text")); n > s.Rules.AltText || f.Has("alt_text") && n == 0 {
		Invalid(w, "Param alt_text must be at most %d characters long", s.Rules.AltText)
		return
	}
	s.n++
	id := fmt.Sprintf("17900%012d", s.n)
	file, ok := s.fetch(w, f)
	if !ok {
		return
	}
	s.containers[id] = k
	s.Put(id, file)
	if f.Has("video_url") {
		s.End(id)
	} else {
		s.Ready(id)
	}
	Send(w, http.StatusOK, map[string]any{"id": id})
}

// fetch fetches a container's file, as the platform does: without following redirects.
func (s *Stub) fetch(w http.ResponseWriter, f url.Values) (publishertest.File, bool) {
	for field, types := range s.Rules.Types {
		if !f.Has(field) {
			continue
		}
		unfetched := Failure{Code: 9004, Subcode: 2207052, Message: "Only photo or video can be accepted as media type. The media could not be fetched from this URI: " + f.Get(field)}
		req, err := http.NewRequest(http.MethodGet, f.Get(field), http.NoBody)
		if err != nil {
			Refuse(w, unfetched)
			return publishertest.File{}, false
		}
		resp, err := s.fetcher.Do(req)
		if err != nil {
			Refuse(w, unfetched)
			return publishertest.File{}, false
		}
		defer func() { _ = resp.Body.Close() }()
		content, err := io.ReadAll(io.LimitReader(resp.Body, s.Rules.Bytes[field]+1))
		if err != nil || resp.StatusCode != http.StatusOK || !slices.Contains(types, resp.Header.Get("Content-Type")) {
			Refuse(w, unfetched)
			return publishertest.File{}, false
		}
		if int64(len(content)) > s.Rules.Bytes[field] {
			Refuse(w, Failure{Code: 36000, Subcode: 2207004, Message: "The image size is too large."})
			return publishertest.File{}, false
		}
		return publishertest.File{Type: resp.Header.Get("Content-Type"), Size: int64(len(content)), Alt: f.Get("alt_text"), Pieces: map[int][]byte{0: content}}, true
	}
	return publishertest.File{}, true
}

// stateOf returns the state of a container; "" if it is gone. The caller holds the lock.
func (s *Stub) stateOf(id string) string {
	k := s.containers[id]
	switch {
	case k == nil:
		return ""
	case k.published:
		return "PUBLISHED"
	case s.Now().Sub(k.at) > containerLife:
		return "EXPIRED"
	}
	return map[publishertest.FileState]string{
		publishertest.FileReady: "FINISHED", publishertest.FileProcessing: "IN_PROGRESS", publishertest.FileFailed: "ERROR",
	}[s.State(id)]
}

func (s *Stub) state(w http.ResponseWriter, r *http.Request, id string) {
	if !Only(w, r.URL.Query(), "fields") {
		return
	}
	if _, ok := Fields(w, r, "id", s.Rules.State, s.Rules.Problem); !ok {
		return
	}
	state := s.stateOf(id)
	if state == "" {
		missing(w, id)
		return
	}
	if state == "IN_PROGRESS" {
		s.Look(id)
	}
	shown := map[string]any{"id": id, s.Rules.State: state}
	if state == "ERROR" {
		shown[s.Rules.Problem] = s.Rules.Failed
	}
	Send(w, http.StatusOK, shown)
}

// publish publishes a container. The caller holds the lock.
func (s *Stub) publish(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || len(r.URL.RawQuery) > 0 || !Only(w, r.PostForm, "creation_id") {
		return
	}
	id := r.PostForm.Get("creation_id")
	k := s.containers[id]
	reply := k != nil && k.form.Has("reply_to_id")
	state := s.stateOf(id)
	used, replies := s.used()
	switch {
	case state == "FINISHED" && s.Loses > 0:
		s.Loses--
		delete(s.containers, id)
		fallthrough
	case state != "FINISHED" && state != "IN_PROGRESS":
		Refuse(w, s.Rules.Gone)
		return
	case state == "IN_PROGRESS":
		Refuse(w, Failure{Code: 9007, Subcode: 2207027, Message: "The media is not ready for publishing, please wait for a moment"})
		return
	case k.form.Get("is_carousel_item") == "true":
		Invalid(w, "A carousel item can't be published")
		return
	case !reply && used >= s.Total, reply && replies >= s.TotalReplies:
		Refuse(w, Failure{Code: 9, Subcode: 2207042, Message: "You reached maximum number of posts that is allowed to be published by Content Publishing API."})
		return
	}
	k.published = true
	s.n++
	p := &stored{
		Post: publishertest.Post{ID: fmt.Sprintf("18000%012d", s.n), Text: k.form.Get(s.Rules.Text), Parent: k.form.Get("reply_to_id")}, at: s.Now(), Form: k.form,
	}
	s.posts = append(s.posts, p)
	files := []publishertest.File{}
	for _, each := range append(slices.Clone(k.children), id) {
		if f, ok := s.File(each); ok && f.Type != "" {
			files = append(files, f)
		}
	}
	s.Attach(p.ID, files...)
	Send(w, http.StatusOK, map[string]any{"id": p.ID})
}

// used returns how many posts and replies the account has published in the last day.
func (s *Stub) used() (posts, replies int) {
	posts, replies = s.Used, s.UsedReplies
	for _, p := range s.posts {
		switch {
		case p.comment || p.by != "" || s.Now().Sub(p.at) > 24*time.Hour:
		case p.Parent != "":
			replies++
		default:
			posts++
		}
	}
	return posts, replies
}

func (s *Stub) limit(w http.ResponseWriter, r *http.Request) {
	if !Only(w, r.URL.Query(), "fields") {
		return
	}
	known := []string{"quota_usage", "config"}
	if s.Rules.Limit == "threads_publishing_limit" {
		known = append(known, "reply_quota_usage", "reply_config", "delete_quota_usage", "delete_config")
	}
	fields, ok := Fields(w, r, known...)
	if !ok {
		return
	}
	shown := map[string]any{}
	posts, replies := s.used()
	for _, f := range fields {
		shown[f] = map[string]any{
			"quota_usage": posts, "config": map[string]any{"quota_total": s.Total, "quota_duration": 86400},
			"reply_quota_usage": replies, "reply_config": map[string]any{"quota_total": s.TotalReplies, "quota_duration": 86400},
		}[f]
	}
	Send(w, http.StatusOK, map[string]any{"data": []any{shown}})
}

// comment adds a comment to a post. The caller holds the lock.
func (s *Stub) comment(w http.ResponseWriter, r *http.Request, id string) {
	if r.ParseForm() != nil || len(r.URL.RawQuery) > 0 || !Only(w, r.PostForm, "message") {
		return
	}
	if on := s.find(id); on == nil || on.comment || on.deleted {
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

// shown is a post as the API shows it.
func (s *Stub) shown(p *stored, fields []string) map[string]any {
	all := map[string]any{
		"id": p.ID, "text": p.Text, "caption": p.Text, "permalink": s.Rules.Address + p.ID, "timestamp": p.at.UTC().Format("2006-01-02T15:04:05-0700"),
	}
	if p.Parent != "" {
		all["replied_to"] = map[string]any{"id": p.Parent}
	}
	got := map[string]any{"id": p.ID}
	for _, f := range fields {
		if v, ok := all[f]; ok {
			got[f] = v
		}
	}
	return got
}

func (s *Stub) show(w http.ResponseWriter, r *http.Request, p *stored) {
	if !Only(w, r.URL.Query(), "fields") {
		return
	}
	fields, ok := Fields(w, r, "id", s.Rules.Text, "permalink", "timestamp")
	switch {
	case !ok:
	case p.deleted:
		missing(w, p.ID)
	default:
		Send(w, http.StatusOK, s.shown(p, fields))
	}
}

// list lists the account's posts, newest first. The caller holds the lock.
func (s *Stub) list(w http.ResponseWriter, r *http.Request, edge string) {
	q := r.URL.Query()
	if !Only(w, q, "fields", "limit", "after", "since") {
		return
	}
	known := []string{"id", s.Rules.Text, "permalink", "timestamp"}
	if edge == "replies" {
		known = append(known, "replied_to", "root_post", "is_reply")
	}
	fields, ok := Fields(w, r, known...)
	limit, err := strconv.Atoi(q.Get("limit"))
	if !ok {
		return
	}
	if err != nil || limit < 1 || limit > 100 {
		Invalid(w, "limit is invalid")
		return
	}
	var list []map[string]any
	for _, p := range slices.Backward(s.posts) {
		if !p.deleted && !p.comment && p.by == "" && !s.Hidden && (p.Parent != "") == (edge == "replies") {
			list = append(list, s.shown(p, fields))
		}
	}
	from, _ := strconv.Atoi(q.Get("after"))
	page := list[min(from, len(list)):min(from+limit, len(list))]
	paging := map[string]any{"cursors": map[string]any{"after": strconv.Itoa(from + len(page)), "before": "0"}}
	if from+len(page) < len(list) {
		paging["next"] = "https://graph.example/next?access_token=secret"
	}
	if page == nil {
		page = []map[string]any{}
	}
	Send(w, http.StatusOK, map[string]any{"data": page, "paging": paging})
}

// insights shows figures of a post. The caller holds the lock.
func (s *Stub) insights(w http.ResponseWriter, r *http.Request, id string) {
	p := s.find(id)
	if !Only(w, r.URL.Query(), "metric") {
		return
	}
	if p == nil || p.deleted || p.comment {
		missing(w, id)
		return
	}
	data := []any{}
	for _, name := range strings.Split(r.URL.Query().Get("metric"), ",") {
		metric, ok := s.Rules.Insights[name]
		if !ok || slices.Contains(s.Ended, name) {
			Invalid(w, "metric[0] must be one of the following values: …, not %s", name)
			return
		}
		v, there := p.figures[metric]
		if name == "quotes" { // of the shares all but one are reposts
			v = min(v, 1)
		}
		if name == "reposts" {
			v -= min(v, 1)
		}
		if there {
			data = append(data, map[string]any{"name": name, "period": "lifetime", "values": []any{map[string]any{"value": v}}, "title": name, "id": id + "/insights/" + name + "/lifetime"})
		}
	}
	Send(w, http.StatusOK, map[string]any{"data": data})
}

// Seed adds a post of a time, and returns its id.
func (s *Stub) Seed(text string, at time.Time, figures mission.Metrics) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	p := &stored{Post: publishertest.Post{ID: fmt.Sprintf("18000%012d", s.n), Text: text}, at: at, figures: figures}
	s.posts = append(s.posts, p)
	return p.ID
}
