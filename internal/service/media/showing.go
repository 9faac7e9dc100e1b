package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/blobs"
	"missiond/mission"
)

// Original is the variant that was uploaded, as it was.
const Original = "original"

// File is a file as it is shown.
type File struct {
	ContentType string
	Hash        string
	Bytes       int64
	// Original reports that its bytes are the uploader's own.
	Original bool

	tenant, key string
}

// File returns a file to be shown: what a platform is sent, the variant with a hash, or Original; ""
// is what shows it best. Errors: not_found.
func (s *Service) File(ctx context.Context, p mission.Principal, id, variant string) (File, error) {
	m, err := s.Media(ctx, p, id)
	if err != nil {
		return File{}, err
	}
	if s.files == nil {
		return File{}, noFiles()
	}
	original := File{ContentType: m.ContentType, Hash: m.Hash, Bytes: m.Bytes, Original: true, tenant: m.TenantID, key: m.Original}
	switch {
	case variant == Original:
		return original, nil
	case variant == "" && len(m.Variants) > 0:
		return shown(m, m.Variants[0]), nil
	case variant == "":
		return original, nil
	}
	v, ok := m.Variant(mission.Platform(variant))
	if !ok {
		v, ok = m.Made(variant)
	}
	if !ok {
		return File{}, mission.NotFound("variant", variant)
	}
	return shown(m, v), nil
}

func shown(m mission.Media, v mission.MediaVariant) File {
	return File{ContentType: v.ContentType, Hash: v.Hash, Bytes: v.Bytes, tenant: m.TenantID, key: v.Key}
}

// Open returns a post's file to be sent: its bytes are those whose hash the post's revision
// names, or reading them fails: with mission.FileMissing if they are gone for good.
func (s *Service) Open(c mission.Content, m mission.PostMedia) mission.File {
	return mission.File{PostMedia: m, Address: s.address(c, m), Open: func(ctx context.Context) (io.ReadCloser, error) {
		if s.files == nil {
			return nil, errors.New("media: this process has no store of files")
		}
		r, attrs, err := s.files.Get(ctx, m.Key, 0, -1)
		switch {
		case errors.Is(err, blobs.ErrNotFound):
			return nil, mission.FileMissing()
		case err != nil:
			return nil, err
		case attrs.Bytes != m.Bytes:
			_ = r.Close()
			return nil, mission.FileMissing()
		}
		return verified(r, m.Bytes, m.Hash), nil
	}}
}

// Show opens a part of a file for a client, to whom it is written in a Turn: bytes that aren't there are an error before
// anything was answered. ctx ends the reads; the caller closes the reader and leaves the turn. Errors: rate_limit_exceeded or
// service_unavailable if too many files are shown; service_unavailable if the store of files can't be reached.
func (s *Service) Show(ctx context.Context, f File, offset, length int64) (io.ReadCloser, *Turn, error) {
	turn, err := s.downloads.enter(f.tenant)
	if err != nil {
		return nil, nil, err
	}
	r, _, err := s.files.Get(ctx, f.key, offset, length)
	if err != nil {
		turn.Leave()
		if !errors.Is(err, blobs.ErrNotFound) {
			err = fmt.Errorf("%w: %w", &mission.Error{Code: mission.CodeServiceUnavailable, Message: "The file's bytes can't be read at the moment; try again."}, err)
		}
		return nil, nil, err
	}
	return r, turn, nil
}

// linkLife is how long a signed address holds at least; it holds up to twice as long, so that
// a browser that shows it again has it still.
const linkLife = 15 * time.Minute

// Link returns the path, with its query, at which a file is shown to whoever has the address,
// for a while.
func (s *Service) Link(m mission.Media, variant string) string {
	until := s.real.Now().Truncate(linkLife).Add(2 * linkLife).Unix()
	q := url.Values{"expires": {strconv.FormatInt(until, 10)}, "tenant": {m.TenantID}}
	if variant != "" {
		q.Set("variant", variant)
	}
	q.Set("signature", s.secrets.Sign(linkContext(m.TenantID, m.ID, variant, until)))
	return "/v1/media/" + m.ID + "/file?" + q.Encode()
}

// PostLink returns the path at which the very bytes of a post's file are shown; see Link.
func (s *Service) PostLink(tenantID string, m mission.PostMedia) string {
	return s.Link(mission.Media{ID: m.MediaID, TenantID: tenantID}, m.Hash)
}

func linkContext(tenantID, id, variant string, until int64) string {
	return strings.Join([]string{"media", tenantID, id, variant, strconv.FormatInt(until, 10)}, "/")
}

// Visitor returns whoever has a signed address of a file as a caller that may see it alone.
// Errors: unauthorized if the address isn't one, or has expired.
func (s *Service) Visitor(id, variant string, q url.Values) (mission.Principal, error) {
	until, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	tenant := q.Get("tenant")
	if err != nil || !s.real.Now().Before(time.Unix(until, 0)) || !s.secrets.Signed(linkContext(tenant, id, variant, until), q.Get("signature")) {
		return mission.Principal{}, mission.Unauthorized()
	}
	return mission.Principal{TenantID: tenant}, nil
}
