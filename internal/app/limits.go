package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/oauth"
	"missiond/internal/ratelimit"
	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/rest"
)

// LimitOptions limit callers without a credential.
type LimitOptions struct {
	AddressLimit  string        `help:"The request rate of callers without a credential, per address." default:"300/m"`
	AddressBurst  int           `help:"The burst on top of --address-limit." default:"50"`
	LimitPatience time.Duration `help:"How long a request waits for Redis before the process limits by itself." default:"40ms"`
	TrustedProxy  []string      `help:"A network of proxies, such as 10.0.0.0/8, whose X-Forwarded-For is trusted. Repeatable."`
}

// open opens the rate limiter.
func (o LimitOptions) open(b *Backend, log *slog.Logger) (*gateway.Limits, error) {
	address, err := mission.ParseRate(o.AddressLimit)
	if err != nil {
		return nil, fmt.Errorf("--address-limit: %w", err)
	}
	if o.LimitPatience <= 0 {
		return nil, errors.New("--limit-patience must be more than 0")
	}
	address.Burst = max(0, o.AddressBurst)
	var proxies []netip.Prefix
	for _, text := range o.TrustedProxy {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxy: %w", err)
		}
		proxies = append(proxies, p.Masked())
	}
	client := newRedis(ratelimit.Client(*b.redisOptions, o.LimitPatience))
	b.closers = append(b.closers, client.Close)
	limiter := ratelimit.New(client, o.LimitPatience, time.Now, log, b.Metrics)
	return gateway.NewLimits(gateway.LimitsOptions{Limiter: limiter, Address: address, Proxies: proxies, Now: time.Now}), nil
}

// charged are the routes beside the APIs that are charged to the address's limit:
// their responses are large.
var charged = append([]string{"GET /graphql/schema.graphql"}, rest.Public...)

// limited limits the routes beside the APIs by address; the APIs, the review page and tracked links limit
// themselves.
// Pages and /healthz only show the limit, charged routes and unknown paths count,
// and /readyz has a limit of its own.
func limited(l *gateway.Limits, mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := rest.Route(mux, r)
		httpserver.SetRoute(r.Context(), pattern)
		switch {
		case httpserver.IsPreflight(r):
			l.Peek(w, r)
		case pattern == "/v1/", pattern == "POST /graphql", pattern == "GET /graphql", pattern == missions.ReviewPath, pattern == missions.LinkPath:
		case pattern == "GET /readyz": // other requests from the same address must not make it fail
			if err := l.ChargeProbe(w, r); err != nil {
				rest.WriteError(w, r, err)
				return
			}
		case pattern == "", slices.Contains(charged, pattern), slices.Contains(consentPatterns, pattern), slices.Contains(oauth.Patterns, pattern), slices.Contains(metaPatterns, pattern):
			if err := l.Charge(w, r, mission.Principal{}, ""); err != nil {
				refuse(w, r, err)
				return
			}
			if pattern == "" && shows(r) {
				refuse(w, r, &mission.Error{Code: mission.CodeNotFound, Message: "There is no such page."})
				return
			}
		default:
			l.Peek(w, r)
		}
		h.ServeHTTP(w, r)
	})
}
