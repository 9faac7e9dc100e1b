// Package webhooktest has endpoints that receive the service's webhooks in tests.
package webhooktest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Receiver is an endpoint that stores requests and responds with a set status.
type Receiver struct {
	*httptest.Server

	mu     sync.Mutex
	status int
	got    []Message
}

// Message is a request that was received.
type Message struct {
	http.Header
	Body []byte
}

// NewReceiver starts an endpoint, which the test closes.
func NewReceiver(t testing.TB, status int) *Receiver {
	t.Helper()
	r := &Receiver{status: status}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, Message{req.Header, body})
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, "so it is")
	}))
	t.Cleanup(r.Server.Close)
	return r
}

// Respond sets the status of the responses from now on.
func (r *Receiver) Respond(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// Messages returns the requests so far, in the order of their arrival.
func (r *Receiver) Messages() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Message{}, r.got...)
}

// signed reports whether a message's signature is valid for a secret by the interface's
// recipe, and listed by Standard Webhooks' own library.
func (m Message) signed(t testing.TB, secret string) (signed, listed bool) {
	t.Helper()
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(m.Get("X-SVC-Timestamp") + "."))
	h.Write(m.Body)
	verifier, err := standard.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	// A server may join the values of a header that occurs twice.
	signature := strings.Join(m.Values("X-SVC-Signature"), ", ")
	return signature == "sha256="+hex.EncodeToString(h.Sum(nil)), verifier.Verify(m.Body, m.Header) == nil
}

// CheckSigned checks by which secrets a message is signed, and which are listed.
func (m Message) CheckSigned(t testing.TB, secret string, signed, listed bool) {
	t.Helper()
	if s, l := m.signed(t, secret); s != signed || l != listed {
		t.Errorf("signed %t, want %t; listed %t, want %t: %v", s, signed, l, listed, m.Header)
	}
}

// Moody is a receiver that can refuse each event the first time, and counts how
// often each arrived.
type Moody struct {
	*Receiver

	refuses bool
}

// NewMoody starts an endpoint, which the test closes.
func NewMoody(t *testing.T, refuses bool) *Moody {
	m := &Moody{Receiver: NewReceiver(t, http.StatusOK), refuses: refuses}
	seen := map[string]int{}
	take := m.Config.Handler
	m.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		id := r.Header.Get("webhook-id")
		seen[id]++
		first := seen[id] == 1
		m.mu.Unlock()
		if m.refuses && first {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		take.ServeHTTP(w, r)
	})
	return m
}
