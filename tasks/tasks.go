// Package tasks runs what the ledger holds: a dispatcher hands its rows to
// Asynq, which rings workers; a worker claims the row, runs its handler, and
// settles it. An Asynq task is only a doorbell: it says that a row may be due,
// and losing it, or ringing twice, changes nothing.
package tasks

import (
	"context"
	"log/slog"
	"time"

	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

// Publisher brings posts to their platforms, through an integration or, if
// that is nil, to the sandbox. It bounds its calls' time and size; callLimit
// bounds them once more. Errors: *mission.PublishError; any other counts as an
// answer that never came.
type Publisher interface {
	// Publish publishes a part of a post.
	Publish(ctx context.Context, via *mission.Integration, p mission.Part) (mission.Publication, error)
	// Find looks for a part whose answer never came; ok is false if the
	// platform doesn't have it. Errors: mission.ErrAskAgain too.
	Find(ctx context.Context, via *mission.Integration, p mission.Part) (found mission.Publication, ok bool, err error)
	// Measure returns the metrics of posts of one platform, by content id; posts
	// that couldn't be measured are absent.
	Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error)
}

// Clock tells the domain's time, and how it goes against real time.
type Clock interface {
	Now() time.Time
	// Until is the real time left until a domain time.
	Until(domain time.Time) time.Duration
	// Domain is how much domain time goes by in a real duration.
	Domain(real time.Duration) time.Duration
}

// Parts are what this package works with.
type Parts struct {
	DB        *store.DB
	Service   *service.Service
	Webhooks  *service.Webhooks
	Accounts  *service.Accounts
	Clock     Clock
	Queue     *Queue
	Publisher Publisher
	// Writers is how many stages may write at once in a process: fewer than it
	// has workers, if the writer waits for others. A quarter of them, or one,
	// is out of reach for any one tenant. 0 is no bound.
	Writers int
	Log     *slog.Logger
	Metrics *Metrics
}

// Real times of the machinery; the domain's clock may run faster.
const (
	// lease is how long a claimed task is its worker's without renewal.
	lease = 15 * time.Second
	// renewEvery is how often leases are renewed.
	renewEvery = 4 * time.Second
	// callLimit bounds a call to a platform. A call starts only while the
	// lease lasts longer, so that it is over when another worker may take the
	// post up.
	callLimit = 8 * time.Second
	// callsPerPlatform is how many calls to a platform a process makes at
	// once: fewer than it has workers, so that one that is slow doesn't keep
	// the others' posts waiting.
	callsPerPlatform = 6
	// callsPerTenant is how many of them one tenant's posts take.
	callsPerTenant = 3
	// crowdDelay is how long a task waits that finds a crowd.
	crowdDelay = time.Second
	// taskLimit bounds one run of a task.
	taskLimit = 10 * time.Minute
	// writeLimit is how long a run begins to write posts; the rest of taskLimit
	// is for the one under way.
	writeLimit = 4 * time.Minute
)

// Horizon and Patience are the ledger's timing in real time (see
// store.LedgerTiming).
const (
	Horizon  = time.Hour
	Patience = 4 * time.Second
)

// Timing is the ledger's timing on a clock.
func Timing(c Clock) store.LedgerTiming {
	return store.LedgerTiming{Horizon: c.Domain(Horizon), Patience: c.Domain(Patience)}
}
