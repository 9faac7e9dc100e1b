// Package missions has the operations on missions, posts and jobs: API's are those of
// callers (create, pause, approve), Pipeline's those of tasks (plan, write, publish). An
// operation that writes is one transaction, which changes state, inserts the events and
// inserts the tasks. Nothing is sent or enqueued here.
//
// Locks are taken in one order: mission, task, job, contents.
package missions

import (
	"context"
	"errors"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Clock is the domain's clock.
type Clock interface {
	Now() time.Time
	// Domain returns how much domain time passes in a real duration.
	Domain(real time.Duration) time.Duration
}

// Writer writes posts.
type Writer interface {
	// Price returns the most that Write may cost for an assignment.
	Price(a mission.Assignment) mission.Micros
	// Write returns a draft within the limits of the slot's platform. Errors: a
	// *mission.Error says what the tenant has to change; a *mission.WritingError
	// that the post can't be written; a *mission.OutageError that the writer is
	// unavailable and may recover. Draft.Cost is set with an error too.
	Write(ctx context.Context, a mission.Assignment) (mission.Draft, error)
	// Remark returns a note to the tenant about how posts of a brief are written;
	// nil if there is none.
	Remark(b mission.Brief) *mission.Failure
	// Supply returns how many different posts on a platform a brief and a brand's facts are expected to give;
	// math.MaxInt if they don't bound it.
	Supply(b mission.Brief, facts []mission.Fact) int
}

// OpenOwn returns a tenant's own writer.
type OpenOwn func(w mission.TenantWriter) (Writer, error)

// core is what both kinds of operations use.
type core struct {
	store   *store.DB
	clock   Clock
	writer  Writer
	openOwn OpenOwn
	sandbox bool
	// reviewURL is where review links lead, with a slash at its end, trackURL what tracked links begin with;
	// "" if there can't be any.
	reviewURL, trackURL string
	// paidFigures is whether figures that a platform charges for are read.
	paidFigures bool
}

// Options are what New needs.
type Options struct {
	Clock  Clock
	Writer Writer
	// OpenOwn opens the writers of tenants that have their own.
	OpenOwn OpenOwn
	// Sandbox publishes posts without a connected integration to the sandbox; if
	// it is false, such posts fail.
	Sandbox bool
	// PublicURL is the service's URL for browsers, without a trailing slash.
	PublicURL string
	// LinkURL is what tracked links begin with, without a trailing slash; "" if links aren't tracked.
	LinkURL string
	// PaidFigures has accounts' figures read also where a platform charges for them.
	PaidFigures bool
}

// API has the operations of callers. It is safe for concurrent use.
type API struct {
	core
	// db is the store for changes that callers make.
	db idempotency.DB
}

// New returns an API over db.
func New(db *store.DB, o Options) *API { return &API{core: newCore(db, o), db: idempotency.Of(db)} }

// Pipeline has the operations of tasks. It is safe for concurrent use.
type Pipeline struct{ core }

// NewPipeline returns a Pipeline over db.
func NewPipeline(db *store.DB, o Options) *Pipeline { return &Pipeline{core: newCore(db, o)} }

func newCore(db *store.DB, o Options) core {
	s := core{store: db, clock: o.Clock, writer: o.Writer, openOwn: o.OpenOwn, sandbox: o.Sandbox, reviewURL: o.PublicURL + ReviewPath, paidFigures: o.PaidFigures}
	if o.LinkURL != "" {
		s.trackURL = o.LinkURL + LinkPath
	}
	return s
}

// ErrDone means that a task has nothing left to do and is settled: its mission is
// paused (the task is parked) or has ended, or another run did the work.
var ErrDone = errors.New("missions: nothing is left to do for the task")

// leased runs fn in a transaction that leases t and locks its mission. If the
// mission is paused (a mission whose tenant is on hold or to be deleted is paused here), t is
// parked instead. Errors: ErrDone, store.ErrLost.
func (s *Pipeline) leased(ctx context.Context, t mission.Task, fn func(tx store.Tx, m mission.Mission, now time.Time) error) error {
	done := false
	err := s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		m, err := tx.LockMission(ctx, t.TenantID, t.MissionID)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return store.ErrLost // its tasks were deleted with it
		}
		if err != nil {
			return err
		}
		if m, err = stop(ctx, tx, m, now); err != nil {
			return err
		}
		if done = m.Status == mission.StatusPaused; done {
			return tx.ParkTask(ctx, t)
		}
		err = fn(tx, m, now)
		if done = errors.Is(err, ErrDone); done {
			return tx.FinishTask(ctx, t)
		}
		if err != nil || tx.Settled(t) {
			return err
		}
		return tx.RequireLease(ctx, t)
	})
	if err == nil && done {
		return ErrDone
	}
	return err
}
