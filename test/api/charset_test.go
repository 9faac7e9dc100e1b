package api

import (
	"net/http"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// An import's body is read in the character set that it is in, or refused.
func TestImportedCharsets(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := restAPI{s}
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"linkedin"}, "duration_days": 100})
	for _, tt := range []struct {
		contentType, text string
		status            int
		says              string // the post, or a part of the error
	}{
		{"text/csv", "Müller", http.StatusOK, "Müller"},
		{"text/csv; charset=windows-1252", "M\xFCller \x80", http.StatusOK, "Müller €"},
		{"text/csv", "M\xFCller", http.StatusBadRequest, "CSV UTF-8"},
		{"text/csv; charset=utf-16", "Müller", http.StatusBadRequest, "UTF-16"},
		{"text/csv; charset=shift_jis", "M", http.StatusUnsupportedMediaType, "windows-1252"},
	} {
		status, object := s.upload(tt.contentType, "/v1/content/import?mission_id="+id, "platform,text\nlinkedin,"+tt.text+"\n")
		if status != tt.status {
			t.Errorf("%s: %q returned %d, %v", tt.contentType, tt.text, status, object)
			continue
		}
		if status != http.StatusOK {
			if says, _ := s.at(result{Fields: object}, "error", "message").(string); !strings.Contains(says, tt.says) {
				t.Errorf("%s: %q is refused with %q", tt.contentType, tt.text, says)
			}
			continue
		}
		rows, _ := object["rows"].([]any)
		made, _ := rows[0].(map[string]any)["content_id"].(string)
		s.equal(tt.contentType, s.at(a.content(made), "text"), tt.says)
	}
	status, object := s.upload("text/tab-separated-values", "/v1/content/import?mission_id="+id, "platform\ttext\nlinkedin\tOne, two\n")
	if status != http.StatusOK || object["created"] != 1.0 {
		t.Errorf("tabs returned %d, %v", status, object)
	}
}
