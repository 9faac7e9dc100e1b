package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"missiond/bench/seed"
	"missiond/internal/app"
	"missiond/internal/clock"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/mission"
	"missiond/store"
)

// What tenants have. Nobody listens at the endpoints: a case that delivers to
// them redirects them.
const (
	postsEach       = 10
	writerEndpoints = 3
	runners         = 20
)

// tenant is a tenant and its admin's key.
type tenant struct{ ID, Key string }

func bearer(t tenant) string { return "Authorization: Bearer " + t.Key }

func idsOf(tenants []tenant) []string {
	ids := make([]string, len(tenants))
	for i, t := range tenants {
		ids[i] = t.ID
	}
	return ids
}

// endless are limits that nobody comes near.
var endless = mission.Limits{
	mission.LimitRequests: "999999999/m", mission.LimitBurst: "100000",
	string(mission.OpMissionsCreate): "999999999/h",
}

// group are tenants that are made alike: as many as n, with so many endpoints for all
// events each.
type group struct {
	list         *[]tenant
	name         string
	n, endpoints int
}

// makeTenants makes groups of tenants, with a key each, as the service does.
func (b *bench) makeTenants(ctx context.Context, groups ...group) error {
	secrets, err := seal.Parse(b.secretKeys)
	if err != nil {
		return err
	}
	db, err := store.OpenPostgres(b.url(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	service := app.New(app.Config{Backend: &app.Backend{DB: db, Clock: clock.Real()}, Secrets: secrets, Rules: local})
	for _, g := range groups {
		for i := range g.n {
			in := accounts.NewTenant{Name: fmt.Sprintf("%s %d", g.name, i+1), Plan: mission.PlanEnterprise, Limits: endless}
			t, key, err := service.Accounts.CreateTenant(ctx, in)
			if err != nil {
				return err
			}
			*g.list = append(*g.list, tenant{ID: t.ID, Key: key})
			for k := range g.endpoints {
				in := mission.WebhookInput{URL: fmt.Sprintf("http://127.0.0.1:9/%d", k+1), Events: mission.AllEventTypes()}
				if _, _, err := service.Webhooks.Create(ctx, mission.Principal{TenantID: t.ID}, in); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// seedAll brings an empty database to what the cases are run on.
func (b *bench) seedAll(ctx context.Context) error {
	started := time.Now()
	b.say("seeding %d missions in %d tenants", b.missions, b.tenants)
	err := b.makeTenants(ctx, group{&b.readers, "Reader", b.tenants, 0}, group{&b.writers, "Writer", b.tenants, writerEndpoints},
		group{&b.runners, "Runner", runners, 0}, group{&b.one, "One", 1, 1}, group{&b.hundred, "Hundred", hundred / perTenant, perTenant})
	if err != nil {
		return err
	}
	missions := map[string]int{}
	for i, t := range b.readers {
		missions[t.ID] = b.missions*(i+1)/b.tenants - b.missions*i/b.tenants
	}
	if err := seed.Fill(ctx, b.url(), missions, postsEach); err != nil {
		return err
	}
	b.say("seeded in %.0f s", time.Since(started).Seconds())
	return nil
}

// clean removes what cases left with all but the reading tenants, and its tasks.
func (b *bench) clean(ctx context.Context) error {
	_, err := b.db.Exec(ctx, "DELETE FROM tasks WHERE "+taskRange)
	return errors.Join(err, b.cleanTenants(ctx, slices.Concat(b.writers, b.runners, b.one, b.hundred)))
}

func (b *bench) cleanTenants(ctx context.Context, tenants []tenant) error {
	for _, statement := range []string{
		"DELETE FROM sandbox_posts WHERE content_id IN (SELECT id FROM contents WHERE tenant_id = ANY($1))",
		"DELETE FROM deliveries WHERE tenant_id = ANY($1)",
		"DELETE FROM events WHERE tenant_id = ANY($1)",
		"DELETE FROM tasks WHERE tenant_id = ANY($1)",
		"DELETE FROM missions WHERE tenant_id = ANY($1)",
		"DELETE FROM media WHERE tenant_id = ANY($1)",
		"DELETE FROM integrations WHERE tenant_id = ANY($1)",
		"DELETE FROM mission_totals WHERE tenant_id = ANY($1)",
		"DELETE FROM content_totals WHERE tenant_id = ANY($1)",
		"DELETE FROM day_figures WHERE tenant_id = ANY($1)",
		"DELETE FROM counters WHERE tenant_id = ANY($1) AND (name LIKE 'event%' OR name LIKE 'deliveries:%')",
	} {
		if _, err := b.db.Exec(ctx, statement, idsOf(tenants)); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}
