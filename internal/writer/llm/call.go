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
	"strconv"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"missiond/mission"
)

// How often and after how long a call is tried again.
const (
	maxTries = 3
	// firstWait doubles with each try.
	firstWait = time.Second
	// maxWait is how long an endpoint's own wish is followed. One that wants
	// more is left alone; the caller may come back.
	maxWait = 20 * time.Second
)

// trouble is a call without an answer that counts.
type trouble struct {
	err error
	// lost tells that the call may have been answered, and paid, unseen.
	lost bool
	// again tells that another try may help, after wait where that isn't 0.
	again bool
	wait  time.Duration
	// status and body are of an answer that refuses the call.
	status int
	body   []byte
}

var (
	errOverdrawn = errors.New("llm: too many calls were left without an answer")
	errTooLong   = errors.New("llm: the endpoint's answer is too long")
)

// away is the trouble of an endpoint that doesn't answer, or wants to be left
// alone for a time.
func away(err error, wait time.Duration) *trouble {
	return &trouble{again: wait <= maxWait, wait: wait, err: &mission.OutageError{
		Failure:    mission.Failure{Code: mission.CodeWriterUnavailable, Message: "The language model doesn't answer."},
		RetryAfter: wait, Err: err,
	}}
}

// unseen is away where the call may have been answered, and paid.
func unseen(err error) *trouble {
	t := away(err, 0)
	t.lost = true
	return t
}

// ask has one call answered, with several tries where they may help. Errors are
// the endpoint's, and ctx's.
func (w *Writer) ask(ctx context.Context, o order, talk []message, p *purse) (said, error) {
	bound := w.bound(talk)
	d := *w.spoken.Load()
	last := errOverdrawn
	for tries := 0; ; {
		if err := ctx.Err(); err != nil {
			return said{}, fmt.Errorf("llm: %w", err)
		}
		if !p.affords(bound) {
			return said{}, last
		}
		body, t := w.send(ctx, o, talk, d)
		if t == nil {
			d.proven = true
			w.spoken.Store(&d)
			s, u, err := parseCompletion(body)
			p.pay(w.charge(u, bound))
			return s, err
		}
		if t.lost {
			p.pay(bound)
		}
		if simpler, ok := d.after(t.status, t.body); ok {
			d = simpler
			continue
		}
		last = t.err
		tries++
		w.o.Log.Warn("llm: a call failed", "error", t.err, "try", tries, "again", t.again && tries < maxTries)
		if !t.again || tries == maxTries {
			return said{}, last
		}
		if err := w.o.Sleep(ctx, waitFor(t.wait, tries, o.seed)); err != nil {
			return said{}, fmt.Errorf("llm: %w", err)
		}
	}
}

// waitFor is the wait after a number of tries: the endpoint's wish, or between
// half and the whole of a time that doubles.
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
func (w *Writer) send(ctx context.Context, o order, talk []message, d dialect) ([]byte, *trouble) {
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
		return nil, &trouble{err: fmt.Errorf("llm: %w", ctx.Err()), lost: true}
	case unsent(err):
		return nil, away(errors.New("llm: the endpoint can't be reached"), 0)
	case errors.Is(err, errTooLong):
		return nil, &trouble{err: errTooLong, lost: true}
	case callCtx.Err() != nil:
		return nil, unseen(fmt.Errorf("llm: no answer within %s", w.o.CallTimeout))
	}
	return nil, unseen(errors.New("llm: the connection was cut before the answer was whole"))
}

// unsent tells that no connection came about, so that nobody can have worked.
func unsent(err error) bool {
	var op *net.OpError
	var untrusted *tls.CertificateVerificationError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &untrusted) || errors.Is(err, http.ErrSchemeMismatch)
}

// refusal is the trouble of a status that isn't success. The body is for
// telling dialects apart only: it may hold the key and the brief.
func refusal(resp *http.Response) *trouble {
	t := &trouble{status: resp.StatusCode, err: fmt.Errorf("llm: the endpoint answered %d", resp.StatusCode)}
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		t.err = fmt.Errorf("llm: the endpoint refuses the API key (%d)", resp.StatusCode)
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		t = away(t.err, retryAfter(resp.Header))
		t.status = resp.StatusCode
	case resp.StatusCode >= 400:
		t.body, _ = io.ReadAll(io.LimitReader(resp.Body, 16<<10)) // the library has read it already
	}
	return t
}

// retryAfter reads the header: seconds, or a date, which is told from the
// answer's own (RFC 9110, section 10.2.3). 0 is no wish.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(text)
	now, nowErr := http.ParseTime(h.Get("Date"))
	if err != nil || nowErr != nil {
		return 0
	}
	return max(until.Sub(now), 0)
}

// form is how an answer's form is asked for.
type form uint8

const (
	formSchema form = iota // a JSON Schema
	formObject             // a JSON object
	formWords              // the prompt's words alone
)

// dialect is what an endpoint takes; the zero value is what is tried first.
type dialect struct {
	form form
	// oldLimit takes max_tokens for max_completion_tokens.
	oldLimit bool
	// proven tells that a call has been answered so.
	proven bool
}

// after returns a simpler dialect to try after a refusal. Only what names the
// form, or any refusal of the first calls, is taken for one of the dialect.
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
