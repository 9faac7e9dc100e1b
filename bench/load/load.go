package load

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// Options are how a server is asked.
type Options struct {
	Addr    string
	Workers int
	// Warm is asked before what counts, For is what counts.
	Warm, For time.Duration
	// Next returns the i-th request (from 0) of a worker (from 0). It is called
	// by several at once.
	Next func(worker, i int) []byte
}

// Result is what came of it.
type Result struct {
	Elapsed   time.Duration
	Latencies []time.Duration
	// Answered counts all responses, including those of the warm-up.
	Answered int
}

// PerSecond is how many requests were answered in a second.
func (r Result) PerSecond() float64 {
	if r.Elapsed == 0 {
		return 0
	}
	return float64(len(r.Latencies)) / r.Elapsed.Seconds()
}

// Run asks for as long as the options say. Errors: the first answer that isn't
// a success, with its body; a connection that fails.
func Run(ctx context.Context, o Options) (Result, error) {
	begin := time.Now().Add(o.Warm)
	end := begin.Add(o.For)
	latencies := make([][]time.Duration, o.Workers)
	answered := make([]int, o.Workers)
	all, running := errgroup.WithContext(ctx)
	for w := range o.Workers {
		all.Go(func() (err error) {
			latencies[w], answered[w], err = send(running, o, w, begin, end)
			return err
		})
	}
	err := all.Wait()
	r := Result{Elapsed: o.For, Latencies: slices.Concat(latencies...)}
	for _, n := range answered {
		r.Answered += n
	}
	return r, cmp.Or(err, context.Cause(ctx))
}

// send sends the requests of one worker.
func send(ctx context.Context, o Options, worker int, begin, end time.Time) (latencies []time.Duration, answered int, err error) {
	c, err := Dial(ctx, o.Addr)
	if err != nil {
		return nil, 0, err
	}
	defer c.Close()
	latencies = make([]time.Duration, 0, 4096)
	for i := 0; ctx.Err() == nil; i++ {
		started := time.Now()
		if started.After(end) {
			break
		}
		request := o.Next(worker, i)
		answer, err := c.Do(request, false)
		if err != nil {
			return nil, 0, err
		}
		if answer.Status < 200 || answer.Status > 299 {
			return nil, 0, fmt.Errorf("%.80q is answered with %d: %s", request, answer.Status, answer.Body)
		}
		answered++
		// What ended within the time counts, whenever it began.
		if done := time.Now(); done.After(begin) && !done.After(end) {
			latencies = append(latencies, done.Sub(started))
		}
	}
	return latencies, answered, nil
}
