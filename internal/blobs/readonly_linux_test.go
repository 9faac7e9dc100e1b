package blobs

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// Of a folder to which nothing can be written, files are still read.
func TestReadOnlyFolder(t *testing.T) {
	address := onFolder(t)
	s := open(t, address)
	put(t, s, "a/b", 10)
	path := strings.TrimPrefix(address, "file://")
	for folder, mode := range map[string]os.FileMode{
		filepath.Dir(filepath.Dir(path)): 0o755, filepath.Dir(path): 0o755, path: 0o555, filepath.Join(path, "a"): 0o555,
	} {
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	}
	if os.Getuid() == 0 {
		unprivileged(t)
	}
	for operation, err := range all(t, s) {
		if wanted := operation != "Get" && operation != "Sweep"; (err != nil) != wanted {
			t.Errorf("%s: got %v", operation, err)
		}
	}
	if cause := Cause(s.Check(t.Context())); cause != "access denied" {
		t.Errorf("the cause is %q", cause)
	}
	if left := stored(t, s); len(left) != 2 { // the file and its content type
		t.Errorf("left is %v", left)
	}
}

// unprivileged has the test's goroutine use files as a user without privileges, until the test's
// end.
func unprivileged(t *testing.T) {
	t.Helper()
	const nobody = 65_534
	runtime.LockOSThread()
	t.Cleanup(func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
}
