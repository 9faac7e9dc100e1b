package main

import "testing"

func TestCollector(t *testing.T) {
	const mib = 1 << 20
	for live, want := range map[uint64]int{0: 400, 8 * mib: 400, 48 * mib: 200, 96 * mib: 100, 1 << 30: 100} {
		c := collector{percent: goPercent}
		if got, _ := c.next(live, 0); got != want {
			t.Errorf("with %d MiB that stay the percentage is %d, want %d", live/mib, got, want)
		}
	}
	c, made := collector{percent: goPercent}, uint64(0)
	for i, step := range []struct {
		made uint64 // MiB in a second
		trim bool
	}{
		{50, false}, {50, false}, {0, false}, {0, false}, {0, true}, {0, false}, {0, false}, // once it is quiet
		{2, false}, {2, false}, {0, false}, {0, false}, {0, false}, {0, false}, // too little for another
		{2, false}, {2, false}, {1, false}, {1, false}, {1, true},
	} {
		made += step.made * mib
		if _, trim := c.next(8*mib, made); trim != step.trim {
			t.Errorf("in second %d trimming is %v", i, trim)
		}
	}
}
