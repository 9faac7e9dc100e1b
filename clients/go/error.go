package missiond

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is what the service refused, and why.
type Error struct {
	Status     int           // the HTTP status
	Code       string        // for programs, such as "invalid_request"; "unknown" if it isn't the API that responded
	Message    string        // for people
	Field      string        // the field or parameter that is wrong, such as "kpis[0].metric"; or ""
	RequestID  string        // what to tell the operator
	RetryAfter time.Duration // when the same request may succeed; or 0
}

// Error returns the message with its code and field.
func (e *Error) Error() string {
	text := "missiond: " + e.Code
	if e.Field != "" {
		text += " (" + e.Field + ")"
	}
	return text + ": " + e.Message
}

// refusal returns the error that a response without success is.
func refusal(resp *http.Response, text []byte) *Error {
	e := &Error{
		Status:     resp.StatusCode,
		Code:       "unknown",
		RequestID:  resp.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(resp.Header, time.Now()),
	}
	var body struct {
		Error struct {
			Code       string `json:"code"`
			Message    string `json:"message"`
			Param      string `json:"param"`
			RetryAfter int64  `json:"retry_after"`
		} `json:"error"`
	}
	if err := json.Unmarshal(text, &body); err != nil || body.Error.Code == "" {
		e.Message = fmt.Sprintf("HTTP status %d, and no error of the API: %.200q", resp.StatusCode, text)
		return e
	}
	e.Code, e.Message, e.Field = body.Error.Code, body.Error.Message, body.Error.Param
	if e.RetryAfter == 0 {
		e.RetryAfter = seconds(body.Error.RetryAfter)
	}
	return e
}

// retryAfter returns the wait of a Retry-After header, in either of its forms, or 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return seconds(n)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

// seconds returns so many seconds, between none and a year.
func seconds(n int64) time.Duration {
	return time.Duration(min(max(n, 0), 365*24*3600)) * time.Second
}

// pause returns how long to wait before the next attempt, and whether one is safe and may help.
func pause(err error, attempt int, method string) (time.Duration, bool) {
	backoff := min(250*time.Millisecond<<min(attempt-1, 10), 8*time.Second)
	backoff = backoff/2 + rand.N(backoff/2) //nolint:gosec // it spreads repetitions, and guards nothing
	repeatable := method == http.MethodGet || method == http.MethodPost
	var e *Error
	if !errors.As(err, &e) {
		return backoff, repeatable
	}
	refused := e.Status == http.StatusTooManyRequests || e.Code == "rate_limit_exceeded" || e.Code == "service_unavailable"
	if !refused && (!repeatable || e.Status < 500) {
		return 0, false
	}
	return max(e.RetryAfter, backoff), true
}
