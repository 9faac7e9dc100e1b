package llm

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

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
	errOverdrawn = errors.New("llm: too many calls got no response")
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
	var body []byte
	var resp *http.Response
	_, err := w.chat.New(callCtx, w.params(o, talk, d), option.WithResponseBodyInto(&body), option.WithResponseInto(&resp))
	if resp != nil && (resp.StatusCode < 200 || resp.StatusCode > 299) {
		return nil, refusal(resp)
	}
	switch {
	case err == nil:
		return body, nil
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
func refusal(resp *http.Response) *failedCall {
	t := &failedCall{status: resp.StatusCode, err: &RejectedError{resp.StatusCode, fmt.Sprintf("responded with %d", resp.StatusCode)}}
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		t.err = &RejectedError{resp.StatusCode, fmt.Sprintf("rejected the API key (%d)", resp.StatusCode)}
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		t = unavailable(t.err, retryAfter(resp.Header))
		t.status = resp.StatusCode
	case resp.StatusCode >= 400:
		t.body, _ = io.ReadAll(io.LimitReader(resp.Body, 16<<10)) // the library has read it already
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

func (w *Writer) params(o order, talk []message, d dialect) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: w.o.Model}
	for _, m := range talk {
		switch m.role {
		case system:
			p.Messages = append(p.Messages, openai.SystemMessage(m.text))
		case user:
			p.Messages = append(p.Messages, openai.UserMessage(m.text))
		case assistant:
			p.Messages = append(p.Messages, openai.AssistantMessage(m.text))
		}
	}
	if d.oldLimit {
		p.MaxTokens = openai.Int(int64(w.o.MaxOutputTokens))
	} else {
		p.MaxCompletionTokens = openai.Int(int64(w.o.MaxOutputTokens))
	}
	switch d.form {
	case formSchema:
		p.ResponseFormat.OfJSONSchema = &openai.ResponseFormatJSONSchemaParam{JSONSchema: openai.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: string(mission.FormatPost), Strict: openai.Bool(true), Schema: o.schema(),
		}}
	case formObject:
		p.ResponseFormat.OfJSONObject = &openai.ResponseFormatJSONObjectParam{}
	case formWords:
	}
	return p
}
