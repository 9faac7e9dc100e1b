package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
)

// receiver receives the webhooks of all endpoints, each at a path of its own. It
// refuses some events, or is slow to respond, the first time.
type receiver struct {
	*httptest.Server

	seed  uint64
	quiet atomic.Bool

	mu    sync.Mutex
	paths map[string]*mailbox
}

// mailbox has what one endpoint received.
type mailbox struct {
	moody bool
	// secret is the endpoint's; "" if the response with it was lost.
	secret string
	came   map[string]*letter
}

// letter is what was received of one event.
type letter struct {
	Body string
	// Times counts the receipts, Taken those with a 2xx response.
	Times, Taken int
	// Wrong lists what was wrong with them.
	Wrong []string
}

// newReceiver starts a receiver.
func newReceiver(seed uint64) *receiver {
	r := &receiver{seed: seed, paths: map[string]*mailbox{}}
	r.Server = httptest.NewServer(r)
	return r
}

// calm makes the receiver accept every event from now on.
func (r *receiver) calm() { r.quiet.Store(true) }

// open creates the mailbox of a path, and returns its URL.
func (r *receiver) open(path string, moody bool) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[path] = &mailbox{moody: moody, came: map[string]*letter{}}
	return r.URL + path
}

// trust sets the secret with which a path's signatures are checked.
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
	hungUp // accepted, but the response is cut off
)

// moodFor returns how an event is received the n-th time at a path: only the first
// may fail, so that all are accepted within some minutes.
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

// slowness is longer than a receiver may take.
const slowness = 5500 * time.Millisecond

// ServeHTTP handles a webhook.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // its sender went away
	}
	m, known := r.receive(req, body)
	if m == slow && clock.Sleep(req.Context(), slowness) == nil {
		// A sender that was frozen meanwhile may still wait for the response.
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

// receive stores a request, and returns how to respond.
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

// take records that a received letter is accepted after all.
func (r *receiver) take(req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[req.URL.Path].came[req.Header.Get("Webhook-Id")].Taken++
}

// signedBy reports whether a secret signed a body, by the rule of the
// interface (section 6), implemented here independently.
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

// receipts returns what was received, by path and event.
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
