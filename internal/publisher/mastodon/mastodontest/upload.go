package mastodontest

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// focus matches a focus (docs.joinmastodon.org, "Focal points").
var focus = regexp.MustCompile(`^(-?0\.[0-9]+|-?1\.0+),(-?0\.[0-9]+|-?1\.0+)$`)

// Limits of files, in bytes, and of their descriptions, in characters, as a new server has them.
const (
	maxImage       = 16 << 20
	maxVideo       = 99 << 20
	maxDescription = 1500
	maxAttachments = 4
)

var (
	imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif"}
	videoTypes = []string{"video/mp4", "video/quicktime", "video/webm"}
)

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool {
	return r.URL.Path == "/api/v2/media" || strings.HasPrefix(r.URL.Path, "/api/v1/media/")
}

// upload takes a file.
func (s *Stub) upload(w http.ResponseWriter, r *http.Request) {
	form, err := r.MultipartReader()
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: File can't be blank")
		return
	}
	var f publishertest.File
	var content []byte
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			refuse(w, http.StatusBadRequest, "The body is incomplete")
			return
		}
		text, err := io.ReadAll(io.LimitReader(part, maxVideo+1))
		switch name := part.FormName(); {
		case err != nil:
			refuse(w, http.StatusBadRequest, "The body is incomplete")
			return
		case name == "file" && part.FileName() != "":
			f.Type, content = part.Header.Get("Content-Type"), text
		case name == "description":
			f.Alt = string(text)
		case name == "focus" && focus.Match(text):
			s.Focuses = append(s.Focuses, string(text))
		default:
			s.t.Errorf("a file is sent with %q %.20q", name, text)
		}
	}
	image, video := slices.Contains(imageTypes, f.Type), slices.Contains(videoTypes, f.Type)
	switch {
	case len(content) == 0:
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: File can't be blank")
	case !image && !video:
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: File content type is invalid")
	case image && len(content) > maxImage, len(content) > maxVideo:
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: File file size must be less than 16 MB")
	case utf8.RuneCountInString(f.Alt) > maxDescription:
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Description is too long (maximum is 1500 characters)")
	default:
		s.lastID++
		id := strconv.FormatInt(s.lastID, 10)
		f.Size = int64(len(content))
		s.Put(id, f)
		s.Piece(id, 0, content)
		s.End(id)
		shown := map[string]any{"id": id, "type": "image", "url": nil, "description": f.Alt}
		if s.State(id) != publishertest.FileReady {
			answerJSON(w, http.StatusAccepted, shown)
			return
		}
		shown["url"] = "https://files.example/" + id
		answerJSON(w, http.StatusOK, shown)
	}
}

// attachment shows a file that no status has.
func (s *Stub) attachment(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/api/v1/media/")
	switch s.Look(id) {
	case publishertest.FileReady:
		answerJSON(w, http.StatusOK, map[string]any{"id": id, "url": "https://files.example/" + id})
	case publishertest.FileProcessing:
		answerJSON(w, http.StatusPartialContent, map[string]any{"id": id, "url": nil})
	case publishertest.FileFailed:
		refuse(w, http.StatusUnprocessableEntity, "Error processing thumbnail for uploaded media")
	default:
		refuse(w, http.StatusNotFound, "Record not found")
	}
}

// attachable reports whether a status can have files, and refuses it otherwise.
func (s *Stub) attachable(w http.ResponseWriter, ids []string) bool {
	videos := 0
	for _, id := range ids {
		switch f, _ := s.File(id); {
		case s.State(id) == publishertest.FileUnknown:
			refuse(w, http.StatusUnprocessableEntity, "Validation failed: Media "+id+" not found or already attached to another post")
			return false
		case s.State(id) != publishertest.FileReady:
			refuse(w, http.StatusUnprocessableEntity, "Cannot attach files that have not finished processing. Try again in a moment!")
			return false
		case !slices.Contains(imageTypes, f.Type):
			videos++
		}
	}
	if len(ids) > maxAttachments || videos > 0 && len(ids) > 1 {
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Cannot attach more than 4 files")
		return false
	}
	return true
}

// attach gives a status its files: no other can have them.
func (s *Stub) attach(statusID string, ids []string) {
	var files []publishertest.File
	for _, id := range ids {
		f, _ := s.File(id)
		s.Remove(id)
		files = append(files, f)
	}
	s.Attach(statusID, files...)
}
