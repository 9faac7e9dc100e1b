package llm

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/sashabaranov/go-openai"

	"missiond/internal/clock"
	"missiond/internal/outbound"
	"missiond/mission"
)

// How often and after how long a call is retried.
const (
	maxTries = 3
	// firstWait is doubled with each try.
	firstWait = time.Second
	// maxWait is the longest wait that an endpoint may request. If it requests
	// more, the call fails, and the caller may retry later.
	maxWait = 20 * time.Second
)

// failedCall is a call without a usable response.
type failedCall struct {
	err error
	// lost reports that the call may have been processed and charged although
	// its response wasn't received.
	lost bool
	// again reports that a retry may help, after wait unless that is 0.
	again bool
	wait  time.Duration
	// status and body are those of a response that refuses the call.
	status int
	body   []byte
}

var (
	errOverdrawn = unavailable(errors.New("llm: too many calls got no response"), 0).err
	errTooLong   = &RejectedError{words: "sent a response that is too long"}
)

// unavailable returns the failure of an endpoint that doesn't respond, or asks
// callers to wait.
func unavailable(err error, wait time.Duration) *failedCall {
	return &failedCall{again: wait <= maxWait, wait: wait, err: &mission.OutageError{
		Failure:    mission.Failure{Code: mission.CodeWriterUnavailable, Message: "The language model doesn't respond."},
		RetryAfter: wait, Err: err,
	}}
}

// unreceived is unavailable if the call may have been processed and charged.
func unreceived(err error) *failedCall {
	t := unavailable(err, 0)
	t.lost = true
	return t
}

// complete makes one call, with retries if they may help. Errors are the endpoint's,
// and ctx's.
func (w *Writer) complete(ctx context.Context, o order, talk []message, p *costTracker) (response, error) {
	bound := w.bound(talk)
	d := *w.supported.Load()
	last := errOverdrawn
	for tries := 0; ; {
		if err := ctx.Err(); err != nil {
			return response{}, fmt.Errorf("llm: %w", err)
		}
		if !p.affords(bound) {
			return response{}, last
		}
		callCtx, span := w.trace(ctx)
		body, t := w.send(callCtx, o, talk, d)
		if t == nil {
			d.proven = true
			w.supported.Store(&d)
			s, u, err := parseCompletion(body)
			p.pay(w.charge(u, bound))
			s.used = u
			endCall(span, u, err)
			return s, err
		}
		endCall(span, nil, t.err)
		if t.lost {
			p.pay(bound)
		}
		if simpler, ok := d.after(t.status, t.body); ok {
			d = simpler
			continue
		}
		last = t.err
		tries++
		w.o.Log.WarnContext(ctx, "llm: a call failed", "error", t.err, "try", tries, "again", t.again && tries < maxTries)
		if !t.again || tries == maxTries {
			return response{}, last
		}
		if err := w.o.Sleep(ctx, waitFor(t.wait, tries, o.seed)); err != nil {
			return response{}, fmt.Errorf("llm: %w", err)
		}
	}
}

// waitFor returns the wait after a number of tries: what the endpoint requested
// for, or an exponential backoff with a jitter of up to half.
func waitFor(wish time.Duration, tries int, seed uint64) time.Duration {
	if wish > 0 {
		return wish
	}
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%d/%d", seed, tries)
	whole := firstWait << (tries - 1)
	return whole/2 + whole/2*time.Duration(h.Sum32()%1000)/1000
}

// send makes one try of a call.
func (w *Writer) send(ctx context.Context, o order, talk []message, d dialect) ([]byte, *failedCall) {
	callCtx, cancel := context.WithTimeout(ctx, w.o.CallTimeout)
	defer cancel()
	request, err := w.request(o, talk, d)
	if err != nil {
		return nil, &failedCall{err: err}
	}
	e := &exchange{client: w.client}
	config := openai.DefaultConfig(w.o.APIKey)
	config.BaseURL, config.HTTPClient = w.o.BaseURL, e
	_, err = openai.NewClientWithConfig(config).CreateChatCompletion(callCtx, request)
	switch {
	case e.status != 0 && (e.status < 200 || e.status > 299):
		return nil, e.refusal()
	case e.complete:
		return e.body, nil
	case !e.begun: // the library knows the model's name
		return nil, &failedCall{err: &RejectedError{words: "can't be asked for chat completions of this model"}}
	case ctx.Err() != nil:
		return nil, &failedCall{err: fmt.Errorf("llm: %w", ctx.Err()), lost: true}
	case unsent(err):
		return nil, unavailable(errors.New("llm: the endpoint can't be reached"), 0)
	case errors.Is(err, outbound.ErrTooLong):
		return nil, &failedCall{err: errTooLong, lost: true}
	case callCtx.Err() != nil:
		return nil, unreceived(fmt.Errorf("llm: no response within %s", w.o.CallTimeout))
	}
	return nil, unreceived(errors.New("llm: the connection was closed before the response was complete"))
}

// exchange is the client of one call. It keeps what the endpoint responded, of which the library returns less.
type exchange struct {
	client *http.Client
	begun  bool
	// status, header and body are those of the response: its status says all that matters of a refusal, however much of
	// the body arrives.
	status   int
	header   http.Header
	body     []byte
	complete bool
}

// Do sends the request, and reads the response within the client's limits.
func (e *exchange) Do(r *http.Request) (*http.Response, error) {
	e.begun = true
	resp, err := e.client.Do(r)
	if err != nil {
		return nil, err
	}
	e.status, e.header = resp.StatusCode, resp.Header
	e.body, err = io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	e.complete = true
	resp.Body = io.NopCloser(bytes.NewReader(e.body))
	return resp, nil
}

// unsent reports whether no connection was made, so that the call can't have
// been processed.
func unsent(err error) bool {
	var op *net.OpError
	var untrusted *tls.CertificateVerificationError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &untrusted) || errors.Is(err, http.ErrSchemeMismatch)
}

// RejectedError is a response of an endpoint that a retry doesn't change. It contains neither the
// key nor the brief.
type RejectedError struct {
	// Status is the response's; 0 for one that makes no sense.
	Status int
	words  string
}

// Error returns what the endpoint did.
func (e *RejectedError) Error() string { return "llm: the endpoint " + e.words }

// Words returns what the endpoint did, as in "rejected the API key (401)".
func (e *RejectedError) Words() string { return e.words }

// refusal returns the failure for an error status. The body is used only to
// tell dialects apart: it may contain the key and the brief.
func (e *exchange) refusal() *failedCall {
	t := &failedCall{status: e.status, err: &RejectedError{e.status, fmt.Sprintf("responded with %d", e.status)}}
	switch {
	case e.status == http.StatusUnauthorized || e.status == http.StatusForbidden:
		t.err = &RejectedError{e.status, fmt.Sprintf("rejected the API key (%d)", e.status)}
	case e.status == http.StatusTooManyRequests || e.status >= 500:
		t = unavailable(t.err, retryAfter(e.header))
		t.status = e.status
	case e.status >= 400:
		t.body = e.body[:min(len(e.body), 16<<10)]
	}
	return t
}

// retryAfter returns the wait in the Retry-After header; a date is compared with the
// response's own, if it has one. 0 is none.
func retryAfter(h http.Header) time.Duration {
	const most = 24 * time.Hour
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = clock.Real().Now()
	}
	return outbound.RetryAfter(h, now, most)
}

// form is how the format of the response is requested.
type form uint8

const (
	formSchema form = iota // a JSON Schema
	formObject             // a JSON object
	formWords              // the prompt's words alone
)

// dialect is the variant of the API that an endpoint supports; the zero value
// is tried first.
type dialect struct {
	form form
	// oldLimit sends max_tokens instead of max_completion_tokens.
	oldLimit bool
	// proven reports that a call in this dialect has succeeded.
	proven bool
}

// after returns a simpler dialect to try after a refusal. Only a refusal that
// mentions the form, or any refusal before the dialect is proven, is attributed
// to the dialect.
func (d dialect) after(status int, body []byte) (dialect, bool) {
	if status != http.StatusBadRequest && status != http.StatusNotFound && status != http.StatusUnprocessableEntity {
		return d, false
	}
	body = bytes.ToLower(body)
	if !d.oldLimit && status != http.StatusNotFound && bytes.Contains(body, []byte("max_completion_tokens")) {
		d.oldLimit = true
		return d, true
	}
	named := status == http.StatusBadRequest && !d.proven
	for _, word := range []string{"response_format", "json_schema", "json_object", "structured"} {
		named = named || bytes.Contains(body, []byte(word))
	}
	if !named || d.form == formWords {
		return d, false
	}
	d.form++
	return d, true
}

// roles are the API's names of who says what.
var roles = map[role]string{system: openai.ChatMessageRoleSystem, user: openai.ChatMessageRoleUser, assistant: openai.ChatMessageRoleAssistant}

func (w *Writer) request(o order, talk []message, d dialect) (openai.ChatCompletionRequest, error) {
	p := openai.ChatCompletionRequest{Model: w.o.Model}
	for _, m := range talk {
		p.Messages = append(p.Messages, openai.ChatCompletionMessage{Role: roles[m.role], Content: m.text})
	}
	if d.oldLimit {
		p.MaxTokens = w.o.MaxOutputTokens //nolint:staticcheck // older endpoints know no other
	} else {
		p.MaxCompletionTokens = w.o.MaxOutputTokens
	}
	switch d.form {
	case formSchema:
		schema, err := json.Marshal(o.schema())
		if err != nil {
			return p, err
		}
		p.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: string(mission.FormatPost), Strict: true, Schema: json.RawMessage(schema)},
		}
	case formObject:
		p.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	case formWords:
	}
	return p, nil
}
