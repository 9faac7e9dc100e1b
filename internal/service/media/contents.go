package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// Uploaded returns the file of an upload with an Idempotency-Key, if an earlier try stored it and was interrupted
// before it could respond: there is nothing to read then.
func (s *Service) Uploaded(ctx context.Context) (m mission.Media, ok bool, err error) {
	return idempotency.Earlier[mission.Media](ctx, s.db)
}

// Contents returns a hash of what an upload sends: the file's bytes, its type and what is said of it. It reads them
// and stores nothing. Errors: invalid_request if they can't be read; rate_limit_exceeded; Rest's.
func (s *Service) Contents(ctx context.Context, p mission.Principal, in Upload, body io.Reader) (string, error) {
	leave, err := s.enter(ctx, p.TenantID)
	if err != nil {
		return "", err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, mission.UploadLife)
	defer cancel()
	// One that is too large has other bytes than any that was taken, however it goes on.
	h, most := sha256.New(), mission.MaxUpload(in.ContentType)
	n, err := io.Copy(h, io.LimitReader(&bounded{ctx, body}, most+1))
	if known := (*mission.Error)(nil); err != nil && !errors.As(err, &known) {
		err = mission.Invalid("", "The body could not be read.")
	}
	if err != nil {
		return "", err
	}
	var more mission.MediaInput
	if in.Rest != nil && n <= most {
		if more, err = in.Rest(); err != nil {
			return "", err
		}
	}
	return contents(in, more, hex.EncodeToString(h.Sum(nil))), nil
}

// bounded is a body that is read until its context ends.
type bounded struct {
	ctx  context.Context
	body io.Reader
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.body.Read(p)
}

// contents returns the hash of an upload whose bytes have a hash, and of which more is said after them. It is the
// same for a form and for the bytes themselves, whatever the form's boundary, its order and the file's name are:
// they change nothing.
func contents(in Upload, more mission.MediaInput, bytes string) string {
	h := sha256.New()
	for _, part := range []string{in.ContentType, bytes, said(in.AltText, more.AltText), said(in.Description, more.Description)} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// said returns the text that counts, which is the last; what isn't said is empty.
func said(texts ...*string) (last string) {
	for _, text := range texts {
		if text != nil {
			last = *text
		}
	}
	return last
}
