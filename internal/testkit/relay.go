package testkit

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Relay is the way to a server, which a test can cut. It is safe for concurrent use.
type Relay struct {
	listener net.Listener
	server   string

	mu   sync.Mutex
	cut  bool
	open map[net.Conn]struct{}
}

// NewRelay returns a relay to the server at an address (host:port), until the test
// ends.
func NewRelay(t testing.TB, server string) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{listener: l, server: server, open: map[net.Conn]struct{}{}}
	go r.accept()
	Cleanup(t, func() {
		_ = l.Close()
		r.Cut()
	})
	return r
}

// Addr returns the address that leads to the server.
func (r *Relay) Addr() string { return r.listener.Addr().String() }

// Cut ends all connections, and those that come, until Mend.
func (r *Relay) Cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = true
	for c := range r.open {
		_ = c.Close()
	}
}

// Mend lets connections through again.
func (r *Relay) Mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = false
}

func (r *Relay) accept() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.serve(c)
	}
}

func (r *Relay) serve(from net.Conn) {
	to, err := net.Dial("tcp", r.server)
	if err != nil || !r.add(from, to) {
		_ = from.Close()
		return
	}
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1]) // until either end closes
			_, _ = way[0].Close(), way[1].Close()
		})
	}
	both.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, from)
	delete(r.open, to)
}

// add records a pair of connections, or closes the server's if the way is cut.
func (r *Relay) add(from, to net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut {
		_ = to.Close()
		return false
	}
	r.open[from], r.open[to] = struct{}{}, struct{}{}
	return true
}
