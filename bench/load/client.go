// Package load asks an HTTP server, as fast as it answers, from as many
// connections as are wanted. It shares the machine with what it measures: a
// request is bytes that were made before.
package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Request returns a request's bytes. header are further lines, as in "A: b".
func Request(method, addr, path, body string, header ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, path, addr)
	for _, line := range header {
		b.WriteString(line + "\r\n")
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return b.Bytes()
}

// Conn is a connection that is kept from one request to the next. It isn't
// safe for concurrent use.
type Conn struct {
	conn net.Conn
	r    *bufio.Reader
	body bytes.Buffer
}

// answerLimit bounds how long an answer may take.
const answerLimit = 30 * time.Second

// Dial connects to a server.
func Dial(ctx context.Context, addr string) (*Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Conn{conn: conn, r: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// Close closes the connection.
func (c *Conn) Close() { _ = c.conn.Close() }

// Do sends a request and returns the response's body, which is the connection's: the
// next request overwrites it. Errors: a status that is neither a
// success nor a redirect, with the body.
func (c *Conn) Do(request []byte) ([]byte, error) {
	if err := c.conn.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return nil, err
	}
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	c.body.Reset()
	_, err = io.Copy(&c.body, answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%.100q is answered with %d: %s", request, answer.StatusCode, c.body.Bytes())
	}
	return c.body.Bytes(), err
}
