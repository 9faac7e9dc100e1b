package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/mission"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate migrates the schema to the newest version that the program knows, and records
// the program. A schema that is newer stays as it is. Concurrent callers are safe: one
// migrates, the others wait for it and find nothing left to do. Errors: a newer schema that
// the program can't run on.
func (db *DB) Migrate(ctx context.Context) error {
	if err := db.base.Check(ctx); err != nil {
		return err
	}
	return db.dialect.migrating(ctx, db, db.migrate)
}

// migrate is Migrate under the lock.
func (db *DB) migrate(ctx context.Context) error {
	s, err := db.schema(ctx)
	if err != nil || s.newest > s.known {
		return errors.Join(err, s.refusal(db.program))
	}
	provider, err := db.provider()
	if err != nil {
		return err
	}
	// The floor comes first: a program that the next migrations exclude is refused while
	// they run.
	if _, err := provider.UpTo(ctx, floorVersion); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := db.raiseFloor(ctx, s.needs()); err != nil {
		return fmt.Errorf("record the migration: %w", err)
	}
	for _, f := range []struct {
		before int64 // it comes before this migration
		run    func(ctx context.Context) error
		what   string
	}{
		{namesVersion + 1, db.fillNames, "index the missions' names"},
		{accountsVersion, db.fillAccounts, "add up the figures of accounts"},
		{textsVersion, db.indexPosts, "index the posts' texts"},
	} {
		if s.newest >= f.before {
			continue
		}
		if _, err := provider.UpTo(ctx, f.before-1); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		if err := f.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", f.what, err)
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

func (db *DB) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithVerbose(false), goose.WithGoMigrations(
		goose.NewGoMigration(wordsVersion, nil, nil),
		goose.NewGoMigration(figuresVersion, &goose.GoFunc{RunTx: db.fillMeasuring}, &goose.GoFunc{}),
		goose.NewGoMigration(joblessVersion, db.jobless(true), db.jobless(false)),
		goose.NewGoMigration(monthsVersion, db.dialect.divide(), nil),
		goose.NewGoMigration(rowsVersion, db.requireRows(), nil),
		goose.NewGoMigration(storedVersion, db.countStored(), uncountStored()),
		goose.NewGoMigration(recordsVersion, db.unnameRecords(), &goose.GoFunc{}),
	)}
	return goose.NewProvider(db.dialect.goose(), db.base.SQL(), files, options...)
}

// wordsVersion is the migration that filled the table before mission_names.
const wordsVersion = 7

// namesVersion is the migration that creates mission_names, the next one requires
// that it is filled.
const namesVersion = 26

// figuresVersion is the migration that has posts measured.
const figuresVersion = 9

// joblessVersion is the migration that lets posts be without a job.
const joblessVersion = 29

// rowsVersion is the migration that makes the function of writes that must change rows.
const rowsVersion = 47

// inGo are the migrations that are written in Go, which have no file.
var inGo = map[int64]Migration{
	wordsVersion:   {Name: "mission_words (in Go)"},
	figuresVersion: {Name: "measuring (in Go)"},
	joblessVersion: {Name: "posts_without_jobs (in Go)"},
	// Programs of the version before delete old events one by one, as they did. The deliveries
	// of these stay until their month is removed.
	monthsVersion: {Name: "months (in Go)", Compatible: true},
	rowsVersion:   {Name: "require_rows (in Go)", Compatible: true},
	storedVersion: {Name: "stored_bytes_counted (in Go)"},
	// The version before stores what this one removes.
	recordsVersion: {Name: "records_without_users (in Go)"},
}

// requireRows returns the migration that makes the function, which only Postgres needs.
func (db *DB) requireRows() *goose.GoFunc {
	if db.dialect.goose() != goose.DialectPostgres {
		return &goose.GoFunc{}
	}
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, database.RequireRows)
		return err
	}}
}

// jobless returns the migration that lets posts be without a job, or forbids it.
func (db *DB) jobless(allowed bool) *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, db.dialect.jobless(allowed))
		return err
	}}
}

func (postgresDialect) jobless(allowed bool) string {
	if allowed {
		return "ALTER TABLE contents ALTER COLUMN job_id DROP NOT NULL"
	}
	return "ALTER TABLE contents ALTER COLUMN job_id SET NOT NULL"
}

// SQLite has no statement that changes a constraint. It documents this way for changes
// that don't concern what is stored (sqlite.org/lang_altertable.html, section 7): copying
// the table would delete what refers to it.
func (*sqliteDialect) jobless(allowed bool) string {
	from, to := "job_id           text NOT NULL REFERENCES", "job_id           text REFERENCES"
	if !allowed {
		from, to = to, from
	}
	return fmt.Sprintf(`PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, '%s', '%s') WHERE type = 'table' AND name = 'contents';
		PRAGMA writable_schema = RESET`, from, to)
}

// fillMeasuring schedules measuring the posts that existed before the migration. Their
// figures are added up by fillAccounts.
func (db *DB) fillMeasuring(ctx context.Context, tx *sql.Tx) error {
	var rows []contentRow
	own := db.base.Bun()
	err := own.NewSelect().Conn(tx).Model(&rows).Column("mission_id", "tenant_id").ColumnExpr("min(c.measure_at) AS measure_at").
		Where("c.status = 'published'").GroupExpr("c.mission_id, c.tenant_id").Scan(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		m := mission.Mission{ID: r.MissionID, TenantID: r.TenantID}
		insert := db.insertMeasure(ctx, own.NewInsert().Conn(tx), m, *r.MeasureAt, *r.MeasureAt)
		if _, err := insert.ExcludeColumn("traceparent", "trouble", "trouble_since").Returning("NULL").Exec(ctx); err != nil { // which come with later migrations
			return err
		}
	}
	return nil
}

// migrationLock is the key of the advisory lock of migrations. It is goose's own,
// which earlier versions of the program take.
const migrationLock = lock.DefaultLockID

// migrating takes an advisory lock in a transaction that stays open while fn runs: a lock of
// a session's would be lost behind a pooler. Waiting for the lock in a statement would keep
// others from building indexes.
func (postgresDialect) migrating(ctx context.Context, db *DB, fn func(ctx context.Context) error) error {
	const pause = 200 * time.Millisecond
	for {
		locked := false
		err := db.base.Tx(ctx, func(tx *database.Tx) error {
			if _, err := tx.Write(ctx, db.NewRaw("SET LOCAL idle_in_transaction_session_timeout = 0")); err != nil {
				return err
			}
			lock := db.NewRaw("SELECT pg_try_advisory_xact_lock(?)", migrationLock)
			if err := database.Scan(ctx, tx, lock, &locked); err != nil || !locked {
				return err
			}
			// A SELECT keeps its snapshot until the next statement, and CREATE INDEX CONCURRENTLY waits for whoever has an
			// older one. SHOW has none.
			var limit string
			if err := database.Scan(ctx, tx, db.NewRaw("SHOW idle_in_transaction_session_timeout"), &limit); err != nil {
				return err
			}
			return fn(ctx)
		})
		if err == nil && !locked {
			err = clock.Sleep(ctx, pause)
		}
		if err != nil || locked {
			return err
		}
	}
}

// migrating locks a file next to the database.
func (d *sqliteDialect) migrating(ctx context.Context, _ *DB, fn func(ctx context.Context) error) (err error) {
	l := flock.New(d.path + ".migrate.lock")
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("lock the schema: %w", err)
	}
	defer func() { err = errors.Join(err, l.Unlock()) }()
	return fn(ctx)
}
