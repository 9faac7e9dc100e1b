package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/MicahParks/jwkset"
	"golang.org/x/time/rate"
)

// Limits of a fetch of keys.
const (
	fetchLimit     = 5 * time.Second
	maxKeysBody    = 256 << 10
	maxKeysHeaders = 16 << 10
)

// fetched returns a storage of keys that are fetched from an address into known.
func fetched(ctx context.Context, address string, known jwkset.Storage, now func() time.Time, log *slog.Logger) (jwkset.Storage, error) {
	client := &http.Client{
		Timeout:       fetchLimit,
		Transport:     &spaced{now: now, next: Transport()},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
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

// Transport returns a transport for calls to the provider, with limits of time and of
// headers.
func Transport() *http.Transport {
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: fetchLimit, ForceAttemptHTTP2: true,
		ResponseHeaderTimeout: fetchLimit, MaxResponseHeaderBytes: maxKeysHeaders, DisableKeepAlives: true,
	}
}

// errTooSoon is the error for a fetch that isn't made.
var errTooSoon = errors.New("identity: the keys were fetched a moment ago")

// spaced lets requests through that are at least fetchSpacing apart, and cuts
// responses that are too long.
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
	resp, err := s.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxKeysBody), resp.Body}
	return resp, nil
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
