package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// boundLimit is a LIMIT of a named argument or of a database.Int, which are bound.
var boundLimit = regexp.MustCompile(`LIMIT \?([a-z]|\)",[^)]*database\.Int\()`)

// A LIMIT's number is in the statement's text: SQLite plans for a bound one, and prepares the statement anew for each call.
func TestLimitsAreInTheText(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root(t), "store", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range boundLimit.FindAll(source, -1) {
			t.Errorf("%s has a bound limit: %s", filepath.Base(file), found)
		}
	}
}
