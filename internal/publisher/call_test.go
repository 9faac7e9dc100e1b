package publisher

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/outbound"
	"missiond/mission"
)

// A post that a server takes and doesn't respond to isn't sent again by itself, although
// it has a key: not every server remembers keys.
func TestNothingIsSentTwice(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wait.Wait() })
	var posts atomic.Int64
	wait.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wait.Go(func() {
				defer func() { _ = conn.Close() }()
				in := bufio.NewReader(conn)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					if req.Method == http.MethodPost {
						if req.Header.Get("Idempotency-Key") != "key" {
							t.Errorf("the key is %q", req.Header)
						}
						posts.Add(1)
						return
					}
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				}
			})
		}
	})
	const limit = time.Minute
	calls := outbound.Rules{Local: true}.Client(outbound.Options{Call: limit, Connect: limit, Wait: limit, Header: 1 << 10, Body: 1 << 10, Idle: 1})
	t.Cleanup(calls.CloseIdleConnections)
	c := NewClient(calls, time.Now)
	do := func(method string) error {
		req, err := http.NewRequestWithContext(context.Background(), method, "http://"+l.Addr().String(), strings.NewReader("a post"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Idempotency-Key", "key")
		_, err = c.Do(req)
		return err
	}
	if err := do(http.MethodGet); err != nil { // which opens the connection
		t.Fatal(err)
	}
	var failed *mission.PublishError
	if err := do(http.MethodPost); !errors.As(err, &failed) || failed.Outcome != mission.OutcomeUnknown {
		t.Errorf("got %v", err)
	}
	if n := posts.Load(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
}
