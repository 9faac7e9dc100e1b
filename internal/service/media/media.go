// Package media has the operations on pictures and videos: how their bytes arrive, are
// examined by a child process, shown and deleted.
//
// A file's row is there before its bytes and after them: what a crash leaves behind is found
// by the row's task, which removes bytes that didn't arrive in time.
package media

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/mediafile"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const noun = "file"

// Clock is the domain's clock.
type Clock interface {
	Now() time.Time
	// Domain returns how much domain time passes in a real duration.
	Domain(real time.Duration) time.Duration
}

// Files has the bytes of files, by keys.
type Files interface {
	Put(ctx context.Context, key, contentType string, r io.Reader, most int64) (blobs.Written, error)
	Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, blobs.Attributes, error)
	DeleteAll(ctx context.Context, prefix string) error
	Sweep(ctx context.Context) (int, error)
}

// Processor examines files and makes what is sent of them.
type Processor interface {
	Process(ctx context.Context, file io.Reader, size int64, req mediafile.Request, sink func(name string) (io.WriteCloser, error)) (mediafile.Result, error)
}

// Service has the operations on files. It is safe for concurrent use.
type Service struct {
	store     *store.DB
	db        idempotency.DB // the store for changes that callers make
	clock     Clock
	real      Clock
	files     Files
	processor Processor
	secrets   *seal.Keyring
	public    string
	uploads   turns
}

// Options are what New needs.
type Options struct {
	Clock Clock
	// Real is the clock of signed addresses.
	Real Clock
	// Files is nil in a process that has no store of files, which refuses uploads.
	Files     Files
	Processor Processor
	Secrets   *seal.Keyring
	// PublicURL is where platforms reach the service to fetch files; "" if they don't.
	PublicURL string
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	return &Service{
		store: db, db: idempotency.Of(db), clock: o.Clock, real: o.Real, files: o.Files, processor: o.Processor, secrets: o.Secrets, public: o.PublicURL,
		uploads: turns{each: uploadsPerTenant, all: uploadsPerProcess},
	}
}

// How many uploads there are at once: each holds a connection, and a few parts of a file.
const (
	uploadsPerTenant  = 4
	uploadsPerProcess = 32
)

// Upload is a file that is about to arrive.
type Upload struct {
	// ContentType is what the uploader says that it is.
	ContentType string
	// Size is its size in bytes; -1 if it isn't known.
	Size int64
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
	leave, err := s.enter(p.TenantID)
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

// enter begins an upload.
func (s *Service) enter(tenantID string) (leave func(), err error) {
	if s.files == nil {
		return nil, noFiles()
	}
	return s.turn(tenantID)
}

// turn begins the reading of an upload, of which so many go on at once. Errors: rate_limit_exceeded.
func (s *Service) turn(tenantID string) (leave func(), err error) {
	leave, ok := s.uploads.enter(tenantID)
	if !ok {
		return nil, mission.RateLimited(uploadsWait, "Too many uploads at once: %d are allowed.", uploadsPerTenant)
	}
	return leave, nil
}

func noFiles() error {
	return &mission.Error{Code: mission.CodeServiceUnavailable, Message: "This process has no store of files."}
}

// uploadsWait is when an upload may be tried again that was one too many.
const uploadsWait = 5 * time.Second

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
// their number is known.
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
	reserved, err := m.Reserve(max(in.Size, 1), 0, used, mission.MediaQuota(t.Plan))
	if err != nil {
		return m, err
	}
	if now && in.Size > 0 {
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

// keyOf returns where what belongs to a file is.
func keyOf(m mission.Media) string { return m.TenantID + "/" + m.ID + "/" }

// originalName is the end of the keys of what was uploaded.
const originalName = "/original"

// Media returns a file of the tenant's. Errors: not_found.
func (s *Service) Media(ctx context.Context, p mission.Principal, id string) (mission.Media, error) {
	if !mission.HasIDForm(mission.PrefixMedia, id) {
		return mission.Media{}, mission.NotFound(noun, id)
	}
	m, err := s.store.Media(ctx, p.TenantID, id)
	if err == nil && !m.Shown() {
		err = mission.NotFound(noun, id)
	}
	return m, err
}

// ByID returns those of the tenant's files that exist, by id.
func (s *Service) ByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Media, error) {
	return s.db.MediaByID(ctx, p.TenantID, ids)
}

// Filter selects files; an empty field doesn't filter.
type Filter struct {
	Kind   mission.MediaKind
	Status mission.MediaStatus
	Unused bool
	// Search has words of descriptions and alt texts.
	Search string
}

// List returns a page of the tenant's files, newest first, with their number or
// store.Uncounted. Errors: invalid_request.
func (s *Service) List(ctx context.Context, p mission.Principal, f Filter, page store.Page) (listed store.Listed[mission.Media], err error) {
	words, err := mission.SearchWords(f.Search)
	if err != nil {
		return listed, err
	}
	if err := page.Check(mission.PrefixMedia, noun); err != nil {
		return listed, err
	}
	return s.db.ListMedia(ctx, p.TenantID, store.MediaFilter{Kind: f.Kind, Status: f.Status, Unused: f.Unused, Words: words}, page)
}

// Posts returns the latest posts that have a file, shownPosts at most. Errors: not_found.
func (s *Service) Posts(ctx context.Context, p mission.Principal, id string) ([]mission.Content, error) {
	if _, err := s.Media(ctx, p, id); err != nil {
		return nil, err
	}
	return s.db.MediaPosts(ctx, p.TenantID, id, shownPosts)
}

// shownPosts is how many posts are shown that have a file.
const shownPosts = 50

// Update changes what is said of a file. Errors: invalid_request; not_found; conflict; rate_limit_exceeded
// if it is to be made anew and too many files wait to be examined.
func (s *Service) Update(ctx context.Context, p mission.Principal, id string, in mission.MediaInput) (mission.Media, error) {
	if err := in.Check(); err != nil {
		return mission.Media{}, err
	}
	return s.change(ctx, p, id, func(tx store.Tx, m mission.Media, now time.Time) (mission.Media, error) {
		changed, err := m.Edit(in, now)
		if err != nil {
			return m, err
		}
		if err := tx.SetMedia(ctx, m, changed); err != nil || changed.Status == m.Status {
			return changed, err
		}
		return changed, within(ctx, tx, changed)
	})
}

// Delete deletes a file: it is gone at once, its bytes soon afterwards. Errors: not_found;
// conflict while a post has it that isn't published yet.
func (s *Service) Delete(ctx context.Context, p mission.Principal, id string) error {
	_, err := s.change(ctx, p, id, func(tx store.Tx, m mission.Media, now time.Time) (mission.Media, error) {
		waiting, err := tx.MediaWaits(ctx, m.ID)
		if err != nil {
			return m, err
		}
		gone, err := m.Delete(waiting, now)
		if err != nil {
			return m, err
		}
		return gone, tx.ChangeMedia(ctx, m, gone, tx.AuditEntry(p, mission.AuditMediaDeleted, m.ID, map[string]any{"bytes": m.Bytes}, now))
	})
	return err
}

// change changes a file of the tenant's in a transaction that locks it.
func (s *Service) change(
	ctx context.Context, p mission.Principal, id string,
	fn func(tx store.Tx, m mission.Media, now time.Time) (mission.Media, error),
) (mission.Media, error) {
	if !mission.HasIDForm(mission.PrefixMedia, id) {
		return mission.Media{}, mission.NotFound(noun, id)
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Media, error) {
		m, err := tx.LockMedia(ctx, p.TenantID, id)
		if err == nil && !m.Shown() {
			err = mission.NotFound(noun, id)
		}
		if err != nil {
			return m, err
		}
		return fn(tx, m, s.clock.Now())
	})
}
