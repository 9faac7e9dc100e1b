package missiond

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gofrs/flock"

	"missiond/internal/testkit"
)

// Main runs the tests of a package. A package that starts the program calls it from its
// TestMain.
func Main(m *testing.M) {
	folder, err := os.MkdirTemp("", "missiond-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = folder
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

var scratch string

// Scratch returns a folder for what a package's tests make once; Main removes it.
func Scratch() string { return scratch }

// Path returns the path of the program, which is built for the tests that run it; the
// inner loop has none of them.
func Path(t *testing.T) string {
	t.Helper()
	testkit.SkipIfShort(t)
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// top is the module's folder, seen from the packages below test.
var top = filepath.Join("..", "..")

const command = "missiond/cmd/missiond"

// build builds the program in bin/test, where the first package of a run links it and the
// others find it up to date. Each package takes it from there, so that it keeps its program
// when a later run builds another.
var build = sync.OnceValues(func() (path string, err error) {
	folder, err := filepath.Abs(filepath.Join(top, "bin", "test"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return "", err
	}
	shared, args := filepath.Join(folder, "missiond"), []string{}
	if testkit.Nightly() {
		shared, args = shared+"-race", []string{"-race", "-gcflags=modernc.org/...=-race=false"}
	}
	lock := flock.New(shared + ".lock")
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	args = append(append([]string{"build", "-tags=nodynamic", "-ldflags=-w", "-o", shared}, args...), command)
	if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, text)
	}
	path = filepath.Join(scratch, "missiond")
	return path, errors.Join(take(shared, path), noteSources())
})

// take links a file to another path, or copies it to another file system.
func take(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// noteSources looks at each file that the program is built of: go test repeats tests whose
// files have changed, and otherwise wouldn't know of these, which the tests don't import.
func noteSources() error {
	const files = `{{if and .Module .Module.Main}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{.Module.GoMod}}
{{end}}`
	text, err := exec.Command("go", "list", "-deps", "-f", files, command).Output()
	if err != nil {
		return fmt.Errorf("list the program's files: %w", err)
	}
	for path := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return r == '\n' }) {
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	return nil
}
