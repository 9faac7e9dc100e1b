package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"missiond/internal/clock"
	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Bring the schema up to date."`
	Status migrateStatus `cmd:"" help:"List the schema's versions."`
}

type migrateUp struct{ databaseFlags }

// Run is missiond migrate up.
func (c migrateUp) Run(ctx context.Context) error {
	return c.with(func(db *store.DB) error {
		if err := db.Migrate(ctx); err != nil {
			return err
		}
		return printMigrations(ctx, db)
	})
}

type migrateStatus struct{ databaseFlags }

// Run is missiond migrate status.
func (c migrateStatus) Run(ctx context.Context) error {
	return c.with(func(db *store.DB) error { return printMigrations(ctx, db) })
}

// with opens the flags' database for fn.
func (f databaseFlags) with(fn func(db *store.DB) error) (err error) {
	db, err := f.open(store.LedgerTiming{})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
	}()
	return fn(db)
}

func printMigrations(ctx context.Context, db *store.DB) error {
	list, err := db.Migrations(ctx)
	if err != nil {
		return err
	}
	for _, m := range list {
		state := "pending"
		if m.AppliedAt != nil {
			state = "applied " + m.AppliedAt.UTC().Format(time.RFC3339)
		}
		fmt.Printf("%05d  %-30s  %s\n", m.Version, m.Name, state)
	}
	return nil
}

type tenantCommand struct {
	Create tenantCreate `cmd:"" help:"Make a tenant with an admin and its API key, which is shown this once."`
	List   tenantList   `cmd:"" help:"List the tenants, newest first."`
}

type tenantCreate struct {
	databaseFlags
	Name  string            `help:"The tenant's name." required:""`
	Plan  string            `help:"Its plan: free, pro or enterprise." enum:"free,pro,enterprise" default:"free"`
	Limit map[string]string `help:"Override a limit: missions.create=1000/h, requests=5000/m, burst=500. May stand several times."`
}

// Run is missiond tenant create.
func (c tenantCreate) Run(ctx context.Context) error {
	if err := mission.Limits(c.Limit).Check(); err != nil {
		return fmt.Errorf("--limit: %w", err)
	}
	return c.with(func(db *store.DB) error {
		if err := db.Migrate(ctx); err != nil {
			return err
		}
		t, key, err := service.NewAccounts(db, service.AccountsOptions{Clock: clock.Real(), Real: clock.Real()}).CreateTenant(ctx, service.NewTenant{
			Name: c.Name, Plan: mission.TenantPlan(c.Plan), Limits: c.Limit,
		})
		if err != nil {
			return err
		}
		return printJSON(map[string]string{"tenant_id": t.ID, "slug": t.Slug, "plan": string(t.Plan), "api_key": key})
	})
}

type tenantList struct{ databaseFlags }

// tenantPage is how many tenants are read at once.
const tenantPage = 100

// Run is missiond tenant list: a JSON object a line.
func (c tenantList) Run(ctx context.Context) error {
	return c.with(func(db *store.DB) error {
		after := ""
		for {
			tenants, err := db.Tenants(ctx, after, tenantPage)
			if err != nil || len(tenants) == 0 {
				return err
			}
			for _, t := range tenants {
				line := map[string]string{
					"tenant_id": t.ID, "name": t.Name, "slug": t.Slug, "plan": string(t.Plan),
					"created_at": t.CreatedAt.Format(time.RFC3339),
				}
				if err := printJSON(line); err != nil {
					return err
				}
			}
			after = tenants[len(tenants)-1].ID
		}
	})
}

func printJSON(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }
