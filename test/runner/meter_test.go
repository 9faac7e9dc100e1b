package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a package takes is shared by the tests that run, and not by those that wait: for their turn, for a subtest, or for
// parallel ones. A root test's time is its own and that of its parallel subtests.
func TestShares(t *testing.T) {
	m := newMeter()
	for _, e := range []event{
		{Action: "run", Test: "TestA"},
		{Action: "pause", Test: "TestA"},
		{Action: "run", Test: "TestB"},
		{Action: "run", Test: "TestB/of / slashes"},
		{Action: "pass", Test: "TestB/of / slashes", Elapsed: 1},
		{Action: "run", Test: "TestB/one"},
		{Action: "pause", Test: "TestB/one"},
		{Action: "run", Test: "TestB/two"},
		{Action: "pause", Test: "TestB/two"},
		{Action: "cont", Test: "TestA"},
		{Action: "cont", Test: "TestB/two"},
		{Action: "run", Test: "TestB/two/deep"},
	} {
		e.Package = "p"
		m.take(e)
	}
	p := m.packages["p"]
	p.add(2)
	for _, e := range []event{
		{Action: "pass", Test: "TestA", Elapsed: 5},
		{Action: "pass", Test: "TestB/two/deep", Elapsed: 3},
		{Action: "pass", Test: "TestB/two", Elapsed: 4},
		{Action: "pass", Test: "TestB", Elapsed: 2},
		{Action: "pass", Elapsed: 7},
	} {
		e.Package = "p"
		m.take(e)
	}
	p.add(1)
	if a, b := p.roots["TestA"], p.roots["TestB"]; *a != (timed{"TestA", 5, 1}) || *b != (timed{"TestB", 6, 1}) || p.Wall != 7 || p.CPU != 3 {
		t.Errorf("got %+v, %+v, %+v", a, b, p.timed)
	}
	if part := m.part(10 * time.Second); part.Build != 7 || len(part.Packages) != 1 || len(part.Packages[0].Tests) != 2 {
		t.Errorf("got %+v", part)
	}
}

// The table of processes has what ended children took; a program's name may have any characters.
func TestProcesses(t *testing.T) {
	folder := t.TempDir()
	for process, text := range map[string]string{
		"10": "10 (a) R) S 7 10 10 0 -1 4194304 1 2 3 4 100 20 3 1 20 0 1 0 5 6 7",
		"11": "11 (b) S 10 10 10 0 -1 4194304 1 2 3 4 5 5 0 0 20 0 1 0 5 6 7",
		"12": "12 (broken",
		"14": "14 (c) S 15 10 10 0 -1 4194304 1 2 3 4 5 5 0 0 20 0 1 0 5 6 7", // 14 was given to another while the table was read
		"15": "15 (d) S 14 10 10 0 -1 4194304 1 2 3 4 5 5 0 0 20 0 1 0 5 6 7",
		"13": "13 (short) S 10",
	} {
		if err := os.Mkdir(filepath.Join(folder, process), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, process, "stat"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if all := processes(folder); all.tree(10) != 1340*time.Millisecond || all.tree(14) != 200*time.Millisecond || len(all.below[7]) != 1 {
		t.Errorf("got %v and %v in %+v", all.tree(10), all.tree(14), all)
	}
}

// The dearest are printed by both measures, of all parts.
func TestDearest(t *testing.T) {
	folder := t.TempDir()
	for name, cost := range map[string]timed{"go": {"a", 10, 2}, "console": {"b", 3, 9}} {
		p := part{Name: name, Build: 1, Packages: []measured{{timed: cost, Tests: []timed{{"TestX", cost.Wall, cost.CPU}}}}}
		if err := p.write(folder); err != nil {
			t.Fatal(err)
		}
	}
	all, err := parts(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	dearest(&out, all, 1)
	want := `The packages that took most CPU:
   CPU s   time s
     9.0      3.0  b
The packages that took most time:
   CPU s   time s
     2.0     10.0  a
The tests that took most CPU:
   CPU s   time s
     9.0      3.0  b.TestX
The tests that took most time:
   CPU s   time s
     2.0     10.0  a.TestX
In all 11 s of CPU in tests, 2 s to build them; packages' times add up to 13 s.
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(folder, "bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := parts(folder); err == nil || !strings.Contains(err.Error(), "bad.json") {
		t.Errorf("got %v", err)
	}
}
