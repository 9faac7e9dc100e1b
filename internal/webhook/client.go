package webhook

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"missiond/internal/outbound"
)

// Limits of a delivery (interface, section 6: receivers respond within 5 s).
const (
	sendLimit   = 5 * time.Second
	maxHeader   = 16 << 10
	maxResponse = 64 << 10 // as much is read, so that the connection can be reused
	keptBody    = 1 << 10  // as much is stored
)

// MaxCalls is how many calls to one receiver are made at once: as many connections
// stay open, so that each call finds one.
const MaxCalls = 16

// Client sends webhooks to addresses that its rules allow. It is safe for concurrent
// use.
type Client struct {
	http *http.Client
	now  func() time.Time
}

// NewClient returns a client under rules.
func NewClient(r outbound.Rules, now func() time.Time) *Client {
	return &Client{now: now, http: r.Client(outbound.Options{
		Call: sendLimit, Connect: sendLimit, Wait: sendLimit, Header: maxHeader, Body: maxResponse, Idle: MaxCalls, Propagate: true,
	})}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Message is a webhook to be sent.
type Message struct {
	URL     string
	EventID string
	Body    []byte
	// Secrets sign, the newest first.
	Secrets []string
}

// Result is the result of sending a message.
type Result struct {
	StatusCode int // 0 if there was no response
	Duration   time.Duration
	// Error says why there was no response; "" if there was one.
	Error string
	// Response is the first KiB of the response's body.
	Response string
	// RetryAfter is the pause that the receiver requests; 0 if it doesn't
	// say.
	RetryAfter time.Duration
}

// OK reports whether the receiver accepted the message: it responded with 2xx.
func (r Result) OK() bool { return r.StatusCode/100 == 2 }

// Gone reports whether the receiver wants no more messages.
func (r Result) Gone() bool { return r.StatusCode == http.StatusGone }

// Send sends a message, signed for this moment, and waits at most 5 s, from the
// lookup of the name to the last byte of the response.
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
		return Result{Duration: c.now().Sub(start), Error: noResponse}
	}
	defer func() { _ = resp.Body.Close() }()
	response, err := io.ReadAll(io.LimitReader(resp.Body, keptBody))
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxResponse-keptBody))
	}
	r := Result{StatusCode: resp.StatusCode, Duration: c.now().Sub(start), Response: clip(response), RetryAfter: outbound.RetryAfter(resp.Header, c.now(), maxRetryAfter)}
	if err != nil {
		// A status whose body doesn't arrive in time counts as no response.
		r.StatusCode, r.Error = 0, noResponse
	}
	return r
}

// clip returns the part of a response that is stored: valid UTF-8 without U+0000,
// which Postgres doesn't accept.
func clip(response []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(response), "?"), "\x00", "?")
}

// noAnswer is the reason given if there was no response. It is the same whatever
// the cause: a tenant mustn't learn which names and ports exist behind the
// service's own resolver and firewall.
const noResponse = "No response: the receiver can't be reached at a public address, or did not respond within 5 seconds."

// maxRetryAfter is the longest pause that a receiver may request.
const maxRetryAfter = 24 * time.Hour
