package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each mutant's text is in its file, each mutant parses, and its tests exist.
// make mutation runs them.
func TestMutantsApply(t *testing.T) {
	t.Chdir("../..")
	if len(mutants) < 40 {
		t.Errorf("there are %d mutants, want 40", len(mutants))
	}
	rooms := map[string]bool{}
	names := map[string]bool{}
	for _, m := range mutants {
		room, _, _ := strings.Cut(strings.TrimPrefix(m.file, "internal/"), "/")
		rooms[room] = true
		if names[m.name] {
			t.Errorf("%s is listed twice", m.name)
		}
		names[m.name] = true
		text, err := m.source()
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if m.tests != "." && !hasTest(t, m) {
			t.Errorf("%s: %s has no test %s", m.name, m.pkg, m.tests)
		}
	}
	for _, room := range []string{"mission", "store", "service", "graph", "rest"} {
		if !rooms[room] {
			t.Errorf("no mutant of %s is listed", room)
		}
	}
}

// hasTest reports whether the package's tests have one whose name has one of the
// pattern's alternatives, up to the name of a subtest.
func hasTest(t *testing.T, m mutant) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.pkg, "*_test.go"))
	if err != nil || len(files) == 0 {
		return false
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return slices.ContainsFunc(strings.Split(m.tests, "|"), func(name string) bool {
		name, _, _ = strings.Cut(strings.Trim(name, "^$"), "/")
		return slices.ContainsFunc(strings.Split(all.String(), "\n"), func(line string) bool {
			rest, ok := strings.CutPrefix(line, "func Test")
			return ok && strings.Contains("Test"+rest, name)
		})
	})
}
