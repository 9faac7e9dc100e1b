package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// timesFolder has a file of each part of the gate, what its last run took, and a folder full of those of the full suite;
// node.mjs writes such files too.
const timesFolder = "bin/test/times"

// part is what the run of a part took.
type part struct {
	Name  string    `json:"name"`
	Began time.Time `json:"began"`
	// Build is what compiling and linking took, in seconds of CPU.
	Build    float64    `json:"build"`
	Packages []measured `json:"packages"`
}

// timed is what something took, in seconds. CPU is 0 where it can't be measured.
type timed struct {
	Name string  `json:"name"`
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
}

// measured is a package, or a file of Node's, and its root tests.
type measured struct {
	timed
	Tests []timed `json:"tests"`
}

// write writes the file of a part.
func (p part) write(folder string) error {
	file := filepath.Join(folder, p.Name+".json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o600)
}

// parts reads the files of a folder.
func parts(folder string) (all []part, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var p part
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// dearest writes what the parts took: the sums, and the n packages and tests that took most CPU, and most time.
func dearest(out io.Writer, all []part, n int) {
	var packages, tests []timed
	var sum, build, wall float64
	for _, p := range all {
		build += p.Build
		for _, m := range p.Packages {
			sum, wall = sum+m.CPU, wall+m.Wall
			packages = append(packages, m.timed)
			for _, t := range m.Tests {
				t.Name = m.Name + "." + t.Name
				tests = append(tests, t)
			}
		}
	}
	for _, list := range []struct {
		of string
		in []timed
	}{{"packages", packages}, {"tests", tests}} {
		for _, by := range []struct {
			what string
			of   func(timed) float64
		}{{"CPU", cpu}, {"time", taken}} {
			slices.SortStableFunc(list.in, func(a, b timed) int { return cmp.Compare(by.of(b), by.of(a)) })
			say(out, "The %s that took most %s:\n", list.of, by.what)
			say(out, "%8s %8s\n", "CPU s", "time s")
			for _, t := range list.in[:min(n, len(list.in))] {
				say(out, "%8.1f %8.1f  %s\n", t.CPU, t.Wall, t.Name)
			}
		}
	}
	say(out, "In all %.0f s of CPU in tests, %.0f s to build them; packages' times add up to %.0f s.\n", sum, build, wall)
}

func cpu(t timed) float64   { return t.CPU }
func taken(t timed) float64 { return t.Wall }
