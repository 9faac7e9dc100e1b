package mission

import (
	"strings"
	"time"
)

// ParseTime reads a time that a caller sends: RFC 3339, whose T and Z may be in lower case
// (section 5.6). Errors: time.Parse's.
func ParseTime(text string) (time.Time, error) {
	const date = len("2006-01-02")
	if len(text) > date && (text[date] == 't' || text[len(text)-1] == 'z') {
		text = text[:date] + strings.ToUpper(text[date:])
	}
	return time.Parse(time.RFC3339, text)
}
