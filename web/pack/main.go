// Pack compresses the console that Vite built, for the binary: each file of a folder, in
// the same place of another, with ".gz" after its name. The bytes depend on nothing but
// the files and Go's version.
//
//	go run ./web/pack web/console/dist web/assets/console
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack from to")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// pack replaces the folder to by the compressed files of from.
func pack(from, to string) error {
	if _, err := os.Stat(filepath.Join(from, "index.html")); err != nil {
		return fmt.Errorf("%s isn't a build of the console: %w", from, err)
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		small, err := compressed(text)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name+".gz")
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, small, 0o644)
	})
}

// compressed returns a text as gzip, without a name or a time.
func compressed(text []byte) ([]byte, error) {
	var small bytes.Buffer
	w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return small.Bytes(), err
}
