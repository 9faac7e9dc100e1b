package store_test

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/store"
)

// A value stays a value if, by the defaults of the server or the database, a
// backslash would end its string.
func TestValuesStayValues(t *testing.T) {
	t.Parallel()
	address := testkit.PostgresURL(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	if _, err := raw.ExecContext(ctx, "ALTER DATABASE "+strings.TrimPrefix(u.Path, "/")+" SET standard_conforming_strings = off"); err != nil {
		t.Fatal(err)
	}
	db, err := store.OpenPostgres(testkit.Pooled(t, address), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, db)
	hostile := `\' || (SELECT plan FROM tenants) || \'`
	tenant := f.tenant
	tenant.Name, tenant.Brand.Voice = hostile, `\`
	f.must(f.tx(func(tx store.Tx) error { return tx.SetTenant(ctx, tenant, f.entry(tenant.ID)) }))
	got, err := db.Tenant(ctx, tenant.ID)
	f.must(err)
	if got.Name != hostile || got.Brand.Voice != `\` {
		t.Errorf("the name is %q and the voice %q, want %q and a backslash", got.Name, got.Brand.Voice, hostile)
	}
}
