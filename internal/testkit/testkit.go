// Package testkit gives tests the real parts: databases of both dialects and
// Redis, the in-process one, a real one and a cluster, each test its own.
package testkit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/redis/go-redis/v9"

	"missiond/internal/database"
	"missiond/internal/servers"
	"missiond/internal/testkit/await"
	"missiond/store"
)

// Environment variables that name the real servers.
const (
	EnvPostgres = "MISSIOND_TEST_POSTGRES"
	EnvRedis    = "MISSIOND_TEST_REDIS"
)

func env(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// Opener opens an empty, migrated database that is a test's own.
type Opener func(t testing.TB, o store.Options) *store.DB

// Both returns the openers of both databases, for what has SQL of its own.
func Both() map[string]Opener { return map[string]Opener{"sqlite": SQLite, "postgres": Postgres} }

// Dialects returns the openers of the databases that tests above the store run on, whose own tests use both: the gate's is
// Postgres, and SQLite where there is none, as in short runs; the full suite has both.
func Dialects() map[string]Opener {
	all := Both()
	switch {
	case InFull():
	case testing.Short():
		delete(all, "postgres")
	case postgresResponds():
		delete(all, "sqlite")
	}
	return all
}

// EachDB runs a test on SQLite and on Postgres, each with an empty, migrated
// database of its own, whose events are held to their schemas in the end. The two
// run beside each other. Without a Postgres the test fails where CI is set, and
// says so loudly elsewhere.
func EachDB(t *testing.T, o store.Options, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachFaultyDB(t, o, func(t *testing.T, db *store.DB, _ *database.Faults) { test(t, db) })
}

// EachFaultyDB is EachDB with a hook on each database's statements.
func EachFaultyDB(t *testing.T, o store.Options, test func(t *testing.T, db *store.DB, faults *database.Faults)) {
	t.Helper()
	EachOf(t, Both(), o, test)
}

// EachOf is EachFaultyDB on some databases.
func EachOf(t *testing.T, on map[string]Opener, o store.Options, test func(t *testing.T, db *store.DB, faults *database.Faults)) {
	t.Helper()
	for dialect, open := range on {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			own := o
			own.Database.Faults = &database.Faults{}
			test(t, open(t, own), own.Database.Faults)
		})
	}
}

// SQLite returns a migrated database in a folder of the test's.
func SQLite(t testing.TB, o store.Options) *store.DB {
	t.Helper()
	return sqliteAt(t, filepath.Join(t.TempDir(), "test.db"), o)
}

func sqliteAt(t testing.TB, path string, o store.Options) *store.DB {
	t.Helper()
	file, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Database.Unsynced = true
	db, err := store.OpenSQLite(path, o)
	return opened(t, db, err, func() { checkEvents(t, "sqlite", path) })
}

// Postgres returns a migrated database on the real server that no other test uses
// meanwhile.
func Postgres(t testing.TB, o store.Options) *store.DB {
	t.Helper()
	return postgresAt(t, MigratedURL(t), o)
}

func postgresAt(t testing.TB, address string, o store.Options) *store.DB {
	t.Helper()
	if faults := o.Database.Faults; faults != nil {
		faults.Later(postgresBehind(t))
	}
	db, err := store.OpenPostgres(Pooled(t, address), o)
	return opened(t, db, err, func() { checkEvents(t, "pgx", address) })
}

// opened returns the database; check is called once the test has ended.
func opened(t testing.TB, db *store.DB, err error, check func()) *store.DB {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() {
		if err := db.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
		if !t.Failed() {
			check()
		}
	})
	return db
}

// Missing fails the test where CI is set, and skips it loudly elsewhere.
func Missing(t testing.TB, what, variable string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is needed in CI (%s): %v", what, variable, err)
	}
	fmt.Fprintf(os.Stderr, "\n*** %s: NOT TESTED ON %s: %v (set %s, or run make test)\n\n", t.Name(), what, err, variable)
	t.Skipf("no %s", what)
}

// NotStarted fails the test with why a server of its own didn't start. Where the
// server isn't installed it is Missing.
func NotStarted(t testing.TB, what string, err error) {
	t.Helper()
	if errors.Is(err, servers.ErrNotInstalled) {
		Missing(t, what, "PATH", err)
	}
	t.Fatalf("%s: %v", what, err)
}

// Cleanup calls f once the test has ended, as t.Cleanup does, which keeps f, and all that it
// refers to, until the last test of the package has ended.
func Cleanup(t testing.TB, f func()) {
	t.Cleanup(func() {
		once := f
		f = nil
		once()
	})
}

// MiniredisAt returns the URL of an in-process Redis whose clock stands still.
func MiniredisAt(t testing.TB, at time.Time) string {
	t.Helper()
	r := miniredis.RunT(t)
	r.SetTime(at)
	return "redis://" + r.Addr()
}

// Miniredis returns the URL of an in-process Redis.
func Miniredis(t testing.TB) string {
	t.Helper()
	return "redis://" + miniredis.RunT(t).Addr()
}

// Redis returns the URL of an empty logical database on the real Redis that no
// other test uses meanwhile; it waits for one.
func Redis(t testing.TB) string {
	t.Helper()
	address := env(EnvRedis, "redis://127.0.0.1:6379")
	opts, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	control := redis.NewClient(opts)
	Cleanup(t, func() { _ = control.Close() })
	ctx, cancel := await.Context()
	defer cancel()
	if err := control.Ping(ctx).Err(); err != nil {
		Missing(t, "Redis", EnvRedis, err)
	}
	if opts.DB, err = claimDatabase(control); err != nil {
		t.Fatal(err)
	}
	own := redis.NewClient(opts)
	if err := own.FlushDB(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() {
		own.FlushDB(context.Background())
		_ = own.Close()
		control.Del(context.Background(), databaseClaim(opts.DB))
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = fmt.Sprintf("/%d", opts.DB)
	return u.String()
}

// databaseClaim is the key of a logical database's claim. Claims are in
// database 0, which no test empties.
func databaseClaim(db int) string { return fmt.Sprintf("missiond:test:db:%d", db) }

// claimDatabase takes a logical database that is free, for as long as a test
// may take.
func claimDatabase(control *redis.Client) (int, error) {
	const last, longest = 15, 20 * time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), longest) // Cut off: the claims of others have ended by then.
	defer cancel()
	for {
		for db := 1; db <= last; db++ {
			if ok, err := control.SetNX(ctx, databaseClaim(db), os.Getpid(), longest).Result(); err != nil || ok {
				return db, err
			}
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
