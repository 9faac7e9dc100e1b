package tasks

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
)

// lookAgain is the backstop of workers.
const lookAgain = 5 * time.Second

// refusalPause is how long a worker that may not take tasks waits before it looks again
// whether it may.
const refusalPause = time.Second

// betweenRounds is Asynq's pause after a round in which all of its queues were empty.
// It is short, because a notice may come for a queue that the round has passed already;
// patient makes the pauses between polls.
const betweenRounds = time.Millisecond

// patient is the Redis client of one Asynq server. Asynq polls: it takes a task from
// each of its queues in turn, and again a moment after all were empty. In a patient
// client that waits, as long as all queues are known to be empty, for a notice or for
// backstop, or while notices may be missing for pause; a queue that is known to be empty
// isn't asked for a task.
type patient struct {
	redis.UniversalClient

	queues  []string
	notices *notices
	// backstop is how long an empty queue isn't looked at without a notice.
	backstop time.Duration
	// pause is how long an empty queue isn't looked at while notices may be missing, and
	// the pause after an error, in which Asynq itself would try at once.
	pause time.Duration
	// waiting counts the clients of a worker that wait for a notice.
	waiting *atomic.Int64
	// stopping ends all waits.
	stopping <-chan struct{}
	// mayTake reports whether tasks may be taken now; nil is always.
	mayTake func() bool
	// found are the empty queues. Only the goroutine that takes tasks uses it.
	found map[string]emptiness
}

// emptiness is that a queue was empty at a time of clock.Running, with the notices that
// there had been before.
type emptiness struct {
	notices uint64
	at      time.Duration
}

// EvalSha runs a script of Asynq's.
func (p *patient) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	run := func() *redis.Cmd { return p.UniversalClient.EvalSha(ctx, sha, keys, args...) }
	if queue, ok := dequeues(keys); ok {
		return p.dequeue(ctx, queue, run)
	}
	return run()
}

// Eval runs a script of Asynq's that Redis doesn't know yet.
func (p *patient) Eval(ctx context.Context, script string, keys []string, args ...any) *redis.Cmd {
	run := func() *redis.Cmd { return p.UniversalClient.Eval(ctx, script, keys, args...) }
	if queue, ok := dequeues(keys); ok {
		return p.dequeue(ctx, queue, run)
	}
	return run()
}

// dequeues reports, by its keys, whether a script takes a task from a queue.
func dequeues(keys []string) (queue string, ok bool) {
	const prefix = "asynq:{"
	suffixes := []string{"}:pending", "}:paused", "}:active", "}:lease"}
	if len(keys) != len(suffixes) || !strings.HasPrefix(keys[0], prefix) {
		return "", false
	}
	queue = strings.TrimSuffix(keys[0][len(prefix):], suffixes[0])
	for i, suffix := range suffixes {
		if keys[i] != prefix+queue+suffix {
			return "", false
		}
	}
	return queue, true
}

// dequeue takes a task from a queue with take, unless it is known to be empty, or none may
// be taken. While all queues are empty, it waits.
func (p *patient) dequeue(ctx context.Context, queue string, take func() *redis.Cmd) *redis.Cmd {
	p.await(ctx)
	refused := p.mayTake != nil && !p.mayTake()
	if refused {
		p.sleep(ctx, refusalPause, nil)
	}
	if refused || p.empty(queue) > 0 {
		cmd := redis.NewCmd(ctx)
		cmd.SetErr(redis.Nil)
		return cmd
	}
	// A notice that comes after this is newer than the answer.
	before := p.notices.count(queue)
	cmd := take()
	switch err := cmd.Err(); {
	case errors.Is(err, redis.Nil):
		p.found[queue] = emptiness{notices: before, at: clock.Running()}
	case err != nil && !redis.HasErrorPrefix(err, "NOSCRIPT"):
		p.sleep(ctx, p.pause, nil)
	}
	return cmd
}

// empty returns how long a queue is still known to be empty; 0 if it isn't.
func (p *patient) empty(queue string) time.Duration {
	e, ok := p.found[queue]
	select {
	case <-p.stopping:
		return 0
	default:
	}
	if !ok || p.notices.count(queue) != e.notices {
		return 0
	}
	known := p.pause
	if p.notices.complete() {
		known = p.backstop
	}
	return max(0, known-(clock.Running()-e.at))
}

// await waits as long as all queues are known to be empty.
func (p *patient) await(ctx context.Context) {
	for {
		changed, rest := p.notices.next(), p.backstop
		for _, q := range p.queues {
			rest = min(rest, p.empty(q))
		}
		if rest == 0 {
			return
		}
		p.waiting.Add(1)
		again := p.sleep(ctx, rest, changed)
		p.waiting.Add(-1)
		if !again {
			return
		}
	}
}

// sleep waits for a duration, or until wake or stopping is closed. It reports whether
// waiting may go on: neither stopping nor ctx has ended.
func (p *patient) sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-wake:
		return true
	case <-p.stopping:
		return false
	case <-ctx.Done():
		return false
	}
}
