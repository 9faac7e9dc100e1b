package media

import (
	"context"
	"errors"
	"net/url"
	"os"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
)

const (
	// leastRate is how many bytes a second a client has to send or to take: a twentieth of what phones have
	// where there is hardly a network, and more than half of what a picture needs to arrive within UploadLife.
	leastRate = 8 << 10
	// sendPatience is how long a client may send nothing, and slower ones be behind the rate altogether: less
	// than the store of files waits, so that it isn't taken for the one that stalls.
	sendPatience = 25 * time.Second
	// takePatience is longer, since what was written may wait for the client in the network for a while.
	takePatience = time.Minute
	// lateness is the part of its patience by which a transfer is behind that ends if another needs its turn.
	lateness = 5
	// turnWait is when a transfer may be tried again that found no turn, in seconds.
	turnWait = 5
)

// How many transfers there are at once. An upload holds a connection and a part of a file in memory, a download a
// connection and an open file.
const (
	uploadsPerTenant, uploadsShared, uploadsPerProcess       = 4, 16, 32
	downloadsPerTenant, downloadsShared, downloadsPerProcess = 64, 192, 256
)

// turns shares transfers of one kind between tenants: each has so many at most, of which those beyond its first
// come from a shared part, so that a few tenants don't take the turns of all. Where none is left, the
// transfer that is furthest behind leastRate ends for it.
type turns struct {
	of                string
	each, shared, all int
	patience          time.Duration

	mu sync.Mutex
	by map[string]int
	on map[*Turn]bool
}

func newTurns(of string, each, shared, all int, patience time.Duration) *turns {
	return &turns{of: of, each: each, shared: shared, all: all, patience: patience, by: map[string]int{}, on: map[*Turn]bool{}}
}

// enter begins a transfer of a tenant's. Errors: rate_limit_exceeded if the tenant has as many as it may have,
// service_unavailable if all have.
func (t *turns) enter(tenantID string) (*Turn, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, more := t.by[tenantID], len(t.on)-len(t.by)
	switch {
	case own >= t.each:
		return nil, mission.RateLimited(turnWait*time.Second, "Too many %s at once: %d of a tenant are allowed.", t.of, t.each)
	case (len(t.on) >= t.all || own > 0 && more >= t.shared) && !t.free(own > 0):
		return nil, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: turnWait, Message: "Too many " + t.of + " of all tenants are in progress; try again."}
	}
	turn := &Turn{turns: t, tenant: tenantID, left: t.patience}
	t.by[tenantID]++
	t.on[turn] = true
	return turn, nil
}

// free ends the transfer that is furthest behind, if one is late, and reports whether it did. shared leaves out
// those of tenants that have no other.
func (t *turns) free(shared bool) bool {
	var last *Turn
	least := t.patience - t.patience/lateness
	for turn := range t.on {
		if left := turn.remains(); left < least && (!shared || t.by[turn.tenant] > 1) {
			last, least = turn, left
		}
	}
	if last == nil {
		return false
	}
	last.end()
	if last.waits {
		_ = last.limit(time.Unix(1, 0)) // long ago
	}
	return true
}

// Turn is a transfer of a file's bytes from a client or to it. The client may pause, and be slower than leastRate for a
// while: how long it still may grows with what it moves, up to the kind's patience. Only what waits
// for the client takes time. It is safe for concurrent use.
type Turn struct {
	turns  *turns
	tenant string

	left  time.Duration // how long the client may yet be waited for
	ends  time.Duration // when all of it has to be moved, by clock.Running; 0 for no such time
	waits bool          // whether the client is waited for
	since time.Duration // since when, by clock.Running
	limit func(time.Time) error
	over  bool
}

// Leave ends the transfer.
func (t *Turn) Leave() {
	t.turns.mu.Lock()
	defer t.turns.mu.Unlock()
	t.end()
}

// end gives the turn back, once.
func (t *Turn) end() {
	if t.over {
		return
	}
	t.over = true
	delete(t.turns.on, t)
	if t.turns.by[t.tenant]--; t.turns.by[t.tenant] == 0 {
		delete(t.turns.by, t.tenant)
	}
}

// remains returns how long the client may yet be waited for.
func (t *Turn) remains() time.Duration {
	if !t.waits {
		return t.left
	}
	return t.left - (clock.Running() - t.since)
}

// Move moves a piece: move reads from the client's connection or writes to it, until the deadline that limit
// sets there. Errors: theirs; invalid_request if the client is too slow.
func (t *Turn) Move(limit func(deadline time.Time) error, move func() (int, error)) (int, error) {
	if err := t.wait(limit); err != nil {
		return 0, err
	}
	n, err := move()
	return n, t.moved(n, err)
}

func (t *Turn) wait(limit func(time.Time) error) error {
	t.turns.mu.Lock()
	defer t.turns.mu.Unlock()
	now, left := clock.Running(), t.left
	if t.ends > 0 {
		left = min(left, t.ends-now)
	}
	if t.over || left <= 0 {
		return t.slow(now)
	}
	t.waits, t.since, t.limit = true, now, limit
	return limit(clock.Real().Now().Add(left))
}

// moved records that n bytes were moved. Errors: err; invalid_request if that is the deadline's.
func (t *Turn) moved(n int, err error) error {
	t.turns.mu.Lock()
	defer t.turns.mu.Unlock()
	now := clock.Running()
	t.left = min(t.remains()+time.Duration(n)*time.Second/leastRate, t.turns.patience)
	t.waits = false
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return t.slow(now)
	}
	return err
}

// slow returns why a client isn't waited for any more.
func (t *Turn) slow(now time.Duration) error {
	if t.ends > 0 && now >= t.ends {
		return mission.Invalid("", "The body took longer than %s to arrive.", mission.UploadLife)
	}
	return mission.Invalid("", "The body arrived too slowly: at least %d bytes a second are needed.", leastRate)
}

type turnKey struct{}

// Enter begins an upload of a tenant's: what reads its body does so in the Turn, from the first byte, and leaves it.
// The context is for Upload and Contents, and Receive. It doesn't end with ctx: it is the body that says why it
// ended. Errors: rate_limit_exceeded or service_unavailable if too many uploads are under way.
func (s *Service) Enter(ctx context.Context, tenantID string) (context.Context, *Turn, error) {
	if s.files == nil {
		return ctx, nil, noFiles()
	}
	turn, err := s.uploads.enter(tenantID)
	if err != nil {
		return ctx, nil, err
	}
	turn.ends = clock.Running() + mission.UploadLife
	return context.WithValue(context.WithoutCancel(ctx), turnKey{}, turn), turn, nil
}

// EnterPrepared is Enter for the bytes of an upload that CreateUpload prepared. Errors: Enter's; unauthorized if the
// address isn't one or has expired.
func (s *Service) EnterPrepared(ctx context.Context, id string, q url.Values) (context.Context, *Turn, error) {
	tenant, _, err := s.uploader(id, q)
	if err != nil {
		return ctx, nil, err
	}
	return s.Enter(ctx, tenant)
}

// enter begins an upload, unless ctx has its turn.
func (s *Service) enter(ctx context.Context, tenantID string) (leave func(), err error) {
	if ctx.Value(turnKey{}) != nil {
		return func() {}, nil
	}
	_, turn, err := s.Enter(ctx, tenantID)
	if err != nil {
		return nil, err
	}
	return turn.Leave, nil
}
