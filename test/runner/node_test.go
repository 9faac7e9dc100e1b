package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files are test files of Node by their names.
var files = map[string]string{
	"steady":  "test('steady', () => {}); test.skip('skipped', () => {})",
	"empty":   "",
	"first":   "test('first', (t) => t.test('part', () => { if (once('first')) throw new Error('at first') })); test('steady', () => {})",
	"always":  "test('always', () => { throw new Error('each time') })",
	"skips":   "test('skips', (t) => { if (once('skips')) throw new Error('at first'); t.skip() })",
	"absent":  "if (once('absent')) test('absent', () => { throw new Error('at first') }); else test('another', () => {})",
	"other":   "const first = once('other'); test('one', () => { if (first) throw new Error() }); test('two', () => { if (!first) throw new Error() })",
	"late":    "test('late', () => { if (once('late')) throw new Error('at first'); process.exit(1) })",
	"broken":  "test('broken",
	"leaves":  "test('leaves', () => process.exit(0)); test('never', () => { throw new Error('each time') })",
	"program": "import { execFileSync } from 'node:child_process'; test('program', () => { execFileSync(process.execPath, ['-e', 'process.exit(0)']) })",
	"dies":    "test('dies', () => process.exit(1))",
	"outside": "test('outside', () => { setTimeout(() => { throw new Error('outside') }) }); test('waits', () => new Promise((done) => setTimeout(done, 20)))",
	"hook":    "test.after(() => { throw new Error('in a hook') }); test('steady', () => {})",
}

// Of Node's files those are tried again whose tests failed, and pass only if these are seen to pass.
func TestNodesFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test: make test runs it")
	}
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	runner, err := filepath.Abs("node.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files   string
		retries int
		want    []string
	}{
		{"steady program", 0, []string{"2 passed, 0 failed, 1 skipped"}},
		{"steady empty", 0, []string{"FAIL\tempty.mjs: it failed otherwise"}},
		{"leaves", 0, []string{"FAIL\tleaves.mjs: it failed otherwise"}},
		{"first steady", 1, []string{"FLAKY first.mjs: first: ", "\tpart: Error: at first", "1 tests were FLAKY", "3 passed, 0 failed, 1 skipped"}},
		{"always first", 2, []string{"FAIL\talways.mjs: 1 of its tests failed", "FLAKY first.mjs: first: ", "2 passed, 1 failed, 0 skipped"}},
		{"skips", 1, []string{"FAIL\tskips.mjs: 1 of its tests failed, and not all were seen to pass"}},
		{"absent", 1, []string{"FAIL\tabsent.mjs: "}},
		{"other", 1, []string{"FAIL\tother.mjs: "}},
		{"late", 1, []string{"FAIL\tlate.mjs: "}},
		{"broken first", 0, []string{"FAIL\tbroken.mjs: it failed otherwise", "FAIL\tfirst.mjs: "}},
		{"dies", 0, []string{"FAIL\tdies.mjs: it failed otherwise"}},
		{"outside", 0, []string{"FAIL\toutside.mjs: it failed otherwise"}},
		{"hook", 0, []string{"FAIL\thook.mjs: it failed otherwise"}},
		{"always first skips absent other late", 0, []string{"FAIL\tfirst.mjs: "}},
	} {
		t.Run(c.files, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			args := []string{runner, "--concurrency=2"}
			for _, name := range strings.Fields(c.files) {
				args = append(args, name+".mjs")
				text := "import fs from 'node:fs'\nimport test from 'node:test'\n" +
					"const once = (name) => !fs.existsSync(name) && (fs.writeFileSync(name, ''), true)\n" + files[name]
				if err := os.WriteFile(filepath.Join(folder, name+".mjs"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), "node", args...)
			cmd.Dir = folder
			out, err := cmd.CombinedOutput()
			if fails := slices.ContainsFunc(c.want, func(s string) bool { return strings.HasPrefix(s, "FAIL") }); (err != nil) != fails {
				t.Errorf("got %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is missing", want)
				}
			}
			if n := strings.Count(string(out), "is tried again alone"); n != c.retries {
				t.Errorf("a file was tried again %d times, want %d", n, c.retries)
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
}
