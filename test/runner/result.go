package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// event is a line of go test -json (go doc cmd/test2json).
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
	Elapsed                                                float64
}

// The actions that end a test or a package.
const (
	passed  = "pass"
	failed  = "fail"
	skipped = "skip"
)

// result is what one go test has said.
type result struct {
	packages map[string]*pkg
	// err is what the command failed with.
	err   error
	meter *meter
	took  part
}

// pkg is what one package's tests have said.
type pkg struct {
	name string
	// verdict is passed, failed or skipped; "" if it has none.
	verdict string
	// tests has the verdict of each test and subtest that began; "" if it hasn't ended.
	tests map[string]string
	// lines are what was put out since its beginning; those from late on, after the last verdict of a test.
	lines []line
	late  int
	// closed is set once package testing has said PASS or FAIL: no process that ended early does.
	closed, raced bool
	build         string // the package whose build failed
}

// line is a piece of output, of a test unless that is "".
type line struct{ test, text string }

// read reads what go test -json puts out, and prints what it would without -json. Errors: those of in.
func (r *result) read(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		text, err := lines.ReadBytes('\n')
		if len(text) > 0 {
			var e event
			if json.Unmarshal(text, &e) != nil {
				say(out, "%s", text)
			} else {
				r.take(e, out)
			}
		}
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// take takes an event, and prints what ends with it.
func (r *result) take(e event, out io.Writer) {
	if e.Action == "build-output" {
		say(out, "%s", e.Output)
	}
	if e.Package == "" {
		return
	}
	r.meter.take(e)
	p := r.packages[e.Package]
	if p == nil {
		p = &pkg{name: e.Package, tests: map[string]string{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "run":
		p.tests[e.Test] = ""
	case "output":
		p.say(e.Test, e.Output)
	case passed, failed, skipped:
		if e.Test != "" {
			p.tests[e.Test], p.late = e.Action, len(p.lines)
			return
		}
		p.verdict, p.build = e.Action, e.FailedBuild
		p.print(out)
	}
}

// say takes a piece of output, but for the lines that say whose output follows.
func (p *pkg) say(test, text string) {
	if strings.HasPrefix(text, "=== ") {
		return
	}
	p.lines = append(p.lines, line{test, text})
	p.closed = p.closed || test == "" && (text == "FAIL\n" || text == "PASS\n")
	p.raced = p.raced || strings.HasPrefix(text, "WARNING: DATA RACE")
}

// print writes what go test would of the package: a line of one that passed; of another what its failed tests have said, those
// without a verdict, and whatever came last. FAIL begins no line of a package whose tests may be tried again. Its output is
// forgotten, but for failed tests'.
func (p *pkg) print(out io.Writer) {
	kept := p.lines[:0]
	for n, l := range p.lines {
		told := p.verdict != failed && (strings.HasPrefix(l.text, "ok  \t") || strings.HasPrefix(l.text, "?   \t"))
		if p.verdict == failed {
			v := p.tests[l.test]
			told = l.test == "" || v == failed || v == "" || n >= p.late
		}
		if told && l.text != "PASS\n" {
			text := l.text
			if rest, ok := strings.CutPrefix(text, "FAIL"); ok && l.test == "" && p.hopeless() == "" {
				text = "failed" + rest
			}
			say(out, "%s", text)
		}
		if p.tests[l.test] == failed {
			kept = append(kept, l)
		}
	}
	p.lines = slices.Clip(kept)
}

// count returns how many root tests have a verdict.
func (p *pkg) count(verdict string) (n int) {
	for test, v := range p.tests {
		if v == verdict && !strings.Contains(test, "/") {
			n++
		}
	}
	return n
}

// failures returns the root tests that failed, by name.
func (p *pkg) failures() (names []string) {
	for _, test := range slices.Sorted(maps.Keys(p.tests)) {
		if p.tests[test] == failed && !strings.Contains(test, "/") {
			names = append(names, test)
		}
	}
	return names
}

// told returns what a failed test and its failed subtests have said.
func (p *pkg) told(test string) string {
	var b strings.Builder
	for _, l := range p.lines {
		if l.test == test || strings.HasPrefix(l.test, test+"/") {
			b.WriteString(l.text)
		}
	}
	return b.String()
}

// hopeless returns why a package failed in a way that a failed test doesn't explain; "" if it does.
func (p *pkg) hopeless() string {
	switch {
	case p.verdict != failed && p.verdict != "":
		return ""
	case p.build != "":
		return "the build of " + p.build + " failed"
	case p.raced:
		return "a data race"
	case !p.closed || slices.Contains(slices.Collect(maps.Values(p.tests)), ""):
		return "its process ended early: a panic, a time limit or an exit"
	case len(p.failures()) == 0:
		return "it failed without a failed test"
	}
	return ""
}

// hopeless returns the failures of a go test that no failed test explains.
func (r *result) hopeless() (why []string) {
	failures := 0
	for _, name := range slices.Sorted(maps.Keys(r.packages)) {
		p := r.packages[name]
		if reason := p.hopeless(); reason != "" {
			why = append(why, name+": "+reason)
		}
		failures += len(p.failures())
	}
	if r.err != nil && len(why) == 0 && (failures == 0 || !r.failed()) {
		why = append(why, fmt.Sprintf("go test: %v", r.err))
	}
	return why
}

// failed reports whether go test ended as it does if tests have failed. If it ended otherwise, packages may be missing of
// which it has said nothing.
func (r *result) failed() bool {
	var exit *exec.ExitError
	return errors.As(r.err, &exit) && exit.ExitCode() == 1
}
