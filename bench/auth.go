package main

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"missiond/bench/limit"
	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/app"
	"missiond/internal/clock"
	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/ratelimit"
	"missiond/internal/seal"
	"missiond/mission"
	"missiond/store"
)

// The processes with REST's interface, with the limits and the authentication of
// missiond serve, or open.
const (
	apiLimited = "api-limited"
	apiOpen    = "api-open"
)

// auth is what the rate limiter and authentication add to a request: REST's
// interface in a process of this program, with them and without.
func (b *bench) auth(ctx context.Context) ([]report.Row, error) {
	limited, err := b.startSelf(ctx, apiLimited)
	if err != nil {
		return nil, err
	}
	open, err := b.startSelf(ctx, apiOpen)
	if err != nil {
		return nil, err
	}
	a, l := side{proc: limited}, side{proc: open}
	for _, t := range b.readers {
		ids, err := b.sample(ctx, t, sampled)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			a.requests = append(a.requests, load.Request("GET", limited.Addr, "/v1/missions/"+id, "", bearer(t)))
			// The open one is told the tenant, in the place of a key.
			l.requests = append(l.requests, load.Request("GET", open.Addr, "/v1/missions/"+id, "", bearer(tenant{Key: t.ID})))
		}
	}
	return b.reading(ctx, "Limiter and authentication: read one; the limit: the same without them", report.AtLeast(0.9), a, l)
}

// serveAPI is the process of a kind, on a database.
func serveAPI(ctx context.Context, kind, addr, databaseURL string) error {
	log := slog.Default()
	db, err := store.OpenPostgres(databaseURL, store.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	secrets, err := seal.Parse(os.Getenv("BENCH_SECRET_KEYS"))
	if err != nil {
		return err
	}
	c := app.Config{Backend: &app.Backend{DB: db, Clock: clock.Real()}, Log: log, Secrets: secrets, Limits: limitsOf(anybody{})}
	if kind == apiOpen {
		c.Auth = anybody{}
	} else {
		redisOptions, err := redis.ParseURL(os.Getenv("BENCH_REDIS_URL"))
		if err != nil {
			return err
		}
		const waited = 40 * time.Millisecond // missiond's own
		client := redis.NewUniversalClient(ratelimit.Client(redis.UniversalOptions{Addrs: []string{redisOptions.Addr}, PoolSize: 48}, waited))
		defer func() { _ = client.Close() }()
		c.Limits = limitsOf(ratelimit.New(client, waited, time.Now, log, prometheus.NewRegistry()))
	}
	return limit.Listen(ctx, addr, httpserver.New(app.New(c).Handler(app.Pages{}), log))
}

func limitsOf(l gateway.Limiter) *gateway.Limits {
	return gateway.NewLimits(gateway.LimitsOptions{Limiter: l, Address: mission.Rate{Limit: 1000, Per: time.Minute}, Now: time.Now})
}

// anybody lets everybody in: whoever names a tenant is its admin.
type anybody struct{}

func (anybody) Authenticate(_ context.Context, tenantID string) (mission.Principal, error) {
	return mission.Principal{TenantID: tenantID, Scopes: []mission.Scope{mission.ScopeAdmin}, Plan: mission.PlanEnterprise}, nil
}

func (anybody) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, bucket := range buckets {
		verdicts[i] = ratelimit.Verdict{OK: true, Remaining: bucket.Rate.Limit}
	}
	return verdicts
}
