// Package missiond is a client of missiond: its REST API, with requests that are repeated safely,
// lists as iterators, and the verification of webhooks. README.md begins with an example.
package missiond

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// idempotencyHeader identifies a POST over its repetitions.
const idempotencyHeader = "Idempotency-Key"

// Options say where the service is, who calls, and how patient the calls are.
type Options struct {
	URL string // the service's address, without a path: https://missiond.example.com
	Key string // an API key or a session's token

	// Timeout is how long one attempt may take: 30 s if it is zero. Of a response that isn't
	// JSON only its headers must come within it.
	Timeout time.Duration
	// Attempts is how often a request is sent at most: 4 times if it is zero.
	Attempts int
	// LongestWait is the longest wait between two attempts: a minute if it is zero. A response
	// that asks for a longer one is returned as an *Error at once.
	LongestWait time.Duration
	// LongestJSON is how many bytes of JSON are read: 32 MiB if it is zero.
	LongestJSON int64
	// Transport replaces http.DefaultTransport.
	Transport http.RoundTripper
}

// New returns a client. Its methods are generated from the API's description; those that end in
// WithResponse parse it. They return an *Error if the service refuses the request.
//
// Reads and POSTs are repeated if no response comes or it is a 5xx, each POST with one
// Idempotency-Key: a random one, unless its Params have one. Other requests are repeated only
// where the service says that it hasn't executed them (429, 503).
func New(o Options) (*ClientWithResponses, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, fmt.Errorf("missiond: URL must be http or https with a host, not %q", o.URL)
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Attempts == 0 {
		o.Attempts = 4
	}
	if o.LongestWait == 0 {
		o.LongestWait = time.Minute
	}
	if o.LongestJSON == 0 {
		o.LongestJSON = 32 << 20
	}
	return NewClientWithResponses(o.URL, WithHTTPClient(&repeater{o: o, client: &http.Client{Transport: o.Transport, CheckRedirect: onlyReads}}))
}

// onlyReads follows redirects of reads: a POST that is sent elsewhere would become a GET.
func onlyReads(_ *http.Request, via []*http.Request) error {
	if via[0].Method != http.MethodGet {
		return http.ErrUseLastResponse
	}
	if len(via) >= 10 {
		return errors.New("missiond: stopped after 10 redirects")
	}
	return nil
}

// repeater sends requests, and repeats them while that is safe and may help.
type repeater struct {
	o      Options
	client *http.Client
}

// prepare returns a request with the credential and, if it is a POST, a key. Streams of events
// take none.
func (r *repeater) prepare(req *http.Request) *http.Request {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+r.o.Key)
	if req.Method == http.MethodPost && req.Header.Get(idempotencyHeader) == "" && req.Header.Get("Accept") != eventStream {
		req.Header.Set(idempotencyHeader, rand.Text())
	}
	return req
}

// Do returns a response with success only; others are an *Error.
func (r *repeater) Do(req *http.Request) (*http.Response, error) {
	req = r.prepare(req)
	attempts := r.o.Attempts
	if req.Body != nil && req.GetBody == nil {
		attempts = 1 // its body can be read once
	}
	for attempt := 1; ; attempt++ {
		if attempt > 1 && req.GetBody != nil {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			req.Body = body
		}
		resp, err := r.once(req)
		if err == nil {
			return resp, nil
		}
		wait, again := pause(err, attempt, req.Method)
		if !again || attempt >= attempts || wait > r.o.LongestWait || req.Context().Err() != nil {
			return nil, err
		}
		if err := sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

var errTimeout = errors.New("missiond: no whole response in time")

// once sends a request once. JSON it reads to the end, so that a response that is cut counts as none.
func (r *repeater) once(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(r.o.Timeout, func() { cancel(errTimeout) })
	defer timer.Stop()
	resp, err := r.client.Do(req.WithContext(ctx))
	if err != nil {
		defer cancel(nil)
		return nil, cause(ctx, err)
	}
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	if success && !strings.Contains(resp.Header.Get("Content-Type"), "json") {
		resp.Body = &ending{resp.Body, func() { cancel(nil) }}
		return resp, nil
	}
	defer cancel(nil)
	defer func() { _ = resp.Body.Close() }()
	longest := r.o.LongestJSON
	if !success {
		longest = 1 << 20
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, longest+1))
	switch {
	case err != nil:
		return nil, cause(ctx, err)
	case !success:
		return nil, refusal(resp, text)
	case int64(len(text)) > longest:
		return nil, &Error{Status: resp.StatusCode, Code: "unknown", Message: fmt.Sprintf("the response is longer than %d bytes", longest)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return resp, nil
}

// ending is a body that ends its request when it is closed.
type ending struct {
	io.ReadCloser
	end func()
}

// Close closes the body and ends the request.
func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

func cause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errTimeout) {
		return errTimeout
	}
	return err
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
