package media

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Upload is a file that is about to arrive.
type Upload struct {
	// ContentType is what the uploader says that it is.
	ContentType string
	// Size is its size in bytes; -1 if it isn't known. Most is what it is at most then; 0 if that isn't known either.
	Size, Most int64
	mission.MediaInput
	// Rest returns what comes after the file and is said of it; nil if nothing does.
	Rest func() (mission.MediaInput, error)
}

// Upload takes a file: its bytes are stored as they arrive, and processed afterwards. Errors:
// invalid_request; payload_too_large; conflict if the tenant's quota is used up;
// rate_limit_exceeded if too many of its uploads are under way, or of its files wait to be examined.
func (s *Service) Upload(ctx context.Context, p mission.Principal, in Upload, body io.Reader) (mission.Media, error) {
	if m, ok, err := s.Uploaded(ctx); ok || err != nil {
		return m, err
	}
	leave, err := s.enter(ctx, p.TenantID)
	if err != nil {
		return mission.Media{}, err
	}
	defer leave()
	m, err := s.begin(ctx, p, in)
	if err != nil {
		return m, err
	}
	room := &budget{service: s, file: m, held: m.Stored}
	arrival, err := s.receive(ctx, m, room, body)
	if err != nil {
		s.abandon(context.WithoutCancel(ctx), m)
		return m, err
	}
	var more mission.MediaInput
	if in.Rest != nil {
		if more, err = in.Rest(); err != nil {
			s.abandon(context.WithoutCancel(ctx), m)
			return m, err
		}
	}
	idempotency.RequestOf(ctx).Contains(contents(in, more, arrival.Hash))
	m, err = s.arrived(ctx, p, m.ID, &arrival, more, room.reserved())
	if code := mission.CodeOf(err); code == mission.CodeConflict || code == mission.CodeInvalidRequest || code == mission.CodeRateLimitExceeded {
		s.abandon(context.WithoutCancel(ctx), m)
	}
	return m, err
}

// unstored returns the error of a file that wasn't stored: the client's fault, or the store's trouble.
func unstored(err error) error {
	message := "The file can't be stored at the moment; try again."
	switch known := (*mission.Error)(nil); {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, blobs.ErrFull):
		message = "The store of files is full."
	}
	return fmt.Errorf("%w: %w", &mission.Error{Code: mission.CodeServiceUnavailable, Message: message}, err)
}

func noFiles() error {
	return &mission.Error{Code: mission.CodeServiceUnavailable, Message: "This process has no store of files."}
}

// begin makes the row of an upload, and reserves room for its bytes: all of them if their number is known.
func (s *Service) begin(ctx context.Context, p mission.Principal, in Upload) (m mission.Media, err error) {
	if err := in.check(); err != nil {
		return m, err
	}
	if err := s.mayWait(ctx, p.TenantID); err != nil {
		return m, err
	}
	err = s.store.Tx(ctx, func(tx store.Tx) (err error) {
		m, err = s.add(ctx, tx, p, in, true)
		return err
	})
	return m, err
}

// check returns an error if what is said of a file can't be, or it is larger than one may be.
func (in Upload) check() error {
	if err := mission.CheckUploadType("content_type", in.ContentType); err != nil {
		return err
	}
	if err := in.Check(); err != nil {
		return err
	}
	if in.Size > mission.MaxUpload(in.ContentType) {
		return tooLarge()
	}
	return nil
}

// add adds the row of an upload for which the tenant's quota has room. It is reserved if the bytes arrive now, and
// something is known of their number.
func (s *Service) add(ctx context.Context, tx store.Tx, p mission.Principal, in Upload, now bool) (mission.Media, error) {
	at := s.clock.Now()
	m, err := mission.NewMedia(tx.NewID(mission.PrefixMedia, at), p, in.ContentType, in.MediaInput, at)
	if err != nil {
		return m, err
	}
	m.Bytes = max(in.Size, 0)
	t, err := tx.LockTenant(ctx, p.TenantID) // the quota is shared
	if err != nil {
		return m, err
	}
	used, err := tx.MediaBytes(ctx, p.TenantID)
	if err != nil {
		return m, err
	}
	reserved, err := m.Reserve(max(in.Size, 1), min(in.Most, mission.MaxUpload(in.ContentType)), used, mission.MediaQuota(t.Plan))
	if err != nil {
		return m, err
	}
	if now && max(in.Size, in.Most) > 0 {
		m = reserved
	}
	return m, tx.AddMedia(ctx, m)
}

// arrival is what has arrived of an upload: the size and the hash of its bytes, and where they
// are.
type arrival struct {
	blobs.Written

	key string
}

// receive stores the bytes of an upload at a place of their own, so that those of two calls
// aren't mixed up: as many as were announced. After an error the caller discards what is there.
func (s *Service) receive(ctx context.Context, m mission.Media, room *budget, body io.Reader) (a arrival, err error) {
	ctx, cancel := context.WithTimeout(ctx, mission.UploadLife)
	defer cancel()
	a.key = keyOf(m) + "u-" + rand.Text() + originalName
	most := cmp.Or(m.Bytes, mission.MaxUpload(m.ContentType))
	a.Written, err = s.files.Put(ctx, a.key, m.ContentType, &budgeted{body, ctx, room}, most)
	switch {
	case errors.Is(err, blobs.ErrTooLarge) && m.Bytes > 0:
		err = mission.Invalid("file", "The file has more than the %d bytes that were announced.", m.Bytes)
	case errors.Is(err, blobs.ErrTooLarge):
		err = tooLarge()
	case err == nil && a.Bytes == 0:
		err = mission.Invalid("file", "The file is empty.")
	case err == nil && a.Bytes < m.Bytes:
		err = mission.Invalid("file", "Only %d of the file's %d bytes have arrived.", a.Bytes, m.Bytes)
	default:
		err = unstored(err)
	}
	return a, err
}

// abandon takes away an upload that has failed; if it can't, the row's task does.
func (s *Service) abandon(ctx context.Context, m mission.Media) {
	ctx, cancel := context.WithTimeout(ctx, abandonLimit)
	defer cancel()
	_ = s.store.Tx(ctx, func(tx store.Tx) error { return s.endUpload(ctx, tx, m) })
}

// endUpload takes away an upload that is still under way; its bytes are removed afterwards.
func (s *Service) endUpload(ctx context.Context, tx store.Tx, m mission.Media) error {
	locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
	if err != nil || locked.Status != mission.MediaUploading {
		return err
	}
	gone, err := locked.Delete(false, s.clock.Now())
	if err != nil {
		return err
	}
	return tx.SetMedia(ctx, locked, gone)
}

// abandonLimit is how long taking an upload away is tried.
const abandonLimit = 5 * time.Second

// arrived records that all bytes of an upload are there, for which so many were reserved, so that they are
// processed. a is nil if Receive has recorded them before.
func (s *Service) arrived(
	ctx context.Context, p mission.Principal, id string, a *arrival, more mission.MediaInput, reserved int64,
) (mission.Media, error) {
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (m mission.Media, err error) {
		now := s.clock.Now()
		locked, err := tx.LockMedia(ctx, p.TenantID, id)
		if err != nil {
			return m, err
		}
		with := locked
		if a != nil {
			with = locked.Release(reserved - a.Bytes)
			with.Bytes, with.Hash, with.Original = a.Bytes, a.Hash, a.key
		}
		if m, err = with.Arrived(now); err != nil {
			return locked, err
		}
		if m, err = m.Edit(more, now); err != nil {
			return locked, err
		}
		entry := tx.AuditEntry(p, mission.AuditMediaUploaded, m.ID, map[string]any{"content_type": m.ContentType, "bytes": m.Bytes}, now)
		if err := tx.ChangeMedia(ctx, locked, m, entry); err != nil {
			return m, err
		}
		return m, within(ctx, tx, m)
	})
}

func tooLarge() error {
	return &mission.Error{Code: mission.CodePayloadTooLarge, Message: "The file has too many bytes: pictures have at most 20 MiB, videos 512 MiB.", Param: "file"}
}
