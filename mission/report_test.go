package mission

import (
	"strings"
	"testing"
)

// A range's ends are days of the years that are allowed; the error says which.
func TestDateRangeYears(t *testing.T) {
	for day, ok := range map[string]bool{
		"": true, "1970-01-01": true, "9998-12-31": true, "1969-12-31": false, "9999-01-01": false, "2026-02-30": false, strings.Repeat("9", 5000): false,
	} {
		_, err := ParseDateRange(day, "")
		if (err == nil) != ok || err != nil && (!strings.Contains(err.Error(), "in the years 1970 to 9998") || len(err.Error()) > 200) {
			t.Errorf("%.20q: %v", day, err)
		}
	}
}
