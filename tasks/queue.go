package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"missiond/mission"
	"missiond/store"
)

// Queue rings workers through Asynq.
type Queue struct {
	redis     redis.UniversalClient
	client    *asynq.Client
	inspector *asynq.Inspector
	clock     Clock
	retention time.Duration
}

// NewQueue returns a Queue on a Redis. Done tasks are shown on the dashboard
// for retention, in real time.
func NewQueue(r redis.UniversalClient, c Clock, retention time.Duration) *Queue {
	return &Queue{
		redis: r, client: asynq.NewClientFromRedisClient(r), inspector: asynq.NewInspectorFromRedisClient(r),
		clock: c, retention: retention,
	}
}

// bulkSuffix marks the queues of the bulk lane.
const bulkSuffix = "_bulk"

func queueName(q mission.Queue, l store.Lane) string {
	if l == store.LaneBulk {
		return string(q) + bulkSuffix
	}
	return string(q)
}

// bell is the payload of an Asynq task: which row may be due, and for people
// who look at the dashboard, what it is about.
type bell struct {
	Task    string `json:"task"`
	Tenant  string `json:"tenant"`
	Mission string `json:"mission"`
	Subject string `json:"subject"`
	Attempt int    `json:"attempt"`
}

// ring hands a row to Asynq. A row that isn't due yet is shown as scheduled;
// once it is due, that entry is run at once, or a new one is made if there
// is none. An entry that Asynq counts as active while its row still waits was
// just fetched, or by a worker that is gone: the third hand-over doesn't trust
// it any more.
func (q *Queue) ring(ctx context.Context, h store.Dispatch) error {
	t := h.Task
	if h.Lane != "" && t.Dispatches > 1 {
		if rung, err := q.ringAgain(h); rung || err != nil {
			return err
		}
	}
	payload, err := json.Marshal(bell{Task: t.ID, Tenant: t.TenantID, Mission: t.MissionID, Subject: t.Subject, Attempt: t.Attempt + 1})
	if err != nil {
		return err
	}
	options := []asynq.Option{
		asynq.TaskID(bellID(t, t.Dispatches)), asynq.Queue(queueName(t.Queue, h.Lane)), asynq.MaxRetry(0),
		asynq.Retention(q.retention), asynq.Timeout(taskLimit),
	}
	if h.Lane == "" {
		options = append(options, asynq.ProcessAt(q.wholeSecond(t.RunAt)))
	}
	_, err = q.client.EnqueueContext(ctx, asynq.NewTask(string(t.Type), payload), options...)
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil // rung already
	}
	return err
}

// trusted is how many hand-overs of a row count on the entry before.
const trusted = 2

// ringAgain has the entry of the hand-over before rung once more, if there
// is one.
func (q *Queue) ringAgain(h store.Dispatch) (rung bool, err error) {
	queue, id := queueName(h.Task.Queue, h.Lane), bellID(h.Task, h.Task.Dispatches-1)
	if h.Lane == store.LaneBulk {
		// An entry that was scheduled in the normal lane goes through this one.
		_ = q.inspector.DeleteTask(queueName(h.Task.Queue, store.LaneNormal), id)
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
		return h.Task.Dispatches <= trusted, nil
	default:
		return q.inspector.RunTask(queue, id) == nil, nil
	}
}

// bellID is the Asynq task's id: the row's, which run of it is rung for, and
// which hand-over that is if it isn't the first.
func bellID(t mission.Task, hand int) string {
	if hand == 1 {
		return fmt.Sprintf("%s:%d", t.ID, t.Fence+1)
	}
	return fmt.Sprintf("%s:%d.%d", t.ID, t.Fence+1, hand)
}

// wholeSecond is the real time of a domain time, rounded up: Asynq cuts to
// whole seconds, and a task must never run early.
func (q *Queue) wholeSecond(domain time.Time) time.Time {
	at := time.Now().Add(q.clock.Until(domain))
	return at.Truncate(time.Second).Add(time.Second)
}

// allQueuesKey is Asynq's own: the set of queues that the dashboard lists. A
// client adds a queue to it once only, so after a Redis that lost everything
// somebody must add them again.
const allQueuesKey = "asynq:queues"

// epochKey is the key that is lost with a queue. A Redis Cluster places keys by
// what stands in braces: this one is where the queue's own are.
func epochKey(queue string) string { return "missiond:epoch:{" + queue + "}" }

// lane is one of Asynq's queues: a lane of a queue.
type lane struct {
	queue mission.Queue
	lane  store.Lane
}

func allLanes() []lane {
	var all []lane
	for _, q := range mission.AllQueues() {
		all = append(all, lane{q, store.LaneNormal}, lane{q, store.LaneBulk})
	}
	return all
}

func (l lane) String() string { return queueName(l.queue, l.lane) }

// keepRegistered registers every queue. It answers those that Redis has lost
// since, or never had, each to one caller; beside an error too.
func (q *Queue) keepRegistered(ctx context.Context) (emptied []lane, err error) {
	pipe, began, all := q.redis.Pipeline(), time.Now().UTC().Format(time.RFC3339Nano), allLanes()
	epochs := make([]*redis.BoolCmd, len(all))
	for i, l := range all {
		pipe.SAdd(ctx, allQueuesKey, l.String())
		epochs[i] = pipe.SetNX(ctx, epochKey(l.String()), began, 0)
	}
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

// Ping reports whether Redis answers: all of a cluster's masters.
func (q *Queue) Ping(ctx context.Context) error {
	if cluster, ok := q.redis.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error { return node.Ping(ctx).Err() })
	}
	return q.redis.Ping(ctx).Err()
}
