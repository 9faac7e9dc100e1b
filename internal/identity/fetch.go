package identity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
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
	client.Transport = &spaced{now: now, next: client.Transport}
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

// spaced lets requests through that are at least fetchSpacing apart.
type spaced struct {
	now  func() time.Time
	next http.RoundTripper

	mu   sync.Mutex
	last time.Time
}

// RoundTrip sends a request. Errors: errTooSoon.
func (s *spaced) RoundTrip(r *http.Request) (*http.Response, error) {
	if !s.take() {
		return nil, errTooSoon
	}
	return s.next.RoundTrip(r)
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

// keptKeys keeps the known keys if a response has none: an error page may be JSON
// too.
type keptKeys struct{ *jwkset.MemoryJWKSet }

// KeyReplaceAll replaces the keys. Errors: if the set is empty.
func (k *keptKeys) KeyReplaceAll(ctx context.Context, given []jwkset.JWK) error {
	if len(given) == 0 {
		return errors.New("identity: the response has no keys")
	}
	return k.MemoryJWKSet.KeyReplaceAll(ctx, given)
}
