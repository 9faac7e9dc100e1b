package stream

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"missiond/internal/gateway"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// keyring authenticates the credentials that it has.
type keyring struct{ sync.Map }

func (k *keyring) Authenticate(_ context.Context, credential string) (mission.Principal, error) {
	if p, ok := k.Load(credential); ok {
		return p.(mission.Principal), nil
	}
	return mission.Principal{}, mission.Unauthorized()
}

// newServer returns a server of what sockets need before an operation.
func newServer() *Server {
	keys := &keyring{}
	keys.Store("good", mission.Principal{TenantID: "tnt_1"})
	s := New(Options{
		Gateway: &gateway.Gateway{Auth: keys, Limits: gateway.NewLimits(gateway.LimitsOptions{})}, Identify: keys.Authenticate,
		Log: slog.New(slog.DiscardHandler), MaxBody: 64 << 10,
		Fail: func(w http.ResponseWriter, _ *http.Request, _ error, status int) { w.WriteHeader(status) },
	})
	s.now = func() time.Duration { return 0 }
	return s
}

// socketServer serves sockets of an API on a real connection.
func socketServer(t *testing.T, a *Server) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { Sockets{a}.Do(w, r, nil) }))
	t.Cleanup(s.Close)
	return s.URL
}

func connect(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{Subprotocols: []string{SocketProtocol}}) //nolint:bodyclose // it has none
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// The messages that a peer may send at once are bounded, whatever their kind, before
// and after it has authenticated. The clock stands still here.
func TestMessagesAreBounded(t *testing.T) {
	for name, before := range map[string]string{
		"before authentication": `{"type":"pong"}`,
		"after authentication":  `{"type":"connection_init","payload":{"Authorization":"Bearer good"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			conn := connect(t, socketServer(t, newServer()))
			go func() {
				for text, i := before, 0; i < 2*messagesAtOnce; i++ {
					if conn.Write(t.Context(), websocket.MessageText, []byte(text)) != nil {
						return
					}
					text = `{"type":"ping"}`
				}
			}()
			for heard := 0; ; {
				_, text, err := conn.Read(t.Context())
				if strings.Contains(string(text), `"pong"`) {
					heard++
				}
				switch {
				case heard >= messagesAtOnce:
					t.Fatalf("got %d pongs", heard)
				case err == nil:
				case websocket.CloseStatus(err) == websocket.StatusPolicyViolation && heard == messagesAtOnce-1:
					return
				default:
					t.Fatalf("after %d pongs the socket ends with %v", heard, err)
				}
			}
		})
	}
}

// frame returns a bare frame of the WebSocket protocol, masked with zeros.
func frame(opcode byte, payload string) string {
	if len(payload) < 126 {
		return string([]byte{opcode, 0x80 | byte(len(payload)), 0, 0, 0, 0}) + payload
	}
	return string([]byte{opcode, 0x80 | 126, byte(len(payload) >> 8), byte(len(payload)), 0, 0, 0, 0}) + payload
}

const (
	pingFrame, pongFrame        = 0x89, 0x8a
	textBegins, textGoesOn byte = 0x01, 0x00
	wholeText              byte = 0x81
)

// open opens a socket over a connection, and returns a channel that receives all that
// the server sends, once the connection is closed.
func open(t *testing.T, conn net.Conn) <-chan string {
	t.Helper()
	_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: "+SocketProtocol+"\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil) //nolint:bodyclose // it has none
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("no socket: %v, %v", resp, err)
	}
	heard := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(in) // it ends with the connection
		heard <- string(text)
	}()
	return heard
}

// pipes is a listener of connections within the process, whose deadlines follow the
// clock of a synctest bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p pipes) Close() error   { close(p.done); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// served returns the client's side of a connection to a server's sockets.
func served(t *testing.T, a *Server) (client net.Conn, end func()) {
	t.Helper()
	p := pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { Sockets{a}.Do(w, r, nil) }), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(p) }()
	client, far := net.Pipe()
	p.conns <- far
	return client, func() { _ = client.Close(); _ = server.Close() }
}

// A socket whose peer doesn't authenticate is closed after initLimit, whatever frames
// the peer sends; a flood of any kind closes it sooner, with RFC 6455's code for it.
func TestFloodsEnd(t *testing.T) {
	const late = initLimit + closeLimit
	message := frame(wholeText, `{"type":"ping","payload":"`+strings.Repeat("x", 1000)+`"}`)
	for name, tt := range map[string]struct {
		first, again string
		most         int // bytes that are read
	}{
		"pings":                   {"", frame(pingFrame, ""), 2 * 6 * messagesAtOnce},
		"pongs":                   {"", frame(pongFrame, "x"), 2 * 7 * messagesAtOnce},
		"pings within a message":  {frame(textBegins, "{"), frame(pingFrame, ""), 2 * 6 * messagesAtOnce},
		"parts without an end":    {frame(textBegins, "{"), frame(textGoesOn, ""), bytesAtOnce},
		"messages":                {"", message, bytesAtOnce},
		"a message without limit": {frame(textBegins, "{"), frame(textGoesOn, strings.Repeat(" ", 4000)), bytesAtOnce},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newServer()
				start := time.Now()
				a.now = func() time.Duration { return time.Since(start) }
				client, end := served(t, a)
				defer end()
				heard := open(t, client)
				taken, err := io.WriteString(client, tt.first)
				for block := strings.Repeat(tt.again, 1+4096/len(tt.again)); err == nil; {
					var n int
					n, err = io.WriteString(client, block)
					taken += n
				}
				said := <-heard
				const buffers = 3 * 4096
				if taken > tt.most+buffers {
					t.Errorf("%d bytes were read, want %d at most", taken, tt.most)
				}
				if !strings.Contains(said, "\x03\xf0") && !strings.Contains(said, "\x03\xf1") { // 1008, 1009
					t.Errorf("the server sent %q", said)
				}
				if took := time.Since(start); took > late {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
	for name, said := range map[string][]string{
		"nothing": nil, "pings": slices.Repeat([]string{frame(pingFrame, "")}, 10),
		"a message without an end": append([]string{frame(textBegins, "{")}, slices.Repeat([]string{frame(textGoesOn, " ")}, 10)...),
	} {
		t.Run("a peer that sends "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newServer()
				client, end := served(t, a)
				defer end()
				start := time.Now()
				heard := open(t, client)
				var talking sync.WaitGroup
				defer talking.Wait()
				talking.Go(func() {
					for _, each := range said {
						<-time.After(time.Second)
						if _, err := io.WriteString(client, each); err != nil {
							return
						}
					}
				})
				if answer := <-heard; !strings.Contains(answer, "\x11\x38") { // 4408
					t.Errorf("the server sent %q", answer)
				}
				if took := time.Since(start); took < initLimit || took > late {
					t.Errorf("it took %s, want %s", took, initLimit)
				}
			})
		})
	}
}

// The open connections of an address are bounded, and more strictly those that haven't
// authenticated. One that is closed makes room.
func TestVisitors(t *testing.T) {
	var v visitors
	var all []*visit
	for range maxAddressWaiting {
		one, err := v.enter("192.0.2.1")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if _, err := v.enter("192.0.2.1"); mission.CodeOf(err) != mission.CodeRateLimitExceeded {
		t.Errorf("one more that waits: got %v", err)
	}
	if _, err := v.enter("192.0.2.2"); err != nil {
		t.Errorf("another address: got %v", err)
	}
	all[0].admitted()
	for i := range maxAddressStreams - maxAddressWaiting {
		one, err := v.enter("192.0.2.1")
		if err != nil {
			t.Fatalf("number %d: got %v", i, err)
		}
		one.admitted()
		all = append(all, one)
	}
	if _, err := v.enter("192.0.2.1"); mission.CodeOf(err) != mission.CodeRateLimitExceeded {
		t.Errorf("one more that is open: got %v", err)
	}
	for _, one := range all {
		one.leave()
		one.leave()
	}
	if v.waiting != 1 || len(v.from) != 1 {
		t.Errorf("%d wait, of %d addresses", v.waiting, len(v.from))
	}
}

// The connections of all addresses that haven't authenticated are bounded together.
func TestWaitingIsBounded(t *testing.T) {
	var v visitors
	for i := range maxWaiting {
		if _, err := v.enter(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := v.enter("another"); mission.CodeOf(err) != mission.CodeRateLimitExceeded {
		t.Errorf("one more: got %v", err)
	}
}

// A connection beyond the bound of its address is refused; one that is closed makes
// room.
func TestSocketsOfAnAddressAreBounded(t *testing.T) {
	a := newServer()
	url := socketServer(t, a)
	first := connect(t, url)
	for range maxAddressWaiting - 1 {
		connect(t, url)
	}
	dial := func() (int, error) {
		conn, resp, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{Subprotocols: []string{SocketProtocol}}) //nolint:bodyclose // it has none
		if err == nil {
			_ = conn.CloseNow()
		}
		return resp.StatusCode, err
	}
	if status, err := dial(); err == nil || status != http.StatusTooManyRequests {
		t.Errorf("one more: got %d, %v", status, err)
	}
	if err := first.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "a closed connection makes room", func() bool { _, err := dial(); return err == nil })
}
