package facebooktest

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

const (
	// maxPhoto is the largest picture, in bytes, altText the longest alt text, in characters.
	maxPhoto = 10_000_000
	altText  = 1_000
	// piece is how many bytes of a video it wants at once.
	piece = 1 << 20
)

// uploaded reads a form with a file.
func uploaded(w http.ResponseWriter, r *http.Request, file string, fields ...string) (form url.Values, content []byte, kind string, ok bool) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		metatest.Invalid(w, "The stub takes files in forms only")
		return nil, nil, "", false
	}
	form = url.Values{}
	for parts := multipart.NewReader(r.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, "", false // the connection was lost
		}
		value, err := io.ReadAll(io.LimitReader(part, 2*maxPhoto))
		if err != nil {
			return nil, nil, "", false
		}
		if part.FormName() == file && kind == "" {
			content, kind = value, part.Header.Get("Content-Type")
			continue
		}
		form.Add(part.FormName(), string(value))
	}
	if kind == "" {
		metatest.Invalid(w, "Param %s is required", file)
		return nil, nil, "", false
	}
	return form, content, kind, metatest.Only(w, form, fields...)
}

// photo takes a picture that isn't published by itself. The caller holds the lock.
func (s *Stub) photo(w http.ResponseWriter, r *http.Request, page string) {
	form, content, kind, ok := uploaded(w, r, "source", "published", "alt_text_custom")
	if !ok {
		return
	}
	alt := form.Get("alt_text_custom")
	switch n := utf8.RuneCountInString(alt); {
	case form.Get("published") != "false":
		metatest.Invalid(w, "A picture by itself isn't asked for")
		return
	case n > altText || form.Has("alt_text_custom") && n == 0:
		metatest.Invalid(w, "Param alt_text_custom must be at most %d characters long", altText)
		return
	case !slices.Contains([]string{mission.TypeJPEG, mission.TypePNG, mission.TypeGIF}, kind):
		metatest.Refuse(w, metatest.Failure{Code: 324, Message: "Missing or invalid image file"})
		return
	case len(content) > maxPhoto:
		metatest.Refuse(w, metatest.Failure{Code: 100, Subcode: 2018008, Message: "The image is too large"})
		return
	}
	id := "122" + s.number()
	s.Put(id, publishertest.File{Type: kind, Owner: page, Size: int64(len(content)), Alt: alt, Pieces: map[int][]byte{0: content}})
	s.Ready(id)
	metatest.Send(w, http.StatusOK, map[string]any{"id": id})
}

// video is a video, whose session is a file of the stub.
type video struct {
	id, session, page string
	size, sent        int64
	finished          bool
}

// session returns a video by its id.
func (s *Stub) session(id string) *video {
	for _, v := range s.videos {
		if v.id == id {
			return v
		}
	}
	return nil
}

// next are the offsets of the bytes that a session wants next.
func (v *video) next() map[string]any {
	return map[string]any{"start_offset": strconv.FormatInt(v.sent, 10), "end_offset": strconv.FormatInt(min(v.sent+piece, v.size), 10)}
}

// phase handles a phase of a video's session. The caller holds the lock.
func (s *Stub) phase(w http.ResponseWriter, r *http.Request, page string) {
	if !metatest.Only(w, r.URL.Query(), "upload_phase") {
		return
	}
	switch r.URL.Query().Get("upload_phase") {
	case "start":
		s.start(w, r, page)
	case "transfer":
		s.transfer(w, r)
	case "finish":
		s.finish(w, r)
	default:
		metatest.Invalid(w, "upload_phase is invalid")
	}
}

func (s *Stub) start(w http.ResponseWriter, r *http.Request, page string) {
	f, ok := form(w, r, "file_size")
	if !ok {
		return
	}
	size, err := strconv.ParseInt(f.Get("file_size"), 10, 64)
	if err != nil || size < 1<<10 {
		metatest.Refuse(w, metatest.Failure{Code: 100, Subcode: 1363022, Message: "The video you tried to upload is too small."})
		return
	}
	v := &video{id: "77" + s.number(), session: "55" + s.number(), page: page, size: size}
	s.videos[v.session] = v
	s.Put(v.session, publishertest.File{Type: mission.TypeMP4, Owner: page, Size: size})
	sends := v.next()
	sends["video_id"], sends["upload_session_id"] = v.id, v.session
	metatest.Send(w, http.StatusOK, sends)
}

func (s *Stub) transfer(w http.ResponseWriter, r *http.Request) {
	form, content, _, ok := uploaded(w, r, "video_file_chunk", "upload_session_id", "start_offset")
	if !ok {
		return
	}
	v, known := s.videos[form.Get("upload_session_id")]
	if _, there := s.File(form.Get("upload_session_id")); !known || !there || v.finished {
		metatest.Refuse(w, metatest.Failure{Code: 6000, Subcode: 1363019, Message: "There was a problem uploading your video. Please try uploading it again."})
		return
	}
	at, err := strconv.ParseInt(form.Get("start_offset"), 10, 64)
	switch {
	case err != nil || int64(len(content)) > min(piece, v.size-at) || len(content) == 0:
		metatest.Invalid(w, "start_offset or video_file_chunk is invalid")
	case at != v.sent:
		metatest.Send(w, http.StatusBadRequest, map[string]any{"error": map[string]any{
			"message": "There was a problem uploading your video. Please try uploading it again.", "type": "ApiException", "code": 6001,
			"error_subcode": 1363037, "error_data": v.next(),
		}})
	default:
		s.Piece(v.session, int(at), content)
		v.sent += int64(len(content))
		metatest.Send(w, http.StatusOK, v.next())
	}
}

// finish publishes a video, which is processed afterwards.
func (s *Stub) finish(w http.ResponseWriter, r *http.Request) {
	f, ok := form(w, r, "upload_session_id", "description")
	if !ok {
		return
	}
	v, known := s.videos[f.Get("upload_session_id")]
	file, there := s.File(f.Get("upload_session_id"))
	switch {
	case !known || !there || v.finished:
		metatest.Refuse(w, metatest.Failure{Code: 6000, Subcode: 1363019, Message: "There was a problem uploading your video. Please try uploading it again."})
		return
	case v.sent < v.size || f.Get("description") == "" || utf8.RuneCountInString(f.Get("description")) > maxMessage:
		metatest.Invalid(w, "The video isn't whole, or its description is invalid")
		return
	}
	v.finished = true
	s.End(v.session)
	s.add(&stored{Post: publishertest.Post{ID: v.id, Text: f.Get("description")}, page: v.page, at: s.Now(), video: v.session})
	s.Attach(v.id, file)
	metatest.Send(w, http.StatusOK, map[string]any{"success": true})
}

// showVideo shows what became of a video.
func (s *Stub) showVideo(w http.ResponseWriter, r *http.Request, v *video) {
	p := s.find(v.id)
	if p != nil && p.deleted {
		gone(w, v.id)
		return
	}
	phases := func(state, uploading, publishing string) map[string]any {
		return map[string]any{
			"video_status": state, "uploading_phase": map[string]any{"status": uploading}, "processing_phase": map[string]any{"status": "not_started"},
			"publishing_phase": map[string]any{"status": publishing},
		}
	}
	object := map[string]any{"id": v.id, "published": false, "created_time": s.Now().UTC().Format(timeForm), "post_id": nil}
	switch state := s.Look(v.session); {
	case p == nil:
		object["status"] = phases("upload_started", "in_progress", "not_started")
	case state == publishertest.FileReady || state == publishertest.FileUnknown:
		object["status"] = phases("ready", "complete", "complete")
		object["published"], object["created_time"], object["post_id"] = true, p.created(), "9"+v.id
	case state == publishertest.FileFailed:
		object["status"] = phases("error", "complete", "not_started")
	default:
		object["status"] = phases("processing", "complete", "not_started")
	}
	s.show(w, r, object)
}
