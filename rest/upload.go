package rest

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"missiond/internal/admission"
	"missiond/internal/clock"
	"missiond/internal/httpserver"
	"missiond/internal/service/media"
	"missiond/mission"
)

// maxField bounds a text of a form, in bytes; maxFields their number.
const (
	maxField  = 32 << 10
	maxFields = 8
)

// checkUpload rejects an upload by its length or type alone.
func checkUpload(r *http.Request) error {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && t == "multipart/form-data":
		return nil
	case err != nil || mission.CheckUploadType("Content-Type", t) != nil:
		return unsupported("body", append([]string{"multipart/form-data"}, mission.UploadTypes()...))
	}
	return nil
}

// upload takes a file: the body itself, or that of a form.
func (a *API) upload(ctx context.Context, p mission.Principal, w http.ResponseWriter, r *http.Request) (mission.Media, error) {
	if m, ok, err := a.media.Uploaded(ctx); ok || err != nil {
		return m, err
	}
	in, file, end, err := uploaded(w, r)
	defer end()
	if err != nil {
		return mission.Media{}, err
	}
	return a.media.Upload(ctx, p, in, file)
}

// uploadContents returns a hash of what an upload sends, whose bytes it reads: however they are sent, the same
// file with the same type and texts is the same.
func (a *API) uploadContents(w http.ResponseWriter, r *http.Request) (string, error) {
	in, file, end, err := uploaded(w, r)
	defer end()
	if err != nil {
		return "", err
	}
	return a.media.Contents(r.Context(), httpserver.Caller(r.Context()), in, file)
}

// uploaded returns what a request uploads, and the reader of its bytes: its body, or the file of its form.
func uploaded(w http.ResponseWriter, r *http.Request) (in media.Upload, file io.Reader, end func(), err error) {
	body := &arriving{body: r.Body, control: http.NewResponseController(w)}
	r.Body = body
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return in, nil, body.end, unsupported("body", mission.UploadTypes())
	case t != "multipart/form-data":
		return media.Upload{ContentType: t, Size: r.ContentLength}, body, body.end, nil
	}
	in, file, err = uploadedForm(multipart.NewReader(body, params["boundary"]))
	return in, file, body.end, err
}

// uploadedForm returns the file of a form, whose other fields come before it or after it.
func uploadedForm(form *multipart.Reader) (in media.Upload, file io.Reader, err error) {
	var said mission.MediaInput
	part, err := fields(form, &said)
	switch {
	case err != nil:
		return in, nil, err
	case part == nil:
		return in, nil, mission.Invalid("file", "A file is required.")
	}
	t, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
	if err != nil {
		t = "application/octet-stream"
	}
	in = media.Upload{ContentType: t, Size: -1, MediaInput: said, Rest: func() (mission.MediaInput, error) {
		var more mission.MediaInput
		another, err := fields(form, &more)
		if err == nil && another != nil {
			err = mission.Invalid("file", "A form has one file.")
		}
		return more, err
	}}
	return in, part, nil
}

// fields reads the fields of a form up to a file, which it returns; nil at the form's end.
func fields(form *multipart.Reader, said *mission.MediaInput) (*multipart.Part, error) {
	for range maxFields {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, nil //nolint:nilnil // there is no file
		}
		if err != nil {
			return nil, mission.Invalid("", "The form could not be read.")
		}
		to := map[string]**string{"alt_text": &said.AltText, "description": &said.Description}[part.FormName()]
		switch {
		case part.FormName() == "file":
			return part, nil
		case to == nil:
			return nil, mission.Invalid(repeatable(part.FormName()), "Unknown field: a form has file, alt_text and description.")
		case *to != nil:
			return nil, mission.Invalid(part.FormName(), "Duplicate field.")
		}
		text, err := io.ReadAll(io.LimitReader(part, maxField+1))
		if err != nil {
			return nil, mission.Invalid("", "The form could not be read.")
		}
		if len(text) > maxField {
			return nil, mission.Invalid(part.FormName(), "The text is too long.")
		}
		value := string(text)
		if err := mission.CheckString(part.FormName(), value); err != nil {
			return nil, err
		}
		*to = &value
	}
	return nil, mission.Invalid("", "The form has too many fields.")
}

// repeatable returns a name as an error may repeat it.
func repeatable(name string) string {
	if len(name) > 40 || mission.CheckString("", name) != nil {
		return ""
	}
	return name
}

// arriving is a body that takes as long as it likes, as long as some of it arrives in each
// stallLimit.
type arriving struct {
	body    io.ReadCloser
	control *http.ResponseController
}

// Read implements io.Reader.
func (a *arriving) Read(p []byte) (int, error) {
	if err := a.control.SetReadDeadline(clock.Real().Now().Add(stallLimit)); err != nil {
		return 0, err
	}
	return a.body.Read(p)
}

// Close implements io.Closer.
func (a *arriving) Close() error { return a.body.Close() }

// end ends the reading of the body.
func (a *arriving) end() { _ = a.control.SetReadDeadline(time.Time{}) }

// showFile writes a file's bytes, or the range that was asked for.
func showFile(w http.ResponseWriter, r *http.Request, f media.File, file io.ReadSeekCloser) {
	admission.Leave(r.Context()) // it takes as long as the client likes
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	h := w.Header()
	h.Set("Content-Type", f.ContentType)
	h.Set("ETag", `"`+f.Hash+`"`)
	h.Set("Cache-Control", "private, max-age=900")
	// What tenants have uploaded runs nowhere, and is shown by nobody else's page.
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-site")
	if f.Original {
		h.Set("Content-Disposition", "attachment")
	}
	defer func() { _ = file.Close() }()
	http.ServeContent(&slowly{ResponseWriter: w, pieces: pieces{w: w, control: control, limit: stallLimit}}, r, "", time.Time{}, file)
}

// slowly is a response whose client must read each piece in time.
type slowly struct {
	http.ResponseWriter

	pieces pieces
}

// Write implements io.Writer.
func (s *slowly) Write(p []byte) (int, error) { return s.pieces.Write(p) }
