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

// auth is what the rate limiter and authentication add to a request: REST's
// interface in a process of this program, with them and without.
func (b *bench) auth(ctx context.Context) ([]report.Row, error) {
	var sides []side
	for _, mode := range []string{"limited", "open"} {
		p, err := newProcess("api-" + mode)
		if err != nil {
			return nil, err
		}
		env := []string{"BENCH_SECRET_KEYS=" + b.kept.SecretKeys, "BENCH_REDIS_URL=" + b.redis.URL()}
		if err := b.start(ctx, p, listens(p.Addr), b.self, env, "api", mode, p.Addr, b.url()); err != nil {
			return nil, err
		}
		s := side{proc: p}
		for _, t := range b.kept.Readers {
			ids, err := b.sample(ctx, t)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				// The open one is told the tenant, in the place of a key.
				credential := map[string]string{"limited": t.Key, "open": t.ID}[mode]
				s.requests = append(s.requests, load.Request("GET", p.Addr, "/v1/missions/"+id, "", "Authorization: Bearer "+credential))
			}
		}
		sides = append(sides, s)
	}
	return b.reading(ctx, "Limiter and authentication", "read one; the limit: the same without them", report.AtLeast(0.9), sides[0], sides[1])
}

// serveAPI is the process: REST's interface on a database, with the limits and the
// authentication of missiond serve, or open.
func serveAPI(ctx context.Context, mode, addr, databaseURL string) error {
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
	if mode == "open" {
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
