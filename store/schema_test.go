package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/store"
)

// versioned opens the databases of both dialects for a version of the program, raw.
func versioned(t *testing.T, test func(t *testing.T, open func(program string) *store.DB, raw *sql.DB)) {
	t.Helper()
	t.Parallel()
	path, url := filepath.Join(t.TempDir(), "m.db"), testkit.PostgresURL(t)
	for driver, open := range map[string]func(o store.Options) (*store.DB, error){
		"sqlite": func(o store.Options) (*store.DB, error) { return store.OpenSQLite(path, o) },
		"pgx":    func(o store.Options) (*store.DB, error) { return store.OpenPostgres(url, o) },
	} {
		t.Run(driver, func(t *testing.T) {
			raw, err := sql.Open(driver, map[string]string{"sqlite": path, "pgx": url}[driver])
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			test(t, func(program string) *store.DB {
				db, err := open(store.Options{Program: program})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = db.Close() })
				return db
			}, raw)
		})
	}
}

// Only Migrate changes a raw database: to look at it and to refuse it creates nothing.
func TestRawDatabaseStaysRaw(t *testing.T) {
	versioned(t, func(t *testing.T, open func(string) *store.DB, raw *sql.DB) {
		db := open("v1")
		if err := db.Migrated(ctx); err == nil || !strings.Contains(err.Error(), "no schema yet: run missiond migrate up") {
			t.Errorf("a raw database is refused with %v", err)
		}
		list, err := db.Migrations(ctx)
		if err != nil || len(list) == 0 || list[0].AppliedAt != nil {
			t.Errorf("the migrations of a raw database are %+v, %v", list, err)
		}
		for _, m := range list {
			if m.Name == "" {
				t.Errorf("migration %d has no name", m.Version)
			}
		}
		if v, err := store.SchemaVersion(); err != nil || v != list[len(list)-1].Version {
			t.Errorf("the program knows version %d, %v, want %d", v, err, list[len(list)-1].Version)
		}
		for _, table := range []string{"goose_db_version", "settings", "schema_floor"} {
			if _, err := raw.ExecContext(ctx, "SELECT 1 FROM "+table); err == nil {
				t.Errorf("the raw database has a table %s", table)
			}
		}
	})
}

// A schema that is newer than the program is refused, by whoever wants to use or migrate
// it, unless its floor says that the program may run on it.
func TestNewerSchema(t *testing.T) {
	testkit.SkipIfShort(t)
	versioned(t, func(t *testing.T, open func(string) *store.DB, raw *sql.DB) {
		db := open("v1.2.0")
		exec := func(statement string) {
			t.Helper()
			if _, err := raw.ExecContext(ctx, statement); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		var floor int64
		var by string
		if err := raw.QueryRowContext(ctx, "SELECT version, migrated_by FROM schema_floor").Scan(&floor, &by); err != nil || by != "v1.2.0" {
			t.Errorf("the floor is %d by %q, %v; want that of v1.2.0", floor, by, err)
		}
		exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9998, true), (9999, true)")
		exec("UPDATE schema_floor SET version = 9998, migrated_by = 'v2.0.0'")
		for what, err := range map[string]error{"to be used": db.Migrated(ctx), "to be migrated": db.Migrate(ctx)} {
			for _, says := range []string{"version 9999", "missiond v1.2.0", "version 9998", "run missiond v2.0.0"} {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("a newer schema %s is refused with %v, want %q", what, err, says)
				}
			}
		}
		list, err := db.Migrations(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if m := list[len(list)-1]; m.Version != 9999 || m.Name != "" || m.AppliedAt == nil || !m.Compatible {
			t.Errorf("the newest version is listed as %+v", m)
		}
		if m := list[len(list)-2]; m.Version != 9998 || m.Compatible {
			t.Errorf("the version of the floor is listed as %+v", m)
		}

		exec("UPDATE schema_floor SET version = 21")
		for what, err := range map[string]error{"used": db.Migrated(ctx), "migrated": db.Migrate(ctx)} {
			if err != nil {
				t.Errorf("a compatible schema can't be %s: %v", what, err)
			}
		}
		if err := raw.QueryRowContext(ctx, "SELECT migrated_by FROM schema_floor").Scan(&by); err != nil || by != "v2.0.0" {
			t.Errorf("an older program recorded itself: %q, %v", by, err)
		}

		exec("DELETE FROM goose_db_version WHERE version_id = 20 OR version_id > 21")
		if err := db.Migrated(ctx); err == nil || !strings.Contains(err.Error(), "older than this program (missiond v1.2.0") {
			t.Errorf("a schema without a migration is refused with %v", err)
		}
	})
}

// A rolling migration is one that the running programs go on with, or the first.
func TestRolling(t *testing.T) {
	testkit.SkipIfShort(t)
	versioned(t, func(t *testing.T, open func(string) *store.DB, raw *sql.DB) {
		db := open("v1")
		if err := db.Rolling(ctx); err != nil {
			t.Errorf("the first migration is refused: %v", err)
		}
		if err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		if err := db.Rolling(ctx); err != nil {
			t.Errorf("without pending migrations: %v", err)
		}
		forget := func(version int) {
			t.Helper()
			if _, err := raw.ExecContext(ctx, fmt.Sprintf("DELETE FROM goose_db_version WHERE version_id = %d", version)); err != nil {
				t.Fatal(err)
			}
		}
		forget(33)
		if err := db.Rolling(ctx); err != nil {
			t.Errorf("a compatible migration is refused: %v", err)
		}
		forget(34)
		if err := db.Rolling(ctx); err == nil || !strings.Contains(err.Error(), "migration 34 (00034_task_traces.sql) isn't compatible") {
			t.Errorf("a migration that isn't compatible is refused with %v", err)
		}
	})
}
