package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"missiond/test/internal/missiond"
)

// The files with data are readable by their owner only, including those that an
// earlier start left readable, while the program runs and after it.
func TestDataIsPrivate(t *testing.T) {
	folder := t.TempDir()
	check := func(when string) {
		t.Helper()
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s the folder has %v, %v", when, info.Mode(), err)
		}
		files, err := filepath.Glob(filepath.Join(folder, "missiond.db*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s the database is missing: %v", when, err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s %s has %v, %v", when, filepath.Base(file), info.Mode(), err)
			}
		}
		if when == "running," && len(files) < 3 {
			t.Errorf("got only %s", strings.Join(files, ", "))
		}
	}
	p := missiond.Dev(t, folder)
	check("running,")
	p.Kill() // its WAL remains
	files, err := filepath.Glob(filepath.Join(folder, "missiond.db*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	p = missiond.Dev(t, folder)
	check("running,")
	p.Terminate()
	check("afterwards")
}
