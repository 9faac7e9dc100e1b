package devenv

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// StartPath is where a start page exchanges its token.
const StartPath = "/start"

// Start hands the demo's key out once, to who has the token that the development
// run printed: pages are read by every user of the machine, and have no key in
// them.
type Start struct {
	env Env

	mu    sync.Mutex
	token string // "" once it was used
}

// NewStart returns a Start with a token of its own.
func NewStart(env Env) *Start { return &Start{env: env, token: rand.Text()} }

// Address is the start page's with the token in its fragment, which browsers send
// to nobody.
func (s *Start) Address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.env.URL + "/#start=" + s.token
}

// maxToken bounds what is read of a request.
const maxToken = 64

// ServeHTTP answers the key to the first request whose body is the token.
func (s *Start) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given, err := io.ReadAll(io.LimitReader(r.Body, maxToken+1))
	w.Header().Set("Cache-Control", "no-store")
	if err != nil || !s.take(string(given)) {
		http.Error(w, "This token was used before, or is of an earlier start.", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"api_key": s.env.APIKey}) // the caller is gone where this fails
}

// take reports whether a token is the one, which is used up then.
func (s *Start) take(given string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.token))
	if s.token == "" || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return false
	}
	s.token = ""
	return true
}
