package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"missiond/internal/app"
	"missiond/internal/clock"
	"missiond/internal/seal"
	"missiond/store"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Migrate the schema to the latest version."`
	Status migrateStatus `cmd:"" help:"List the schema's versions, those that this program doesn't know too, and which the version before runs on."`
}

type migrateUp struct {
	databaseCommand
	Rolling bool `help:"Refuse a migration that isn't compatible with the programs that run on the schema as it is: for upgrades while they run."`
}

// Run is missiond migrate up.
func (c migrateUp) Run(ctx context.Context) error {
	return c.open(func(db *store.DB) error {
		if c.Rolling {
			if err := db.Rolling(ctx); err != nil {
				return err
			}
		}
		if err := db.Migrate(ctx); err != nil {
			return err
		}
		return printMigrations(ctx, db)
	})
}

type migrateStatus struct{ databaseCommand }

// Run is missiond migrate status.
func (c migrateStatus) Run(ctx context.Context) error {
	return c.open(func(db *store.DB) error { return printMigrations(ctx, db) })
}

// databaseCommand is a command that needs a database only.
type databaseCommand struct{ app.DatabaseOptions }

// with calls fn with the flags' database, which must be migrated, and closes it.
func (c databaseCommand) with(ctx context.Context, fn func(db *store.DB) error) error {
	return c.open(func(db *store.DB) error {
		if err := db.Migrated(ctx); err != nil {
			return err
		}
		return fn(db)
	})
}

// open calls fn with the flags' database, whatever its schema, and closes it.
func (c databaseCommand) open(fn func(db *store.DB) error) (err error) {
	db, err := c.Open(versionText())
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

// partsOn returns the service's parts on a database, for a command.
func partsOn(db *store.DB, at clock.Clock, secrets *seal.Keyring) *app.App {
	return app.New(app.Config{Backend: &app.Backend{DB: db, Clock: at}, Secrets: secrets})
}

func printMigrations(ctx context.Context, db *store.DB) error {
	list, err := db.Migrations(ctx)
	if err != nil {
		return err
	}
	for _, m := range list {
		name, state, compatible := m.Name, "pending", ""
		if name == "" {
			name = "(unknown to this program)"
		}
		if m.AppliedAt != nil {
			state = "applied " + m.AppliedAt.UTC().Format(time.RFC3339)
		}
		if m.Compatible {
			compatible = "  the version before runs on it"
		}
		fmt.Printf("%05d  %-35s  %s%s\n", m.Version, name, state, compatible)
	}
	return nil
}

func printJSON(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }
