package mission

import "testing"

// time.Parse reads more than RFC 3339 has.
func TestParseTimeIsStrict(t *testing.T) {
	for _, text := range []string{
		"2026-12-01T09:00Z", "2026-12-01T09:00:00+0100", "2026-12-01T09:00:00+01", "2026-12-01T09:00:00,5Z", "2026-12-01T9:00:00Z", "2026-12-01T09:00:00.Z", "2026-12-01T09:00:00+24:00",
		"2026-12-01T09:00:00+01:60", "02026-12-01T09:00:00Z", " 2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z\n", "2026-02-30T09:00:00Z",
	} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	if _, err := ParseTime("2026-12-01T09:00:00.123456789+01:00"); err != nil {
		t.Error(err)
	}
}
