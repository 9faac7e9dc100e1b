package graph

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/coder/websocket"

	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/mission"
)

// open lets a client in, and answers the context of what it does from then on.
func (s *socket) open(ctx context.Context, payload json.RawMessage) (context.Context, websocket.StatusCode, string) {
	credential, p, err := s.authenticate(ctx, payload)
	if err != nil {
		return ctx, closeOf(err), reasonOf(err)
	}
	ctx, s.stream, err = s.api.streams.add(ctx, credential, p, func() { go s.ping() })
	if err != nil {
		return ctx, websocket.StatusTryAgainLater, reasonOf(err)
	}
	context.AfterFunc(ctx, func() {
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errCredential):
			s.close(closeForbidden, "The credential ended")
		case errors.Is(cause, errShutdown):
			s.close(websocket.StatusServiceRestart, "The server ends")
		}
	})
	s.visit.admitted()
	if s.write(ctx, message{Type: "connection_ack"}) != nil {
		return ctx, websocket.StatusGoingAway, ""
	}
	return ctx, 0, ""
}

// authenticate tells who opens a socket: by the header of its request or, for
// browsers can't send one, by the payload's Authorization.
func (s *socket) authenticate(ctx context.Context, payload json.RawMessage) (credential string, p mission.Principal, err error) {
	if p, ok := httpserver.Principal(ctx); ok {
		return httpserver.Credential(ctx), p, nil
	}
	var init struct {
		Authorization string
	}
	if len(payload) > 0 && json.Unmarshal(payload, &init) != nil {
		return "", p, mission.Unauthorized()
	}
	if credential, err = identity.Bearer(init.Authorization); err != nil {
		return "", p, mission.Unauthorized()
	}
	p, err = s.api.auth.Authenticate(ctx, credential)
	return credential, p, err
}

func closeOf(err error) websocket.StatusCode {
	if mission.CodeOf(err) == mission.CodeUnauthorized {
		return closeForbidden
	}
	return closeInternal
}

func reasonOf(err error) string {
	var m *mission.Error
	if errors.As(err, &m) && m.Code != mission.CodeInternal {
		return m.Message
	}
	return "Internal server error"
}

// caller authenticates an operation as if it were a request: a right that was
// taken away is gone for the next one, however long the socket has been open. A
// credential that ended, or that allows something else now, ends the socket.
// Errors: unauthorized.
func (s *socket) caller(ctx context.Context) (mission.Principal, error) {
	p, err := s.api.auth.Authenticate(ctx, s.stream.credential)
	if mission.CodeOf(err) == mission.CodeUnauthorized || err == nil && !s.stream.keeps(p) {
		s.stream.end(errCredential)
		return p, mission.Unauthorized()
	}
	return p, err
}
