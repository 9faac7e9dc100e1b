package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns the paths of the documentation.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md", "examples/typescript/*.md", "test/chaos/*.md"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d documents, %v", pattern, len(paths), err)
		}
		all = append(all, paths...)
	}
	return all
}

// example is a fenced block of a document, in a language.
type example struct {
	place    string // the document and the line
	language string
	skip     bool // marked with no-run, behind the language
	text     string
}

// examples returns a document's fenced blocks of commands, requests and responses; the
// others are pictures and code.
func examples(t *testing.T, path string) (list []example) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var e *example
	for i, line := range strings.Split(string(text), "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && e == nil:
			language, marks, _ := strings.Cut(info, " ")
			e = &example{place: fmt.Sprintf("%s:%d", path, i+1), language: language, skip: marks == "no-run"}
		case fence:
			if slices.Contains([]string{"sh", "console", "graphql", "json"}, e.language) {
				list = append(list, *e)
			}
			e = nil
		case e != nil:
			e.text += line + "\n"
		}
	}
	return list
}

var target = regexp.MustCompile(`(?m)^(?:\$ )?make ([a-z-]+)`)

// checkTargets fails the test if the Makefile lacks a target of the example.
func (e example) checkTargets(t *testing.T) {
	t.Helper()
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range target.FindAllStringSubmatch(e.text, -1) {
		if !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("%s: there is no target %s", e.place, m[1])
		}
	}
}

// command is a command of a transcript, and what it prints.
type command struct{ text, output string }

// commands splits a transcript: a command begins with "$ " and continues on lines that
// are indented by four.
func (e example) commands() (list []command) {
	for _, line := range strings.Split(e.text, "\n") {
		begun, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case isCommand:
			list = append(list, command{text: begun})
		case strings.HasPrefix(line, "    ") && list[len(list)-1].output == "":
			list[len(list)-1].text += "\n" + line
		case line != "":
			list[len(list)-1].output += line + "\n"
		}
	}
	return list
}

func decode(t *testing.T, place, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %s: %v", place, text, err)
	}
	return v
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fields returns the paths of all fields in a JSON value, sorted. Those of a list are
// the fields of all its items.
func fields(v any) []string {
	all := map[string]bool{}
	collectFields("", v, all)
	return slices.Sorted(maps.Keys(all))
}

func collectFields(path string, v any, all map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			collectFields(path, item, all)
		}
	case map[string]any:
		for name, value := range v {
			all[path+"."+name] = true
			collectFields(path+"."+name, value, all)
		}
	}
}

// pairIDs adds to ids what stands in got for each string that want has in a field "id".
func pairIDs(want, got any, ids map[string]string) {
	w, ok := want.(map[string]any)
	g, gok := got.(map[string]any)
	if !ok || !gok {
		return
	}
	if printed, ok := w["id"].(string); ok {
		ids[printed], _ = g["id"].(string)
	}
}
