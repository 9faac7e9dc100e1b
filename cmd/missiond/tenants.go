package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"missiond/internal/clock"
	"missiond/internal/jsonwire"
	"missiond/internal/service/accounts"
	"missiond/mission"
	"missiond/store"
)

type tenantCommand struct {
	Create  tenantCreate  `cmd:"" help:"Create a tenant with an admin and an API key, which is shown only this once."`
	List    tenantList    `cmd:"" help:"List the tenants, newest first."`
	Delete  tenantDelete  `cmd:"" help:"Delete a tenant with all its data: its missions stop at once, and workers remove it after 14 days."`
	Restore tenantRestore `cmd:"" help:"Cancel a tenant's deletion."`
	Export  tenantExport  `cmd:"" help:"Write all of a tenant's data to standard output: one JSON object per line, without secrets."`
}

type tenantCreate struct {
	databaseCommand
	Name  string            `help:"The tenant's name." required:""`
	Plan  string            `help:"Its plan: free, pro or enterprise." enum:"free,pro,enterprise" default:"free"`
	Limit map[string]string `help:"Override a limit: missions.create=1000/h, requests=5000/m, burst=500. Repeatable."`
}

// Run is missiond tenant create.
func (c tenantCreate) Run(ctx context.Context) error {
	if err := mission.Limits(c.Limit).Check(); err != nil {
		return fmt.Errorf("--limit: %w", err)
	}
	return c.with(ctx, func(db *store.DB) error {
		t, key, err := partsOn(db, clock.Real(), nil).Accounts.CreateTenant(ctx, accounts.NewTenant{
			Name: c.Name, Plan: mission.TenantPlan(c.Plan), Limits: c.Limit,
		})
		if err != nil {
			return err
		}
		return printJSON(map[string]string{"tenant_id": t.ID, "slug": t.Slug, "plan": string(t.Plan), "api_key": key})
	})
}

type tenantList struct{ databaseCommand }

// tenantPage is how many tenants a statement reads.
const tenantPage = 100

// Run is missiond tenant list: one JSON object per line.
func (c tenantList) Run(ctx context.Context) error {
	return c.with(ctx, func(db *store.DB) error {
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

// tenantNamed has the flags of a command on one tenant.
type tenantNamed struct {
	databaseCommand
	ID string `arg:"" help:"The tenant's id, tnt_…"`
}

// with calls fn with the flags' database.
func (c tenantNamed) with(ctx context.Context, fn func(db *store.DB, a *accounts.Service) error) error {
	return c.databaseCommand.with(ctx, func(db *store.DB) error {
		at, err := commandClock(ctx, db)
		if err != nil {
			return err
		}
		return fn(db, partsOn(db, at, nil).Accounts)
	})
}

// commandClock returns the clock of a database's domain times, for commands that
// run beside its processes.
func commandClock(ctx context.Context, db *store.DB) (clock.Clock, error) {
	dev, err := db.DevClock(ctx)
	if err != nil || dev == nil {
		return clock.Real(), err
	}
	return clock.New(dev.Anchor), nil
}

type tenantDelete struct {
	tenantNamed
	Confirm string `help:"The tenant's slug, to confirm that it is the right one." required:""`
	Now     bool   `help:"Remove it without waiting 14 days: this can't be undone."`
}

// Run is missiond tenant delete.
func (c tenantDelete) Run(ctx context.Context) error {
	return c.with(ctx, func(_ *store.DB, a *accounts.Service) error {
		grace := mission.DeletionGrace
		if c.Now {
			grace = 0
		}
		t, err := a.DeleteTenantAs(ctx, c.ID, c.Confirm, grace)
		if err != nil {
			return err
		}
		return printJSON(map[string]string{"tenant_id": t.ID, "slug": t.Slug, "deletes_at": t.DeletesAt.Format(time.RFC3339)})
	})
}

type tenantRestore struct{ tenantNamed }

// Run is missiond tenant restore.
func (c tenantRestore) Run(ctx context.Context) error {
	return c.with(ctx, func(_ *store.DB, a *accounts.Service) error {
		t, err := a.RestoreTenantAs(ctx, c.ID)
		if err != nil {
			return err
		}
		return printJSON(map[string]string{"tenant_id": t.ID, "slug": t.Slug})
	})
}

type tenantExport struct{ tenantNamed }

// Run is missiond tenant export: NDJSON, which ends with the number of its rows.
func (c tenantExport) Run(ctx context.Context) error {
	return c.with(ctx, func(db *store.DB, _ *accounts.Service) error {
		if _, err := db.Tenant(ctx, c.ID); err != nil {
			return err
		}
		out, rows := bufio.NewWriter(os.Stdout), 0
		line := func(v any) error {
			if err := jsonwire.Write(out, v); err != nil {
				return err
			}
			return out.WriteByte('\n')
		}
		err := db.ExportTenant(ctx, c.ID, func(table string, row map[string]any) error {
			rows++
			return line(map[string]any{"table": table, "row": row})
		})
		if err != nil {
			return err
		}
		return errors.Join(line(map[string]any{"end": map[string]int{"rows": rows}}), out.Flush())
	})
}
