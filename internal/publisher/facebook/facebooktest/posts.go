package facebooktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// mostFiles is how many pictures a post has.
const mostFiles = 10

// feed publishes a post. The caller holds the lock.
func (s *Stub) feed(w http.ResponseWriter, r *http.Request, page string) {
	names := []string{"message", "link"}
	for i := range mostFiles {
		names = append(names, fmt.Sprintf("attached_media[%d]", i))
	}
	f, ok := form(w, r, names...)
	if !ok || len(r.URL.RawQuery) > 0 {
		return
	}
	message, link := f.Get("message"), f.Get("link")
	var files []publishertest.File
	for i := 0; f.Has(fmt.Sprintf("attached_media[%d]", i)); i++ {
		var media map[string]string
		err := json.Unmarshal([]byte(f.Get(fmt.Sprintf("attached_media[%d]", i))), &media)
		file, known := s.File(media["media_fbid"])
		if err != nil || len(media) != 1 || !known || file.Owner != page {
			metatest.Invalid(w, "Param attached_media[%d] must be a photo that isn't published yet", i)
			return
		}
		files = append(files, file)
	}
	switch {
	case message == "" || utf8.RuneCountInString(message) > maxMessage:
		metatest.Invalid(w, "Param message must be at most %d characters long", maxMessage)
		return
	case len(f)-1 != len(files) && !(f.Has("link") && len(f) == 2):
		metatest.Invalid(w, "attached_media has a gap, or comes with a link")
		return
	case f.Has("link") && !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://"), s.BadLinks && f.Has("link"):
		metatest.Refuse(w, metatest.Failure{Code: 100, Subcode: 1609005, Message: "The link you posted is invalid"})
		return
	}
	for _, p := range slices.Backward(s.posts) {
		if p.comment || p.deleted || p.page != page {
			continue
		}
		if p.Text == message {
			metatest.Refuse(w, metatest.Failure{Code: 506, Message: "Duplicate status message"})
			return
		}
		break
	}
	id := s.add(&stored{Post: publishertest.Post{Text: message}, page: page, at: s.Now(), link: link})
	s.Attach(id, files...)
	metatest.Send(w, http.StatusOK, map[string]any{"id": id})
}

// commentOn adds a comment to a post, or to a comment that isn't on one itself. The caller holds the lock.
func (s *Stub) commentOn(w http.ResponseWriter, r *http.Request, on *stored) {
	f, ok := form(w, r, "message")
	if !ok {
		return
	}
	if n := utf8.RuneCountInString(f.Get("message")); on.comment && s.find(on.Parent).comment || n == 0 || n > 8_000 {
		metatest.Invalid(w, "message is invalid")
		return
	}
	metatest.Send(w, http.StatusOK, map[string]any{"id": s.addComment(on, "", f.Get("message"))})
}

// timeForm is how the API writes times.
const timeForm = "2006-01-02T15:04:05-0700"

// list lists the Page's posts, newest first. The caller holds the lock.
func (s *Stub) list(w http.ResponseWriter, r *http.Request, page string) {
	q := r.URL.Query()
	if !metatest.Only(w, q, "fields", "limit", "after", "since") {
		return
	}
	fields, ok := metatest.Fields(w, r, "id", "message", "created_time")
	if !ok {
		return
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	since, sinceErr := strconv.ParseInt(q.Get("since"), 10, 64)
	if err != nil || limit < 1 || limit > 100 || sinceErr != nil && q.Has("since") {
		metatest.Invalid(w, "limit or since is invalid")
		return
	}
	var list []any
	for _, p := range slices.Backward(s.posts) {
		if p.comment || p.deleted || p.page != page || p.at.Unix() < since || s.Hidden > 0 {
			continue
		}
		id := p.ID
		if p.video != "" { // it is listed as the post that shows it, once that is there
			if id = p.page + "_9" + p.ID; s.State(p.video) != publishertest.FileReady {
				continue
			}
		}
		list = append(list, only(map[string]any{"id": id, "message": p.Text, "created_time": p.at.UTC().Format(timeForm)}, fields))
	}
	s.Hidden = max(0, s.Hidden-1)
	sendPage(w, list, q.Get("after"), limit)
}

// sendPage sends the part of a list that begins after a cursor.
func sendPage(w http.ResponseWriter, list []any, after string, limit int) {
	from, _ := strconv.Atoi(after)
	data := append([]any{}, list[min(from, len(list)):min(from+limit, len(list))]...)
	paging := map[string]any{"cursors": map[string]any{"after": strconv.Itoa(from + len(data)), "before": "0"}}
	if from+len(data) < len(list) {
		paging["next"] = "https://graph.example/next?access_token=secret"
	}
	metatest.Send(w, http.StatusOK, map[string]any{"data": data, "paging": paging})
}

// showPost shows what a post got. One that nobody shared has no shares. The caller holds the lock.
func (s *Stub) showPost(w http.ResponseWriter, r *http.Request, p *stored) {
	count := func(m mission.Metric) map[string]any {
		return map[string]any{"data": []any{}, "summary": map[string]any{"total_count": p.figures[m]}}
	}
	object := map[string]any{
		"id": p.ID, "reactions.limit(0).summary(total_count)": count(mission.Likes), "comments.limit(0).summary(total_count)": count(mission.Comments),
		"shares": map[string]any{"count": p.figures[mission.Shares]},
	}
	if p.figures[mission.Shares] == 0 {
		object["shares"] = nil
	}
	s.show(w, r, object)
}

// insightNames are the insights of a post that there are.
var insightNames = map[string]mission.Metric{
	"post_media_view": mission.Views, "post_total_media_view_unique": mission.Reach, "post_clicks": mission.Clicks,
}

// insights shows figures of a post, by whose own id they are asked for. The caller holds the lock.
func (s *Stub) insights(w http.ResponseWriter, r *http.Request, p *stored, id string) {
	if !metatest.Only(w, r.URL.Query(), "metric") {
		return
	}
	if p.comment || p.video != "" && p.ID == id {
		gone(w, id)
		return
	}
	data := []any{}
	for name := range strings.SplitSeq(r.URL.Query().Get("metric"), ",") {
		metric, ok := insightNames[name]
		if !ok || slices.Contains(s.Ended, name) {
			metatest.Invalid(w, "The value must be a valid insights metric")
			return
		}
		if v, there := p.figures[metric]; there {
			data = append(data, map[string]any{"name": name, "period": "lifetime", "values": []any{map[string]any{"value": v}}, "id": id + "/insights/" + name + "/lifetime"})
		}
	}
	metatest.Send(w, http.StatusOK, map[string]any{"data": data, "paging": map[string]any{}})
}

// created is when a post is from.
func (p *stored) created() string { return p.at.UTC().Format(timeForm) }
