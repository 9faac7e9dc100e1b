package testkit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/testkit/await"
)

// databases counts the databases that the process has made for PostgresURL.
var databases atomic.Int64

// PostgresURL returns the URL of an empty database that is dropped when the test
// ends.
func PostgresURL(t testing.TB) string {
	t.Helper()
	admin, address := postgresServer(t)
	name := fmt.Sprintf("missiond_test_%d_%d", os.Getpid(), databases.Add(1))
	ctx, cancel := await.Context()
	defer cancel()
	if err := remakeDatabase(ctx, admin, name, "template1"); err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() {
		ctx, cancel := await.Context()
		defer cancel()
		if _, err := admin.ExecContext(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return named(address, name)
}

// postgresServer returns the real server, to administer it, and its URL. Without
// one the test fails or is skipped.
func postgresServer(t testing.TB) (admin *sql.DB, address string) {
	t.Helper()
	address = postgresAddress()
	admin, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() { _ = admin.Close() })
	ctx, cancel := await.Context()
	defer cancel()
	if err := admin.PingContext(ctx); err != nil {
		Missing(t, "Postgres", EnvPostgres, err)
	}
	return admin, address
}

// postgresResponds reports whether there is a server.
var postgresResponds = sync.OnceValue(func() bool {
	admin, err := sql.Open("pgx", postgresAddress())
	if err != nil {
		return false
	}
	defer func() { _ = admin.Close() }()
	ctx, cancel := await.Context()
	defer cancel()
	return admin.PingContext(ctx) == nil || os.Getenv("CI") != ""
})

// postgresBehind returns how far the server's clock is behind the process's, which what Faults move begins with; 0 where the two may
// be one.
func postgresBehind(t testing.TB) time.Duration {
	t.Helper()
	admin, _ := postgresServer(t)
	ctx, cancel := await.Context()
	defer cancel()
	var there time.Time
	before := time.Now()
	if err := admin.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	if there.Before(before) || there.After(after) {
		return after.Sub(there)
	}
	return 0
}

// postgresAddress returns the URL of the server's own database.
func postgresAddress() string {
	return env(EnvPostgres, "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
}

// remakeDatabase makes a copy of the template, in place of a database of that name.
func remakeDatabase(ctx context.Context, admin interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, name, template string) error {
	_, err := admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	if err == nil {
		_, err = admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
	}
	return err
}

// MigratedURL returns the URL of a migrated, empty database that is the test's
// until it ends; the test must not change its schema. Databases stay for later tests, of later runs too, which empty
// them: making and dropping one takes longer than most tests. The claim is a lock
// of the server's, so a process that crashes lets go of it.
func MigratedURL(t testing.TB) string {
	t.Helper()
	admin, address := postgresServer(t)
	ctx, cancel := await.Context()
	defer cancel()
	digest, err := schemaDigest()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := admin.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() {
		_, err := conn.ExecContext(context.Background(), "SELECT pg_advisory_unlock_all()")
		if err := errors.Join(err, conn.Close()); err != nil {
			t.Errorf("let go of the test's database: %v", err)
		}
	})
	n := 0
	for claimed := false; !claimed; {
		n++
		if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1, $2)", templateLock, n).Scan(&claimed); err != nil {
			t.Fatal(err)
		}
	}
	name := fmt.Sprintf("missiond_test_%d", n)
	if err := prepareDatabase(ctx, conn, address, name, templatePrefix+digest); err != nil {
		t.Fatal(err)
	}
	return named(address, name)
}

// prepareDatabase empties a claimed database, or makes it anew where it isn't of
// the template's schema, which its comment says.
func prepareDatabase(ctx context.Context, conn *sql.Conn, address, name, template string) error {
	var current bool
	err := conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_database
		WHERE datname = $1 AND shobj_description(oid, 'pg_database') = $2)`, name, template).Scan(&current)
	if err != nil {
		return err
	}
	if current && emptyDatabase(ctx, conn, named(address, name), name) == nil {
		return nil
	}
	if err := makeTemplate(ctx, conn, address, template); err != nil {
		return err
	}
	if err := remakeDatabase(ctx, conn, name, template); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "COMMENT ON DATABASE "+name+" IS '"+template+"'")
	return err
}

// endConnections ends what an earlier test has left connected to a database.
const endConnections = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
	WHERE datname = $1 AND backend_type = 'client backend'`

// emptyTables empties the tables, those that refer to others first. Few rows are
// deleted sooner than a table is truncated.
const emptyTables = `DO $$ DECLARE t record; BEGIN
	FOR t IN SELECT oid::regclass AS name, pg_relation_size(oid) AS bytes FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('goose_db_version', 'schema_floor') ORDER BY oid DESC
	LOOP
		IF t.bytes > 65536 THEN
			EXECUTE format('TRUNCATE %s CASCADE', t.name);
		ELSIF t.bytes > 0 THEN
			EXECUTE format('DELETE FROM %s', t.name);
		END IF;
	END LOOP;
	DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace);
	UPDATE pg_class SET reltuples = -1, relpages = 0
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND reltuples <> -1;
END $$`

func emptyDatabase(ctx context.Context, conn *sql.Conn, address, name string) error {
	if _, err := conn.ExecContext(ctx, endConnections, name); err != nil {
		return err
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, emptyTables)
	return errors.Join(err, db.Close())
}

// named returns a Postgres address with another database. Its commits don't wait
// for the disk: a test's data need not outlive a power cut.
func named(address, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // it was used before
	}
	u.Path = "/" + database
	q := u.Query()
	q.Set("synchronous_commit", "off")
	u.RawQuery = q.Encode()
	return u.String()
}
