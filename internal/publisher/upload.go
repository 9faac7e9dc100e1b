package publisher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"time"

	"missiond/mission"
)

const (
	// MaxChunk is how much of a file is sent at once where a platform takes it in pieces, in
	// bytes. LinkedIn prescribes it.
	MaxChunk = 4 << 20
	// MaxUploadTime is how long the upload of a whole video may take, and uploadTime that of a
	// picture or a piece.
	MaxUploadTime = 10 * time.Minute
	uploadTime    = time.Minute
)

// UploadTime returns how long a request with a whole file may take.
func UploadTime(f mission.File) time.Duration {
	if f.Kind == mission.MediaVideo {
		return MaxUploadTime
	}
	return uploadTime
}

// PieceTime is how long a request with a piece of a file may take.
const PieceTime = uploadTime

// errUnread is the error for a file that can't be read, or has another size than it should.
var errUnread = errors.New("publisher: the file can't be read")

// errEnded is the error of reading a file for a call that has ended.
var errEnded = errors.New("publisher: the call has ended")

// unread returns the error for a file of the service's own that can't be read, because of err. Its cause isn't
// included: it may name addresses. A file that is gone for good is refused.
func unread(err error) error {
	missing, unread := (*mission.PublishError)(nil), mission.FileUnread()
	switch {
	case errors.As(err, &missing):
		return missing
	case errors.Is(err, errEnded): // by the platform
		unread.Trouble = ""
	}
	return unread
}

// Open opens a file to be sent whole. Reading fails unless it has the bytes that it should.
// Errors: not accepted.
func Open(ctx context.Context, f mission.File) (io.ReadCloser, error) {
	content, err := f.Open(ctx)
	if err != nil {
		return nil, unread(err)
	}
	return &exact{ReadCloser: content, left: f.Bytes}, nil
}

// exact reads a file of a known size.
type exact struct {
	io.ReadCloser

	left int64
}

// Read reads the file's next bytes. Errors: errUnread, also if there are fewer or more bytes
// than there should be.
func (e *exact) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	switch e.left -= int64(n); {
	case e.left < 0, errors.Is(err, io.EOF) && e.left > 0:
		return n, errUnread
	case err != nil && !errors.Is(err, io.EOF):
		return n, fmt.Errorf("%w: %w", errUnread, err)
	}
	return n, err
}

// Chunk returns the bytes of a file from an offset on, MaxChunk at most. Errors: not accepted.
func Chunk(ctx context.Context, f mission.File, from int64) ([]byte, error) {
	content, err := f.Open(ctx)
	if err != nil {
		return nil, unread(err)
	}
	defer func() { _ = content.Close() }()
	if s, ok := content.(io.Seeker); ok {
		_, err = s.Seek(from, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, content, from)
	}
	if err != nil {
		return nil, unread(err)
	}
	chunk := make([]byte, min(MaxChunk, f.Bytes-from))
	if _, err := io.ReadFull(content, chunk); err != nil {
		return nil, unread(err)
	}
	return chunk, nil
}

// Piece opens a file to be sent from one offset to another. Reading fails unless it has those bytes.
// Errors: not accepted.
func Piece(ctx context.Context, f mission.File, from, to int64) (io.ReadCloser, error) {
	content, err := f.Open(ctx)
	if err != nil {
		return nil, unread(err)
	}
	if s, ok := content.(io.Seeker); ok {
		_, err = s.Seek(from, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, content, from)
	}
	if err != nil {
		_ = content.Close()
		return nil, unread(err)
	}
	return &exact{ReadCloser: limited{io.LimitReader(content, to-from), content}, left: to - from}, nil
}

// limited is a part of a file.
type limited struct {
	io.Reader
	io.Closer
}

// Form is the body of a form with a file (multipart/form-data), which is read as it is sent and
// closed with it.
type Form struct {
	io.Reader
	io.Closer

	Length      int64
	ContentType string
}

// NewForm returns a form with fields and, under a name, a file of a content type and size.
func NewForm(fields url.Values, name, contentType string, content io.ReadCloser, size int64) (Form, error) {
	var around bytes.Buffer
	w := multipart.NewWriter(&around)
	if err := writeFields(w, fields); err != nil {
		return Form{}, err
	}
	if err := writePart(w, name, contentType); err != nil {
		return Form{}, err
	}
	before := around.Len()
	if err := w.Close(); err != nil {
		return Form{}, err
	}
	all := around.Bytes()
	return Form{
		Reader: io.MultiReader(bytes.NewReader(all[:before]), content, bytes.NewReader(all[before:])), Closer: content,
		Length: int64(len(all)) + size, ContentType: w.FormDataContentType(),
	}, nil
}

// writeFields writes the fields of a form.
func writeFields(w *multipart.Writer, fields url.Values) error {
	for field, values := range fields {
		for _, v := range values {
			if err := w.WriteField(field, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// writePart writes the header of a file of a form.
func writePart(w *multipart.Writer, name, contentType string) error {
	_, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, name, FileName(contentType))},
		"Content-Type":        {contentType},
	})
	return err
}

// FileName returns the name under which a file of a content type is sent: no tenant's name of
// a file leaves the service.
func FileName(contentType string) string {
	return "file" + map[string]string{
		mission.TypeJPEG: ".jpg", mission.TypePNG: ".png", mission.TypeGIF: ".gif", mission.TypeWebP: ".webp",
		mission.TypeMP4: ".mp4", mission.TypeMOV: ".mov",
	}[contentType]
}

// Repeatable returns the error of a step of an upload: it may be repeated even if it is unknown
// whether the platform did it.
func Repeatable(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Outcome == mission.OutcomeUnknown {
		e := *pe
		e.Outcome = mission.OutcomeNotAccepted
		return &e
	}
	return err
}

// Trusts reports whether bytes may be sent to an address that a platform gives: it is https, or
// at the address at which the platform itself is called.
func Trusts(address, base string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	b, err := url.Parse(base)
	return u.Scheme == "https" || err == nil && u.Scheme == b.Scheme && u.Host == b.Host
}
