package media

import (
	"context"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Address is where the bytes of a file are PUT by whoever has it, without a credential.
type Address struct {
	ID string
	// Path is that of the service's URL, with its query.
	Path string
	// ContentType is the header that the request has.
	ContentType string
	ExpiresAt   time.Time
}

// CreateUpload prepares the upload of a file whose size is known: its bytes are PUT at the
// address that is returned, and Complete ends it. Errors: as for Upload.
func (s *Service) CreateUpload(ctx context.Context, p mission.Principal, in Upload) (Address, error) {
	if s.files == nil {
		return Address{}, noFiles()
	}
	if err := in.Check(); err != nil {
		return Address{}, err
	}
	if in.Size <= 0 {
		return Address{}, mission.Invalid("bytes", "The size must be at least 1.")
	}
	if err := in.check(); err != nil {
		return Address{}, err
	}
	if err := s.mayWait(ctx, p.TenantID); err != nil {
		return Address{}, err
	}
	m, err := idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Media, error) { return s.add(ctx, tx, p, in, false) })
	if err != nil {
		return Address{}, err
	}
	until := s.real.Now().Add(mission.UploadLife)
	q := url.Values{"expires": {strconv.FormatInt(until.Unix(), 10)}, "tenant": {m.TenantID}}
	q.Set("signature", s.secrets.Sign(uploadContext(m.TenantID, m.ID, until.Unix())))
	return Address{ID: m.ID, Path: "/v1/media/uploads/" + m.ID + "?" + q.Encode(), ContentType: m.ContentType, ExpiresAt: time.Unix(until.Unix(), 0).UTC()}, nil
}

func uploadContext(tenantID, id string, until int64) string {
	return strings.Join([]string{"upload", tenantID, id, strconv.FormatInt(until, 10)}, "/")
}

// uploader returns the tenant that the address of a prepared upload is for, and how long it still holds. Errors:
// unauthorized.
func (s *Service) uploader(id string, q url.Values) (tenantID string, left time.Duration, err error) {
	until, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	tenantID, left = q.Get("tenant"), time.Unix(until, 0).Sub(s.real.Now())
	if err != nil || left <= 0 || !s.secrets.Signed(uploadContext(tenantID, id, until), q.Get("signature")) {
		return "", 0, mission.Unauthorized()
	}
	return tenantID, left, nil
}

// Receive stores the bytes of an upload that CreateUpload prepared; those of an earlier call
// are replaced, once these are all there. size is how many the sender says that it has; -1 if it doesn't. Errors:
// unauthorized if the address isn't one or has expired, even while the bytes arrive, or whoever prepared the upload has
// ended; forbidden if they may not upload any more; not_found; conflict if the upload has ended, or the
// tenant is to be deleted; invalid_request on Content-Length if size isn't what was announced, before body is read;
// rate_limit_exceeded.
func (s *Service) Receive(ctx context.Context, id string, q url.Values, size int64, body io.Reader) error {
	tenant, left, err := s.uploader(id, q)
	if err != nil {
		return err
	}
	leave, err := s.enter(ctx, tenant)
	if err != nil {
		return err
	}
	defer leave()
	m, by, err := s.store.Upload(ctx, tenant, id)
	if err == nil {
		err = by.Check(mission.OpMediaPrepare, s.timeOf(by))
	}
	if err == nil && m.Status != mission.MediaUploading {
		err = mission.Conflict("The file's upload has ended.")
	}
	if err == nil && size >= 0 && size != m.Bytes {
		err = mission.Invalid("Content-Length", "The file must have the %d bytes that were announced.", m.Bytes)
	}
	if err != nil {
		return err
	}
	// What arrives after the address's end could never be completed.
	arriving, cancel := context.WithTimeoutCause(ctx, left, mission.Unauthorized())
	defer cancel()
	held, err := s.reserve(ctx, m, m.Bytes, 0) // beside those of an earlier call, until these replace them
	if err != nil {
		return err
	}
	room := &budget{service: s, file: m, held: held}
	a, err := s.receive(arriving, m, room, body)
	replaced := a.key
	if err == nil {
		replaced, err = s.received(ctx, m, a)
	}
	if folder, ok := strings.CutSuffix(replaced, originalName); ok {
		s.clear(context.WithoutCancel(ctx), folder+"/", room) // room for as many bytes was reserved
	}
	return err
}

// timeOf returns the time by which a maker ends.
func (s *Service) timeOf(by mission.Maker) time.Time {
	if by.Agent {
		return s.real.Now()
	}
	return s.clock.Now()
}

// received records what has arrived of a file, and returns the key that isn't needed any more:
// that of earlier bytes, or of these if the upload has ended; "" is none. Errors: not_found,
// conflict.
func (s *Service) received(ctx context.Context, m mission.Media, a arrival) (replaced string, err error) {
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if err == nil && locked.Status != mission.MediaUploading {
			err = mission.Conflict("The file's upload has ended.")
		}
		if err != nil {
			return err
		}
		arrived := locked
		arrived.Bytes, arrived.Hash, arrived.Original = a.Bytes, a.Hash, a.key
		replaced = locked.Original
		return tx.SetMedia(ctx, locked, arrived)
	})
	switch code := mission.CodeOf(err); {
	case err == nil:
		return replaced, nil
	case code == mission.CodeNotFound, code == mission.CodeConflict:
		return a.key, err
	}
	return "", err // it may have been recorded
}

// Complete ends an upload whose bytes have been sent. Errors: not_found; conflict if they
// haven't, or the tenant's quota is used up; rate_limit_exceeded if too many files wait to be examined,
// after which it may be tried again.
func (s *Service) Complete(ctx context.Context, p mission.Principal, id string) (mission.Media, error) {
	if !mission.HasIDForm(mission.PrefixMedia, id) {
		return mission.Media{}, mission.NotFound(noun, id)
	}
	return s.arrived(ctx, p, id, nil, mission.MediaInput{}, 0)
}
