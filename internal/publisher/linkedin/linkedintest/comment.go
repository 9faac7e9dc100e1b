package linkedintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// commented matches the paths of posts' comments. The URN must be encoded.
var commented = regexp.MustCompile(`^/rest/socialActions/(urn%3Ali%3A(?:(?:share|ugcPost)%3A\d+|comment%3A%28urn%3Ali%3Aactivity%3A\d+%2C\d+%29))/comments$`)

// comment takes a comment on a post. The same comment is taken twice. The caller holds the
// lock.
func (s *Stub) comment(w http.ResponseWriter, r *http.Request) {
	urn, err := url.PathUnescape(commented.FindStringSubmatch(r.URL.EscapedPath())[1])
	var body struct {
		Actor   string `json:"actor"`
		Object  string `json:"object"`
		Message struct {
			Text string `json:"text"`
		} `json:"message"`
		Parent string `json:"parentComment"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	switch {
	case err != nil || d.Decode(&body) != nil || r.Header.Get("Content-Type") != "application/json" || r.URL.RawQuery != "" || body.Object != urn && body.Parent != urn || body.Message.Text == "":
		refuse(w, http.StatusBadRequest, 0, "Invalid comment")
		return
	case body.Actor != Person && body.Actor != Organization:
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to act as "+body.Actor)
		return
	case s.find(body.Object) == nil || body.Parent != "" && s.find(body.Parent) == nil:
		refuse(w, http.StatusNotFound, 0, "The post isn't there")
		return
	case utf8.RuneCountInString(body.Message.Text) > 1250:
		refuse(w, http.StatusBadRequest, 0, "The comment is too long")
		return
	}
	s.n++
	id := fmt.Sprintf("74%017d", s.n)
	s.posts = append(s.posts, &stored{Post: publishertest.Post{ID: "urn:li:comment:(" + body.Object + "," + id + ")", Text: body.Message.Text, Parent: urn}, author: body.Actor, at: s.Now()})
	w.Header().Set("x-restli-id", id)
	w.WriteHeader(http.StatusCreated)
}
