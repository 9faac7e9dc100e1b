package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The packed files depend on nothing but the files: not on the folders, the times, the
// modes, the order in which they were written, or what was there before.
func TestPackIsReproducible(t *testing.T) {
	files := []struct{ name, text string }{{"index.html", "<!doctype html>"}, {"assets/a.js", "let a = 1"}, {"assets/b.css", ""}}
	build := func(at time.Time, mode fs.FileMode, backwards bool) string {
		from, to := t.TempDir(), t.TempDir()
		for i := range files {
			f := files[i]
			if backwards {
				f = files[len(files)-1-i]
			}
			path := filepath.Join(from, f.name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, []byte(f.text), mode))
			must(t, os.Chtimes(path, at, at))
		}
		must(t, os.WriteFile(filepath.Join(to, "old.js.gz"), nil, 0o600))
		must(t, pack(from, to))
		return to
	}
	one, other := build(time.Unix(0, 0), 0o600, false), build(time.Now(), 0o644, true)
	for _, f := range files {
		a, err := os.ReadFile(filepath.Join(one, f.name+".gz"))
		must(t, err)
		b, err := os.ReadFile(filepath.Join(other, f.name+".gz"))
		must(t, err)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs between two builds", f.name)
		}
		r, err := gzip.NewReader(bytes.NewReader(a))
		must(t, err)
		if text, err := io.ReadAll(r); err != nil || string(text) != f.text {
			t.Errorf("%s unpacks to %q, %v", f.name, text, err)
		}
	}
	if entries, err := os.ReadDir(other); err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if err := pack(t.TempDir(), other); err == nil {
		t.Error("an empty folder passes for a build")
	}
	if _, err := os.Stat(filepath.Join(other, "index.html.gz")); err != nil {
		t.Errorf("a refused build removed the last: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
