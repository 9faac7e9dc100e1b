package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/internal/clock"
	"missiond/internal/httpserver"
	"missiond/mission"
)

const eventStream = "text/event-stream"

// wantsEvents reports whether a request is to be answered by server-sent events:
// clients that take JSON too have it.
func wantsEvents(r *http.Request) bool { return r.Method == http.MethodPost && httpserver.IsStream(r) }

// events is gqlgen's transport over server-sent events, a stream an operation
// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md, "Distinct
// connections mode"). gqlgen's own goes on where nobody reads any more.
type events struct{ api *API }

// Supports reports whether a request wants server-sent events.
func (t events) Supports(r *http.Request) bool { return wantsEvents(r) }

// Do answers an operation, event by event.
func (t events) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if r.Header.Get(httpserver.IdempotencyHeader) != "" {
		fail(w, r, t.api.log, mission.Invalid(httpserver.IdempotencyHeader, "A stream of events has no Idempotency-Key."))
		return
	}
	params, err := readParams(r.Body)
	if err != nil {
		fail(w, r, t.api.log, errUndecoded)
		return
	}
	visit, err := t.api.visitors.enter(t.api.limits.Address(r))
	if err != nil {
		fail(w, r, t.api.log, err)
		return
	}
	defer visit.leave()
	visit.admitted() // it was authenticated before
	out := &eventWriter{w: w, control: http.NewResponseController(w), closed: true}
	p, _ := httpserver.Principal(r.Context())
	ctx, stream, err := t.api.streams.add(r.Context(), httpserver.Credential(r.Context()), p, func() { go out.ping() })
	if err != nil {
		fail(w, r, t.api.log, err)
		return
	}
	defer t.api.streams.remove(stream)
	// The stream outlives what the server grants a request.
	if err := out.control.SetReadDeadline(time.Time{}); err != nil {
		fail(w, r, t.api.log, fmt.Errorf("graph: a stream of events: %w", err))
		return
	}
	w.Header().Set("Content-Type", eventStream)
	w.Header().Set("X-Accel-Buffering", "no") // proxies are not to wait for more
	defer func() {
		if out.close() {
			t.api.slow.Inc()
		}
	}()
	out.open()
	errs := operate(ctx, exec, &params, out.next)
	if errors.Is(context.Cause(ctx), errCredential) {
		errs = gqlerror.List{present(ctx, t.api.log, &gqlerror.Error{Err: mission.Unauthorized()})}
	}
	if errs != nil && out.next(&graphql.Response{Errors: errs}) != nil {
		return
	}
	if ctx.Err() == nil || errs != nil {
		_ = out.write("event: complete\ndata:\n\n") // the peer is gone where this fails
	}
}

// eventWriter writes events to a peer that has to read them in time.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController

	mu     sync.Mutex
	closed bool // outside of its request's time: nothing is to be written
	late   bool
}

// open has the peer told at once that the stream is there.
func (o *eventWriter) open() {
	o.mu.Lock()
	o.closed = false
	o.mu.Unlock()
	_ = o.write(":\n\n") // the peer is gone where this fails
}

// close ends all writing, and reports whether the peer took too long.
func (o *eventWriter) close() (late bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.late
}

func (o *eventWriter) next(response *graphql.Response) error {
	text, err := json.Marshal(response)
	if err != nil {
		return err
	}
	return o.write("event: next\ndata: " + string(text) + "\n\n")
}

// ping keeps the stream open through proxies.
func (o *eventWriter) ping() { _ = o.write(": ping\n\n") }

func (o *eventWriter) write(text string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.late {
		return context.DeadlineExceeded
	}
	err := o.control.SetWriteDeadline(clock.Real().Now().Add(sendLimit))
	if err == nil {
		_, err = o.w.Write([]byte(text))
	}
	if err == nil {
		err = o.control.Flush()
	}
	o.late = err != nil
	return err
}
