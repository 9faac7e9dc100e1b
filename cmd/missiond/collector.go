package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"missiond/internal/clock"
)

// Requests leave much garbage behind, and little stays: a collector that waits
// until as much is garbage as stays, Go's way, runs most of the time. Here it
// waits for garbageRoom, however little stays, and as ever where more does. A
// process that has gone quiet gives its room back.
const (
	garbageRoom  = 96 << 20 // bytes
	goPercent    = 100
	mostPercent  = 400
	collectorAge = time.Second // how long a setting holds at least
	// A process is quiet that made no more than quietBytes in collectorAge,
	// quietFor times in a row; trimming is worth it for trimBytes.
	quietBytes = 1 << 20
	quietFor   = 3
	trimBytes  = 8 << 20
	// A collection halves the stacks that have become too large.
	trims = 3
)

// collector is what the garbage collector is set to, and why.
type collector struct {
	percent int
	// made is how many bytes were ever allocated, trimmed how many at the last
	// trim.
	made, trimmed uint64
	quiet         int
}

// tuneCollector looks after the garbage collector until ctx ends.
func tuneCollector(ctx context.Context) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	c := collector{percent: goPercent}
	for {
		metrics.Read(sample)
		percent, trim := c.next(sample[0].Value.Uint64(), sample[1].Value.Uint64())
		if percent != c.percent {
			debug.SetGCPercent(percent)
			c.percent = percent
		}
		for range trims {
			if trim {
				debug.FreeOSMemory()
			}
		}
		if clock.Sleep(ctx, collectorAge) != nil {
			return
		}
	}
}

// next returns the percentage of garbage that there may be, and whether memory
// is to be given back, from the bytes that stay and that were ever allocated.
func (c *collector) next(live, made uint64) (percent int, trim bool) {
	percent = int(min(max(garbageRoom*goPercent/max(live, 1), goPercent), mostPercent))
	// One that is about right is left alone: setting it stops the world.
	if percent > c.percent*9/10 && percent < c.percent*11/10 {
		percent = c.percent
	}
	if made-c.made > quietBytes {
		c.quiet = 0
	} else {
		c.quiet++
	}
	c.made = made
	if c.quiet < quietFor || made-c.trimmed < trimBytes {
		return percent, false
	}
	c.trimmed = made
	return percent, true
}
