package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/ratelimit"
	"missiond/mission"
	"missiond/rest"
)

// limitFlags hold callers without a credential to their limits.
type limitFlags struct {
	AddressLimit  string        `help:"How much callers without a credential may ask for, by address." default:"300/m"`
	AddressBurst  int           `help:"How much more they may at once." default:"50"`
	LimitPatience time.Duration `help:"How long a request waits for Redis before the process limits by itself." default:"40ms"`
	TrustedProxy  []string      `help:"A proxy, as in 10.0.0.0/8, whose X-Forwarded-For is believed. May stand several times."`
}

// openLimits makes ready what holds callers to their limits.
func (a *app) openLimits(f limitFlags) error {
	address, err := mission.ParseRate(f.AddressLimit)
	if err != nil {
		return fmt.Errorf("--address-limit: %w", err)
	}
	if f.LimitPatience <= 0 {
		return errors.New("--limit-patience must be more than 0")
	}
	address.Burst = max(0, f.AddressBurst)
	var proxies []netip.Prefix
	for _, text := range f.TrustedProxy {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("--trusted-proxy: %w", err)
		}
		proxies = append(proxies, p.Masked())
	}
	client := newRedis(ratelimit.Client(*a.redisOptions, f.LimitPatience))
	a.closers = append(a.closers, client.Close)
	limiter := ratelimit.New(client, f.LimitPatience, time.Now, a.log, a.registry)
	a.limits = httpserver.NewLimits(httpserver.LimitsOptions{Limiter: limiter, Address: address, Proxies: proxies, Now: time.Now})
	return nil
}

// charged are the paths beside the APIs that count, as what asks the database
// does: they are large.
var charged = []string{"GET /graphql/schema.graphql", "GET /v1/openapi.json", "GET /v1/openapi.yaml"}

// limited holds what isn't one of the APIs, which do it themselves, to its
// address's limit: pages and /healthz only show it, what is charged and what isn't
// there count, and /readyz counts for itself.
func limited(l *httpserver.Limits, mux *http.ServeMux) http.Handler {
	root := rest.Root(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch _, pattern := mux.Handler(r); {
		case httpserver.IsPreflight(r):
			l.Peek(w, r)
		case pattern == "/v1/", pattern == "POST /graphql", pattern == "GET /graphql":
		case pattern == "GET /readyz": // many who ask for other things don't have it say no
			if err := l.ChargeProbe(w, r); err != nil {
				rest.WriteError(w, r, err)
				return
			}
		case pattern == "", slices.Contains(charged, pattern), slices.Contains(consentPatterns, pattern):
			if err := l.Charge(w, r, mission.Principal{}, ""); err != nil {
				rest.WriteError(w, r, err)
				return
			}
		default:
			l.Peek(w, r)
		}
		root.ServeHTTP(w, r)
	})
}
