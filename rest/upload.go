package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/service/media"
	"missiond/mission"
)

// maxField bounds a text of a form, in bytes; maxFields their number; maxBeside all that isn't its file.
const (
	maxField  = 32 << 10
	maxFields = 8
	maxBeside = 2 * maxFields * maxField
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
	ctx, turn, err := a.media.Enter(ctx, p.TenantID)
	if err != nil {
		return mission.Media{}, err
	}
	body := arrivalOf(turn, w, r)
	defer body.end()
	in, file, err := uploaded(body, r)
	if err != nil {
		return mission.Media{}, err
	}
	return a.media.Upload(ctx, p, in, file)
}

// uploadContents returns a hash of what an upload sends, whose bytes it reads: however they are sent, the same
// file with the same type and texts is the same.
func (a *API) uploadContents(w http.ResponseWriter, r *http.Request) (string, error) {
	p := httpserver.Caller(r.Context())
	ctx, turn, err := a.media.Enter(r.Context(), p.TenantID)
	if err != nil {
		return "", err
	}
	body := arrivalOf(turn, w, r)
	defer body.end()
	in, file, err := uploaded(body, r)
	if err != nil {
		return "", err
	}
	return a.media.Contents(ctx, p, in, file)
}

// uploaded returns what a request uploads, and the reader of its bytes: its body, or the file of its form.
func uploaded(body *arriving, r *http.Request) (in media.Upload, file io.Reader, err error) {
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return in, nil, unsupported("body", mission.UploadTypes())
	case t != "multipart/form-data":
		return media.Upload{ContentType: mission.UploadType(t), Size: r.ContentLength}, body, nil
	}
	body.room = maxBeside
	// A form ends with its last boundary, behind which there may be no line break; where the body ends without one, it was cut.
	whole := io.MultiReader(body, strings.NewReader("\r\n"), cut{})
	in, file, err = uploadedForm(body, multipart.NewReader(whole, params["boundary"]))
	in.Most = max(r.ContentLength, 0)
	return in, file, err
}

// cut is what follows the end of a body that should go on.
type cut struct{}

// Read implements io.Reader.
func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// uploadedForm returns the file of a form, whose other fields come before it or after it.
func uploadedForm(body *arriving, form *multipart.Reader) (in media.Upload, file io.Reader, err error) {
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
	t = mission.UploadType(t)
	body.room += mission.MaxUpload(t)
	in = media.Upload{ContentType: t, Size: -1, MediaInput: said, Rest: func() (mission.MediaInput, error) {
		more := said // each field comes once, before the file or after it
		another, err := fields(form, &more)
		if err == nil && another != nil {
			err = mission.Invalid("file", "A form has one file.")
		}
		return more, err
	}}
	return in, formFile{part}, nil
}

// formFile is the file of a form.
type formFile struct{ part io.Reader }

// Read implements io.Reader.
func (f formFile) Read(p []byte) (int, error) {
	n, err := f.part.Read(p)
	return n, unread(err, "form")
}

// unread returns the error of a body or a form that can't be read, which is its client's fault; the end is none.
func unread(err error, what string) error {
	if known := (*mission.Error)(nil); err == nil || errors.Is(err, io.EOF) || errors.As(err, &known) {
		return err
	}
	return mission.Invalid("", "The %s could not be read.", what)
}

// fields reads the fields of a form up to a file, which it returns; nil at the form's end.
func fields(form *multipart.Reader, said *mission.MediaInput) (*multipart.Part, error) {
	for range maxFields {
		part, err := form.NextPart()
		if err = unread(err, "form"); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil // there is no file
			}
			return nil, err
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
			return nil, unread(err, "form")
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

// arriving is a body that is read in an upload's turn, and takes as long as that lasts.
type arriving struct {
	body    io.ReadCloser
	control *http.ResponseController
	turn    *media.Turn
	// room is how many bytes may yet arrive.
	room  int64
	whole atomic.Bool // whether all have
}

// arrivalOf returns the body of a request.
func arrivalOf(turn *media.Turn, w http.ResponseWriter, r *http.Request) *arriving {
	return &arriving{body: r.Body, control: http.NewResponseController(w), turn: turn, room: math.MaxInt64}
}

// Read implements io.Reader. Errors: the turn's; invalid_request if the body can't be read; payload_too_large.
func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.turn.Move(a.control.SetReadDeadline, func() (int, error) { return a.body.Read(p) })
	if a.room -= int64(n); a.room < 0 {
		return 0, &mission.Error{Code: mission.CodePayloadTooLarge, Message: fmt.Sprintf("A form has at most %d KiB beside its file.", maxBeside>>10)}
	}
	if errors.Is(err, io.EOF) {
		a.whole.Store(true)
	}
	return n, unread(err, "body")
}

// end ends the reading of the body.
func (a *arriving) end() {
	a.turn.Leave()
	if a.whole.Load() {
		_ = a.control.SetReadDeadline(time.Time{})
	}
}
