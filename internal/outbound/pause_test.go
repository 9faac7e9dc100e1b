package outbound

import (
	"net/http"
	"testing"
	"time"
)

func TestPauses(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	const most = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, "0120": 2 * time.Minute, "-5": 0, "+5": 0, "1.5": 0, "1e3": 0, "soon": 0, "5 ": 0,
		"86401": most, "99999999": most, "2147483648": most, "4294967295": most, "9223372036": most, "9223372037": most, "18446744073": most,
		"9223372036854775807": most, "9223372036854775808": most, "18446744073709551616": most, "99999999999999999999999999999999": most,
		"Sat, 21 Nov 2026 08:10:00 GMT": 10 * time.Minute, "Saturday, 21-Nov-26 08:10:00 GMT": 10 * time.Minute, "Sat Nov 21 08:10:00 2026": 10 * time.Minute,
		"Sat, 21 Nov 2026 07:00:00 GMT": 0, "Fri, 31 Dec 9999 23:59:59 GMT": most, "Mon, 01 Jan 0001 00:00:00 GMT": 0,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {text}}, now, most); got != want {
			t.Errorf("Retry-After %q is %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "1795248060": time.Minute, "1795247999": 0, "-1": 0, "1795248060000": most, "9223372036854775807": most, "99999999999999999999": most,
		"2026-11-21T08:01:00Z": time.Minute, "2026-11-21T08:01:00.000000Z": time.Minute, "9999-12-31T23:59:59Z": most, "never": 0,
	} {
		if got := Until(http.Header{"X-Ratelimit-Reset": {text}}, "X-RateLimit-Reset", now, most); got != want {
			t.Errorf("a reset at %q is in %s, want %s", text, got, want)
		}
	}
}
