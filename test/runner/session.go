package main

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
)

const (
	// mostFailures is how many failed root tests of a run may be tried again: more are no accident.
	mostFailures = 5
	// tries is how often a failed test is tried again.
	tries = 2
	// mostLines is how many lines of a flaky test's first failure are said again.
	mostLines = 30
)

// session is a run of the program.
type session struct {
	out io.Writer

	passed, skipped int
	failures        []*failure
	broken          []string // what no failed test explains
}

// failure is a root test that failed.
type failure struct {
	of   command
	pkg  string
	test string
	told string // what it said at first
	// passed is set once it passed when it was tried again, and why is said of one that didn't.
	passed bool
	why    string
}

// add takes what a command has said.
func (s *session) add(c command, r *result) {
	s.broken = append(s.broken, r.hopeless()...)
	for name, p := range r.packages {
		s.passed += p.count(passed)
		s.skipped += p.count(skipped)
		for _, test := range p.failures() {
			s.failures = append(s.failures, &failure{of: c, pkg: name, test: test, told: p.told(test), why: "it failed"})
		}
	}
}

// tryAgain tries the failed tests again, unless the run has failed whatever they do.
func (s *session) tryAgain(ctx context.Context) {
	if len(s.failures) > mostFailures {
		for _, f := range s.failures {
			f.why = "it failed, and too many others to be tried again"
		}
		return
	}
	if len(s.broken) > 0 {
		return
	}
	slices.SortFunc(s.failures, func(a, b *failure) int { return strings.Compare(a.pkg+" "+a.test, b.pkg+" "+b.test) })
	for _, f := range s.failures {
		for n := 1; n <= tries && !f.passed && ctx.Err() == nil; n++ {
			say(s.out, "\n=== %s.%s failed, and is tried again alone (%d of %d)\n", f.pkg, f.test, n, tries)
			alone := command{flags: f.of.flags, packages: []string{f.pkg}}
			r := s.goTest(ctx, alone, "-count=1", "-run=^"+regexp.QuoteMeta(f.test)+"$")
			if why := r.hopeless(); len(why) > 0 {
				f.why = "tried again: " + strings.Join(why, "; ")
				break
			}
			f.passed, f.why = r.passed(f.pkg, f.test), "it failed each time"
		}
	}
}

// passed reports whether one test alone has run and passed, and go test with it.
func (r *result) passed(name, test string) bool {
	p := r.packages[name]
	return r.err == nil && p != nil && p.verdict == passed && p.tests[test] == passed
}

// summarize writes the end of the output, and reports whether the run has passed.
func (s *session) summarize() bool {
	flaky := 0
	for _, f := range s.failures {
		if f.passed {
			flaky++
			say(s.out, "FLAKY %s.%s: it failed, and passed when it was tried again. At first:\n%s", f.pkg, f.test, indented(f.told))
		}
	}
	for _, f := range s.failures {
		if !f.passed {
			say(s.out, "FAIL\t%s.%s: %s\n", f.pkg, f.test, f.why)
		}
	}
	for _, why := range s.broken {
		say(s.out, "FAIL\t%s\n", why)
	}
	say(s.out, "%d tests were FLAKY\n", flaky)
	bad := len(s.failures) - flaky
	say(s.out, "%d passed, %d failed, %d skipped\n", s.passed+flaky, bad+len(s.broken), s.skipped)
	return bad+len(s.broken) == 0
}

// indented returns the first lines of a text, a tab before each.
func indented(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines:mostLines], "…")
	}
	return "\t" + strings.Join(lines, "\n\t") + "\n"
}
