package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// freshFor is how long before HEAD a test was added or changed that is fresh.
	freshFor = 24 * time.Hour
	// freshRuns is how often a fresh test has to pass.
	freshRuns = 10
	// mostFresh is how many fresh tests are run: those that were added before those that changed, the latest first.
	mostFresh = 10
	// freshTime is what all their runs take at most: a test that would take longer is left out.
	freshTime = 3 * time.Minute
)

// fresh is a root test that was added or changed lately.
type fresh struct {
	folder, name string
	added        bool
	age          int // how many commits are later than the last one of its file
}

// runFresh runs the fresh tests again and again, with go test's flags, and reports whether each passed each time. Which these
// are is the same for everybody who has the commit, and its history; with what isn't committed.
func runFresh(ctx context.Context, flags []string, out io.Writer) bool {
	base, err := freshBase(ctx)
	var all []fresh
	if err == nil && base != "" {
		all, err = findFresh(ctx, base)
	}
	if err != nil {
		say(out, "FAIL\trunner: %v\n", err)
		return false
	}
	binaries, err := os.MkdirTemp("", "fresh-")
	if err != nil {
		say(out, "FAIL\trunner: %v\n", err)
		return false
	}
	defer func() { _ = os.RemoveAll(binaries) }()
	h := hammer{flags: flags, binaries: binaries, built: map[string]string{}, out: out, left: freshTime}
	good := true
	for _, f := range all {
		if h.ran == mostFresh {
			break
		}
		good = h.test(ctx, f) && good
	}
	if base == "" {
		say(out, "the history is too short to tell which tests are new\n")
	}
	say(out, "%d of %d tests that are new or changed ran %d times\n", h.ran, len(all), freshRuns)
	return good
}

// hammer runs tests many times.
type hammer struct {
	flags    []string
	binaries string
	built    map[string]string // the programs of the tests, by their folder
	out      io.Writer
	left     time.Duration
	ran      int
}

// test runs a test as often as it has to pass, unless it is skipped or takes too long, and reports whether it passed each time.
func (h *hammer) test(ctx context.Context, f fresh) bool {
	program, ok := h.built[f.folder]
	if !ok {
		program = filepath.Join(h.binaries, fmt.Sprintf("%d.test", len(h.built)))
		build := exec.CommandContext(ctx, "go", append(append([]string{"test", "-c", "-o=" + program}, h.flags...), "./"+f.folder)...)
		if text, err := build.CombinedOutput(); err != nil {
			say(h.out, "%sFAIL\t%s: %v\n", text, f.folder, err)
			return false
		}
		h.built[f.folder] = program
	}
	began := time.Now()
	text, err := h.run(ctx, program, f, 1)
	took := time.Since(began)
	h.left -= took
	switch {
	case err == nil && !bytes.Contains(text, []byte("--- PASS: "+f.name+" ")):
		return true // it is another tier's
	case err == nil && took*(freshRuns-1) > h.left:
		say(h.out, "%s.%s would take too long\n", f.folder, f.name)
		return true
	case err == nil:
		began = time.Now()
		text, err = h.run(ctx, program, f, freshRuns-1)
		h.left -= time.Since(began)
	}
	h.ran++
	if err == nil {
		say(h.out, "%s.%s passed %d times\n", f.folder, f.name, freshRuns)
	} else {
		say(h.out, "%sFAIL\t%s.%s: it has to pass %d times in a row, as it is new or changed: %v\n", text, f.folder, f.name, freshRuns, err)
	}
	return err == nil
}

// run runs a test some times, until it fails.
func (h *hammer) run(ctx context.Context, program string, f fresh, times int) (said []byte, err error) {
	cmd := exec.CommandContext(ctx, program, "-test.v", "-test.failfast", "-test.timeout=10m", "-test.run=^"+f.name+"$", fmt.Sprintf("-test.count=%d", times))
	cmd.Dir = f.folder
	return cmd.CombinedOutput()
}

// freshBase returns the last commit before those that are fresh; "" where the history is too short to tell.
func freshBase(ctx context.Context) (string, error) {
	at, err := git(ctx, "log", "-1", "--format=%ct")
	if err != nil {
		return "", err
	}
	head, err := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
	if err != nil {
		return "", err
	}
	base, err := git(ctx, "rev-list", "-1", fmt.Sprintf("--before=%d", head-int64(freshFor.Seconds())), "HEAD")
	return strings.TrimSpace(base), err
}

// findFresh returns the tests of the module that have changed since a commit, those first that weren't there, the latest first.
func findFresh(ctx context.Context, base string) (all []fresh, err error) {
	ages, err := fileAges(ctx, base)
	if err != nil {
		return nil, err
	}
	diff, err := git(ctx, "diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames", base, "--", "*_test.go")
	if err != nil {
		return nil, err
	}
	for path, lines := range changedLines(diff) {
		if inOtherModule(path) {
			continue
		}
		now, err := testsOf(path, nil)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		var before map[string][2]int
		if text, err := git(ctx, "show", base+":"+path); err == nil {
			before, _ = testsOf(path, text)
		}
		for name, at := range now {
			_, was := before[name]
			if slices.ContainsFunc(lines, func(l [2]int) bool { return l[0] <= at[1] && l[1] >= at[0] }) {
				all = append(all, fresh{folder: filepath.ToSlash(filepath.Dir(path)), name: name, added: !was, age: ages[path]})
			}
		}
	}
	slices.SortFunc(all, func(a, b fresh) int {
		if a.added != b.added {
			return map[bool]int{true: -1, false: 1}[a.added]
		}
		return cmp.Or(cmp.Compare(a.age, b.age), strings.Compare(a.folder+" "+a.name, b.folder+" "+b.name))
	})
	return all, nil
}

// fileAges returns how many commits since base are later than each file's last one; 0 is that of what isn't committed.
func fileAges(ctx context.Context, base string) (map[string]int, error) {
	const commit = "commit "
	text, err := git(ctx, "log", "--format="+commit+"%h", "--name-only", "--no-renames", base+"..HEAD", "--", "*_test.go")
	if err != nil {
		return nil, err
	}
	ages, n := map[string]int{}, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, commit) {
			n++
		} else if _, known := ages[line]; !known && line != "" {
			ages[line] = n
		}
	}
	return ages, nil
}

var (
	diffFile = regexp.MustCompile(`^\+\+\+ b/(.*)$`)
	diffHunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)
)

// changedLines returns the first and last lines of what has changed, by file, as they are now; where lines went, those around.
func changedLines(diff string) map[string][][2]int {
	changed, path, heads := map[string][][2]int{}, "", false // heads is so before a file's first hunk
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\n")
		heads = heads && !strings.HasPrefix(line, "@@") || strings.HasPrefix(line, "diff ")
		if m := diffFile.FindStringSubmatch(line); heads && m != nil {
			path = m[1]
		} else if m := diffHunk.FindStringSubmatch(line); m != nil {
			from, _ := strconv.Atoi(m[1])
			last := from
			switch n, err := strconv.Atoi(m[2]); {
			case err != nil: // one line
			case n == 0:
				last = from + 1
			default:
				last = from + n - 1
			}
			changed[path] = append(changed[path], [2]int{from, last})
		}
	}
	return changed
}

// inOtherModule reports whether a file is in a module below this one.
func inOtherModule(path string) bool {
	for folder := filepath.Dir(path); folder != "."; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// testsOf returns the first and last lines of a file's root tests, by name. The source is read unless it is given.
func testsOf(path string, source any) (map[string][2]int, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := map[string][2]int{}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" {
			all[f.Name.Name] = [2]int{files.Position(f.Pos()).Line, files.Position(f.End()).Line}
		}
	}
	return all, nil
}

// git returns what a command of git's prints.
func git(ctx context.Context, args ...string) (string, error) {
	text, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return string(text), nil
}
