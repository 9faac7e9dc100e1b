package arch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// maxTracked is how large a file in git may be, in bytes: a little more than the
// largest generated one. A clone has each of its versions, for good.
const maxTracked = 4 << 20

// TestTracked holds that git has no built program: its executables are scripts.
func TestTracked(t *testing.T) {
	top := root(t)
	if _, err := os.Stat(filepath.Join(top, ".git")); err != nil {
		t.Skip("not a checkout:", err)
	}
	cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--stage")
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	// Each entry is "mode object stage\tpath".
	for entry := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		meta, name, _ := strings.Cut(entry, "\t")
		src, err := os.ReadFile(filepath.Join(top, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if fault := trackedFault(strings.HasPrefix(meta, "100755 "), src); fault != "" {
			t.Errorf("%s %s: take it out of git (git rm --cached)", name, fault)
		}
	}
}

// trackedFault returns why a file has no place in git, or "".
func trackedFault(executable bool, src []byte) string {
	switch {
	case len(src) > maxTracked:
		return fmt.Sprintf("has %d bytes, more than %d", len(src), maxTracked)
	case executable && !bytes.HasPrefix(src, []byte("#!")):
		return "is executable, and no script"
	}
	return ""
}

func TestTrackedFault(t *testing.T) {
	for _, c := range []struct {
		name       string
		executable bool
		src        []byte
		fault      bool
	}{
		{"a script", true, []byte("#!/bin/sh\n"), false},
		{"a text", false, []byte("text"), false},
		{"a program", true, []byte("\x7fELF"), true},
		{"a large program of Windows", false, make([]byte, maxTracked+1), true},
	} {
		if got := trackedFault(c.executable, c.src); (got != "") != c.fault {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}
