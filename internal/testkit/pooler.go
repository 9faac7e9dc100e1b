package testkit

import (
	"errors"
	"net/url"
	"os"
	"testing"

	"missiond/internal/servers"
	"missiond/internal/testkit/await"
	"missiond/store"
)

// EnvPooler is the environment variable that has the store's tests reach
// Postgres through a PgBouncer in transaction mode (make test-pgbouncer).
const EnvPooler = "MISSIOND_TEST_POOLER"

// Pooled returns a Postgres URL, through a pooler of the test's own if EnvPooler
// is set.
func Pooled(t testing.TB, address string) string {
	t.Helper()
	if os.Getenv(EnvPooler) == "" {
		return address
	}
	through, _ := PgBouncer(t, address)
	return through
}

// PgBouncer starts a pooler in front of the server of a Postgres URL, and returns
// it with the URL through it. Where PgBouncer isn't installed the test fails in
// CI, and is skipped loudly elsewhere.
func PgBouncer(t testing.TB, address string, settings ...string) (through string, pooler *servers.PgBouncer) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := await.Context()
	defer cancel()
	pooler, err = servers.StartPgBouncer(ctx, t.TempDir(), u.Host, append([]string{
		"default_pool_size = 5", "ignore_startup_parameters = synchronous_commit",
	}, settings...)...)
	if err != nil {
		NotStarted(t, "PgBouncer", err)
	}
	Cleanup(t, func() {
		pooler.Kill()
		if t.Failed() {
			t.Logf("PgBouncer wrote:\n%s", pooler.Tail())
		}
	})
	u.Host = pooler.Addr
	return u.String(), pooler
}

// PostgresServer starts a Postgres of the test's own, which it may harm, with the
// settings (as in "max_connections=12") and a migrated database, whose name it
// returns.
func PostgresServer(t testing.TB, settings ...string) (server *servers.Postgres, database string) {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	server, err := servers.StartPostgres(ctx, t.TempDir(), append([]string{"fsync=off", "shared_buffers=16MB"}, settings...)...)
	if err != nil {
		NotStarted(t, "a Postgres of its own", err)
	}
	Cleanup(t, server.Kill)
	database = "postgres"
	db, err := store.OpenPostgres(server.URL(database), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Migrate(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	return server, database
}

// Standby starts a standby of the server, which is the test's own too.
func Standby(t testing.TB, of *servers.Postgres) *servers.Postgres {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	standby, err := of.StartStandby(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, standby.Kill)
	return standby
}
