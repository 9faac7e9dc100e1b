package ratelimit

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxPipelined bounds how many calls go to Redis together, maxWaiting how many
// wait for that.
const (
	maxPipelined = 256
	maxWaiting   = 4 * maxPipelined
)

// call is what one request takes, and what became of it once done is closed.
type call struct {
	buckets  []Bucket
	done     chan struct{}
	verdicts []Verdict
	err      error
}

// caller sends calls to Redis: those that come while others are under way go
// together, in one round trip.
type caller struct {
	redis   redis.UniversalClient
	timeout time.Duration
	failed  func(error)

	mu      sync.Mutex
	waiting []*call
	busy    bool
}

// add has a call sent; not where too many wait already.
func (c *caller) add(one *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) >= maxWaiting {
		return false
	}
	c.waiting = append(c.waiting, one)
	if !c.busy {
		c.busy = true
		go c.run()
	}
	return true
}

// run sends what waits, until nothing does.
func (c *caller) run() {
	for {
		c.mu.Lock()
		calls := c.waiting[:min(len(c.waiting), maxPipelined)]
		c.waiting = c.waiting[len(calls):]
		if c.busy = len(calls) > 0; !c.busy {
			c.waiting = nil
		}
		c.mu.Unlock()
		if len(calls) == 0 {
			return
		}
		c.send(calls)
	}
}

// drop answers those who wait that Redis can't be asked.
func (c *caller) drop(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.waiting {
		one.err = err
		close(one.done)
	}
	c.waiting = nil
}

// send sends calls. Where one fails, those who wait are told so too.
func (c *caller) send(calls []*call) {
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	left := c.try(ctx, calls)
	if len(left) > 0 {
		// Redis has lost the script, or never had it.
		if err := takeScript.Load(ctx, c.redis).Err(); err == nil {
			c.try(ctx, left)
		}
	}
	var failure error
	for _, one := range calls {
		if one.err != nil {
			failure = one.err
		}
	}
	if failure != nil { // before anybody asks again
		c.failed(failure)
		c.drop(failure)
	}
	for _, one := range calls {
		close(one.done)
	}
}

// try sends calls in a pipeline, and answers those that Redis lacked the script
// for.
func (c *caller) try(ctx context.Context, calls []*call) (lacking []*call) {
	commands := make([]*redis.Cmd, len(calls))
	_, _ = c.redis.Pipelined(ctx, func(p redis.Pipeliner) error { // each command has its error
		for i, one := range calls {
			keys, args := make([]string, len(one.buckets)), make([]any, 0, 3*len(one.buckets))
			for j, b := range one.buckets {
				keys[j] = b.Key
				args = append(args, b.interval(), b.capacity(), b.Take)
			}
			commands[i] = p.EvalSha(ctx, takeScript.Hash(), keys, args...)
		}
		return nil
	})
	for i, one := range calls {
		one.verdicts, one.err = read(one.buckets, commands[i])
		if one.err != nil && redis.HasErrorPrefix(one.err, "NOSCRIPT") {
			lacking = append(lacking, one)
		}
	}
	return lacking
}

var errAnswer = errors.New("ratelimit: the script's answer has another form")

func read(buckets []Bucket, command *redis.Cmd) ([]Verdict, error) {
	answer, err := command.Int64Slice()
	if err != nil {
		return nil, err
	}
	const fields = 3
	if len(answer) != fields*len(buckets) {
		return nil, errAnswer
	}
	verdicts := make([]Verdict, len(buckets))
	for i, b := range buckets {
		v := answer[fields*i:]
		verdicts[i] = b.verdict(v[0] == 1, float64(v[1]), float64(v[2]))
	}
	return verdicts, nil
}
