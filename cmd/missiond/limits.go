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

// limitFlags limit callers without a credential.
type limitFlags struct {
	AddressLimit  string        `help:"The request rate of callers without a credential, per address." default:"300/m"`
	AddressBurst  int           `help:"The burst on top of --address-limit." default:"50"`
	LimitPatience time.Duration `help:"How long a request waits for Redis before the process limits by itself." default:"40ms"`
	TrustedProxy  []string      `help:"A network of proxies, such as 10.0.0.0/8, whose X-Forwarded-For is trusted. Repeatable."`
}

// openLimits opens the rate limiter.
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

// charged are the routes beside the APIs that are charged to the address's limit:
// their responses are large.
var charged = []string{"GET /graphql/schema.graphql", "GET /v1/openapi.json", "GET /v1/openapi.yaml"}

// limited limits the routes beside the APIs by address; the APIs limit themselves.
// Pages and /healthz only show the limit, charged routes and unknown paths count,
// and /readyz has a limit of its own.
func limited(l *httpserver.Limits, mux *http.ServeMux) http.Handler {
	root := rest.Root(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch _, pattern := mux.Handler(r); {
		case httpserver.IsPreflight(r):
			l.Peek(w, r)
		case pattern == "/v1/", pattern == "POST /graphql", pattern == "GET /graphql":
		case pattern == "GET /readyz": // other requests from the same address must not make it fail
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
