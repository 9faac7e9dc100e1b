package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"

	"missiond/internal/batchcache"
	"missiond/internal/clock"
	"missiond/mission"
	"missiond/store"
)

// Worker claims tasks and runs their handlers.
type Worker struct {
	parts    Parts
	handlers map[mission.TaskType]handler
	servers  []*asynq.Server
	clients  []*patient // of the servers
	waiting  atomic.Int64
	notices  *notices
	unlisten func()

	mu     sync.Mutex
	leased map[string]*claim // by task id

	// ending is that tasks aren't fetched any more.
	ending context.Context
	end    context.CancelFunc

	limiter limiter
	claims  batchcache.Cache[claimed] // by task id, batched and never cached

	// stopping cancels the runs that are under way, at the end of the drain.
	stopping context.Context
	stop     context.CancelFunc
}

// handler runs a claimed task and settles it with its last transaction. Errors:
// missions.ErrDone and store.ErrLost aren't failures; any other error is.
type handler func(ctx context.Context, c *claim) error

// claim is a task that this process has leased, with the end of its lease in real time.
type claim struct {
	mission.Task
	mu    sync.Mutex
	until time.Time
}

// claimed is a task that was claimed for the first caller that has asked for it.
type claimed struct {
	mission.Task
	until time.Time // when its lease ends at the soonest
}

// lasts reports whether the lease lasts for d without a renewal.
func (c *claim) lasts(d time.Duration) bool {
	return c.left() >= d
}

// endsBefore is how long before its lease a call ends that isn't shorter by itself.
const endsBefore = time.Second

// whileLeased returns a context for a call of limit at most. One that may outlast the lease goes on while that
// is renewed, and has ended when another worker may claim the task.
func (c *claim) whileLeased(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	if limit <= callLimit {
		return ctx, cancel
	}
	go func() {
		defer cancel()
		for left := c.left(); left > endsBefore; left = c.left() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(left - endsBefore):
			}
		}
	}()
	return ctx, cancel
}

func (c *claim) left() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Until(c.until)
}

func (c *claim) renewed(until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = until
}

const (
	// drainLimit is how long a run may go on after the process was terminated; then
	// it is returned to the ledger.
	drainLimit = 6 * time.Second
	// returnLimit is the time limit of returning it.
	returnLimit = 2 * time.Second
	// settleLimit is how long recording how a run or a call ended is tried while the
	// database is unavailable. The lease may end meanwhile: the fence then refuses it.
	settleLimit = 2 * lease
)

// shares are the weights of the queues, and the numbers of workers by lane. Webhooks
// have workers of their own, since these only wait for receivers. So have examinations of files
// (Parts.Examiners), which take the processor: a flood of them holds up no post.
var shares = []struct {
	weights      map[mission.Queue]int
	normal, bulk int
}{
	{map[mission.Queue]int{mission.QueuePublish: 5, mission.QueuePipeline: 4, mission.QueueMaintenance: 1}, 32, 12},
	{map[mission.Queue]int{mission.QueueWebhooks: 1}, 32, 16},
}

// newWorker returns a worker without Asynq servers.
func newWorker(p Parts) *Worker {
	w := &Worker{parts: p, leased: map[string]*claim{}}
	w.handlers = w.newHandlers()
	w.claims.Lookup = w.claimAll
	w.stopping, w.stop = context.WithCancel(context.Background())
	return w
}

// NewWorker returns a worker, which runs once it is started.
func NewWorker(p Parts) *Worker {
	w := newWorker(p)
	w.ending, w.end = context.WithCancel(context.Background())
	w.notices = newNotices()
	w.unlisten = p.Queue.listen(w.notices)
	for _, s := range shares {
		w.servers = append(w.servers,
			w.server(inLane(s.weights, store.LaneNormal), s.normal, 10*time.Millisecond), w.server(inLane(s.weights, store.LaneBulk), s.bulk, 100*time.Millisecond))
	}
	w.addExaminers(p.Examiners)
	return w
}

const (
	// forwardEvery is how often Asynq looks for scheduled entries that are due. The
	// dispatcher has those of due rows run at once; this is for what it misses.
	forwardEvery = 10 * time.Second
	// cleanEvery is how often Asynq removes completed entries whose retention is over.
	cleanEvery = time.Minute
)

// inLane returns the weights of a lane of some queues.
func inLane(weights map[mission.Queue]int, lane store.Lane) map[string]int {
	queues := map[string]int{}
	for q, weight := range weights {
		queues[queueName(q, lane)] = weight
	}
	return queues
}

// server returns an Asynq server for some queues of Asynq's, by their weights.
func (w *Worker) server(queues map[string]int, workers int, check time.Duration) *asynq.Server {
	client := &patient{
		UniversalClient: w.parts.Queue.redis, queues: slices.Collect(maps.Keys(queues)), notices: w.notices, waiting: &w.waiting,
		backstop: lookAgain, pause: check, stopping: w.ending.Done(), mayTake: w.parts.MayTake, found: map[string]emptiness{},
	}
	w.clients = append(w.clients, client)
	return asynq.NewServerFromRedisClient(client, asynq.Config{
		Concurrency: workers, Queues: queues, TaskCheckInterval: betweenRounds,
		DelayedTaskCheckInterval: forwardEvery, JanitorInterval: cleanEvery, ShutdownTimeout: drainLimit + returnLimit,
		Logger: asynqLog{w.parts.Log}, LogLevel: asynq.WarnLevel,
		// The row counts the attempts: Asynq shows failures, and never retries.
		IsFailure: func(error) bool { return true },
	})
}

// Start begins to process tasks.
func (w *Worker) Start() error {
	for _, s := range w.servers {
		if err := s.Start(w); err != nil {
			return fmt.Errorf("start the Asynq server: %w", err)
		}
	}
	go w.notices.follow(w.ending, w.parts.Queue.redis, w.parts.Queue.origin)
	go w.renew()
	return nil
}

// Stop stops fetching tasks and waits for the runs that are under way. Runs that don't
// end within drainLimit are canceled, and their tasks returned to the ledger without
// counting the attempt.
func (w *Worker) Stop() {
	w.end()
	w.unlisten()
	for _, s := range w.servers {
		s.Stop()
	}
	timer := time.AfterFunc(drainLimit, w.stop)
	defer timer.Stop()
	var all sync.WaitGroup
	for _, s := range w.servers {
		all.Go(s.Shutdown)
	}
	all.Wait()
	w.stop()
}

// renew renews the leases of this process's tasks.
func (w *Worker) renew() {
	for clock.Sleep(w.stopping, renewEvery) == nil {
		w.renewAll()
	}
}

func (w *Worker) renewAll() {
	w.mu.Lock()
	claims := make([]*claim, 0, len(w.leased))
	rows := make([]mission.Task, 0, len(w.leased))
	for _, id := range slices.Sorted(maps.Keys(w.leased)) {
		c := w.leased[id]
		claims, rows = append(claims, c), append(rows, c.Task)
	}
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(w.stopping, renewEvery)
	defer cancel()
	until := leaseEnd()
	if err := w.parts.DB.Renew(ctx, rows, lease); err != nil {
		w.parts.Log.Warn("worker: renew leases", "tasks", len(rows), "error", err)
		return
	}
	for _, c := range claims {
		c.renewed(until)
	}
}

// leaseEnd returns a time until which a lease lasts that the database grants from now
// on.
func leaseEnd() time.Time { return time.Now().Add(lease) }

// ProcessTask is the Asynq handler. Its error is only shown on the dashboard.
func (w *Worker) ProcessTask(ctx context.Context, t *asynq.Task) error {
	var p payload
	if err := json.Unmarshal(t.Payload(), &p); err != nil {
		return fmt.Errorf("read the task: %w: %w", err, asynq.SkipRetry)
	}
	c, err := w.take(ctx, mission.TaskType(t.Type()), p.Task)
	if err != nil {
		return fmt.Errorf("claim the task: %w: %w", err, asynq.SkipRetry) // the dispatcher enqueues it again
	}
	if c == nil {
		return nil // another worker has claimed it, or it was deleted
	}
	defer w.letGo(c)
	if _, shown := w.execute(ctx, c); shown != nil {
		return fmt.Errorf("%w: %w", shown, asynq.SkipRetry)
	}
	return nil
}

// execute runs a claimed task and settles it. It returns the run's outcome and the error to
// show on the dashboard.
func (w *Worker) execute(ctx context.Context, c *claim) (outcome string, shown error) {
	ctx, span := w.trace(ctx, c)
	start := time.Now()
	err := w.run(ctx, c)
	outcome, shown = w.settle(ctx, c, err)
	w.endSpan(span, outcome, err)
	w.parts.Metrics.runs.WithLabelValues(string(c.Type), outcome).Inc()
	w.parts.Metrics.seconds.WithLabelValues(string(c.Type)).Observe(time.Since(start).Seconds())
	w.log(ctx, c, outcome, time.Since(start), err)
	return outcome, shown
}

// clockSkew is how far another machine's clock may be ahead of this one's: a task that
// arrives a little early waits.
const clockSkew = time.Second

// skewPause is the pause between two claims of a task that isn't due yet by the
// database's clock.
const skewPause = 50 * time.Millisecond

// claimAll claims those of the tasks whose rows aren't locked, and returns them by id.
func (w *Worker) claimAll(ctx context.Context, ids []string) (map[string]claimed, error) {
	until := leaseEnd()
	tasks, err := w.parts.DB.ClaimFree(ctx, ids, w.parts.Clock.Now(), lease)
	all := make(map[string]claimed, len(tasks))
	for id, t := range tasks {
		all[id] = claimed{Task: t, until: until}
	}
	return all, err
}

// claim claims a task; nil if this worker isn't to run it.
func (w *Worker) claim(ctx context.Context, id string) (*claim, error) {
	// The claim goes through even if this caller leaves.
	got, ok, first, err := w.claims.GetFirst(context.WithoutCancel(ctx), id)
	if err != nil || ok && !first {
		return nil, err
	}
	if ok {
		return w.register(got.Task, got.until), nil
	}
	at, waits, err := w.parts.DB.RunAt(ctx, id)
	early := w.parts.Clock.Until(at)
	if err != nil || !waits || early > clockSkew {
		return nil, err
	}
	// It is due in a moment, or its row was locked.
	if err := clock.Sleep(ctx, early); err != nil {
		return nil, err
	}
	return w.claimSoon(ctx, id)
}

// claimSoon claims a task that is due, for up to clockSkew while the database's clock is
// behind this process's; nil if this worker isn't to run it.
func (w *Worker) claimSoon(ctx context.Context, id string) (*claim, error) {
	for rest := clockSkew; ; rest -= skewPause {
		until := leaseEnd()
		t, ok, err := w.parts.DB.Claim(ctx, id, w.parts.Clock.Now(), lease)
		if err != nil {
			return nil, err
		}
		if ok {
			return w.register(t, until), nil
		}
		_, waits, err := w.parts.DB.RunAt(ctx, id)
		if err != nil || !waits || rest <= 0 {
			return nil, err
		}
		if err := clock.Sleep(ctx, skewPause); err != nil {
			return nil, err
		}
	}
}

// register registers a task that this process has claimed.
func (w *Worker) register(t mission.Task, until time.Time) *claim {
	if t.Type != mission.TaskMediaExamine { // whose tenant may have many before it
		w.parts.Metrics.lateness.Observe(-w.parts.Clock.Until(t.RunAt).Seconds())
	}
	c := &claim{Task: t, until: until}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leased[t.ID] = c
	return c
}

func (w *Worker) letGo(c *claim) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leased[c.ID] == c {
		delete(w.leased, c.ID)
	}
}

// run runs the task's handler. A panic is an error.
func (w *Worker) run(ctx context.Context, c *claim) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.stopping, cancel)()
	defer func() {
		if p := recover(); p != nil {
			w.parts.Log.ErrorContext(ctx, "worker: a task panicked", "task", c.ID, "type", c.Type, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	h, ok := w.handlers[c.Type]
	if !ok {
		return fmt.Errorf("no handler for tasks of type %q", c.Type)
	}
	return h(ctx, c)
}

func (w *Worker) log(ctx context.Context, c *claim, outcome string, took time.Duration, err error) {
	level := slog.LevelDebug
	switch outcome {
	case "trouble":
		level = slog.LevelWarn
	case "retry", "failed":
		level = slog.LevelError
	}
	w.parts.Log.Log(ctx, level, "task", "outcome", outcome, "type", c.Type, "task", c.ID, "attempt", c.Attempt,
		"tenant", c.TenantID, "mission", c.MissionID, "subject", c.Subject, "ms", took.Milliseconds(), "error", err)
}

// asynqLog writes Asynq's log lines to slog.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Info(args ...any)  { l.log.Info("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Warn(args ...any)  { l.log.Warn("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Error(args ...any) { l.log.Error("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Fatal(args ...any) { l.log.Error("asynq: fatal", "message", fmt.Sprint(args...)) }
