// Package media has the operations on pictures and videos: how their bytes arrive, are
// examined by a child process, shown and deleted.
//
// A file's row is there before its bytes and after them: what a crash leaves behind is found
// by the row's task, which removes bytes that didn't arrive in time.
package media

import (
	"cmp"
	"context"
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
	Process(
		ctx context.Context, file io.ReadSeeker, size int64, req mediafile.Request, sink func(name string) (io.WriteCloser, error),
	) (mediafile.Result, error)
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
	uploads   *turns
	downloads *turns
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
	// Patience is how long a client may be behind the least rate of transfers: for tests; 0 for the service's own.
	Patience time.Duration
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	return &Service{
		store: db, db: idempotency.Of(db), clock: o.Clock, real: o.Real, files: o.Files, processor: o.Processor, secrets: o.Secrets, public: o.PublicURL,
		uploads:   newTurns("uploads", uploadsPerTenant, uploadsShared, uploadsPerProcess, cmp.Or(o.Patience, sendPatience)),
		downloads: newTurns("downloads", downloadsPerTenant, downloadsShared, downloadsPerProcess, cmp.Or(o.Patience, takePatience)),
	}
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
