package mission

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

// TimeForm says in errors what ParseTime reads.
const TimeForm = "a time in RFC 3339, as in 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00"

// rfc3339 matches the times of RFC 3339, section 5.6. time.Parse reads others, too: with a
// comma in the fraction, or an hour of one digit.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

var errTime = errors.New("the time isn't in RFC 3339")

// ParseTime reads a time that a caller sends: RFC 3339, whose T and Z may be in lower case.
// Errors: that it isn't one.
func ParseTime(text string) (time.Time, error) {
	if !rfc3339.MatchString(text) {
		return time.Time{}, errTime
	}
	return time.Parse(time.RFC3339, strings.ToUpper(text))
}
