package stream

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/coder/websocket"

	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/mission"
)

// open admits a client, and returns the context of everything that it does from
// then on. If it is refused, open returns the code and the reason with which the
// socket is to be closed.
func (s *socket) open(ctx context.Context, payload json.RawMessage) (context.Context, websocket.StatusCode, string) {
	credential, p, err := s.authenticate(ctx, payload)
	if err != nil {
		code, reason := refusal(ctx, err)
		return ctx, code, reason
	}
	ctx, s.stream, err = s.server.streams.add(ctx, credential, p, func() { go s.ping() })
	if err != nil {
		code, reason := refusal(ctx, err)
		return ctx, code, reason
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

// authenticate identifies the client that opens a socket: by the header of its
// request or, since browsers can't send one, by the Authorization of its payload, or
// else by the console's cookie.
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
	if credential = httpserver.Cookie(ctx); init.Authorization != "" || credential == "" {
		if credential, err = identity.Bearer(init.Authorization); err != nil {
			return "", p, mission.Unauthorized()
		}
	}
	p, err = s.server.Gateway.Auth.Authenticate(ctx, credential)
	return credential, p, err
}

// refusal returns the code and the reason with which a socket is closed that can't be
// opened because of err.
func refusal(ctx context.Context, err error) (websocket.StatusCode, string) {
	switch m := httpserver.Shown(ctx, err); m.Code {
	case mission.CodeUnauthorized:
		return closeForbidden, m.Message
	case mission.CodeServiceUnavailable:
		return websocket.StatusTryAgainLater, m.Message
	default:
		return closeInternal, "Internal server error"
	}
}

// caller authenticates an operation as if it were a request of its own: a revoked
// right is gone for the next operation, however long the socket has been open. If
// the credential has ended, or its rights have changed, caller ends the socket.
// Errors: unauthorized.
func (s *socket) caller(ctx context.Context) (mission.Principal, error) {
	p, err := s.server.Gateway.Auth.Authenticate(ctx, s.stream.credential)
	if mission.CodeOf(err) == mission.CodeUnauthorized || err == nil && !s.stream.mayContinue(p) {
		s.stream.end(errCredential)
		return p, mission.Unauthorized()
	}
	return p, err
}
