package stream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"missiond/internal/httpserver"
)

// SocketProtocol is the subprotocol of WebSockets
// (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). gqlgen's own
// transport limits neither the operations that run on a socket nor how long a peer
// may take to read, and closes without the protocol's codes.
const SocketProtocol = "graphql-transport-ws"

// Limits of a socket.
const (
	// initLimit is how long a client may take to authenticate.
	initLimit = 5 * time.Second
	// messageRoom is what a message may have around an operation, in bytes.
	messageRoom = 4 << 10
	// maxOperations is how many operations may run at once.
	maxOperations = 100
	// maxOperationID is the longest id that a client may give an operation, in
	// bytes.
	maxOperationID = 256
)

// The protocol's close codes.
const (
	closeBadRequest   = websocket.StatusCode(4400)
	closeUnauthorized = websocket.StatusCode(4401)
	closeForbidden    = websocket.StatusCode(4403)
	closeBadProtocol  = websocket.StatusCode(4406)
	closeInitTimeout  = websocket.StatusCode(4408)
	closeDuplicate    = websocket.StatusCode(4409)
	closeTooManyInits = websocket.StatusCode(4429)
	closeInternal     = websocket.StatusCode(4500)
)

// message is a message of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Sockets is gqlgen's transport over WebSocket.
type Sockets struct{ Server *Server }

// Supports reports whether a request asks for a WebSocket.
func (t Sockets) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do opens a socket, and serves it until either side closes it. Serving has a
// goroutine of its own: the request's goroutine has grown a large stack by now, and
// a thousand idle sockets would keep a thousand of those.
func (t Sockets) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	visit, err := t.Server.visitors.enter(t.Server.Gateway.Limits.Address(r))
	if err != nil {
		t.Server.Fail(w, r, err, http.StatusTooManyRequests)
		return
	}
	s := &socket{server: t.Server, exec: exec, visit: visit, budget: newBudget(t.Server.now), active: map[string]*operation{}}
	s.wire = newWire(s.budget, func() { go s.close(websocket.StatusPolicyViolation, tooMuch) })
	// Pages of any origin may connect: a socket has no credential but what it
	// sends.
	s.conn, err = websocket.Accept(hijacker{w, s.wire}, r, &websocket.AcceptOptions{
		Subprotocols: []string{SocketProtocol}, InsecureSkipVerify: true, OnPingReceived: s.onControl,
		OnPongReceived: func(ctx context.Context, payload []byte) { s.onControl(ctx, payload) },
	})
	if err != nil {
		visit.leave()
		return // Accept has responded
	}
	s.conn.SetReadLimit(t.Server.MaxBody + messageRoom)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	go func() {
		defer visit.leave()
		code, reason := closeBadProtocol, "Subprotocol not acceptable"
		if s.conn.Subprotocol() == SocketProtocol {
			code, reason = s.serve(ctx)
		}
		cancel()
		s.close(code, reason)
		s.running.Wait()
	}()
}

// tooMuch is why a socket is closed whose peer has used up its budget. The status
// is RFC 6455's 1008, for a violated policy, since 4429 has another meaning in this
// protocol.
const tooMuch = "Too many messages"

// onControl counts a control frame, and reports whether to respond to it.
func (s *socket) onControl(context.Context, []byte) bool {
	if s.budget.message() {
		return true
	}
	s.wire.flood()
	return false
}

// close sends the peer the reason for which the socket is closed, and cuts the
// connection if the peer doesn't close its side in time.
func (s *socket) close(code websocket.StatusCode, reason string) {
	cut := time.AfterFunc(closeLimit, func() { _ = s.wire.Close() }) // fails only if it is gone
	defer cut.Stop()
	_ = s.conn.Close(code, reason) // fails only if the peer is gone
}

// recovered makes a panic close only this socket.
func (s *socket) recovered(ctx context.Context, code *websocket.StatusCode, reason *string) {
	if p := recover(); p != nil {
		_ = httpserver.Shown(ctx, httpserver.Panicked(p)) // for the log alone
		*code, *reason = closeInternal, "Internal server error"
	}
}

// socket is a client's connection.
type socket struct {
	server *Server
	conn   *websocket.Conn
	wire   *wire
	exec   graphql.GraphExecutor
	visit  *visit
	budget *budget
	stream *stream // nil until the client has authenticated

	running sync.WaitGroup
	mu      sync.Mutex
	active  map[string]*operation
	busy    int // running operations, including those that the client has completed
}

// serve handles the client's messages, and returns the code and the reason with
// which to close the socket.
func (s *socket) serve(ctx context.Context) (code websocket.StatusCode, reason string) {
	late := time.AfterFunc(initLimit, func() { s.close(closeInitTimeout, "Connection initialisation timeout") })
	defer late.Stop()
	defer func() {
		if s.stream != nil {
			s.server.streams.remove(s.stream)
		}
	}()
	for code == 0 {
		// Read ends when the connection is closed: a context would end it without a
		// close frame that says why.
		kind, text, err := s.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return websocket.StatusNormalClosure, ""
		}
		if !s.budget.message() {
			return websocket.StatusPolicyViolation, tooMuch
		}
		// The goroutine that reads keeps a small stack.
		handled := make(chan struct{})
		go func() {
			defer close(handled)
			defer s.recovered(ctx, &code, &reason)
			ctx, code, reason = s.receive(ctx, kind, text)
		}()
		<-handled
		if s.stream != nil {
			late.Stop()
		}
	}
	return code, reason
}

// receive handles a message, and returns the context of the next ones; if the socket
// is to be closed, also the code and the reason.
func (s *socket) receive(ctx context.Context, kind websocket.MessageType, text []byte) (context.Context, websocket.StatusCode, string) {
	if !utf8.Valid(text) {
		return ctx, websocket.StatusInvalidFramePayloadData, invalidMessage // RFC 6455, section 8.1
	}
	var m message
	switch invalid := kind != websocket.MessageText || json.Unmarshal(text, &m) != nil; {
	case invalid:
		return ctx, closeBadRequest, invalidMessage
	case m.Type == "connection_init" && s.stream != nil:
		return ctx, closeTooManyInits, "Too many initialisation requests"
	case m.Type == "connection_init":
		return s.open(ctx, m.Payload)
	}
	code, reason := s.handle(ctx, m)
	return ctx, code, reason
}

// invalidMessage is why a socket is closed whose client violates the protocol.
const invalidMessage = "Invalid message received"

// handle handles a message; if the socket is to be closed, it returns the code and
// the reason.
func (s *socket) handle(ctx context.Context, m message) (websocket.StatusCode, string) {
	switch m.Type {
	case "ping":
		if s.write(ctx, message{Type: "pong", Payload: m.Payload}) != nil {
			return websocket.StatusGoingAway, ""
		}
	case "pong":
	case "subscribe":
		if s.stream == nil {
			return closeUnauthorized, "Unauthorized"
		}
		return s.subscribe(ctx, m)
	case "complete":
		s.mu.Lock()
		op := s.active[m.ID]
		delete(s.active, m.ID) // the client may use the id again
		s.mu.Unlock()
		if op != nil {
			op.stop()
		}
	default:
		return closeBadRequest, invalidMessage
	}
	return 0, ""
}

func (s *socket) send(ctx context.Context, id, kind string, payload any) error {
	text, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return s.write(ctx, message{ID: id, Type: kind, Payload: text})
}

// largeMessage is from which size on a response is sent in pieces, in bytes, rather than copied for its message.
const largeMessage = 64 << 10

// next sends a response of an operation.
func (s *socket) next(ctx context.Context, id string, r *graphql.Response) error {
	if len(r.Data) < largeMessage {
		var text bytes.Buffer
		_ = WriteResponse(&text, r, false) // a buffer takes all
		return s.write(ctx, message{ID: id, Type: "next", Payload: text.Bytes()})
	}
	const empty = "{}"
	around, err := json.Marshal(message{ID: id, Type: "next", Payload: json.RawMessage(empty)})
	if err != nil {
		return err
	}
	return s.timely(ctx, func(ctx context.Context) error {
		pieces, err := s.conn.Writer(ctx, websocket.MessageText)
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(pieces, largeMessage)
		_, _ = out.Write(bytes.TrimSuffix(around, []byte(empty+"}"))) // an error of out's comes again
		_ = WriteResponse(out, r, false)
		_ = out.WriteByte('}')
		return errors.Join(out.Flush(), pieces.Close())
	})
}

// write sends a message.
func (s *socket) write(ctx context.Context, m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.timely(ctx, func(ctx context.Context) error { return s.conn.Write(ctx, websocket.MessageText, text) })
}

// timely sends something to the peer. One that doesn't read it in time loses the connection:
// it reconnects, and asks by cursor for what it missed.
func (s *socket) timely(ctx context.Context, send func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendLimit)
	defer cancel()
	err := send(ctx)
	if err != nil && ctx.Err() != nil {
		s.server.slow.Inc()
	}
	return err
}

// ping checks whether the peer is still there.
func (s *socket) ping() {
	ctx, cancel := context.WithTimeout(context.Background(), sendLimit)
	defer cancel()
	if s.conn.Ping(ctx) != nil {
		_ = s.conn.CloseNow()
	}
}
