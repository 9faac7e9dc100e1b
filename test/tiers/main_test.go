package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tier of a test is that of its first line, and those of its parts; a mark elsewhere is refused.
func TestFind(t *testing.T) {
	for body, want := range map[string]string{
		"":                                      "gate a.TestX",
		"t.Parallel()":                          "gate a.TestX",
		"testkit.Full(t)":                       "full a.TestX",
		"testkit.SkipIfShort(t)":                "gate a.TestX",
		"testkit.SkipUnlessNightly(t); t.Log()": "nightly a.TestX",
		`testkit.SkipUnlessSet(t, "X", "test-x")`:                                   "apart a.TestX",
		"t.Run(s, func(t *testing.T) { testkit.Full(t) })":                          "gate a.TestX, full a.TestX (in part)",
		"for range 3 { if hard { testkit.Full(t); more(t) }; t.Log() }":             "gate a.TestX, full a.TestX (in part)",
		"t.Parallel(); testkit.Full(t)":                                             "the tier of a test is its first line",
		"t.Run(s, func(t *testing.T) { t.Helper(); testkit.SkipUnlessNightly(t) })": "the tier of a test is its first line",
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "a", "a_test.go")
		source := "package a\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {\n\t" + strings.ReplaceAll(body, "; testkit", "\n        testkit") + "\n}\n"
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := find(folder)
		var got []string
		for _, tier := range tiers {
			for _, name := range all[tier] {
				got = append(got, tier+" "+name)
			}
		}
		if text := strings.Join(got, ", "); err == nil && text != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %q, %v, want %q", body, text, err, want)
		}
	}
}

// The repository's own marks are in their places, and all tiers have tests.
func TestRepository(t *testing.T) {
	all, err := find(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for tier, name := range map[string]string{
		gate: "test/tiers.TestRepository", full: "test/servers.TestProduction", nightly: "deploy/release.TestBuildTwice", apart: "test/servers.TestPatroni",
	} {
		if !slices.Contains(all[tier], name) {
			t.Errorf("%s isn't in the tier %s", name, tier)
		}
	}
	for _, name := range []string{"web/console/e2e/a11y.test.mjs", "deploy/image.TestImageTwice"} {
		if !slices.Contains(all[full], name) {
			t.Errorf("%s isn't in the full suite", name)
		}
	}
}
