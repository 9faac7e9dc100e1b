package tasks

import (
	"context"
	"time"
)

// What the tests of package tasks_test need besides the package's own names.

// CallsPerPlatform is how many calls to a platform a process makes at once.
const CallsPerPlatform = callsPerPlatform

// EmailsAtOnce is how many e-mails a process sends at once.
const EmailsAtOnce = emailsAtOnce

// Lease is how long a claim lasts without a renewal.
const Lease = lease

// Held is a task that a process has claimed.
type Held = claim

// EpochKey returns the key that says that Redis hasn't lost a queue.
var EpochKey = epochKey

// KeepRegistered registers the queues, as the sweeper does.
func (q *Queue) KeepRegistered(ctx context.Context) error {
	_, err := q.keepRegistered(ctx)
	return err
}

// Claim claims a task, and Handle runs its handler only: the task isn't settled for it.
func (r *Runner) Claim(ctx context.Context, id string) (*Held, error) { return r.worker.claim(ctx, id) }

func (r *Runner) Handle(ctx context.Context, c *Held) error {
	return r.worker.handlers[c.Type](ctx, c)
}

// BeforeClaims has a function run before each statement that claims tasks.
func (r *Runner) BeforeClaims(do func()) {
	r.worker.claims.Lookup = func(ctx context.Context, ids []string) (map[string]claimed, error) {
		do()
		return r.worker.claimAll(ctx, ids)
	}
}

// Until returns when a claim's lease ends at the soonest.
func (c *claim) Until() time.Time { return c.until }

// Around has each handler run by a function.
func (r *Runner) Around(run func(handle func() error) error) {
	for task, h := range r.worker.handlers {
		r.worker.handlers[task] = func(ctx context.Context, c *claim) error {
			return run(func() error { return h(ctx, c) })
		}
	}
}

// Waits reports whether all of the worker's servers wait for a notice.
func (w *Worker) Waits() bool {
	w.notices.mu.Lock()
	defer w.notices.mu.Unlock()
	return w.notices.listening && w.waiting.Load() == int64(len(w.servers))
}

// Listens reports whether the worker gets notices.
func (w *Worker) Listens() bool { return w.notices.complete() }

// OnlyNotices has the worker look for tasks only when it gets a notice.
func (w *Worker) OnlyNotices() {
	for _, c := range w.clients {
		c.backstop = time.Hour
	}
}
