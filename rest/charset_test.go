package rest

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"missiond/mission"
)

// The console reads the same files to the same texts.
func TestDecoded(t *testing.T) {
	encoded, err := os.ReadFile("../web/console/src/text/charsets.json")
	if err != nil {
		t.Fatal(err)
	}
	var files []struct {
		Name, Charset, Bytes string
		Text                 *string // null if the file can't be read
	}
	if err := json.Unmarshal(encoded, &files); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		body, err := hex.DecodeString(f.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		charsets := []string{f.Charset}
		if f.Charset != "windows-1252" {
			charsets = append(charsets, "") // it is found out
		}
		for _, charset := range charsets {
			text, err := decoded(body, charset)
			text = strings.TrimPrefix(text, "\uFEFF") // as the import does
			if f.Text == nil && mission.CodeOf(err) != mission.CodeInvalidRequest || f.Text != nil && (err != nil || text != *f.Text) {
				t.Errorf("%s as %q is %q, %v", f.Name, charset, text, err)
			}
		}
		if text, _ := decoded(body, ""); f.Charset == "windows-1252" && utf8.ValidString(text) {
			t.Errorf("%s is valid UTF-8", f.Name)
		}
	}
}

func TestImportType(t *testing.T) {
	for contentType, want := range map[string]string{
		"text/csv": "", "text/csv; charset=UTF-8": "utf-8", `Text/CSV; charset="utf-16"`: "utf-16", "text/tab-separated-values;charset=Windows-1252": "windows-1252",
		"application/x-ndjson; charset=ISO-8859-1": "iso-8859-1",
		"text/csv; charset=cp437":                  "The charset must be iso-8859-1 or utf-16 or utf-8 or windows-1252.",
		"text/csv; charset=utf-7":                  "The charset must be iso-8859-1 or utf-16 or utf-8 or windows-1252.",
		"text/plain":                               "The body must be application/x-ndjson or text/csv or text/tab-separated-values.",
		"":                                         "The body must be application/x-ndjson or text/csv or text/tab-separated-values.",
	} {
		_, got, err := importType(contentType)
		if err != nil {
			got = err.Error()
			if mission.CodeOf(err) != mission.CodeUnsupportedMedia {
				t.Errorf("%q has the code %s", contentType, mission.CodeOf(err))
			}
		}
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%q has the charset %q, want %q", contentType, got, want)
		}
	}
}
