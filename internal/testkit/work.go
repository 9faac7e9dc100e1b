package testkit

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"modernc.org/sqlite"

	"missiond/internal/testkit/await"
	"missiond/store"
)

// Work returns how much a database has done until now; the difference of two values is
// the work of what came between them. It depends on the rows that statements look at, not
// on the machine. Call it while nothing else uses the database.
type Work func() int

// WorkingDB is an opener of databases whose work is counted.
type WorkingDB func(t testing.TB, o store.Options) (*store.DB, Work)

// WorkingDBs returns the openers by dialect.
func WorkingDBs() map[string]WorkingDB {
	return map[string]WorkingDB{"sqlite": sqliteWork, "postgres": postgresWork}
}

// writers are SQLite's connections in this process that write, by their files.
var writers struct {
	sync.Mutex

	hook sync.Once
	of   map[string][]sqlite.DBStatus
}

// sqliteWork counts the pages of the file that the statements of transactions look at.
func sqliteWork(t testing.TB, o store.Options) (*store.DB, Work) {
	t.Helper()
	writers.hook.Do(func() {
		writers.of = map[string][]sqlite.DBStatus{}
		sqlite.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, dsn string) error {
			file, settings, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
			if c, ok := conn.(sqlite.DBStatus); ok && strings.Contains(settings, "_txlock=immediate") {
				writers.Lock()
				defer writers.Unlock()
				writers.of[file] = append(writers.of[file], c)
			}
			return nil
		})
	})
	path := filepath.Join(t.TempDir(), "test.db")
	return sqliteAt(t, path, o), func() (pages int) {
		writers.Lock()
		defer writers.Unlock()
		for _, c := range writers.of[path] {
			for _, op := range []sqlite.DBStatusOp{sqlite.DBStatusCacheHit, sqlite.DBStatusCacheMiss} {
				n, _, err := c.Status(op, false)
				if err != nil {
					t.Fatal(err)
				}
				pages += n
			}
		}
		if pages == 0 {
			t.Fatalf("no connection to %s is known", path)
		}
		return pages
	}
}

// postgresWork counts the rows that statements read from tables. A connection reports its
// counts when it ends, so all of them are ended. Tables are read by their indexes, as large
// ones are, and analyzed each time: plans don't depend on what earlier tests have left.
func postgresWork(t testing.TB, o store.Options) (*store.DB, Work) {
	t.Helper()
	address := MigratedURL(t)
	admin, _ := postgresServer(t)
	return postgresAt(t, address+"&enable_seqscan=off", o), func() (rows int) {
		ctx, cancel := await.Context()
		defer cancel()
		own, err := sql.Open("pgx", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = own.Close() }()
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := admin.ExecContext(ctx, endConnections, strings.TrimPrefix(u.Path, "/")); err != nil {
			t.Fatal(err)
		}
		if _, err := own.ExecContext(ctx, "ANALYZE"); err != nil {
			t.Fatal(err)
		}
		err = own.QueryRowContext(ctx, "SELECT COALESCE(sum(seq_tup_read + COALESCE(idx_tup_fetch, 0)), 0)::bigint FROM pg_stat_user_tables").Scan(&rows)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
}
