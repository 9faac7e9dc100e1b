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

// Start hands out the demo's key once, to whoever has the token that the
// development run printed: any user of the machine can read pages, so they contain
// no key.
type Start struct {
	env Env

	mu    sync.Mutex
	token string // "" once it was used
}

// NewStart returns a Start with a new token.
func NewStart(env Env) *Start { return &Start{env: env, token: rand.Text()} }

// Address returns the start page's address with the token in its fragment, which
// browsers don't send.
func (s *Start) Address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.env.URL + "/developers#start=" + s.token
}

// maxToken is how much of a request is read, in bytes.
const maxToken = 64

// ServeHTTP responds with the key to the first request whose body is the token.
func (s *Start) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given, err := io.ReadAll(io.LimitReader(r.Body, maxToken+1))
	w.Header().Set("Cache-Control", "no-store")
	if err != nil || !s.take(string(given)) {
		http.Error(w, "This token was already used, or belongs to an earlier start.", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"api_key": s.env.APIKey}) // fails only if the caller is gone
}

// take reports whether given is the token, and uses it up.
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
