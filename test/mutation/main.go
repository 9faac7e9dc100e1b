// Mutation removes the service's safety checks one at a time, and verifies that a
// test fails without each: a check that no test needs may break unnoticed.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// testLimit bounds one run of tests, building included.
const testLimit = 8 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "mutation")
	if err == nil {
		defer func() { _ = os.RemoveAll(folder) }()
		err = run(ctx, folder, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		stop()
		_ = os.RemoveAll(folder)
		os.Exit(1)
	}
}

// run tests the mutants whose names contain one of the words, or all without words; after
// -simulated those that the simulation has to find, by it instead of their own tests. It
// continues after a failure, and returns all of them.
func run(ctx context.Context, folder string, words []string) error {
	mutants := mutants
	simulated := len(words) > 0 && words[0] == "-simulated"
	if simulated {
		mutants, words = inSimulation(mutants), words[1:]
	}
	whole := map[string]error{} // results of the tests of the unchanged source, by package and pattern
	var failures []error
	for _, m := range mutants {
		if !m.named(words) {
			continue
		}
		started := time.Now()
		suite := m.pkg + " " + m.tests
		if _, tried := whole[suite]; !tried && !simulated { // the suite itself runs the simulation
			whole[suite] = m.passes(ctx)
		}
		verdict, err := survived, whole[suite]
		if err == nil {
			verdict, err = m.verdict(ctx, folder)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			verdict = broken
			failures = append(failures, fmt.Errorf("%s: %w", m.name, err))
		case verdict == survived:
			failures = append(failures, fmt.Errorf("%s: no test fails on it", m.name))
		}
		fmt.Printf("%-48s %-36s %-13s %4.0f s\n", m.name, m.file, verdict, time.Since(started).Seconds())
	}
	return errors.Join(failures...)
}

// inSimulation returns the mutants that the simulation has to find.
func inSimulation(all []mutant) []mutant {
	var chosen []mutant
	for _, m := range all {
		if m.seeds > 0 {
			m.pkg, m.tests, m.args = "./test/simulation", "^TestSimulation$", []string{"-args", "-days", "3", "-seeds", strconv.Itoa(m.seeds)}
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// named reports whether m's name contains one of the words, or there are none.
func (m mutant) named(words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.name, w) })
}

// bySeed matches what the simulation says of the seed that finds something, and the first
// promise that is broken.
var bySeed = regexp.MustCompile(`seed (\d+) breaks .*\n\s*\S+: \S+s ([^:\n]+):`)

const (
	survived = "SURVIVED"
	broken   = "BROKEN"
)

// tier is a tier of tests.
type tier string

const (
	gate tier = "gate"
	full tier = "full"
)

// passes returns an error if m's tests fail on the unchanged source.
func (m mutant) passes(ctx context.Context) error {
	out, ok, err := m.test(ctx, full)
	if err != nil || !ok {
		return errors.Join(fmt.Errorf("its tests fail on the unchanged source:\n%s", out), err)
	}
	return nil
}

// verdict returns the tier whose tests kill m, the gate if both do. Errors: if the text isn't
// in the file, or the tests don't build on m.
func (m mutant) verdict(ctx context.Context, folder string) (string, error) {
	overlay, err := m.overlay(folder)
	if err != nil {
		return "", err
	}
	verdict, err := m.verdictOf(ctx, gate, overlay)
	if err == nil && verdict == survived {
		verdict, err = m.verdictOf(ctx, full, overlay)
	}
	return verdict, err
}

func (m mutant) verdictOf(ctx context.Context, of tier, overlay string) (string, error) {
	out, ok, err := m.test(ctx, of, "-overlay", overlay)
	switch {
	case err != nil:
		return "", err
	case ok:
		return survived, nil
	case !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:"):
		return "", fmt.Errorf("its tests don't run on it:\n%s", out)
	}
	if found := bySeed.FindStringSubmatch(out); found != nil {
		return fmt.Sprintf("killed by seed %s: %s", found[1], found[2]), nil
	}
	return fmt.Sprintf("killed (%s)", of), nil
}

// source returns m's file as m has it. Errors: if the file doesn't contain the text
// as often as the list says.
func (m mutant) source() (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.text); n != max(m.times, 1) {
		return "", fmt.Errorf("%s contains the text %d times, want %d", m.file, n, max(m.times, 1))
	}
	return strings.ReplaceAll(string(text), m.text, m.with), nil
}

// overlay writes m's file, and returns the path of a go build overlay with it.
func (m mutant) overlay(folder string) (string, error) {
	text, err := m.source()
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(m.file)
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

// test runs m's tests of a tier; ok reports whether they pass.
func (m mutant) test(ctx context.Context, of tier, flags ...string) (out string, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	// To compile takes longer than to test: without optimization it takes less than half the time.
	args := append([]string{"test", "-gcflags=missiond/...=-N -l", "-ldflags=-w", "-vet=off", "-count=1", "-run", m.tests}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, m.pkg), m.args...)...)
	cmd.Env = os.Environ()
	if of == full {
		cmd.Env = append(cmd.Env, "MISSIOND_TEST_FULL=1")
	}
	text, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return string(text), false, nil
	}
	if err == nil && strings.Contains(string(text), "no tests to run") {
		err = errors.New("no test matches")
	}
	return string(text), err == nil, err
}
