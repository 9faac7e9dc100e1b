package simulation

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"missiond/internal/testkit"
)

var (
	seedFlag   = flag.Uint64("seed", 1, "the seed of the first run")
	seedsFlag  = flag.Int("seeds", 0, "how many seeds are run, one after the other, until one finds something; 0 is for as long as -for or -years say")
	forFlag    = flag.Duration("for", 0, "for how long seeds are run, in real time")
	yearsFlag  = flag.Float64("years", 0, "how many mission-years are run")
	daysFlag   = flag.Int("days", 5, "how many days clients use the service in a run")
	calmFlag   = flag.Bool("calm", false, "no faults")
	shrinkFlag = flag.Bool("shrink", false, "shrink the run that finds something to few faults and acts (minutes)")
	fileFlag   = flag.String("file", "", "write the trace of each run into this file")
	coverFlag  = flag.Bool("cover", false, "print what has happened, and how often")
)

// How many seeds are run in the gate and in the full suite, and for how long make nightly goes on.
const (
	inGate    = 2
	inFull    = 20
	inNightly = 30 * time.Minute
)

// TestMain has one goroutine run at a time, so that a seed decides everything.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(1)
	flag.Parse()
	os.Exit(m.Run())
}

// The promises hold whatever goes wrong, seed by seed. A run that breaks one is printed with
// its seed, which repeats it. Its seconds of CPU are the whole service's days under faults, which no other test has.
func TestSimulation(t *testing.T) {
	testkit.SkipIfShort(t)
	began, days, covered := time.Now(), 0.0, map[string]int{}
	for n := uint64(0); goesOn(int(n), time.Since(began), days); n++ {
		p := plan{seed: *seedFlag + n, days: *daysFlag, calm: *calmFlag}
		r := runTraced(t, p)
		days += r.missionDays
		for what, n := range r.covered {
			covered[what] += n
		}
		if len(r.findings) == 0 {
			continue
		}
		if *shrinkFlag {
			r = shrink(t, r)
		}
		t.Errorf("seed %d breaks %d promises; make simulation ARGS='-seed %[1]d' repeats it", p.seed, len(r.findings))
		for _, f := range r.findings {
			t.Error(f)
		}
		if *shrinkFlag {
			t.Logf("by %d faults and acts: %q", len(r.happened), r.happened)
		}
		for _, line := range r.tail[max(0, len(r.tail)-shownLines):] {
			t.Logf("%.*s", shownColumns, line)
		}
		break
	}
	t.Logf("%.0f mission-days (%.1f years) in %.0f s", days, days/365, time.Since(began).Seconds())
	if *coverFlag {
		for _, what := range sorted(covered) {
			t.Logf("%8d %s", covered[what], what)
		}
		for _, f := range everyFault() {
			if covered[f] == 0 {
				t.Logf("   never %s", f)
			}
		}
	}
}

// How much of a trace's end is shown.
const (
	shownLines   = 40
	shownColumns = 300
)

// goesOn reports whether another seed is run.
func goesOn(seeds int, took time.Duration, days float64) bool {
	switch {
	case *seedsFlag > 0:
		return seeds < *seedsFlag
	case *yearsFlag > 0:
		return days < *yearsFlag*365
	case *forFlag > 0:
		return took < *forFlag
	case testkit.Nightly():
		return took < inNightly
	}
	return seeds < testkit.Size(0, inGate, inFull, 0)
}

func runTraced(t *testing.T, p plan) result {
	t.Helper()
	if *fileFlag != "" {
		f, err := os.Create(*fileFlag)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		buffered := bufio.NewWriter(f)
		defer func() { _ = buffered.Flush() }()
		p.file = buffered
	}
	began := time.Now()
	r := run(t, p)
	t.Logf("seed %d: %d steps, %d lines, hash %016x, %.0f mission-days, %.1f s", p.seed, r.steps, r.lines, r.hash, r.missionDays, time.Since(began).Seconds())
	return r
}

// A seed decides everything: its runs have the same trace, byte for byte. It costs what two days of the service do: what a map's
// order or a goroutine's turn decides is found by nothing else. Of a night, with the race detector, Go's scheduler shuffles
// goroutines.
func TestReplay(t *testing.T) {
	testkit.SkipIfShort(t)
	for seed := range uint64(testkit.Size(0, 1, 3, 6)) {
		first := traceOf(t, seed)
		for n := range testkit.Size(0, 1, 2, 2) {
			if at, was, is := differ(first, traceOf(t, seed)); at > 0 {
				t.Errorf("seed %d: run %d differs in line %d:\n%.*s\n%.*s", seed, n+2, at, shownColumns, was, shownColumns, is)
			}
		}
	}
}

// Goroutines that end at the same time are delivered in the order in which they were started.
func TestEndsHaveOneOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, got := &sim{wake: make(chan struct{}, 1)}, []int{}
		for n := range 5 {
			s.spawn(func() {
				for range 5 - n { // those that were started first end last
					runtime.Gosched()
				}
			}, func() { got = append(got, n) })
		}
		synctest.Wait()
		s.deliver()
		if want := []int{0, 1, 2, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func traceOf(t *testing.T, seed uint64) []string {
	t.Helper()
	var text bytes.Buffer
	run(t, plan{seed: seed, days: testkit.Size(0, 1, 1, 3), file: &text})
	return strings.Split(text.String(), "\n")
}

// differ returns the number of the first line in which two traces differ, and both lines; 0 where none does.
func differ(a, b []string) (at int, was, is string) {
	for i := range max(len(a), len(b)) {
		was, is = "its end", "its end"
		if i < len(a) {
			was = a[i]
		}
		if i < len(b) {
			is = b[i]
		}
		if was != is {
			return i + 1, was, is
		}
	}
	return 0, "", ""
}

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		at   int
	}{{"", "", 0}, {"1 2", "1 2", 0}, {"1 2", "1 3", 2}, {"1 2 3", "1 2", 3}, {"1", "1 2", 2}} {
		if at, _, _ := differ(strings.Fields(c.a), strings.Fields(c.b)); at != c.at {
			t.Errorf("%q and %q differ in line %d, want %d", c.a, c.b, at, c.at)
		}
	}
}

// shrink leaves out faults and acts of a run that has found something for as long as the rest
// still finds it.
func shrink(t *testing.T, r result) result {
	t.Helper()
	finds := func(keys []string) (result, bool) {
		p := r.plan
		p.only = map[string]bool{}
		for _, k := range keys {
			p.only[k] = true
		}
		next := run(t, p)
		return next, slices.ContainsFunc(next.findings, func(f finding) bool { return f.check == r.findings[0].check })
	}
	keys := r.happened
	for size := (len(keys) + 1) / 2; size > 0; {
		smaller := false
		for at := 0; at < len(keys); {
			rest := slices.Delete(slices.Clone(keys), at, min(at+size, len(keys)))
			if next, ok := finds(rest); ok {
				keys, r, smaller = rest, next, true
				fmt.Printf("shrunk to %d\n", len(keys))
				continue
			}
			at += size
		}
		if size == 1 && !smaller {
			break
		}
		size = max(1, size/2)
		if size == 1 && !smaller && len(keys) == 1 {
			break
		}
	}
	r.happened = keys
	return r
}
