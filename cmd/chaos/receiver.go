package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
)

// receiver takes the webhooks of all endpoints, a path each. Some events it
// refuses, or is slow about, the first time.
type receiver struct {
	server *http.Server
	url    string
	seed   uint64
	quiet  atomic.Bool

	mu    sync.Mutex
	paths map[string]*mailbox
}

// mailbox is what came for one endpoint.
type mailbox struct {
	moody bool
	// secret signs; "" where the answer that told it was lost.
	secret string
	came   map[string]*letter
}

// letter is what came of one event.
type letter struct {
	Body string
	// Times counts the receipts, Taken those that were answered with 2xx.
	Times, Taken int
	// Wrong are what was wrong with them.
	Wrong []string
}

// openReceiver listens on addr.
func openReceiver(ctx context.Context, addr string, seed uint64) (*receiver, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	r := &receiver{url: "http://" + addr, seed: seed, paths: map[string]*mailbox{}}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := r.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			panic(fmt.Sprintf("bug: the receiver ended: %v", err))
		}
	}()
	return r, nil
}

func (r *receiver) close() { _ = r.server.Close() }

// calm ends the moods: every event is taken from now on.
func (r *receiver) calm() { r.quiet.Store(true) }

// open makes the mailbox of a path, and answers its address.
func (r *receiver) open(path string, moody bool) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[path] = &mailbox{moody: moody, came: map[string]*letter{}}
	return r.url + path
}

// trust has a path's signatures checked with a secret.
func (r *receiver) trust(path, secret string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[path].secret = secret
}

// mood is how an event is received.
type mood int

const (
	taken mood = iota
	refused
	slow
	hungUp // taken, but the answer is cut off
)

// moodFor draws how an event is received at its n-th receipt at a path: only
// the first is ever made difficult, so that all are taken within some minutes.
func (r *receiver) moodFor(path, id string, n int, moody bool) mood {
	if !moody || n > 1 || r.quiet.Load() {
		return taken
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", r.seed, path, id))
	switch x := binary.BigEndian.Uint16(sum[:]) % 100; {
	case x < 6:
		return refused
	case x < 8:
		return slow
	case x < 11:
		return hungUp
	default:
		return taken
	}
}

// slowness is more than a receiver may take.
const slowness = 5500 * time.Millisecond

// ServeHTTP takes a webhook.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // its sender went away
	}
	m, known := r.receive(req, body)
	if m == slow && clock.Sleep(req.Context(), slowness) == nil {
		// A sender that was frozen meanwhile may still be there to be answered.
		r.take(req)
	}
	switch {
	case !known:
		w.WriteHeader(http.StatusNotFound)
	case m == refused:
		w.WriteHeader(http.StatusInternalServerError)
	case m == hungUp:
		panic(http.ErrAbortHandler)
	default:
		w.WriteHeader(http.StatusOK)
	}
}

// receive keeps what came, and answers how it is received.
func (r *receiver) receive(req *http.Request, body []byte) (m mood, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	box, known := r.paths[req.URL.Path]
	if !known {
		return refused, false
	}
	id := req.Header.Get("Webhook-Id")
	l := box.came[id]
	if l == nil {
		l = &letter{Body: string(body)}
		box.came[id] = l
	}
	l.Times++
	if l.Body != string(body) {
		l.Wrong = append(l.Wrong, "it came with other bytes")
	}
	if box.secret != "" && !signedBy(box.secret, req.Header, body) {
		l.Wrong = append(l.Wrong, "its signature isn't the endpoint's")
	}
	m = r.moodFor(req.URL.Path, id, l.Times, box.moody)
	if m == taken {
		l.Taken++
	}
	return m, true
}

// take notes that a letter that came is taken after all.
func (r *receiver) take(req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[req.URL.Path].came[req.Header.Get("Webhook-Id")].Taken++
}

// signedBy reports whether a secret signed a body, by the recipe of the
// interface (section 6), written down once more.
func signedBy(secret string, h http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(mac, h.Get("X-SVC-Timestamp")+".")
	_, _ = mac.Write(body)
	want := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	for _, got := range h.Values("X-SVC-Signature") {
		if hmac.Equal([]byte(got), []byte(want)) {
			return true
		}
	}
	return false
}

// receipts returns what came, by path and event.
func (r *receiver) receipts() map[string]map[string]letter {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]map[string]letter{}
	for path, box := range r.paths {
		all[path] = map[string]letter{}
		for id, l := range box.came {
			all[path][id] = *l
		}
	}
	return all
}
