package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestChangedLines(t *testing.T) {
	got := changedLines(strings.Join([]string{
		"diff --git a/a_test.go b/a_test.go", "--- a/a_test.go", "+++ b/a_test.go",
		"@@ -1,0 +2,3 @@ package a", "+one", "+++ b/two", "+three", "@@ -9 +12 @@", "-x", "+y", "@@ -20,2 +22,0 @@", "-x", "-y",
		"diff --git a/b/b_test.go b/b/b_test.go", "--- /dev/null", "+++ b/b/b_test.go", "@@ -0,0 +1,40 @@", "+package b",
	}, "\n"))
	want := map[string][][2]int{"a_test.go": {{2, 4}, {12, 12}, {22, 23}}, "b/b_test.go": {{1, 40}}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFresh makes a repository whose tests are older than a day, and changes some.
func TestFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test: make test runs it")
	}
	folder := t.TempDir()
	t.Chdir(folder)
	t.Setenv("GOFLAGS", "")
	t.Setenv("RUNS", filepath.Join(folder, "runs"))
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "Ana")
		t.Setenv("GIT_"+name+"_EMAIL", "ana@example.com")
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(day string) {
		t.Helper()
		for _, args := range [][]string{{"init", "-q"}, {"add", "*.go", "go.mod"}, {"commit", "-q", "-m", "a commit"}} {
			cmd := exec.CommandContext(t.Context(), "git", args...)
			cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+day+"T12:00:00Z", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z")
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", args[0], err, text)
			}
		}
	}
	counts := `package cases

import (
	"os"
	"testing"
)

// run says that a test ran, and returns how often it has.
func run(name string) int {
	f, _ := os.OpenFile(os.Getenv("RUNS"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	_, _ = f.WriteString(name + "\n")
	_ = f.Close()
	text, _ := os.ReadFile(os.Getenv("RUNS"))
	n := 0
	for _, c := range text {
		if c == name[0] {
			n++
		}
	}
	return n
}
`
	unchanged := "\nfunc TestUnchanged(t *testing.T) { run(\"u\") }\n"
	write("go.mod", "module cases\n\ngo 1.26\n")
	write("cases_test.go", counts+unchanged+"\nfunc TestChanged(t *testing.T) { run(\"c\") }\n")
	commit("2026-03-01")
	check := func(passes bool, ran map[string]int, said ...string) {
		t.Helper()
		_ = os.Remove("runs")
		var out bytes.Buffer
		if got := runFresh(context.Background(), []string{"-vet=off", "-ldflags=-w"}, &out); got != passes {
			t.Errorf("passed: %t, want %t", got, passes)
		}
		text, _ := os.ReadFile("runs")
		got := map[string]int{}
		for _, name := range strings.Fields(string(text)) {
			got[name]++
		}
		if !maps.Equal(got, ran) {
			t.Errorf("ran %v, want %v", got, ran)
		}
		for _, each := range said {
			if !strings.Contains(out.String(), each) {
				t.Errorf("%q is missing", each)
			}
		}
		if fails := regexp.MustCompile(`(?m)^FAIL`).MatchString(out.String()); fails == passes {
			t.Errorf("a line begins with FAIL: %t", fails)
		}
		if t.Failed() {
			t.Log("\n" + out.String())
		}
	}
	check(true, map[string]int{}, "the history is too short", "0 of 0 tests")

	changed := "\nfunc TestChanged(t *testing.T) {\n\trun(\"c\")\n}\n"
	write("cases_test.go", counts+unchanged+changed)
	commit("2026-03-03")
	write("more_test.go", "package cases\n\nimport \"testing\"\n\nfunc TestAdded(t *testing.T) { run(\"a\") }\n\nfunc TestOfAnotherTier(t *testing.T) { run(\"o\"); t.Skip(\"not here\") }\n")
	commit("2026-03-03")
	check(true, map[string]int{"a": 10, "o": 1, "c": 10}, "2 of 3 tests that are new or changed ran 10 times")
	if text, err := os.ReadFile("runs"); err != nil || !strings.HasPrefix(string(text), "a\n") {
		t.Errorf("the test that was there before ran first: %q, %v", text, err)
	}
	base, err := freshBase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if ages, err := fileAges(t.Context(), base); err != nil || ages["more_test.go"] != 1 || ages["cases_test.go"] != 2 {
		t.Errorf("the files' ages are %v, %v", ages, err)
	}

	write("more_test.go", "package cases\n\nimport \"testing\"\n\nfunc TestAdded(t *testing.T) {\n\tif run(\"a\") == 4 {\n\t\tt.Error(\"by chance\")\n\t}\n}\n")
	check(false, map[string]int{"a": 4, "c": 10}, "by chance", "FAIL\t..TestAdded: it has to pass 10 times")

	write("more_test.go", "package cases\n\nimport \"testing\"\n\nfunc TestAdded(t *testing.T) { run(1) }\n")
	check(false, map[string]int{}, "cannot use 1", "FAIL\t.: ")
}
