package webhook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
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
	// http keeps connections open; fresh makes one for each call.
	http, fresh *http.Client
	now         func() time.Time
}

// NewClient returns a client under rules.
func NewClient(r outbound.Rules, now func() time.Time) *Client {
	o := outbound.Options{Call: sendLimit, Connect: sendLimit, Wait: sendLimit, Header: maxHeader, Body: maxResponse, Propagate: true}
	fresh := r.Client(o)
	o.Idle = MaxCalls
	return &Client{now: now, http: r.Client(o), fresh: fresh}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Message is a webhook to be sent.
type Message struct {
	URL     string
	EventID string
	Body    []byte
	// Secrets sign, the newest first. First is the index of the one that the receiver
	// accepted last.
	Secrets []string
	First   int
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
	// Secret is the index of the secret that signed what the receiver responded to.
	Secret int
}

// OK reports whether the receiver accepted the message: it responded with 2xx.
func (r Result) OK() bool { return r.StatusCode/100 == 2 }

// Gone reports whether the receiver wants no more messages.
func (r Result) Gone() bool { return r.StatusCode == http.StatusGone }

// refused reports whether the receiver may not know the secret.
func (r Result) refused() bool {
	return r.StatusCode == http.StatusUnauthorized || r.StatusCode == http.StatusForbidden
}

// Send sends a message, signed for this moment. While a secret replaces another, a
// message that the receiver refuses with 401 or 403 is sent again at once, signed with
// the other one.
func (c *Client) Send(ctx context.Context, m Message) Result {
	r := c.send(ctx, m, m.First)
	for i := range m.Secrets {
		if i == m.First || !r.refused() {
			continue
		}
		spent := r.Duration
		r = c.send(ctx, m, i)
		r.Duration += spent
	}
	return r
}

// send sends a message, signed with one of its secrets, and waits at most 5 s, from the
// lookup of the name to the last byte of the response.
func (c *Client) send(ctx context.Context, m Message, secret int) Result {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	start := c.now()
	resp, err := c.post(ctx, m, secret, start)
	if err != nil {
		return Result{Duration: c.now().Sub(start), Error: noResponse, Secret: secret}
	}
	defer func() { _ = resp.Body.Close() }()
	// The status is the response. Its body is for the log alone: how it ends says nothing.
	response, err := io.ReadAll(io.LimitReader(resp.Body, keptBody))
	if err == nil {
		_, _ = io.CopyN(io.Discard, resp.Body, maxResponse-keptBody)
	}
	return Result{
		StatusCode: resp.StatusCode, Duration: c.now().Sub(start), Response: clip(response), Secret: secret,
		RetryAfter: outbound.RetryAfter(resp.Header, c.now(), maxRetryAfter),
	}
}

// post makes a call. A receiver may close a connection that was idle just when it is
// used again: if it did so without any response, the call is repeated once, on a new
// connection. An event has an id, by which receivers know it if it arrives twice.
func (c *Client) post(ctx context.Context, m Message, secret int, at time.Time) (*http.Response, error) {
	var reused, responded atomic.Bool
	req, err := m.request(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(i httptrace.GotConnInfo) { reused.Store(i.Reused) },
		GotFirstResponseByte: func() { responded.Store(true) },
	}), secret, at)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	var late net.Error
	if err == nil || !reused.Load() || responded.Load() || ctx.Err() != nil || errors.As(err, &late) && late.Timeout() {
		return resp, err
	}
	if req, err = m.request(ctx, secret, at); err != nil {
		return nil, err
	}
	return c.fresh.Do(req)
}

// request returns the request of a message, signed at a time with one of its secrets.
func (m Message) request(ctx context.Context, secret int, at time.Time) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return nil, err
	}
	req.Header = m.headers(at, secret)
	return req, nil
}

// Headers returns the headers of the message if it is sent at a time.
func (m Message) Headers(at time.Time) http.Header { return m.headers(at, m.First) }

func (m Message) headers(at time.Time, secret int) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"missiond-webhooks/1"}}
	Sign(h, m.EventID, m.Body, at, secret, m.Secrets...)
	return h
}

// clip returns the part of a response that is stored: valid UTF-8 without U+0000,
// which Postgres doesn't accept.
func clip(response []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(response), "?"), "\x00", "?")
}

// noResponse is the reason given if there was no response. It is the same whatever
// the cause: a tenant mustn't learn which names and ports exist behind the
// service's own resolver and firewall.
const noResponse = "No response: the receiver can't be reached at a public address, or did not respond within 5 seconds."

// maxRetryAfter is the longest pause that a receiver may request.
const maxRetryAfter = 24 * time.Hour
