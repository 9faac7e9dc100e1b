package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"missiond/internal/app"
	"missiond/internal/clock"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/mission"
	"missiond/store"
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

// makeTenants makes tenants with a key each, as the service does, and as many
// endpoints for all events as endpoints says of the i-th.
func (b *bench) makeTenants(ctx context.Context, db *store.DB, name string, n int, endpoints func(i int) int) ([]tenant, error) {
	secrets, err := seal.Parse(b.kept.SecretKeys)
	if err != nil {
		return nil, err
	}
	service := app.New(app.Config{Backend: &app.Backend{DB: db, Clock: clock.Real()}, Secrets: secrets, Rules: local})
	var list []tenant
	for i := range n {
		t, key, err := service.Accounts.CreateTenant(ctx, accounts.NewTenant{Name: fmt.Sprintf("%s %d", name, i+1), Plan: mission.PlanEnterprise, Limits: endless})
		if err != nil {
			return nil, err
		}
		list = append(list, tenant{ID: t.ID, Key: key})
		for k := range endpoints(i) {
			in := mission.WebhookInput{URL: fmt.Sprintf("http://127.0.0.1:9/%d", k+1), Events: mission.AllEventTypes()}
			if _, _, err := service.Webhooks.Create(ctx, mission.Principal{TenantID: t.ID}, in); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// clean removes what cases left with all but the reading tenants, and its tasks.
func (b *bench) clean(ctx context.Context) error {
	_, err := b.db.Exec(ctx, "DELETE FROM tasks WHERE "+taskRange)
	return errors.Join(err, b.cleanTenants(ctx, idsOf(slices.Concat(b.kept.Writers, b.kept.Runners, b.kept.Hooked))))
}

func (b *bench) cleanTenants(ctx context.Context, ids []string) error {
	for _, statement := range []string{
		"DELETE FROM sandbox_posts WHERE content_id IN (SELECT id FROM contents WHERE tenant_id = ANY($1))",
		"DELETE FROM deliveries WHERE tenant_id = ANY($1)",
		"DELETE FROM events WHERE tenant_id = ANY($1)",
		"DELETE FROM tasks WHERE tenant_id = ANY($1)",
		"DELETE FROM missions WHERE tenant_id = ANY($1)",
		"DELETE FROM mission_totals WHERE tenant_id = ANY($1)",
		"DELETE FROM content_totals WHERE tenant_id = ANY($1)",
		"DELETE FROM day_figures WHERE tenant_id = ANY($1)",
		"DELETE FROM counters WHERE tenant_id = ANY($1) AND (name LIKE 'event%' OR name LIKE 'deliveries:%')",
	} {
		if _, err := b.db.Exec(ctx, statement, ids); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// cleanRunners removes what the runners have.
func (b *bench) cleanRunners(ctx context.Context) error {
	return b.cleanTenants(ctx, idsOf(b.kept.Runners))
}
