package mission

import (
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	want := time.Date(2026, 1, 31, 9, 30, 0, 500_000_000, time.UTC)
	for text, ok := range map[string]bool{
		"2026-01-31T09:30:00.5Z": true, "2026-01-31t09:30:00.5z": true, "2026-01-31t09:30:00.5Z": true, "2026-01-31T10:30:00.5+01:00": true, "2026-01-31t09:30:00.5-00:00": true,
		"": false, "z": false, "2026-01-31": false, "2026-01-31 09:30:00Z": false, "2026-01-31T09:30:00": false, "2026-01-31T09:30Z": false, "2026-01-31T09:30:60Z": false,
		"2026-01-31tz": false, "2026-13-01T00:00:00Z": false,
	} {
		got, err := ParseTime(text)
		if (err == nil) != ok || ok && !got.Equal(want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}
