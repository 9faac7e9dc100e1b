// Guards removes the service's safety checks (guards) one at a time, and verifies
// that a test fails without each: a guard that no test misses may be broken unnoticed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// testLimit bounds one run of tests, building included.
const testLimit = 8 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "guards")
	if err == nil {
		defer func() { _ = os.RemoveAll(folder) }()
		err = run(ctx, folder, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "guards:", err)
		stop()
		_ = os.RemoveAll(folder)
		os.Exit(1)
	}
}

// run tries the guards whose names contain one of the words, or all without words.
// It continues after a failure, and returns all of them.
func run(ctx context.Context, folder string, words []string) error {
	whole := map[string]error{} // results of the tests with all guards, by package and pattern
	var failures []error
	for _, g := range guards {
		if !g.named(words) {
			continue
		}
		started := time.Now()
		suite := g.pkg + " " + g.tests
		if _, tried := whole[suite]; !tried {
			whole[suite] = g.passes(ctx)
		}
		verdict, err := missed, whole[suite]
		if err == nil {
			verdict, err = g.tried(ctx, folder)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			verdict = broken
			failures = append(failures, fmt.Errorf("%s: %w", g.name, err))
		case verdict == missed:
			failures = append(failures, fmt.Errorf("%s: no test fails without it", g.name))
		}
		fmt.Printf("%-48s %-36s %-10s %4.0f s\n", g.name, g.file, verdict, time.Since(started).Seconds())
	}
	return errors.Join(failures...)
}

func (g guard) named(words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(g.name, w) })
}

const (
	noticed = "noticed"
	missed  = "MISSED"
	broken  = "BROKEN"
)

// passes returns an error if g's tests fail with g in place.
func (g guard) passes(ctx context.Context) error {
	out, ok, err := g.test(ctx)
	if err != nil || !ok {
		return errors.Join(fmt.Errorf("its tests fail with it in place:\n%s", out), err)
	}
	return nil
}

// tried reports whether the tests notice that g is removed. Errors: if the text
// isn't in the file, or the tests don't build without it.
func (g guard) tried(ctx context.Context, folder string) (verdict string, err error) {
	overlay, err := g.overlay(folder)
	if err != nil {
		return "", err
	}
	out, ok, err := g.test(ctx, "-overlay", overlay)
	switch {
	case err != nil:
		return "", err
	case ok:
		return missed, nil
	case !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:"):
		return "", fmt.Errorf("its tests don't run without it:\n%s", out)
	}
	return noticed, nil
}

// removed returns the source of g's file without g. Errors: if the file doesn't
// contain g's text as often as the list says.
func (g guard) removed() (string, error) {
	text, err := os.ReadFile(g.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), g.text); n != max(g.times, 1) {
		return "", fmt.Errorf("%s contains the text %d times, want %d", g.file, n, max(g.times, 1))
	}
	return strings.ReplaceAll(string(text), g.text, g.with), nil
}

// overlay writes the source without g, and returns the path of a go build overlay
// with it.
func (g guard) overlay(folder string) (string, error) {
	text, err := g.removed()
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(g.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(folder, "changed.go")
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, replace, 0o600)
}

// test runs g's tests; ok reports whether they pass.
func (g guard) test(ctx context.Context, flags ...string) (out string, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	args := []string{"test", "-count=1", "-run", g.tests}
	if !g.long {
		args = append(args, "-short")
	}
	args = append(args, flags...)
	text, err := exec.CommandContext(ctx, "go", append(args, g.pkg)...).CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return string(text), false, nil
	}
	if err == nil && strings.Contains(string(text), "no tests to run") {
		err = errors.New("no test matches")
	}
	return string(text), err == nil, err
}
