package linkedintest

import (
	"encoding/json"
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
)

// The paths of the addresses for bytes, and of files' states.
const (
	picturePath = "/dms/image/"
	videoPath   = "/dms/video/"
)

// Limits of files and alt texts: in bytes, and in characters.
const (
	pieceSize  = 4 << 20
	minVideo   = 75_000
	maxVideo   = 500_000_000
	maxPicture = 64 << 20
	maxAltText = 4086
)

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool {
	return slices.ContainsFunc([]string{picturePath, videoPath, "/rest/images", "/rest/videos"}, func(prefix string) bool {
		return strings.HasPrefix(r.URL.Path, prefix)
	})
}

// upload handles a step of an upload that needs a token. The caller holds the lock.
func (s *Stub) upload(w http.ResponseWriter, r *http.Request) {
	switch step := r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery; {
	case step == "POST /rest/images?action=initializeUpload":
		s.initializePicture(w, r)
	case step == "POST /rest/videos?action=initializeUpload":
		s.initializeVideo(w, r)
	case step == "POST /rest/videos?action=finalizeUpload":
		s.finalizeVideo(w, r)
	case r.Method == http.MethodPut && strings.HasPrefix(r.URL.Path, picturePath):
		s.putPicture(w, r)
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.EscapedPath(), "/rest/images/urn%3Ali%3A"), r.Method == http.MethodGet && strings.HasPrefix(r.URL.EscapedPath(), "/rest/videos/urn%3Ali%3A"):
		s.describeFile(w, r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
	default:
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request")
	}
}

// action reads an action's parameter, which has no field that v hasn't.
func action(w http.ResponseWriter, r *http.Request, name string, v any) bool {
	var body map[string]json.RawMessage
	if json.NewDecoder(r.Body).Decode(&body) == nil && len(body) == 1 && r.Header.Get("Content-Type") == "application/json" {
		d := json.NewDecoder(strings.NewReader(string(body[name])))
		d.DisallowUnknownFields()
		if d.Decode(v) == nil {
			return true
		}
	}
	refuse(w, http.StatusBadRequest, 0, "Invalid parameter "+name)
	return false
}

// owns reports whether the token's member may upload for an owner, and refuses it otherwise.
func owns(w http.ResponseWriter, owner string) bool {
	if owner == Person || owner == Organization {
		return true
	}
	refuse(w, http.StatusForbidden, 100, "Not enough permissions to act as "+owner)
	return false
}

func (s *Stub) initializePicture(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Owner string `json:"owner"`
	}
	if !action(w, r, "initializeUploadRequest", &in) || !owns(w, in.Owner) {
		return
	}
	s.n++
	id := fmt.Sprintf("urn:li:image:C4E10AQ%d", s.n)
	s.Put(id, publishertest.File{Type: "image", Owner: in.Owner})
	send(w, http.StatusOK, map[string]any{"value": map[string]any{
		"uploadUrlExpiresAt": s.Now().Add(time.Hour).UnixMilli(), "uploadUrl": "http://" + r.Host + picturePath + id, "image": id,
	}})
}

func (s *Stub) putPicture(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, picturePath)
	content, err := io.ReadAll(io.LimitReader(r.Body, maxPicture+1))
	switch {
	case s.State(id) == publishertest.FileUnknown:
		w.WriteHeader(http.StatusNotFound)
	case err != nil || len(content) == 0 || len(content) > maxPicture:
		w.WriteHeader(http.StatusBadRequest)
	default:
		s.Piece(id, 0, content)
		s.End(id)
		w.WriteHeader(http.StatusCreated)
	}
}

func (s *Stub) initializeVideo(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Owner     string `json:"owner"`
		Bytes     int64  `json:"fileSizeBytes"`
		Captions  *bool  `json:"uploadCaptions"`
		Thumbnail *bool  `json:"uploadThumbnail"`
	}
	if !action(w, r, "initializeUploadRequest", &in) || !owns(w, in.Owner) {
		return
	}
	if in.Bytes < minVideo || in.Bytes > maxVideo || in.Captions == nil || in.Thumbnail == nil {
		refuse(w, http.StatusBadRequest, 0, "fileSizeBytes must be from 75 kB to 500 MB")
		return
	}
	s.n++
	id := fmt.Sprintf("urn:li:video:C5F10AQ%d", s.n)
	s.Put(id, publishertest.File{Type: "video", Owner: in.Owner, Size: in.Bytes})
	var instructions []any
	for first := int64(0); first < in.Bytes; first += pieceSize {
		instructions = append(instructions, map[string]any{
			"uploadUrl": fmt.Sprintf("http://%s%s%s/%d?sig=a%%2Bb", r.Host, videoPath, id, first/pieceSize),
			"firstByte": first, "lastByte": min(first+pieceSize, in.Bytes) - 1,
		})
	}
	send(w, http.StatusOK, map[string]any{"value": map[string]any{
		"uploadUrlsExpireAt": s.Now().Add(time.Hour).UnixMilli(), "video": id, "uploadInstructions": instructions, "uploadToken": "token of " + id,
	}})
}

// tag is LinkedIn's tag of a piece of a video.
func tag(id string, index int) string { return fmt.Sprintf(`"%s/%d"`, id, index) }

// putPiece takes a piece of a video. A token is none of its business.
func (s *Stub) putPiece(w http.ResponseWriter, r *http.Request) {
	id, number, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, videoPath), "/")
	index, err := strconv.Atoi(number)
	content, read := io.ReadAll(io.LimitReader(r.Body, pieceSize+1))
	f, _ := s.File(id)
	switch size := min(f.Size-int64(index)*pieceSize, pieceSize); {
	case r.Header.Get("Authorization") != "" || r.Method != http.MethodPut || r.URL.Query().Get("sig") != "a+b":
		w.WriteHeader(http.StatusBadRequest)
	case s.State(id) != publishertest.FileIncomplete:
		w.WriteHeader(http.StatusForbidden)
	case err != nil || read != nil || int64(len(content)) != size:
		w.WriteHeader(http.StatusBadRequest)
	default:
		s.Piece(id, index, content)
		w.Header().Set("ETag", tag(id, index))
	}
}

// finalizeVideo ends the upload of a video, also a second time.
func (s *Stub) finalizeVideo(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Video string   `json:"video"`
		Token *string  `json:"uploadToken"`
		Parts []string `json:"uploadedPartIds"`
	}
	if !action(w, r, "finalizeUploadRequest", &in) {
		return
	}
	f, ok := s.File(in.Video)
	if !ok {
		refuse(w, http.StatusNotFound, 0, "Could not find "+in.Video)
		return
	}
	var tags []string
	for i := range len(f.Pieces) {
		tags = append(tags, tag(in.Video, i))
	}
	if !slices.Equal(in.Parts, tags) || int64(len(f.Bytes())) != f.Size || in.Token == nil || *in.Token != "token of "+in.Video {
		refuse(w, http.StatusBadRequest, 0, "uploadedPartIds or uploadToken is invalid")
		return
	}
	if s.State(in.Video) == publishertest.FileIncomplete {
		s.End(in.Video)
	}
	w.WriteHeader(http.StatusOK)
}

// describeFile shows the state of an organization's file. A member's can't be read.
func (s *Stub) describeFile(w http.ResponseWriter, id string) {
	f, ok := s.File(id)
	switch {
	case !s.Listing || ok && f.Owner != Organization:
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to access: images.GET")
		return
	case !ok:
		refuse(w, http.StatusNotFound, 0, "Could not find "+id)
		return
	}
	status := map[publishertest.FileState]string{
		publishertest.FileIncomplete: "WAITING_UPLOAD", publishertest.FileProcessing: "PROCESSING",
		publishertest.FileFailed: "PROCESSING_FAILED", publishertest.FileReady: "AVAILABLE",
	}[s.Look(id)]
	send(w, http.StatusOK, map[string]any{"id": id, "owner": f.Owner, "status": status, "downloadUrl": "https://media.example/" + url.PathEscape(id)})
}

// content is what a post shows below its text.
type content struct {
	Media  *media `json:"media"`
	Images *struct {
		Images []media `json:"images"`
	} `json:"multiImage"`
	Article *Article `json:"article"`
}

// Article is a link's card.
type Article struct {
	Source      string `json:"source"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Thumbnail   string `json:"thumbnail"`
}

type media struct {
	ID      string `json:"id"`
	AltText string `json:"altText"`
}

// attachable returns the files of a post, which are its author's.
func (s *Stub) attachable(w http.ResponseWriter, author string, c *content) (files []publishertest.File, ok bool) {
	if c == nil {
		return nil, true
	}
	var all []media
	switch {
	case c.Article != nil && c.Media == nil && c.Images == nil && !s.NoArticles && c.Article.Title != "" && strings.HasPrefix(c.Article.Source, "http"):
		if c.Article.Thumbnail == "" {
			return nil, true
		}
		all = []media{{ID: c.Article.Thumbnail}}
	case c.Article != nil:
		refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: /content/article is invalid")
		return nil, false
	case c.Media != nil && c.Images == nil:
		all = []media{*c.Media}
	case c.Images != nil && c.Media == nil && len(c.Images.Images) >= 2 && len(c.Images.Images) <= 20:
		all = c.Images.Images
	default:
		refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: /content is invalid")
		return nil, false
	}
	for _, m := range all {
		f, _ := s.File(m.ID)
		state := s.State(m.ID)
		switch {
		case state == publishertest.FileUnknown || state == publishertest.FileIncomplete || f.Owner != author:
			send(w, http.StatusBadRequest, map[string]any{
				"status": 400, "message": "Content(s) you provided must be owned by post author",
				"errorDetails": map[string]any{"inputErrors": []any{map[string]any{"code": "INVALID_CONTENT_OWNERSHIP", "description": m.ID}}},
			})
			return nil, false
		case author == Organization && state != publishertest.FileReady, f.Type == "video" && c.Images != nil:
			refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: /content :: the media isn't available")
			return nil, false
		case utf8.RuneCountInString(m.AltText) > maxAltText:
			refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: altText :: FIELD_LENGTH_TOO_LONG")
			return nil, false
		}
		f.Alt = m.AltText
		files = append(files, f)
	}
	return files, true
}
