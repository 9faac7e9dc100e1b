package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// odd are values of parameters that change what is read or written, were they those of the
// service's connections. kept says which of them poolers keep for each client.
var odd = []struct {
	name, value string
	kept        bool
}{
	{"DateStyle", "German", true},
	{"DateStyle", "SQL, DMY", true},
	{"TimeZone", "Pacific/Chatham", true},
	{"standard_conforming_strings", "off", true},
	{"client_encoding", "LATIN1", true},
	{"IntervalStyle", "sql_standard", false},
	{"bytea_output", "escape", false},
	{"extra_float_digits", "-15", false},
	{"default_transaction_isolation", "serializable", false},
	{"transform_null_equals", "on", false},
	{"array_nulls", "off", false},
	{"gin_fuzzy_search_limit", "1", false},
}

// Whatever the server, the database or the role say of a session's parameters, a process
// starts and reads what it has written. Behind a pooler a parameter that it can't pass on
// is refused by name.
func TestOddParameters(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	server, _ := testkit.PostgresServer(t)
	admin, err := sql.Open("pgx", server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close() })
	exec := func(statement string) {
		t.Helper()
		if _, err := admin.ExecContext(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	all := map[string]string{}
	for _, p := range odd {
		all[p.name] = p.value
	}
	n := 0
	try := func(name string, set func(database string), through bool, refused string) {
		t.Run(name, func(t *testing.T) {
			n++
			database := fmt.Sprintf("odd_%d", n)
			exec("CREATE DATABASE " + database)
			set(database)
			address := server.URL(database)
			if through {
				address, _ = testkit.PgBouncer(t, address)
			}
			writesAndReads(t, address, refused)
		})
	}
	try("of the database", func(database string) {
		for name, value := range all {
			exec(fmt.Sprintf("ALTER DATABASE %s SET %s = '%s'", database, name, value))
		}
	}, false, "")
	try("of the database, through a pooler", func(database string) {
		for _, p := range odd {
			if p.kept {
				exec(fmt.Sprintf("ALTER DATABASE %s SET %s = '%s'", database, p.name, p.value))
			}
		}
	}, true, "")
	try("of the database, which a pooler can't pass on", func(database string) {
		exec("ALTER DATABASE " + database + " SET bytea_output = 'escape'")
	}, true, "bytea_output")
	try("a path to no schema", func(database string) {
		exec("ALTER DATABASE " + database + " SET search_path = 'missing'")
	}, false, "search_path missing names no schema")
	try("of the role", func(string) {
		for name, value := range all {
			exec(fmt.Sprintf("ALTER ROLE postgres SET %s = '%s'", name, value))
		}
	}, false, "")
	exec("ALTER ROLE postgres RESET ALL")
	try("of the server", func(string) {
		for name, value := range all {
			if name != "client_encoding" { // the server's own doesn't count
				exec(fmt.Sprintf("ALTER SYSTEM SET %s = '%s'", name, value))
			}
		}
		exec("SELECT pg_reload_conf()")
	}, false, "")
}

// writesAndReads migrates a database, and writes and reads times, bytes and numbers.
func writesAndReads(t *testing.T, address, refused string) {
	t.Helper()
	db, err := store.OpenPostgres(address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	err = db.Migrate(context.Background())
	if refused != "" {
		if err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("got %v, want an error with %q", err, refused)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, db)
	at := mission.Millis(time.Date(2026, 3, 4, 5, 6, 7, 8_000_000, time.UTC))
	tenant := f.tenant
	tenant.Name, tenant.Brand.Voice, tenant.UpdatedAt = `äö \ '`, `\`, at
	f.must(f.tx(func(tx store.Tx) error { return tx.SetTenant(ctx, tenant, f.entry(tenant.ID)) }))
	got, err := db.Tenant(ctx, tenant.ID)
	f.must(err)
	if got.Name != tenant.Name || got.Brand.Voice != tenant.Brand.Voice || !got.UpdatedAt.Equal(at) {
		t.Errorf("got %+v of %+v", got, tenant)
	}
	f.must(db.TryWrite(ctx))
	if err := db.Migrated(ctx); err != nil {
		t.Errorf("a start: %v", err)
	}
}

// A URL that can't be read is refused without a part of it, which may be the password's.
func TestUnreadableURL(t *testing.T) {
	t.Parallel()
	const password = "Secr3t@Pass[}<xYz"
	for _, address := range []string{
		"postgres://postgres:" + password + "@127.0.0.1:5432/name",
		"postgres://postgres:Secr3t/Pass@127.0.0.1/name",
		"postgres://postgres:Secr3t%zzPass@127.0.0.1/name",
		"mysql://root:Secr3tPass@127.0.0.1/name",
		"host=127.0.0.1 password='Secr3tPass port=x",
	} {
		db, err := store.OpenPostgres(address, options)
		if err == nil {
			err = db.Migrated(ctx)
			_ = db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "postgres://user:password@host") || strings.Contains(err.Error(), "Secr3t") || strings.Contains(err.Error(), "Pass") {
			t.Errorf("%s: %v", address, err)
		}
	}
	encoded := "postgres://postgres:" + url.QueryEscape(password) + "@127.0.0.1:1/name?sslmode=sometimes"
	if _, err := store.OpenPostgres(encoded, options); err == nil || !strings.Contains(err.Error(), "sslmode") {
		t.Errorf("a wrong sslmode: %v", err)
	}
}
