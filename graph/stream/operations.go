package stream

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// operation is a running operation that the client hasn't completed.
type operation struct{ stop context.CancelFunc }

// subscribe starts an operation.
func (s *socket) subscribe(ctx context.Context, m message) (websocket.StatusCode, string) {
	params, err := readParams(bytes.NewReader(m.Payload))
	if err != nil || m.ID == "" || len(m.ID) > maxOperationID {
		return closeBadRequest, invalidMessage
	}
	if err := s.server.Check(m.Payload); err != nil {
		s.fail(ctx, m.ID, err)
		return 0, ""
	}
	ctx, stop := context.WithCancel(ctx)
	op := &operation{stop}
	s.mu.Lock()
	_, twice := s.active[m.ID]
	full := s.busy >= maxOperations
	if !twice && !full {
		s.active[m.ID] = op
		s.busy++
	}
	s.mu.Unlock()
	if twice {
		stop()
		return closeDuplicate, "Subscriber already exists"
	}
	if full {
		stop()
		s.fail(ctx, m.ID, mission.Invalid("", "At most %d operations may run on a socket at once.", maxOperations))
		return 0, ""
	}
	s.running.Go(func() {
		var follow func() gqlerror.List
		errs := s.recovering(ctx, func() (errs gqlerror.List) {
			follow, errs = s.begin(ctx, m.ID, &params)
			return errs
		})
		if follow == nil {
			s.ended(ctx, m.ID, op, errs)
			return
		}
		s.running.Go(func() { s.ended(ctx, m.ID, op, s.recovering(ctx, follow)) })
	})
	return 0, ""
}

// ended tells the client that an operation is over.
func (s *socket) ended(ctx context.Context, id string, op *operation, errs gqlerror.List) {
	defer op.stop()
	s.mu.Lock()
	s.busy--
	current := s.active[id] == op
	if current {
		delete(s.active, id)
	}
	s.mu.Unlock()
	switch {
	case !current: // the client ended it, and may use the id for another
	case errs != nil:
		_ = s.send(ctx, id, "error", errs) // fails only if the peer is gone
	case ctx.Err() == nil: // the client needn't be told if it ended it
		_ = s.write(ctx, message{ID: id, Type: "complete"})
	}
}

// recovering calls f; a panic fails only its operation.
func (s *socket) recovering(ctx context.Context, f func() gqlerror.List) (errs gqlerror.List) {
	defer func() {
		if p := recover(); p != nil {
			errs = s.server.errors(ctx, httpserver.Panicked(p))
		}
	}()
	return f()
}

// begin begins an operation, which counts as one of the caller's requests; see
// Server.operate.
func (s *socket) begin(ctx context.Context, id string, params *graphql.RawParams) (follow func() gqlerror.List, errs gqlerror.List) {
	return s.server.operate(httpserver.Apart(ctx), s.caller, s.exec, params, func(r *graphql.Response) error {
		if err := ctx.Err(); err != nil {
			return err // the client ended it
		}
		return s.next(ctx, id, r)
	})
}

// fail tells a client why its operation was refused.
func (s *socket) fail(ctx context.Context, id string, err error) {
	_ = s.send(ctx, id, "error", s.server.errors(ctx, err)) // fails only if the peer is gone
}
