// Package load asks an HTTP server, as fast as it answers, from as many
// connections as are wanted. It speaks HTTP/1.1 over its sockets itself, for it
// shares the machine with what it measures: a request is bytes that were made
// before, and an answer is only read to its end.
package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
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
	body []byte
}

// answerLimit bounds how long an answer may take.
const answerLimit = 30 * time.Second

const readBuffer = 64 << 10

// Dial connects to a server.
func Dial(ctx context.Context, addr string) (*Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Conn{conn: conn, r: bufio.NewReaderSize(conn, readBuffer)}, nil
}

// Close closes the connection.
func (c *Conn) Close() { _ = c.conn.Close() }

// Answer is what a server answered.
type Answer struct {
	Status int
	// Body is the connection's: the next request overwrites it.
	Body []byte
}

// Do sends a request and reads the response, with its body if keep.
func (c *Conn) Do(request []byte, keep bool) (Answer, error) {
	if err := c.conn.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return Answer{}, err
	}
	if _, err := c.conn.Write(request); err != nil {
		return Answer{}, err
	}
	head, err := c.head()
	if err != nil {
		return Answer{}, err
	}
	c.body = c.body[:0]
	// What is refused says why.
	keep = keep || head.status < 200 || head.status > 299
	if head.chunked {
		err = c.chunks(keep)
	} else {
		err = c.take(head.length, keep)
	}
	return Answer{Status: head.status, Body: c.body}, err
}

type head struct {
	status, length int
	chunked        bool
}

func (c *Conn) head() (h head, err error) {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return h, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return h, fmt.Errorf("the answer begins with %q", line)
	}
	if h.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return h, err
	}
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return h, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return h, nil
		}
		switch name, value, _ := bytes.Cut(line, []byte(": ")); {
		case len(name) == len("Content-Length") && strings.EqualFold(string(name), "Content-Length"):
			if h.length, err = strconv.Atoi(string(value)); err != nil {
				return h, err
			}
		case len(name) == len("Transfer-Encoding") && strings.EqualFold(string(name), "Transfer-Encoding"):
			h.chunked = true
		}
	}
}

// take reads the next n bytes of the body.
func (c *Conn) take(n int, keep bool) error {
	if !keep {
		_, err := c.r.Discard(n)
		return err
	}
	before := len(c.body)
	c.body = append(c.body, make([]byte, n)...)
	_, err := io.ReadFull(c.r, c.body[before:])
	return err
}

var errChunk = errors.New("a chunk doesn't end as it should")

func (c *Conn) chunks(keep bool) error {
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r\n")), 16, 32)
		if err != nil {
			return errChunk
		}
		if err := c.take(int(n), keep); err != nil {
			return err
		}
		if end, err := c.r.ReadSlice('\n'); err != nil || len(end) != 2 {
			return errors.Join(err, errChunk)
		}
		if n == 0 {
			return nil
		}
	}
}
