package xtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// uploadPaths matches the paths of the steps of an upload.
var uploadPaths = regexp.MustCompile(`^/2/media/(?:metadata|upload|upload/initialize|upload/([0-9]+)/(append|finalize))$`)

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool { return uploadPaths.MatchString(r.URL.Path) }

// maxPiece is the largest piece of a file, in bytes, and maxAltText the longest alt text, in
// characters.
const (
	maxPiece   = 5 << 20
	maxAltText = 1000
)

// categories are the types of files in each category, and how large they may be, in bytes.
var categories = map[string]struct {
	types []string
	most  int64
}{
	"tweet_image": {[]string{"image/jpeg", "image/png", "image/webp"}, 5_000_000},
	"tweet_gif":   {[]string{"image/gif"}, 15_000_000},
	"tweet_video": {[]string{"video/mp4", "video/quicktime"}, 512_000_000},
}

// upload handles a step of an upload. The caller holds the lock.
func (s *Stub) upload(w http.ResponseWriter, r *http.Request) {
	step := uploadPaths.FindStringSubmatch(r.URL.Path)
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/2/media/upload":
		if only(w, r, "media_id", "command") {
			id := r.URL.Query().Get("media_id")
			s.describeFile(w, id, s.Look(id))
		}
	case r.Method != http.MethodPost || r.URL.RawQuery != "" || r.URL.Path == "/2/media/upload":
		invalid(w, "The stub takes no such request")
	case r.URL.Path == "/2/media/upload/initialize":
		s.initialize(w, r)
	case r.URL.Path == "/2/media/metadata":
		s.metadata(w, r)
	case s.State(step[1]) == publishertest.FileUnknown:
		refuse(w, http.StatusNotFound, "https://api.twitter.com/2/problems/resource-not-found", "Could not find media with id: ["+step[1]+"].")
	case step[2] == "append":
		s.append(w, r, step[1])
	default:
		s.finalize(w, step[1])
	}
}

// body reads a request's JSON, which has no field that v hasn't.
func body(w http.ResponseWriter, r *http.Request, v any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if d.Decode(v) != nil || r.Header.Get("Content-Type") != "application/json" {
		invalid(w, "The body is invalid")
		return false
	}
	return true
}

func (s *Stub) initialize(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Type     string `json:"media_type"`
		Category string `json:"media_category"`
		Bytes    int64  `json:"total_bytes"`
	}
	if !body(w, r, &in) {
		return
	}
	allowed := categories[in.Category]
	if !slices.Contains(allowed.types, in.Type) || in.Bytes <= 0 || in.Bytes > allowed.most {
		invalid(w, "media_type, media_category or total_bytes is invalid")
		return
	}
	s.n++
	id := fmt.Sprintf("18800281%011d", s.n)
	s.Put(id, publishertest.File{Type: in.Type, Size: in.Bytes})
	send(w, http.StatusOK, map[string]any{"data": map[string]any{"id": id, "media_key": "13_" + id, "expires_after_secs": 1295999}})
}

func (s *Stub) append(w http.ResponseWriter, r *http.Request, id string) {
	form, err := r.MultipartReader()
	if err != nil {
		invalid(w, "The body is no form")
		return
	}
	index, content := -1, []byte(nil)
	for {
		part, err := form.NextPart()
		if err != nil {
			break
		}
		text, err := io.ReadAll(io.LimitReader(part, maxPiece+1))
		switch {
		case err != nil:
			invalid(w, "The body is incomplete")
			return
		case part.FormName() == "segment_index":
			if index, err = strconv.Atoi(string(text)); err != nil || index < 0 || index > 999 {
				invalid(w, "segment_index is invalid")
				return
			}
		case part.FormName() == "media" && part.FileName() != "":
			content = text
		default:
			invalid(w, "The field ["+part.FormName()+"] is unknown")
			return
		}
	}
	if index < 0 || len(content) == 0 || len(content) > maxPiece || s.State(id) != publishertest.FileIncomplete {
		invalid(w, "segment_index or media is invalid")
		return
	}
	s.Piece(id, index, content)
	send(w, http.StatusOK, map[string]any{"data": map[string]any{"expires_at": 1}})
}

// finalize ends an upload, also a second time.
func (s *Stub) finalize(w http.ResponseWriter, id string) {
	f, _ := s.File(id)
	if int64(len(f.Bytes())) != f.Size {
		invalid(w, "The media has not all its bytes")
		return
	}
	if s.State(id) == publishertest.FileIncomplete {
		s.End(id)
	}
	s.describeFile(w, id, s.State(id))
}

// describeFile describes a file in a state.
func (s *Stub) describeFile(w http.ResponseWriter, id string, state publishertest.FileState) {
	f, _ := s.File(id)
	shown := map[string]any{"id": id, "media_key": "13_" + id, "size": f.Size}
	switch state {
	case publishertest.FileUnknown, publishertest.FileIncomplete:
		refuse(w, http.StatusNotFound, "https://api.twitter.com/2/problems/resource-not-found", "Could not find media with id: ["+id+"].")
		return
	case publishertest.FileProcessing:
		shown["processing_info"] = map[string]any{"state": "in_progress", "check_after_secs": 3, "progress_percent": 5}
	case publishertest.FileFailed:
		shown["processing_info"] = map[string]any{"state": "failed", "error": map[string]any{"code": 1, "name": "InvalidMedia", "message": "Unsupported video format"}}
	case publishertest.FileReady:
		if strings.HasPrefix(f.Type, "video/") {
			shown["processing_info"] = map[string]any{"state": "succeeded", "progress_percent": 100}
		}
	}
	send(w, http.StatusOK, map[string]any{"data": shown})
}

func (s *Stub) metadata(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID       string `json:"id"`
		Metadata struct {
			AltText struct {
				Text string `json:"text"`
			} `json:"alt_text"`
		} `json:"metadata"`
	}
	if !body(w, r, &in) {
		return
	}
	text := in.Metadata.AltText.Text
	switch f, _ := s.File(in.ID); {
	case s.State(in.ID) != publishertest.FileReady:
		refuse(w, http.StatusNotFound, "https://api.twitter.com/2/problems/resource-not-found", "Could not find media with id: ["+in.ID+"].")
	case text == "" || utf8.RuneCountInString(text) > maxAltText:
		invalid(w, "alt_text is invalid")
	default:
		f.Alt = text
		s.Put(in.ID, f)
		send(w, http.StatusOK, map[string]any{"data": map[string]any{"id": in.ID, "associated_metadata": in.Metadata}})
	}
}

// attachable returns the files of a post: four pictures at most, or one of another kind.
func (s *Stub) attachable(w http.ResponseWriter, ids []string) (files []publishertest.File, ok bool) {
	single := false
	for _, id := range ids {
		f, _ := s.File(id)
		if s.State(id) != publishertest.FileReady {
			send(w, http.StatusBadRequest, map[string]any{
				"errors": []any{map[string]any{"message": "Your media IDs are invalid.", "parameters": map[string]any{"media.media_ids": ids}}},
				"title":  "Invalid Request", "detail": "One or more parameters to your request was invalid.", "type": "https://api.twitter.com/2/problems/invalid-request",
			})
			return nil, false
		}
		single = single || f.Type == "image/gif" || strings.HasPrefix(f.Type, "video/")
		files = append(files, f)
	}
	if len(files) == 0 || len(files) > 4 || single && len(files) > 1 {
		invalid(w, "media_ids is invalid")
		return nil, false
	}
	return files, true
}

// written is a post's text as X shows it: a link to its files is behind it.
func (s *Stub) written(p *stored) map[string]any {
	shown := s.Written(p.Text)
	if p.files == 0 {
		return shown
	}
	const link = "https://t.co/fIlEsOfApO"
	shown["text"] = fmt.Sprint(shown["text"], " ", link)
	var urls []any
	if of, ok := shown["entities"].(map[string]any); ok {
		urls, _ = of["urls"].([]any)
	}
	for i := range p.files {
		urls = append(urls, map[string]any{
			"url": link, "expanded_url": fmt.Sprintf("https://x.com/ann/status/%s/photo/%d", p.ID, i+1),
			"display_url": "pic.x.com/fIlEsOfApO", "media_key": fmt.Sprintf("3_%d", i),
		})
	}
	shown["entities"] = map[string]any{"urls": urls}
	return shown
}
