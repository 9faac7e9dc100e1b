package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"missiond/internal/clock"
	"missiond/internal/httpserver"
	"missiond/mission"
)

// ContentType is the media type of server-sent events.
const ContentType = "text/event-stream"

// WantsEvents reports whether a request asks for server-sent events: clients that
// also accept JSON get JSON.
func WantsEvents(r *http.Request) bool { return r.Method == http.MethodPost && httpserver.IsStream(r) }

// Events is gqlgen's transport over server-sent events, a stream per operation
// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md, "Distinct
// connections mode"). gqlgen's own transport keeps going when nobody reads any
// more.
type Events struct{ Server *Server }

// Supports reports whether a request asks for server-sent events.
func (t Events) Supports(r *http.Request) bool { return WantsEvents(r) }

// Do runs an operation, and writes each response as an event.
func (t Events) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	s := t.Server
	if r.Header.Get(httpserver.IdempotencyHeader) != "" {
		s.Fail(w, r, mission.Invalid(httpserver.IdempotencyHeader, "Idempotency-Key isn't supported for a stream of events."), 0)
		return
	}
	params, err := readParams(r.Body)
	if err != nil {
		s.Fail(w, r, err, 0)
		return
	}
	visit, err := s.visitors.enter(s.Gateway.Limits.Address(r))
	if err != nil {
		s.Fail(w, r, err, 0)
		return
	}
	defer visit.leave()
	visit.admitted() // the request has already been authenticated
	out := &eventWriter{w: w, control: http.NewResponseController(w), closed: true}
	p, _ := httpserver.Principal(r.Context())
	ctx, stream, err := s.streams.add(r.Context(), httpserver.Credential(r.Context()), p, func() { go out.ping() })
	if err != nil {
		s.Fail(w, r, err, 0)
		return
	}
	defer s.streams.remove(stream)
	// The stream outlives the server's limit for a request.
	if err := out.control.SetReadDeadline(time.Time{}); err != nil {
		s.Fail(w, r, fmt.Errorf("stream: a stream of events: %w", err), 0)
		return
	}
	w.Header().Set("Content-Type", ContentType)
	w.Header().Set("X-Accel-Buffering", "no") // stops proxies from buffering
	defer func() {
		if out.close() {
			s.slow.Inc()
		}
	}()
	out.open()
	follow, errs := s.operate(ctx, nil, exec, &params, out.next)
	if follow != nil {
		errs = follow()
	}
	if errors.Is(context.Cause(ctx), errCredential) {
		errs = s.errors(ctx, mission.Unauthorized())
	}
	if errs != nil && out.next(&graphql.Response{Errors: errs}) != nil {
		return
	}
	if ctx.Err() == nil || errs != nil {
		_ = out.write("event: complete\ndata:\n\n") // fails only if the peer is gone
	}
}

// eventWriter writes events to a peer that has to read them in time.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController

	mu     sync.Mutex
	closed bool // closed once the request is over: nothing may be written then
	late   bool
}

// open tells the peer at once that the stream is open.
func (o *eventWriter) open() {
	o.mu.Lock()
	o.closed = false
	o.mu.Unlock()
	_ = o.write(":\n\n") // fails only if the peer is gone
}

// close ends all writing, and reports whether the peer took too long to read.
func (o *eventWriter) close() (late bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.late
}

func (o *eventWriter) next(response *graphql.Response) error {
	return o.send(func(w io.Writer) error {
		_, err := io.WriteString(w, "event: next\ndata: ")
		if err == nil {
			err = WriteResponse(oneLine{w}, response, false)
		}
		if err == nil {
			_, err = io.WriteString(w, "\n\n")
		}
		return err
	})
}

// oneLine leaves out line feeds, which in JSON are white space, and in a stream of events end its data.
type oneLine struct{ io.Writer }

// Write implements io.Writer.
func (o oneLine) Write(p []byte) (n int, err error) {
	for piece := range bytes.SplitSeq(p, []byte("\n")) {
		if _, err = o.Writer.Write(piece); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// ping keeps the stream open through proxies.
func (o *eventWriter) ping() { _ = o.write(": ping\n\n") }

func (o *eventWriter) write(text string) error {
	return o.send(func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// send has something written, which the peer must read in time.
func (o *eventWriter) send(write func(w io.Writer) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.late {
		return context.DeadlineExceeded
	}
	err := o.control.SetWriteDeadline(clock.Real().Now().Add(sendLimit))
	if err == nil {
		err = write(o.w)
	}
	if err == nil {
		err = o.control.Flush()
	}
	o.late = err != nil
	return err
}
