package ratelimit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxPipelined is how many calls go to Redis together, maxWaiting how many may wait
// for that.
const (
	maxPipelined = 256
	maxWaiting   = 4 * maxPipelined
)

// call is what one request takes, and the result once done is closed.
type call struct {
	buckets  []Bucket
	done     chan struct{}
	verdicts []Verdict
	err      error
}

// caller sends calls to Redis: those that arrive while others are in flight go
// together, in one round trip.
type caller struct {
	redis   redis.UniversalClient
	timeout time.Duration
	failed  func(error)

	mu      sync.Mutex
	waiting []*call
	busy    bool
}

// add queues a call; it returns false if too many are waiting.
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

// run sends the queued calls, until there are none.
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

// drop fails the queued calls with err.
func (c *caller) drop(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.waiting {
		one.err = err
		close(one.done)
	}
	c.waiting = nil
}

// send sends calls. If one fails, the queued calls fail too.
func (c *caller) send(calls []*call) {
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	if left := c.try(ctx, calls, redis.Pipeliner.EvalSha, takeScript.Hash()); len(left) > 0 {
		// Redis, or a node of its cluster, has lost the script or never had it.
		c.try(ctx, left, redis.Pipeliner.Eval, takeText)
	}
	var failure error
	for _, one := range calls {
		if one.err != nil {
			failure = one.err
		}
	}
	if failure != nil { // before another request
		c.failed(failure)
		c.drop(failure)
	}
	for _, one := range calls {
		close(one.done)
	}
}

// eval runs a script that is given by its text or its hash.
type eval func(p redis.Pipeliner, ctx context.Context, script string, keys []string, args ...any) *redis.Cmd

// try sends calls in a pipeline, with one command for calls that take alike, and
// returns those for which Redis lacked the script.
func (c *caller) try(ctx context.Context, calls []*call, run eval, script string) (lacking []*call) {
	groups := alike(calls)
	commands := make([]*redis.Cmd, len(groups))
	_, _ = c.redis.Pipelined(ctx, func(p redis.Pipeliner) error { // each command has its own error
		for i, group := range groups {
			buckets := group[0].buckets
			keys, args := make([]string, len(buckets)), make([]any, 1, 1+fields*len(buckets))
			args[0] = len(group)
			for j, b := range buckets {
				keys[j] = b.Key
				args = append(args, b.interval(), b.capacity(), b.Take)
			}
			commands[i] = run(p, ctx, script, keys, args...)
		}
		return nil
	})
	for i, group := range groups {
		read(group, commands[i])
		if err := group[0].err; err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
			lacking = append(lacking, group...)
		}
	}
	return lacking
}

// alike groups calls by what they take.
func alike(calls []*call) (groups [][]*call) {
	latest := map[string]int{} // the latest group that begins with a bucket
	for _, one := range calls {
		first := one.buckets[0].Key
		i, ok := latest[first]
		if !ok || !slices.Equal(groups[i][0].buckets, one.buckets) {
			i, groups = len(groups), append(groups, nil)
			latest[first] = i
		}
		groups[i] = append(groups[i], one)
	}
	return groups
}

// fields is how many values the script returns for a bucket.
const fields = 3

var errResponse = errors.New("ratelimit: unexpected reply of the script")

// read sets the results of a group's calls from a command's reply.
func read(group []*call, command *redis.Cmd) {
	response, err := command.Int64Slice()
	buckets := group[0].buckets
	if err == nil && len(response) != fields*len(buckets)*len(group) {
		err = errResponse
	}
	for _, one := range group {
		one.verdicts, one.err = make([]Verdict, len(buckets)), err
		if err != nil {
			continue
		}
		for i, b := range buckets {
			one.verdicts[i] = b.verdict(response[0] == 1, float64(response[1]), float64(response[2]))
			response = response[fields:]
		}
	}
}
