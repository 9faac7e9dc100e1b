package publisher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"missiond/internal/outbound"
	"missiond/mission"
)

// Codes of failures caused by a platform.
const (
	CodeRefused      = mission.CodePlatformRefused
	CodeDuplicate    = mission.CodePlatformDuplicate
	CodeRateLimited  = mission.CodePlatformRateLimited
	CodeUnavailable  = mission.CodePlatformUnavailable
	CodeUnreachable  = mission.CodeNoResponse
	CodeMalformed    = mission.CodePlatformMalformed
	CodeUnauthorized = mission.CodePlatformUnauthorized
	// CodeFileGone is that of a post's file that the platform no longer has.
	CodeFileGone = mission.CodePlatformFileGone
	// CodeFileUnread is that of a file that couldn't be read, which isn't the platform's fault.
	CodeFileUnread = mission.CodeFileUnread
)

const (
	// MaxResponse is how much of a response is read, in bytes.
	MaxResponse = 1 << 20
	// maxWords is how much of a platform's own message is shown, in bytes.
	maxWords = 300
	// unavailableFor is how long a platform isn't called after a 5xx that names no
	// time.
	unavailableFor = time.Minute
	// limitedFor is the same after a 429.
	limitedFor = 5 * time.Minute
	// maxWait is the longest pause that a platform may request.
	maxWait = 24 * time.Hour
)

// replayed are the headers by which net/http takes a POST for one that can be repeated
// (http.Transport).
var replayed = []string{"Idempotency-Key", "X-Idempotency-Key"}

// Client calls platforms. It follows no redirect.
type Client struct {
	http, uploads *http.Client
	now           func() time.Time
}

// NewClient returns a client over another, which limits where it connects; now
// returns the real time, for the times that platforms name.
func NewClient(c *http.Client, now func() time.Time) Client {
	return Client{http: still(c), uploads: still(c), now: now}
}

// Uploading returns the client with another for uploads, whose calls may take up to
// MaxUploadTime.
func (c Client) Uploading(by *http.Client) Client {
	c.uploads = still(by)
	return c
}

// still returns a client that follows no redirect.
func still(c *http.Client) *http.Client {
	s := *c
	s.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &s
}

// HTTP returns the underlying client, for libraries that make calls themselves. It
// follows no redirect.
func (c Client) HTTP() *http.Client { return c.http }

// Now returns the real time.
func (c Client) Now() time.Time { return c.now() }

// Response is a platform's response.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	now    time.Time
	// secrets are what the call was made with; no error may show them.
	secrets []string
}

// OK reports whether the platform did what was requested.
func (a Response) OK() bool { return a.Status/100 == 2 }

// Do makes a call and reads the whole response. Besides the request's token,
// secrets are removed from the platform's message in errors. Errors: a
// *mission.PublishError, not taken if nothing was sent, otherwise unknown.
func (c Client) Do(req *http.Request, secrets ...string) (Response, error) {
	return c.do(c.http, req, secrets)
}

// Upload is Do for a request whose body is a file or a piece of one, and which may take up to
// limit.
func (c Client) Upload(req *http.Request, limit time.Duration, secrets ...string) (Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), limit)
	defer cancel()
	return c.do(c.uploads, req.WithContext(ctx), secrets)
}

func (c Client) do(by *http.Client, req *http.Request, secrets []string) (Response, error) {
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }}
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), trace))
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "missiond/1")
	}
	for _, name := range replayed {
		// By the header in this form net/http would send the request again on another
		// connection, by itself; not every server remembers the key.
		if key := req.Header[name]; key != nil {
			delete(req.Header, name)
			req.Header[strings.ToLower(name)] = key
		}
	}
	resp, err := by.Do(req)
	if err != nil {
		return Response{}, unreachable(sent.Load(), err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxResponse+1))
	if err != nil {
		return Response{}, unreachable(true, err)
	}
	_, token, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	a := Response{Status: resp.StatusCode, Header: resp.Header, Body: body, now: c.now(), secrets: append(secrets, token)}
	if len(body) > MaxResponse {
		return Response{}, a.Malformed()
	}
	return a, nil
}

// unreachable returns the error for a call without a response. The cause isn't
// included: it may name addresses.
func unreachable(sent bool, err error) error {
	if errors.Is(err, errUnread) {
		return unread(err)
	}
	e := &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Failure: mission.Failure{
		Code: CodeUnreachable, Message: "The platform could not be reached.",
	}}
	if sent {
		e.Outcome, e.Failure.Message = mission.OutcomeUnknown, "The platform did not respond."
	}
	if errors.Is(err, context.Canceled) {
		e.Failure.Message = "The call to the platform was canceled."
	}
	return e
}

// JSON decodes a response's JSON into v. Errors: unknown; the platform did
// something, but its response doesn't say what.
func (a Response) JSON(v any) error {
	if err := json.Unmarshal(a.Body, v); err != nil {
		return a.Malformed()
	}
	return nil
}

// Malformed returns the error for a response that makes no sense: the platform may
// have done what was requested.
func (a Response) Malformed() error {
	return &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
		Code: CodeMalformed, Message: fmt.Sprintf("The platform's response (HTTP %d) could not be understood.", a.Status),
	}}
}

// Fail returns the error for a response that isn't OK, by its status alone, with
// the platform's own message, which may be "". After 429 and 5xx the platform isn't
// called again for wait if it is more than 0, otherwise for what Retry-After says,
// or for a default.
func (a Response) Fail(words string, wait time.Duration) error {
	e := &mission.PublishError{RetryAfter: a.wait(wait)}
	switch {
	case a.Status == http.StatusUnauthorized:
		return a.Unauthorized(words)
	case a.Status == http.StatusTooManyRequests:
		e.Outcome, e.Failure = mission.OutcomeNotAccepted, a.failure(CodeRateLimited, "The platform accepts no more calls for now", words)
		e.RetryAfter = or(e.RetryAfter, limitedFor)
	case a.Status >= http.StatusInternalServerError:
		e.Outcome, e.Failure = mission.OutcomeUnknown, a.failure(CodeUnavailable, fmt.Sprintf("The platform failed (HTTP %d)", a.Status), words)
		e.RetryAfter = or(e.RetryAfter, unavailableFor)
	case a.Status == http.StatusRequestTimeout || a.Status == http.StatusTooEarly:
		e.Outcome, e.Failure = mission.OutcomeNotAccepted, a.failure(
			CodeUnavailable, fmt.Sprintf("The platform requests a pause (HTTP %d)", a.Status), words,
		)
		e.RetryAfter = or(e.RetryAfter, unavailableFor)
	default:
		return a.Refused(CodeRefused, fmt.Sprintf("The platform refused the call (HTTP %d)", a.Status), words)
	}
	return e
}

// Refused returns the error for a post that the platform will never accept as it
// is.
func (a Response) Refused(code, message, words string) error {
	return &mission.PublishError{Outcome: mission.OutcomeRefused, Failure: a.failure(code, message, words)}
}

// Unauthorized returns the error for credentials that the platform rejects.
func (a Response) Unauthorized(words string) error {
	return &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Forbidden: a.Status == http.StatusForbidden,
		Failure: a.failure(CodeUnauthorized, "The platform refused the credentials", words),
	}
}

// FileGone returns the error for a file that the platform no longer has: it must be uploaded
// again.
func (a Response) FileGone(words string) error {
	return &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, FilesGone: true,
		Failure: a.failure(CodeFileGone, "The platform no longer has a file of the post", words),
	}
}

// InDoubt is FileGone for a post that an earlier call may have published, so that it isn't sent
// with another file.
func (a Response) InDoubt(words string) error {
	return &mission.PublishError{
		Outcome: mission.OutcomeUnknown, Failure: a.failure(CodeFileGone, "The platform no longer has a file of the post", words),
	}
}

// failure joins a message with the platform's own.
func (a Response) failure(code, message, words string) mission.Failure {
	for _, secret := range a.secrets {
		if secret != "" {
			words = strings.NewReplacer(secret, "…", url.QueryEscape(secret), "…").Replace(words)
		}
	}
	words = seen(words)
	if len(words) > maxWords {
		words = strings.ToValidUTF8(words[:maxWords], "") + "…"
	}
	if words == "" {
		return mission.Failure{Code: code, Message: message + "."}
	}
	return mission.Failure{Code: code, Message: message + ": " + words}
}

func or(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// wait returns the pause that a response requests; 0 for none.
func (a Response) wait(named time.Duration) time.Duration {
	if named <= 0 {
		return outbound.RetryAfter(a.Header, a.now, maxWait)
	}
	return min(named, maxWait)
}

// Until returns the time left until the one in a header: Unix seconds or RFC 3339;
// 0 if it names none in the future.
func (a Response) Until(header string) time.Duration {
	return outbound.Until(a.Header, header, a.now, maxWait)
}
