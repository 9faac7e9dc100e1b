package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A process with persisted documents starts only if each can be executed.
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
		documents, err := GraphOptions{PersistedDocuments: path}.open()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) || err == nil && len(documents) != 1 {
			t.Errorf("%s: got %v, %v", name, documents, err)
		}
	}
	if _, err := (GraphOptions{PersistedDocuments: filepath.Join(dir, "none.json")}).open(); err == nil {
		t.Error("a file that isn't there is read")
	}
	if documents, err := (GraphOptions{}).open(); documents != nil || err != nil {
		t.Errorf("without the flag got %v, %v", documents, err)
	}
}
