// Package tasks runs the ledger's tasks: a dispatcher enqueues its rows in Asynq; a
// worker claims the row of an Asynq task, runs its handler, and settles it. The row is
// the task: an Asynq task only says that a row may be due. It may be lost, or
// processed twice, without effect.
package tasks

import (
	"context"
	"log/slog"
	"time"

	"missiond/internal/service/accounts"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/internal/tracing"
	"missiond/mission"
	"missiond/store"
)

// Publisher publishes posts to their platforms through an integration, or to the
// sandbox if that is nil. It limits the time and size of its calls; callLimit limits
// their time once more. Errors: *mission.PublishError; any other error counts as a
// response that never came.
type Publisher interface {
	// Publish publishes a part of a post.
	Publish(ctx context.Context, via *mission.Integration, p mission.Part) (mission.Publication, error)
	// Find looks up a part whose response never came; ok is false if the platform
	// doesn't have it. Errors: mission.ErrInconclusive too.
	Find(ctx context.Context, via *mission.Integration, p mission.Part) (found mission.Publication, ok bool, err error)
	// Measure returns the metrics of posts of one platform, by content id. Posts
	// that couldn't be measured are absent.
	Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error)
	// Read returns what a platform shows of posts, as [publisher.Reader.Read] does.
	Read(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string][]mission.Shown, error)
	// Prepare takes a part one step further as a draft; see publisher.Preparer.
	Prepare(ctx context.Context, via *mission.Integration, p mission.Part, u mission.Upload) (mission.Upload, error)
	// Audience returns the figures of an integration's account, as [publisher.Audiences.Audience]
	// does.
	Audience(ctx context.Context, via *mission.Integration, since string) (mission.Audience, error)
	// Replies returns a page of the replies to a post; see publisher.Replier.
	Replies(ctx context.Context, via *mission.Integration, q mission.ReplyQuery) (mission.ReplyPage, error)
	// Hide hides a reply; see publisher.Hider.
	Hide(ctx context.Context, via *mission.Integration, r mission.Reply) error
	// Upload takes a file one step further; see publisher.Uploader.
	Upload(ctx context.Context, via *mission.Integration, f mission.File, u mission.Upload) (mission.Upload, error)
}

// Clock is the domain's clock, and converts between domain time and real time.
type Clock interface {
	Now() time.Time
	// Until returns the real time left until a domain time.
	Until(domain time.Time) time.Duration
	// Domain returns how much domain time passes in a real duration.
	Domain(real time.Duration) time.Duration
}

// Parts are the dependencies of dispatchers, workers and sweepers.
type Parts struct {
	DB        *store.DB
	Pipeline  *missions.Pipeline
	Webhooks  *webhooks.Service
	Media     *media.Service
	Accounts  *accounts.Service
	Clock     Clock
	Queue     *Queue
	Publisher Publisher
	// Writers is how many stages may write at once in a process; 0 is no limit. Set it
	// below the number of workers if the writer calls external services. A quarter of
	// the writers, at least one, is never used by a single tenant.
	Writers int
	// Examiners is how many files a process examines at once; 0 is none.
	Examiners int
	// MayTake reports whether workers may take tasks now; nil is always.
	MayTake func() bool
	// Tracer traces the runs of tasks; it may be nil.
	Tracer  *tracing.Tracer
	Log     *slog.Logger
	Metrics *Metrics
}

// Limits and times, in real time; the domain's clock may run faster.
const (
	// lease is how long a worker leases a claimed task without renewal.
	lease = 15 * time.Second
	// renewEvery is how often leases are renewed.
	renewEvery = 4 * time.Second
	// callLimit is the time limit of a call to a platform. A call starts only while
	// the lease lasts longer, so that it has ended when another worker may claim the
	// post's task.
	callLimit = 8 * time.Second
	// callsPerPlatform is how many calls to a platform a process makes at once: fewer
	// than it has workers, so that a slow platform doesn't block the others' posts.
	callsPerPlatform = 6
	// callsPerTenant is how many of them one tenant's posts may use.
	callsPerTenant = 3
	// ownWriters is how many stages of tenants with writers of their own write at once in a
	// process, beside Parts.Writers, and ownWritersPerTenant how many of one tenant: together
	// fewer than it has workers.
	ownWriters          = 8
	ownWritersPerTenant = 2
	// emailsAtOnce is how many e-mails a process sends at once.
	emailsAtOnce = 4
	// limitedDelay is how long a task waits that a limiter refused.
	limitedDelay = time.Second
	// taskLimit is the time limit of one run of a task.
	taskLimit = 10 * time.Minute
	// writeLimit is how long a run begins to write further posts; the rest of
	// taskLimit is for the post that it is writing then.
	writeLimit = 4 * time.Minute
)

// Horizon and Patience are the ledger's timing in real time (see
// store.LedgerTiming).
const (
	Horizon  = time.Hour
	Patience = 4 * time.Second
)

// Timing returns the ledger's timing on a clock.
func Timing(c Clock) store.LedgerTiming {
	return store.LedgerTiming{Horizon: c.Domain(Horizon), Patience: c.Domain(Patience)}
}
