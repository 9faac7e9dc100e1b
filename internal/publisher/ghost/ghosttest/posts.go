package ghosttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// The states of posts.
const published = "published"

var states = []string{"draft", published, "scheduled", "sent"}

// Limits, in characters: of a Ghost 6.65 where it is stricter than its schema.
const (
	maxTitle    = 255
	maxSlug     = 191
	maxImageAlt = 191
	maxAddress  = 2000
	maxTagName  = 191
	maxPicture  = 25 << 20
)

// input is a post as it is sent: the properties that the schema has and the service uses. A
// property that is absent stays.
type input struct {
	Title    *string `json:"title"`
	Slug     *string `json:"slug"`
	HTML     *string `json:"html"`
	Status   *string `json:"status"`
	Image    *string `json:"feature_image"`
	ImageAlt *string `json:"feature_image_alt"`
	Updated  *string `json:"updated_at"`
	Tags     *[]struct {
		Name string `json:"name"`
	} `json:"tags"`
}

// takes returns the post of a request. A request with parameters that the service mustn't set, as
// newsletter, which sends e-mail, is an error of the test.
func (s *Stub) takes(w http.ResponseWriter, r *http.Request) (input, bool) {
	for name, values := range r.URL.Query() {
		if name != "source" || !slices.Equal(values, []string{"html"}) {
			s.t.Errorf("a post is sent with %s=%q", name, values)
		}
	}
	var sent struct {
		Posts []input `json:"posts"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&sent); err != nil || len(sent.Posts) != 1 || r.Header.Get("Content-Type") != "application/json" {
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", fmt.Sprintf("Validation failed for posts: %v", err))
		return input{}, false
	}
	p := sent.Posts[0]
	if why := p.wrong(); why != "" {
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", "Validation error, cannot save post: "+why)
		return input{}, false
	}
	if p.HTML != nil && r.URL.Query().Get("source") != "html" {
		s.t.Error("HTML is sent that Ghost won't read")
	}
	if p.HTML != nil {
		if what := publishertest.Unsafe(*p.HTML); what != "" {
			s.t.Errorf("a post has %s: %s", what, *p.HTML)
		}
	}
	return p, true
}

// wrong says what the site doesn't take of a post.
func (p input) wrong() string {
	for _, f := range []struct {
		name  string
		value *string
		most  int
	}{
		{"title", p.Title, maxTitle}, {"slug", p.Slug, maxSlug}, {"feature_image", p.Image, maxAddress}, {"feature_image_alt", p.ImageAlt, maxImageAlt},
	} {
		if f.value != nil && utf8.RuneCountInString(*f.value) > f.most {
			return fmt.Sprintf("Value in [posts.%s] exceeds maximum length of %d characters.", f.name, f.most)
		}
	}
	if p.Title != nil && strings.TrimSpace(*p.Title) == "" {
		return "Value in [posts.title] cannot be blank."
	}
	if p.Status != nil && !slices.Contains(states, *p.Status) {
		return "Value in [posts.status] is not allowed."
	}
	if p.Tags != nil {
		for _, t := range *p.Tags {
			if t.Name == "" || utf8.RuneCountInString(t.Name) > maxTagName {
				return "Value in [tags.name] is invalid."
			}
		}
	}
	return ""
}

// onto gives a post what was sent of it.
func (p input) onto(of *Post) {
	for _, f := range []struct{ from, to *string }{
		{p.Title, &of.Title}, {p.Slug, &of.Slug}, {p.HTML, &of.HTML}, {p.Status, &of.Status}, {p.Image, &of.Image}, {p.ImageAlt, &of.ImageAlt},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if p.Tags != nil {
		of.Tags = nil
		for _, t := range *p.Tags {
			of.Tags = append(of.Tags, t.Name)
		}
	}
}

func (s *Stub) add(w http.ResponseWriter, r *http.Request) {
	p, ok := s.takes(w, r)
	if !ok {
		return
	}
	if p.Title == nil {
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", "Validation failed for title: must have required property 'title'")
		return
	}
	made := &Post{Status: "draft"}
	p.onto(made)
	if made.Status != "draft" {
		s.t.Errorf("a post is made as %s, and not as a draft", made.Status)
	}
	taken := func(slug string) bool {
		return slices.ContainsFunc(s.posts, func(other *Post) bool { return other.Slug == slug })
	}
	for n, slug := 2, made.Slug; taken(made.Slug); n++ {
		made.Slug = fmt.Sprintf("%s-%d", slug, n)
	}
	made.ID, made.Updated = s.id(), s.now()
	s.posts = append(s.posts, made)
	answer(w, http.StatusCreated, map[string]any{"posts": []any{s.shown(r, *made, true)}})
	if s.Meddle {
		made.Updated = made.Updated.Add(time.Minute)
	}
}

func (s *Stub) edit(w http.ResponseWriter, r *http.Request, id string) {
	p, ok := s.takes(w, r)
	if !ok {
		return
	}
	of := s.post(id)
	switch {
	case of == nil:
		refuse(w, http.StatusNotFound, "NotFoundError", "", "Resource not found error, cannot edit post.")
		return
	case p.Updated == nil:
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", "Validation error, cannot edit post. updated_at is required.")
		return
	}
	at, err := time.Parse(time.RFC3339, *p.Updated)
	if err != nil || !at.Equal(of.Updated) && (p.HTML != nil || p.Status == nil || *p.Status != of.Status) {
		refuse(w, http.StatusConflict, "UpdateCollisionError", "UPDATE_COLLISION", "Saving failed! Someone else is editing this post.")
		return
	}
	p.onto(of)
	if of.Status == published && of.Published == nil {
		now := s.now()
		of.Updated, of.Published = now, &now
		s.attach(of)
	}
	answer(w, http.StatusOK, map[string]any{"posts": []any{s.shown(r, *of, true)}})
}

// attach records the files of a post.
func (s *Stub) attach(of *Post) {
	addresses, alts := publishertest.Shows(of.HTML)
	if of.Image != "" {
		addresses, alts = append([]string{of.Image}, addresses...), append([]string{of.ImageAlt}, alts...)
	}
	var files []publishertest.File
	for i, address := range addresses {
		if f, ok := s.File(address[strings.LastIndexByte(address, '/')+1:]); ok {
			f.Alt = alts[i]
			files = append(files, f)
		}
	}
	s.Attach(of.ID, files...)
}

// shown returns a post as the API shows it.
func (s *Stub) shown(r *http.Request, p Post, whole bool) map[string]any {
	const form = "2006-01-02T15:04:05.000Z"
	shown := map[string]any{
		"id": p.ID, "title": p.Title, "slug": p.Slug, "status": p.Status, "updated_at": p.Updated.Format(form), "published_at": nil,
		"url": "http://" + r.Host + "/p/" + p.ID + "/",
	}
	if p.Published != nil {
		shown["published_at"], shown["url"] = p.Published.Format(form), "http://"+r.Host+"/"+p.Slug+"/"
	}
	if whole {
		shown["feature_image"], shown["lexical"] = p.Image, "{}"
	}
	if slices.Contains(r.URL.Query()["formats"], "html") {
		shown["html"] = p.HTML
	}
	return shown
}

// wants checks the parameters of a list or of a post.
func (s *Stub) wants(q url.Values, names ...string) {
	for name, values := range q {
		if len(values) != 1 || !slices.Contains(names, name) {
			s.t.Errorf("posts are read with %s=%q", name, values)
		}
	}
}

func (s *Stub) read(w http.ResponseWriter, r *http.Request, slug string) {
	s.wants(r.URL.Query(), "fields", "formats")
	i := slices.IndexFunc(s.posts, func(p *Post) bool { return p.Slug == slug })
	if i < 0 {
		refuse(w, http.StatusNotFound, "NotFoundError", "", "Resource not found error, cannot read post.")
		return
	}
	answer(w, http.StatusOK, map[string]any{"posts": []any{s.shown(r, *s.posts[i], false)}})
}

func (s *Stub) browse(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s.wants(q, "fields", "formats", "filter", "limit")
	list, filtered := strings.CutPrefix(q.Get("filter"), "id:[")
	ids := strings.Split(strings.TrimSuffix(list, "]"), ",")
	found := []any{}
	for _, p := range s.posts {
		if !filtered || slices.Contains(ids, p.ID) {
			found = append(found, s.shown(r, *p, false))
		}
	}
	answer(w, http.StatusOK, map[string]any{"posts": found, "meta": map[string]any{}})
}

// types are the content types of pictures.
var types = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg"}

func (s *Stub) upload(w http.ResponseWriter, r *http.Request) {
	form, err := r.MultipartReader()
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", "Please select an image.")
		return
	}
	fields, content, kind := map[string]string{}, []byte(nil), ""
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		var bytes []byte
		if err == nil {
			bytes, err = io.ReadAll(io.LimitReader(part, maxPicture+1))
		}
		switch {
		case err != nil:
			refuse(w, http.StatusBadRequest, "BadRequestError", "", "The body is incomplete.")
			return
		case part.FormName() == "file" && part.FileName() != "":
			content, kind = bytes, part.Header.Get("Content-Type")
		case slices.Contains([]string{"purpose", "ref"}, part.FormName()):
			fields[part.FormName()] = string(bytes)
		default:
			s.t.Errorf("a picture is sent with %q", part.FormName())
		}
	}
	switch ending, ok := types[kind]; {
	case len(content) == 0:
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", "Please select an image.")
	case !ok:
		refuse(w, http.StatusUnsupportedMediaType, "UnsupportedMediaTypeError", "", "Please select a valid image.")
	case fields["purpose"] != "image":
		refuse(w, http.StatusUnprocessableEntity, "ValidationError", "", "The purpose is invalid.")
	default:
		name := s.id() + ending
		s.Put(name, publishertest.File{Type: kind, Size: int64(len(content))})
		s.Piece(name, 0, content)
		answer(w, http.StatusCreated, map[string]any{"images": []any{map[string]any{
			"url": "http://" + r.Host + "/content/images/" + name, "ref": fields["ref"],
		}}})
	}
}
