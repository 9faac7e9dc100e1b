package media

import (
	"context"
	"io"
	"sync"

	"missiond/mission"
	"missiond/store"
)

// Steps in which room for bytes is reserved whose number isn't known: as many as there are already, between these.
const (
	leastStep = 1 << 20
	mostStep  = 16 << 20
)

// budget is the room that is reserved in a tenant's quota for what is stored of a file. It is safe for concurrent
// use.
type budget struct {
	service *Service
	file    mission.Media

	mu sync.Mutex
	// held is how many bytes are reserved, taken how many of them are stored or about to be.
	held, taken int64
}

// take takes n bytes that are about to be stored, and reserves more if needed. Errors: conflict if the quota is used
// up, or nothing is to be stored of the file any more; the database's.
func (b *budget) take(ctx context.Context, n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if lacks := b.taken + n - b.held; lacks > 0 {
		got, err := b.service.reserve(ctx, b.file, lacks, min(max(b.taken, leastStep), mostStep))
		if err != nil {
			return err
		}
		b.held += got
	}
	b.taken += n
	return nil
}

// reserved returns how many bytes are reserved.
func (b *budget) reserved() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// clear removes a folder of bytes that nothing needs, and gives back the room that was reserved for them. What it
// can't remove goes with the file, and counts until then.
func (s *Service) clear(ctx context.Context, folder string, room *budget) {
	ctx, cancel := context.WithTimeout(ctx, abandonLimit)
	defer cancel()
	if held := room.reserved(); s.files.DeleteAll(ctx, folder) == nil && held > 0 {
		_ = s.release(ctx, room.file, held)
	}
}

// reserve reserves least bytes in the tenant's quota for a file, or up to most, and returns how many. Errors: conflict.
func (s *Service) reserve(ctx context.Context, m mission.Media, least, most int64) (got int64, err error) {
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		t, err := tx.LockTenant(ctx, m.TenantID) // the quota is shared
		if err != nil {
			return err
		}
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if err == nil && !locked.Writes() {
			err = mission.Conflict("The file's upload has ended.")
		}
		if err != nil {
			return err
		}
		used, err := tx.MediaBytes(ctx, m.TenantID)
		if err != nil {
			return err
		}
		reserved, err := locked.Reserve(least, most, used, mission.MediaQuota(t.Plan))
		if err != nil {
			return err
		}
		got = reserved.Stored - locked.Stored
		return tx.SetMedia(ctx, locked, reserved)
	})
	return got, err
}

// release gives back bytes of the tenant's quota that are stored no more for a file.
func (s *Service) release(ctx context.Context, m mission.Media, bytes int64) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return nil // it counts no more
		}
		if err != nil {
			return err
		}
		return tx.SetMedia(ctx, locked, locked.Release(bytes))
	})
}

// budgeted is a reader whose bytes are taken from a budget before they are passed on.
type budgeted struct {
	io.Reader

	ctx    context.Context
	budget *budget
}

// Read implements io.Reader. Errors: also those of take.
func (b *budgeted) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if n > 0 {
		if short := b.budget.take(b.ctx, int64(n)); short != nil {
			return 0, short
		}
	}
	return n, err
}
