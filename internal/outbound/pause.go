package outbound

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns the pause that a response's Retry-After requests, at most most: a
// number of seconds of any size, or a date in any of HTTP's three forms (RFC 9110,
// sections 10.2.3 and 5.6.7); 0 for none.
func RetryAfter(h http.Header, now time.Time, most time.Duration) time.Duration {
	text := h.Get("Retry-After")
	if seconds, ok := number(text); ok {
		return time.Duration(min(seconds, int64(most/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return between(at, now, most)
	}
	return 0
}

// Until returns the time left until the one that a header names, at most most: Unix
// seconds of any size, or RFC 3339; 0 if it names none in the future.
func Until(h http.Header, name string, now time.Time, most time.Duration) time.Duration {
	text := h.Get(name)
	if seconds, ok := number(text); ok {
		return between(time.Unix(min(seconds, now.Add(most).Unix()+1), 0), now, most)
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return between(at, now, most)
	}
	return 0
}

// between returns the time from now until a time: 0 if it is past, and most at most.
func between(at, now time.Time, most time.Duration) time.Duration {
	return min(max(at.Sub(now), 0), most)
}

// number returns a number in decimal digits, or the largest int64 for a larger one.
func number(text string) (n int64, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, _ = strconv.ParseInt(text, 10, 64) // the largest, if it is out of range
	return n, true
}
