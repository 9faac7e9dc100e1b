package stream

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"sync"
	"time"
)

// closeLimit is how long a peer may take to respond to a close frame, and how long
// a closed socket may take to go.
const closeLimit = 500 * time.Millisecond

// wire is the connection below a socket. It limits what is read from it, in frames
// of any kind, and can be cut: the websocket library waits for the peer's close
// frame for as long as the peer keeps sending other frames.
type wire struct {
	net.Conn

	budget  *budget
	flooded func() // is called once, when the budget is used up

	once sync.Once
	gone chan struct{}
	stop sync.Once
	quit chan struct{} // closed when nothing is read any more
}

// hijacker is a ResponseWriter whose hijacked connection is wire.
type hijacker struct {
	http.ResponseWriter

	wire *wire
}

func newWire(b *budget, flooded func()) *wire {
	return &wire{budget: b, flooded: flooded, gone: make(chan struct{}), quit: make(chan struct{})}
}

// buffer is the size of a socket's buffers, in bytes: messages are small, and sockets
// are idle for hours.
const buffer = 512

// Hijack takes over the connection, with smaller buffers than the server's.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.wire.Conn = conn
	early, err := buffered.Peek(buffered.Reader.Buffered())
	read := bufio.NewReaderSize(bytes.NewReader(bytes.Clone(early)), max(buffer, len(early)))
	if err == nil {
		_, err = read.Peek(len(early)) // whoever takes the connection finds it buffered
	}
	return h.wire, bufio.NewReadWriter(read, bufio.NewWriterSize(h.wire, buffer)), err
}

// Read reads what the budget allows; after that it blocks until the connection is
// cut, so that the peer blocks too.
func (w *wire) Read(p []byte) (int, error) {
	select {
	case <-w.quit:
		<-w.gone
		return 0, net.ErrClosed
	default:
	}
	n, err := w.Conn.Read(p)
	if n > 0 && !w.budget.read(n) {
		w.flood()
		<-w.gone
		return 0, net.ErrClosed
	}
	return n, err
}

// flood ends the connection of a peer that sends too much.
func (w *wire) flood() {
	w.stop.Do(func() {
		close(w.quit)
		w.flooded()
	})
}

// Close cuts the connection.
func (w *wire) Close() error {
	var err error
	w.once.Do(func() {
		err = w.Conn.Close()
		close(w.gone)
	})
	return err
}
