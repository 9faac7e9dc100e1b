package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A process with persisted documents starts only where each could be answered.
func TestPersistedDocumentsFlag(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ text, want string }{
		"sound.json": {`{"5d3a": "query Missions { missions { totalCount } }"}`, ""},
		"bad.json":   {`{"5d3a": "query Missions { missions { totalCount } }", "77ab": "{ missions { nope } }"}`, `document "77ab": `},
		"text.json":  {`query Missions { missions { totalCount } }`, "not a JSON object"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		documents, err := graphFlags{PersistedDocuments: path}.open()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) || err == nil && len(documents) != 1 {
			t.Errorf("%s: it answers %v, %v", name, documents, err)
		}
	}
	if _, err := (graphFlags{PersistedDocuments: filepath.Join(dir, "none.json")}).open(); err == nil {
		t.Error("a file that isn't there is read")
	}
	if documents, err := (graphFlags{}).open(); documents != nil || err != nil {
		t.Errorf("without the flag it answers %v, %v", documents, err)
	}
}
