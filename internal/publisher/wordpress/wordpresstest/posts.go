package wordpresstest

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// publish is the state of posts that are out.
const publish = "publish"

// Limits of the stub; WordPress itself has none.
const (
	maxTitle   = 255
	maxAltText = 2000
	maxPicture = 25 << 20
	pageSize   = 100
)

const timeFormat = "2006-01-02T15:04:05"

// input is a post as it is sent. A property that is absent stays.
type input struct {
	Title    *string `json:"title"`
	Content  *string `json:"content"`
	Slug     *string `json:"slug"`
	Status   *string `json:"status"`
	Tags     []int   `json:"tags"`
	Featured int     `json:"featured_media"`
	Date     *string `json:"date"`
}

// write makes a post, or changes the one of an id that isn't 0.
func (s *Stub) write(w http.ResponseWriter, r *http.Request, id int) {
	s.wants(r)
	if !s.may(w, r) {
		return
	}
	var in input
	if !takes(w, r, &in) || !s.sound(w, in) {
		return
	}
	status, becomes := http.StatusCreated, s.Becomes
	p := s.post(id)
	switch {
	case id != 0 && p == nil:
		refuse(w, http.StatusNotFound, "rest_post_invalid_id", "Invalid post ID.", nil)
		return
	case id != 0:
		status, becomes = http.StatusOK, s.Keeps
	case in.Title == nil && in.Content == nil:
		refuse(w, http.StatusBadRequest, "empty_content", "Content, title, and excerpt are empty.", nil)
		return
	default:
		s.lastID++
		p = &Post{ID: s.lastID, Made: s.now(), Modified: s.now(), Status: "draft"}
		s.posts = append(s.posts, p)
	}
	s.change(p, in)
	if p.Status == publish && becomes != "" {
		p.Status = becomes
	}
	answer(w, r, status, s.shown(r, *p))
}

func (s *Stub) now() time.Time { return s.Now().UTC().Truncate(time.Second) }

// sound reports whether the site takes a post, and refuses it otherwise.
func (s *Stub) sound(w http.ResponseWriter, in input) bool {
	invalid := func(param, why string) bool {
		refuse(w, http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): "+param, map[string]any{"params": map[string]string{param: why}})
		return false
	}
	for i, tag := range in.Tags {
		if tag < 1 || tag > len(s.tags) {
			return invalid(fmt.Sprintf("tags[%d]", i), "tags is not a term.")
		}
	}
	if in.Date != nil {
		s.t.Errorf("a post is sent with the date %q", *in.Date)
	}
	if in.Content != nil && (publishertest.Unsafe(*in.Content) != "" || strings.ContainsAny(*in.Content, "[]")) {
		s.t.Errorf("a post does something: %s", *in.Content)
	}
	switch {
	case in.Title != nil && utf8.RuneCountInString(publishertest.ReadersText("", *in.Title)) > maxTitle:
		return invalid("title", "title is too long.")
	case in.Title != nil && strings.ContainsAny(*in.Title, "<>"):
		s.t.Errorf("a title has HTML: %s", *in.Title)
	case in.Status != nil && !slices.Contains([]string{publish, "future", "draft", "pending", "private"}, *in.Status):
		return invalid("status", "status is not one of publish, future, draft, pending, and private.")
	}
	return true
}

// change gives a post what was sent of it.
func (s *Stub) change(p *Post, in input) {
	for _, f := range []struct{ from, to *string }{{in.Title, &p.Title}, {in.Content, &p.Content}, {in.Status, &p.Status}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if in.Slug != nil {
		p.Slug = *in.Slug
		taken := func(other *Post) bool { return other != p && other.Slug == p.Slug }
		for n := 2; slices.ContainsFunc(s.posts, taken); n++ {
			p.Slug = fmt.Sprintf("%s-%d", *in.Slug, n)
		}
	}
	if in.Tags != nil {
		p.Tags = in.Tags
	}
	if in.Featured != 0 {
		p.Featured = in.Featured
	}
	s.attach(p)
}

// attach records the files of a post. WordPress leaves out a picture that it doesn't have.
func (s *Stub) attach(p *Post) {
	addresses, alts := publishertest.Shows(p.Content)
	var files []publishertest.File
	if f, ok := s.File(strconv.Itoa(p.Featured)); ok {
		files = append(files, f)
	}
	for i, address := range addresses {
		name := address[strings.LastIndexByte(address, '/')+1:]
		if f, ok := s.File(name[:strings.IndexByte(name+".", '.')]); ok {
			f.Alt = alts[i]
			files = append(files, f)
		}
	}
	s.Attach(strconv.Itoa(p.ID), files...)
}

// shown returns a post as the API shows it to an editor.
func (s *Stub) shown(r *http.Request, p Post) map[string]any {
	return map[string]any{
		"id": p.ID, "status": p.Status, "slug": p.Slug, "link": "http://" + r.Host + "/" + p.Slug + "/",
		"date_gmt": p.Made.Format(timeFormat), "modified_gmt": p.Modified.Format(timeFormat),
		"title": map[string]string{"raw": p.Title}, "content": map[string]string{"raw": p.Content},
	}
}

// list lists posts: those that are out unless any are requested, which are all but the trash.
func (s *Stub) list(w http.ResponseWriter, r *http.Request) {
	s.wants(r, "slug", "status", "context", "include", "per_page")
	q := r.URL.Query()
	switch {
	case !s.known(r) && q.Get("status") == "any":
		refuse(w, http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): status", map[string]any{
			"params":  map[string]string{"status": "Status is forbidden."},
			"details": map[string]any{"status": map[string]any{"code": "rest_forbidden_status", "data": map[string]int{"status": 401}}},
		})
		return
	case !s.known(r) && q.Get("context") == "edit":
		refuse(w, http.StatusUnauthorized, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.", nil)
		return
	}
	found := []map[string]any{}
	for _, p := range s.posts {
		if in := strings.Split(q.Get("include"), ","); q.Has("include") && !slices.Contains(in, strconv.Itoa(p.ID)) || q.Has("slug") && p.Slug != q.Get("slug") {
			continue
		}
		if p.Status == publish || q.Get("status") == "any" && p.Status != "trash" {
			found = append(found, s.shown(r, *p))
		}
	}
	answer(w, r, http.StatusOK, found[:min(len(found), pageSize)])
}

func (s *Stub) comments(w http.ResponseWriter, r *http.Request) {
	s.wants(r, "post", "per_page")
	if s.Commentless {
		refuse(w, http.StatusNotFound, "rest_no_route", "No route was found matching the URL and request method.", nil)
		return
	}
	id, _ := strconv.Atoi(r.URL.Query().Get("post"))
	if p := s.post(id); p != nil {
		w.Header().Set("X-WP-Total", strconv.Itoa(p.Comments))
	}
	answer(w, r, http.StatusOK, []map[string]any{})
}

func (s *Stub) tag(w http.ResponseWriter, r *http.Request) {
	s.wants(r)
	if !s.may(w, r) {
		return
	}
	var in struct {
		Name string `json:"name"`
	}
	if !takes(w, r, &in) {
		return
	}
	same := func(name string) bool { return strings.EqualFold(name, in.Name) }
	if i := slices.IndexFunc(s.tags, same); i >= 0 {
		refuse(w, http.StatusBadRequest, "term_exists", "A term with the name provided already exists in this taxonomy.", map[string]any{"term_id": i + 1})
		return
	}
	s.tags = append(s.tags, in.Name)
	answer(w, r, http.StatusCreated, map[string]any{"id": len(s.tags), "name": in.Name})
}

// endings are those of the files that the site takes.
var endings = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp"}

func (s *Stub) upload(w http.ResponseWriter, r *http.Request) {
	s.wants(r)
	if !s.may(w, r) {
		return
	}
	kind := r.Header.Get("Content-Type")
	how, named, err := mime.ParseMediaType(r.Header.Get("Content-Disposition"))
	content, broken := io.ReadAll(io.LimitReader(r.Body, maxPicture+1))
	switch {
	case broken != nil:
		refuse(w, http.StatusBadRequest, "rest_upload_no_data", "No data supplied.", nil)
	case err != nil || how != "attachment" || named["filename"] == "":
		refuse(w, http.StatusBadRequest, "rest_upload_no_content_disposition", "No Content-Disposition supplied.", nil)
	case len(content) == 0:
		refuse(w, http.StatusBadRequest, "rest_upload_no_data", "No data supplied.", nil)
	case endings[kind] == "" || !strings.HasSuffix(named["filename"], endings[kind]):
		refuse(w, http.StatusInternalServerError, "rest_upload_sideload_error", "Sorry, you are not allowed to upload this file type.", nil)
	default:
		s.lastID++
		id := strconv.Itoa(s.lastID)
		s.Put(id, publishertest.File{Type: kind, Size: int64(len(content))})
		s.Piece(id, 0, content)
		answer(w, r, http.StatusCreated, map[string]any{
			"id": s.lastID, "source_url": "http://" + r.Host + "/wp-content/uploads/" + id + endings[kind],
		})
	}
}

func (s *Stub) describe(w http.ResponseWriter, r *http.Request, id int) {
	s.wants(r)
	if !s.may(w, r) {
		return
	}
	var in struct {
		Alt string `json:"alt_text"`
	}
	if !takes(w, r, &in) {
		return
	}
	f, ok := s.File(strconv.Itoa(id))
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "rest_post_invalid_id", "Invalid post ID.", nil)
	case utf8.RuneCountInString(in.Alt) > maxAltText:
		refuse(w, http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): alt_text", map[string]any{"params": map[string]string{"alt_text": "too long"}})
	default:
		f.Alt = in.Alt
		s.Put(strconv.Itoa(id), f)
		answer(w, r, http.StatusOK, map[string]any{"id": id})
	}
}

func (s *Stub) media(w http.ResponseWriter, r *http.Request) {
	s.wants(r, "include", "per_page")
	found := []map[string]any{}
	for id := range strings.SplitSeq(r.URL.Query().Get("include"), ",") {
		if _, ok := s.File(id); ok {
			n, _ := strconv.Atoi(id)
			found = append(found, map[string]any{"id": n})
		}
	}
	answer(w, r, http.StatusOK, found)
}
