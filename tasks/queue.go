package tasks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"missiond/mission"
	"missiond/store"
)

// Queue enqueues the ledger's rows in Asynq.
type Queue struct {
	redis     redis.UniversalClient
	client    *asynq.Client
	inspector *asynq.Inspector
	clock     Clock
	retention time.Duration
	// origin is this process, in its notices.
	origin string

	mu        sync.Mutex
	listeners map[*notices]bool // the workers of this process
}

// NewQueue returns a Queue on a Redis. The dashboard shows done tasks for retention,
// in real time.
func NewQueue(r redis.UniversalClient, c Clock, retention time.Duration) *Queue {
	return &Queue{
		redis: r, client: asynq.NewClientFromRedisClient(r), inspector: asynq.NewInspectorFromRedisClient(r),
		clock: c, retention: retention, origin: rand.Text(), listeners: map[*notices]bool{},
	}
}

// listen has notices know what this process enqueues, until stop is called.
func (q *Queue) listen(n *notices) (stop func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.listeners[n] = true
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.listeners, n)
	}
}

// notify gives all workers notice that something was enqueued. They find it without,
// a little later, so errors don't matter.
func (q *Queue) notify(ctx context.Context, queue string) {
	q.mu.Lock()
	for n := range q.listeners {
		n.add(queue)
	}
	q.mu.Unlock()
	_ = q.redis.Publish(ctx, noticeChannel, q.origin+" "+queue).Err()
}

// bulkSuffix marks the queues of the bulk lane.
const bulkSuffix = "_bulk"

func queueName(q mission.Queue, l store.Lane) string {
	if l == store.LaneBulk {
		return string(q) + bulkSuffix
	}
	return string(q)
}

// payload is the payload of an Asynq task: the id of a row that may be due, and, for
// the dashboard's readers, what it is about.
type payload struct {
	Task    string `json:"task"`
	Tenant  string `json:"tenant"`
	Mission string `json:"mission"`
	Subject string `json:"subject"`
	Attempt int    `json:"attempt"`
}

// enqueue enqueues a row in Asynq. A row that isn't due yet is scheduled there; once it
// is due, its Asynq task is run at once, or enqueued again if there is none. An Asynq
// task that is active while its row still waits was either just fetched, or fetched by
// a worker that has died: from the third dispatch on it is ignored.
func (q *Queue) enqueue(ctx context.Context, d store.Dispatch) error {
	t := d.Task
	if d.Lane != "" && t.Dispatches > 1 {
		if enqueued, err := q.reuse(d); enqueued || err != nil {
			return err
		}
	}
	body, err := json.Marshal(payload{Task: t.ID, Tenant: t.TenantID, Mission: t.MissionID, Subject: t.Subject, Attempt: t.Attempt + 1})
	if err != nil {
		return err
	}
	options := []asynq.Option{
		asynq.TaskID(asynqID(t, t.Dispatches)), asynq.Queue(queueName(t.Queue, d.Lane)), asynq.MaxRetry(0),
		asynq.Retention(q.retention), asynq.Timeout(taskLimit),
	}
	if d.Lane == "" {
		options = append(options, asynq.ProcessAt(q.wholeSecond(t.RunAt)))
	}
	_, err = q.client.EnqueueContext(ctx, asynq.NewTask(string(t.Type), body), options...)
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil // enqueued already
	}
	return err
}

// trusted is up to which dispatch of a row an active Asynq task counts.
const trusted = 2

// reuse runs the Asynq task of the dispatch before, and reports whether there is one
// that is run.
func (q *Queue) reuse(d store.Dispatch) (enqueued bool, err error) {
	queue, id := queueName(d.Task.Queue, d.Lane), asynqID(d.Task, d.Task.Dispatches-1)
	if d.Lane == store.LaneBulk {
		// A task that was scheduled in the normal lane moves to this one.
		_ = q.inspector.DeleteTask(queueName(d.Task.Queue, store.LaneNormal), id)
	}
	info, err := q.inspector.GetTaskInfo(queue, id)
	if errors.Is(err, asynq.ErrTaskNotFound) || errors.Is(err, asynq.ErrQueueNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch info.State {
	case asynq.TaskStatePending:
		return true, nil
	case asynq.TaskStateActive:
		return d.Task.Dispatches <= trusted, nil
	default:
		return q.inspector.RunTask(queue, id) == nil, nil
	}
}

// asynqID returns the id of an Asynq task: the row's id, the run that the task is for,
// and the number of the dispatch if it isn't the first.
func asynqID(t mission.Task, dispatch int) string {
	if dispatch == 1 {
		return fmt.Sprintf("%s:%d", t.ID, t.Fence+1)
	}
	return fmt.Sprintf("%s:%d.%d", t.ID, t.Fence+1, dispatch)
}

// wholeSecond returns the real time of a domain time, rounded up: Asynq truncates to
// whole seconds, and a task must never run early.
func (q *Queue) wholeSecond(domain time.Time) time.Time {
	at := time.Now().Add(q.clock.Until(domain))
	return at.Truncate(time.Second).Add(time.Second)
}

// allQueuesKey is a key of Asynq's: the set of queues that the dashboard lists. A
// client adds a queue only once, so the queues must be added again after Redis has
// lost its data.
const allQueuesKey = "asynq:queues"

// epochKey returns a key that Redis loses when it loses the queue: a Redis Cluster
// places keys by the text in braces, so this one is on the node of the queue's keys.
func epochKey(queue string) string { return "missiond:epoch:{" + queue + "}" }

// laneQueue is a queue of Asynq's: a lane of a queue of ours.
type laneQueue struct {
	queue mission.Queue
	lane  store.Lane
}

func allLanes() []laneQueue {
	var all []laneQueue
	for _, q := range mission.AllQueues() {
		all = append(all, laneQueue{q, store.LaneNormal}, laneQueue{q, store.LaneBulk})
	}
	return all
}

func (l laneQueue) String() string { return queueName(l.queue, l.lane) }

// keepRegistered registers every queue, and returns those that Redis has lost since the
// last call, or never had. Each is returned to one process only, and with an error too.
func (q *Queue) keepRegistered(ctx context.Context) (emptied []laneQueue, err error) {
	pipe, began, all := q.redis.Pipeline(), time.Now().UTC().Format(time.RFC3339Nano), allLanes()
	epochs, names := make([]*redis.BoolCmd, len(all)), make([]any, len(all))
	for i, l := range all {
		names[i] = l.String()
		epochs[i] = pipe.SetNX(ctx, epochKey(l.String()), began, 0)
	}
	pipe.SAdd(ctx, allQueuesKey, names...)
	if _, err = pipe.Exec(ctx); redis.HasErrorPrefix(err, "MOVED") {
		err = fmt.Errorf("this Redis is one node of a cluster: its URL lacks cluster=true: %w", err)
	}
	for i, l := range all {
		if epochs[i].Val() {
			emptied = append(emptied, l)
		}
	}
	return emptied, err
}
