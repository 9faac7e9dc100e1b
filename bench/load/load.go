package load

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// Options are how a server is asked.
type Options struct {
	Addr    string
	Workers int
	// Warm is asked before what counts, For is what counts.
	Warm, For time.Duration
	// Requests are asked for in turns.
	Requests [][]byte
}

// Result is what came of it.
type Result struct {
	Latencies []time.Duration
	// Answered counts all responses, including those of the warm-up.
	Answered int
}

// Run asks for as long as the options say. Errors: the first answer that isn't
// a success, with its body; a connection that fails.
func Run(ctx context.Context, o Options) (Result, error) {
	begin := time.Now().Add(o.Warm)
	results := make([]Result, o.Workers)
	all, running := errgroup.WithContext(ctx)
	for w := range o.Workers {
		all.Go(func() (err error) {
			results[w], err = send(running, o, w, begin)
			return err
		})
	}
	err := all.Wait()
	var sum Result
	for _, r := range results {
		sum.Latencies, sum.Answered = append(sum.Latencies, r.Latencies...), sum.Answered+r.Answered
	}
	return sum, cmp.Or(err, context.Cause(ctx))
}

// send sends the requests of one worker.
func send(ctx context.Context, o Options, worker int, begin time.Time) (r Result, err error) {
	c, err := Dial(ctx, o.Addr)
	if err != nil {
		return r, err
	}
	defer c.Close()
	r.Latencies = make([]time.Duration, 0, 4096)
	end := begin.Add(o.For)
	for ctx.Err() == nil {
		started := time.Now()
		if started.After(end) {
			break
		}
		if _, err := c.Do(o.Requests[(worker+r.Answered*o.Workers)%len(o.Requests)]); err != nil {
			return r, err
		}
		r.Answered++
		// What ended within the time counts, whenever it began.
		if done := time.Now(); done.After(begin) && !done.After(end) {
			r.Latencies = append(r.Latencies, done.Sub(started))
		}
	}
	return r, nil
}
