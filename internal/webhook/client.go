package webhook

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"missiond/internal/outbound"
)

// Bounds of a delivery (interface, section 6: receivers answer within 5 s).
const (
	sendLimit  = 5 * time.Second
	maxAnswer  = 64 << 10 // that much is read, so that the connection is used again
	keptAnswer = 1 << 10  // that much is kept
)

// MaxCalls is how many calls to one receiver are made at once: so many
// connections are kept, for each to find one.
const MaxCalls = 16

// Client sends webhooks. It follows no redirect, uses no proxy, takes no
// compressed answer, and connects to addresses that its rules allow only. It
// is safe for concurrent use.
type Client struct {
	http *http.Client
	now  func() time.Time
}

// NewClient returns a client under rules.
func NewClient(r outbound.Rules, now func() time.Time) *Client {
	return &Client{now: now, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     r.Transport(sendLimit, MaxCalls),
	}}
}

// Close lets go of connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Message is a webhook to be sent.
type Message struct {
	URL     string
	EventID string
	Body    []byte
	// Secrets sign, the newest first.
	Secrets []string
}

// Result is what came of sending a message.
type Result struct {
	StatusCode int // 0 where no answer came
	Duration   time.Duration
	// Error says why no answer came, in words; "" where one did.
	Error string
	// Answer is the first KiB of the answer's body.
	Answer string
	// RetryAfter is how long the receiver wants to be left alone; 0 where it
	// doesn't say.
	RetryAfter time.Duration
}

// OK reports whether the receiver took the message: it answered 2xx.
func (r Result) OK() bool { return r.StatusCode/100 == 2 }

// Gone reports whether the receiver wants no more messages.
func (r Result) Gone() bool { return r.StatusCode == http.StatusGone }

// Send sends a message, signed for this moment, and waits 5 s at most, from the
// look-up of the name to the last byte of the answer.
func (c *Client) Send(ctx context.Context, m Message) Result {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	start := c.now()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return Result{Error: "The URL is not valid."}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "missiond-webhooks/1")
	Sign(req.Header, m.EventID, m.Body, start, m.Secrets...)
	resp, err := c.http.Do(req)
	if err != nil {
		return Result{Duration: c.now().Sub(start), Error: noAnswer}
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, keptAnswer))
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer-keptAnswer))
	}
	r := Result{StatusCode: resp.StatusCode, Duration: c.now().Sub(start), Answer: clip(answer), RetryAfter: retryAfter(resp.Header, c.now())}
	if err != nil {
		// A status without its body in time is no answer.
		r.StatusCode, r.Error = 0, noAnswer
	}
	return r
}

// clip is what is kept of an answer: valid UTF-8 without U+0000, which Postgres
// doesn't take.
func clip(answer []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(answer), "?"), "\x00", "?")
}

// noAnswer is why no answer came, in words. Whatever the cause is, they are the
// same: a tenant mustn't learn which names and ports there are behind the
// service's own resolver and firewall.
const noAnswer = "No answer came: the receiver can't be reached at a public address, or did not answer within 5 seconds."

// maxRetryAfter bounds how long a receiver may be left alone.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the header: seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		return min(max(time.Duration(seconds)*time.Second, 0), maxRetryAfter)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}
