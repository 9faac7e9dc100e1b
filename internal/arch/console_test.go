package arch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// consoleRooms are the folders of the console's sources. Each imports those before it only.
var consoleRooms = []string{"core", "text", "ui", "pages", "frame"}

// consoleImport is an import of a file of the console by another, loaded at once or later.
var consoleImport = regexp.MustCompile(`\b(?:from|import)[\s(]+['"](\.[^'"]+)['"]`)

// asPeopleRead is a message of the service as the console's pages show it, and ofAnError that of an error, which is so already.
var (
	asPeopleRead = regexp.MustCompile(`\b(?:readable|sentence)\([\w.?!]+\.message\b`)
	ofAnError    = regexp.MustCompile(`(?:\be|\(e as Error\)|\bforPeople\(\w+\)|[^.\w]problem|\bp)\.message\b`)
)

// TestConsoleMessages verifies that no page shows a message of the service with its hints for clients of the API and for operators.
func TestConsoleMessages(t *testing.T) {
	for name, text := range consoleFiles(t) {
		if strings.HasPrefix(name, "core/") {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if rest := ofAnError.ReplaceAllString(asPeopleRead.ReplaceAllString(line, ""), ""); strings.Contains(rest, ".message") {
				t.Errorf("%s:%d shows a message that isn't readable (core/format.ts): %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestConsoleTestsSeeTexts verifies that no test of the console waits for the first match of a text on a whole page, which may be
// in a closed menu, by chance: shown (harness.mjs) waits for what can be seen.
func TestConsoleTestsSeeTexts(t *testing.T) {
	first := regexp.MustCompile(`\bpage\s*\.getByText\([^\n]*\)\s*\.first\(\)`)
	files, err := filepath.Glob(filepath.Join(root(t), "web", "console", "e2e", "*.mjs"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of tests: %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range first.FindAllString(string(text), -1) {
			if !strings.Contains(match, "visible: true") {
				t.Errorf("%s: %s: use shown", filepath.Base(name), match)
			}
		}
	}
}

// TestConsoleImports verifies that the rooms of the console import one way, and no file
// itself through others.
func TestConsoleImports(t *testing.T) {
	for _, fault := range consoleFaults(consoleFiles(t)) {
		t.Error(fault)
	}
}

// consoleFiles returns the texts of the console's sources by their paths.
func consoleFiles(t *testing.T) map[string]string {
	t.Helper()
	src := filepath.Join(root(t), "web", "console", "src")
	files := map[string]string{}
	err := filepath.WalkDir(src, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "__generated__":
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".ts" && filepath.Ext(name) != ".tsx":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		name, err = filepath.Rel(src, name)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Fatalf("found %d files, want at least 100", len(files))
	}
	return files
}

func TestConsoleFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"one way", map[string]string{
			"frame/Shell.tsx":     "import { a } from '../core/a'\nconst Home = lazy(() => import('../pages/home/Home'))\nimport './shell.css'",
			"pages/home/Home.tsx": "import {\n  a,\n} from \"../../core/a\"\nimport type { HomeQuery } from '../../__generated__/HomeQuery.graphql'", "core/a.ts": "import 'react'",
		}, nil},
		{"upwards", map[string]string{
			"core/a.ts": "export { b } from '../ui/b'", "ui/b.tsx": "const Shell = import(\n  '../frame/Shell')", "frame/Shell.tsx": "", "pages/home/Home.tsx": "import '../../frame/Shell'",
		}, []string{"core/a.ts imports ui/b.tsx", "pages/home/Home.tsx imports frame/Shell.tsx", "ui/b.tsx imports frame/Shell.tsx"}},
		{"a circle", map[string]string{
			"core/a.ts": "import { b } from './b'", "core/b.ts": "import type { c } from './c'", "core/c.ts": "import { a } from './a'",
		}, []string{"a circle: core/a.ts, core/b.ts, core/c.ts, core/a.ts"}},
		{"no room", map[string]string{"util/a.ts": ""}, []string{"util/a.ts is in none of the rooms core, text, ui, pages, frame"}},
		{"no file", map[string]string{"core/a.ts": "import './b'"}, []string{"core/a.ts imports ./b, which isn't there"}},
	} {
		if got := consoleFaults(c.files); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// consoleFaults returns what is wrong with the imports of files, whose texts are by their paths.
func consoleFaults(files map[string]string) []string {
	var faults []string
	imports := map[string][]string{}
	room := func(name string) int { return slices.Index(consoleRooms, strings.Split(name, "/")[0]) }
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if room(name) < 0 {
			faults = append(faults, name+" is in none of the rooms "+strings.Join(consoleRooms, ", "))
		}
		for _, m := range consoleImport.FindAllStringSubmatch(files[name], -1) {
			target := path.Join(path.Dir(name), m[1])
			if ext := path.Ext(target); ext == ".css" || ext == ".json" || strings.HasPrefix(target, "__generated__/") {
				continue
			}
			if _, ok := files[target+".ts"]; ok {
				target += ".ts"
			} else if _, ok := files[target+".tsx"]; ok {
				target += ".tsx"
			} else {
				faults = append(faults, fmt.Sprintf("%s imports %s, which isn't there", name, m[1]))
				continue
			}
			imports[name] = append(imports[name], target)
			if room(target) > room(name) {
				faults = append(faults, name+" imports "+target)
			}
		}
	}
	return append(faults, circles(imports)...)
}

// circles returns the circles of imports that a walk through all files meets.
func circles(imports map[string][]string) []string {
	var found, way []string
	done := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		if at := slices.Index(way, name); at >= 0 {
			found = append(found, "a circle: "+strings.Join(append(slices.Clone(way[at:]), name), ", "))
			return
		}
		if done[name] {
			return
		}
		way = append(way, name)
		for _, target := range imports[name] {
			walk(target)
		}
		way = way[:len(way)-1]
		done[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		walk(name)
	}
	return found
}
