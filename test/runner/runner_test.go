package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// source is a package whose tests do what the case says, which Go's linker makes once.
const source = `package cases

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// once reports whether it is the first run of a test.
func once(name string) bool {
	f, err := os.OpenFile(os.Getenv("CASES_FOLDER")+"/"+name, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}

func is(name string) bool { return slices.Contains(strings.Fields(os.Getenv("CASES")), name) }

func TestMain(m *testing.M) {
	if is("unlisted") && !once("unlisted") {
		fmt.Println("no test ran")
		os.Exit(0)
	}
	code := m.Run()
	if is("main") {
		code = 1
	}
	os.Exit(code)
}

func TestSteady(t *testing.T) {}

func TestSkipped(t *testing.T) { t.Skip("always") }

func TestFirst(t *testing.T) {
	t.Run("part", func(t *testing.T) {
		if is("first") && once("first") {
			t.Error("at first")
		}
	})
}

func TestTwice(t *testing.T) {
	if is("twice") && (once("one") || once("two")) {
		t.Error("once more")
	}
}

func TestUnlisted(t *testing.T) {
	if is("unlisted") {
		t.Error("it fails, and is absent then")
	}
}

func TestAlways(t *testing.T) {
	if is("always") {
		t.Error("each time")
	}
}

func TestSkippedLater(t *testing.T) {
	if is("skips") {
		if once("skips") {
			t.Fatal("at first")
		}
		t.Skip("not any more")
	}
}

func TestDies(t *testing.T) {
	t.Run("part", func(t *testing.T) {
		switch {
		case is("panics"):
			panic("in a test")
		case is("outside"):
			go func() { panic("outside of a test") }()
			select {}
		case is("exits"):
			os.Exit(0)
		case is("late"):
			if once("late") {
				t.Fatal("at first")
			}
			panic("when it is tried again")
		case is("races"):
			fmt.Println("WARNING: DATA RACE")
			t.Error("race detected during execution of test")
		case is("hangs"):
			select {}
		}
	})
}

func TestOne(t *testing.T)   { many(t) }
func TestTwo(t *testing.T)   { many(t) }
func TestThree(t *testing.T) { many(t) }
func TestFour(t *testing.T)  { many(t) }
func TestFive(t *testing.T)  { many(t) }

func many(t *testing.T) {
	if is("many") && once(t.Name()) {
		t.Error("at first")
	}
}
`

// What may be tried again is, and passes only if it was seen to; all else fails the run at once. It takes some eight
// seconds of CPU, since it is Go's own output that is judged, of thirty runs.
func TestRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test: make test runs it")
	}
	folder := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module cases\n\ngo 1.26\n")
	write("cases_test.go", source)
	write("broken/broken_test.go", "package broken\n\nvar number int = \"text\"\n")
	t.Setenv("GOFLAGS", "")
	for _, c := range []struct {
		cases   string
		args    []string // instead of the package's whole tests
		passes  bool
		retries int // how many times a test is tried again
		want    []string
	}{
		{"", nil, true, 0, []string{"ok  \tcases", "0 tests were FLAKY", "12 passed, 0 failed, 1 skipped"}},
		{"first", nil, true, 1, []string{
			"FLAKY cases.TestFirst: ", "\t    cases_test.go:41: at first\n\t--- FAIL: TestFirst/part", "1 tests were FLAKY", "12 passed, 0 failed, 1 skipped",
		}},
		{"twice", nil, true, 2, []string{"FLAKY cases.TestTwice: ", "1 tests were FLAKY"}},
		{"first many", []string{"-run=^Test(First|One|Two|Three|Four)$", "."}, true, 5, []string{"FLAKY cases.TestOne: ", "5 tests were FLAKY", "5 passed, 0 failed, 0 skipped"}},
		{"first many", nil, false, 0, []string{"FAIL\tcases.TestFive: it failed, and too many others", "6 passed, 6 failed, 1 skipped"}},
		{"always first", nil, false, 3, []string{"FAIL\tcases.TestAlways: it failed each time", "FLAKY cases.TestFirst: ", "11 passed, 1 failed, 1 skipped"}},
		{"skips", nil, false, 2, []string{"FAIL\tcases.TestSkippedLater: it failed each time"}},
		{"unlisted", nil, false, 2, []string{"FAIL\tcases.TestUnlisted: it failed each time"}},
		{"panics", nil, false, 0, []string{"panic: in a test", "FAIL\tcases: its process ended early"}},
		{"outside", nil, false, 0, []string{"panic: outside of a test", "FAIL\tcases: its process ended early"}},
		{"outside first", nil, false, 0, []string{"FAIL\tcases.TestFirst: it failed\n", "FAIL\tcases: its process ended early"}},
		{"exits", nil, false, 0, []string{"FAIL\tcases: its process ended early"}},
		{"late", nil, false, 1, []string{"panic: when it is tried again", "FAIL\tcases.TestDies: tried again: cases: its process ended early"}},
		{"races", nil, false, 0, []string{"FAIL\tcases: a data race"}},
		{"hangs", []string{"-timeout=1s", "."}, false, 0, []string{"panic: test timed out", "FAIL\tcases: its process ended early"}},
		{"main", nil, false, 0, []string{"FAIL\tcases: it failed without a failed test"}},
		{"main first", nil, false, 1, []string{"FAIL\tcases.TestFirst: tried again: cases: it failed without a failed test"}},
		{"first", []string{".", "./broken"}, false, 0, []string{"cannot use \"text\"", "FAIL\tcases/broken: the build of cases/broken", "FAIL\tcases.TestFirst: it failed\n"}},
		{"", []string{"./nowhere"}, false, 0, []string{"FAIL\t"}},
		{"", []string{"-nonsense", "."}, false, 0, []string{"flag provided but not defined", "FAIL\tcases: its process ended early"}},
		{"first", []string{"-run=Steady", ".", "--", "-C=" + folder, "-count=1", "-run=First", "."}, true, 1, []string{"FLAKY cases.TestFirst: ", "2 passed, 0 failed, 0 skipped"}},
	} {
		t.Run(strings.Join(append([]string{c.cases}, c.args...), " "), func(t *testing.T) {
			t.Chdir(folder)
			t.Setenv("CASES", c.cases)
			t.Setenv("CASES_FOLDER", t.TempDir())
			if c.args == nil {
				c.args = []string{"."}
			}
			var out bytes.Buffer
			passes := run(context.Background(), "", append([]string{"--", "-vet=off", "-ldflags=-w"}, c.args...), &out)
			if passes != c.passes {
				t.Errorf("passed: %v, want %v", passes, c.passes)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q is missing", want)
				}
			}
			if n := strings.Count(out.String(), "is tried again alone"); n != c.retries {
				t.Errorf("a test was tried again %d times, want %d", n, c.retries)
			}
			fails := regexp.MustCompile(`(?m)^FAIL`).MatchString(out.String())
			if fails == c.passes {
				t.Errorf("a line begins with FAIL: %v", fails)
			}
			if t.Failed() {
				t.Log("\n" + out.String())
			}
		})
	}
}

// A failed test explains that go test exits with 1, and no other end: that of its process leaves packages out that it hadn't
// begun.
func TestEnds(t *testing.T) {
	for script, explained := range map[string]bool{"exit 1": true, "exit 2": false, "kill -9 $$": false} {
		first := &pkg{name: "first", verdict: failed, closed: true, tests: map[string]string{"TestFirst": failed}}
		r := &result{packages: map[string]*pkg{"first": first}, err: exec.Command("sh", "-c", script).Run()}
		if why := r.hopeless(); (len(why) == 0) != explained {
			t.Errorf("%s: got %q", script, why)
		}
	}
	r := &result{packages: map[string]*pkg{}, err: io.ErrUnexpectedEOF}
	if len(r.hopeless()) == 0 {
		t.Error("output that couldn't be read passes")
	}
}

// What isn't said as the program wants it is refused.
func TestCommands(t *testing.T) {
	for args, want := range map[string]string{
		"":                        "usage",
		"./...":                   "comes before --",
		"--":                      "must be a package",
		"-- -count=1 -- ./a":      "must be a package",
		"-- -p=1 -C=x ./a -- ./b": "[{[-p=1 -C=x] [./a]} {[] [./b]}]",
	} {
		all, err := commands(strings.Fields(args))
		got := fmt.Sprint(all)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}
