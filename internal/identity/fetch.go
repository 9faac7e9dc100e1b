package identity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/MicahParks/jwkset"
	"golang.org/x/time/rate"

	"missiond/internal/outbound"
)

// Limits of a fetch of keys.
const (
	fetchLimit        = 5 * time.Second
	maxProviderBody   = 256 << 10
	maxProviderHeader = 16 << 10
)

// fetched returns a storage of keys that are fetched from an address into known.
func fetched(ctx context.Context, rules outbound.Rules, address string, known jwkset.Storage, now func() time.Time, log *slog.Logger) (jwkset.Storage, error) {
	client := NewClient(rules, fetchLimit)
	client.Transport = &spaced{now: now, next: client.Transport, log: log}
	remote, err := jwkset.NewStorageFromHTTP(address, jwkset.HTTPClientStorageOptions{
		Client: client, Ctx: ctx, HTTPTimeout: fetchLimit, RefreshInterval: refreshEvery, Storage: known,
		NoErrorReturnFirstHTTPReq: true,
		RefreshErrorHandler: func(_ context.Context, err error) {
			if !errors.Is(err, errTooSoon) && ctx.Err() == nil {
				log.Warn("identity: fetch the provider's keys", "url", address, "error", err)
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	// The transport spaces the fetches; an unknown key always causes one.
	return jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs: map[string]jwkset.Storage{address: remote}, RefreshUnknownKID: rate.NewLimiter(rate.Inf, 1),
	})
}

// NewClient returns a client for calls to the provider, each of which takes at most
// limit.
func NewClient(rules outbound.Rules, limit time.Duration) *http.Client {
	return rules.Trusted(outbound.Options{Call: limit, Connect: fetchLimit, Wait: limit, Header: maxProviderHeader, Body: maxProviderBody})
}

// errTooSoon is the error for a fetch that isn't made.
var errTooSoon = errors.New("identity: the keys were fetched a moment ago")

// spaced lets requests through that are at least fetchSpacing apart, and leaves out of
// responses the keys that are malformed.
type spaced struct {
	now  func() time.Time
	next http.RoundTripper
	log  *slog.Logger

	mu   sync.Mutex
	last time.Time
}

// RoundTrip sends a request. Errors: errTooSoon.
func (s *spaced) RoundTrip(r *http.Request) (*http.Response, error) {
	if !s.take() {
		return nil, errTooSoon
	}
	resp, err := s.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	sound, malformed := soundKeys(text)
	if malformed > 0 {
		s.log.Warn("identity: keys of the provider are malformed", "url", r.URL.String(), "keys", malformed)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(sound)), int64(len(sound))
	return resp, nil
}

// soundKeys returns a set of keys without those that can't be read, which don't count (RFC
// 7517, section 5), and their number. What isn't a set is returned as it is.
func soundKeys(text []byte) (sound []byte, malformed int) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if json.Unmarshal(text, &set) != nil {
		return text, 0
	}
	n := len(set.Keys)
	set.Keys = slices.DeleteFunc(set.Keys, func(key json.RawMessage) bool {
		var m jwkset.JWKMarshal
		if json.Unmarshal(key, &m) != nil || m.KTY == "" {
			return true
		}
		_, err := jwkset.NewJWKFromMarshal(m, jwkset.JWKMarshalOptions{Private: true}, jwkset.JWKValidateOptions{})
		return err != nil && !errors.Is(err, jwkset.ErrUnsupportedKey)
	})
	if len(set.Keys) == n {
		return text, 0
	}
	if sound, err := json.Marshal(set); err == nil {
		return sound, n - len(set.Keys)
	}
	return text, 0
}

func (s *spaced) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if !s.last.IsZero() && now.Sub(s.last) < fetchSpacing {
		return false
	}
	s.last = now
	return true
}

// retainedKeys retains the known keys if a response has none: an error page may be JSON
// too.
type retainedKeys struct{ *jwkset.MemoryJWKSet }

// KeyReplaceAll replaces the keys. Errors: if the set is empty.
func (k *retainedKeys) KeyReplaceAll(ctx context.Context, given []jwkset.JWK) error {
	if len(given) == 0 {
		return errors.New("identity: the response has no keys")
	}
	return k.MemoryJWKSet.KeyReplaceAll(ctx, given)
}
