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
	"missiond/mission"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate migrates the schema to the newest version that the program knows, and records
// the program. A schema that is newer stays as it is. Concurrent callers are safe: one
// migrates, the others wait for it and find nothing left to do. Errors: a newer schema that
// the program can't run on.
func (db *DB) Migrate(ctx context.Context) (err error) {
	if err := db.dialect.check(ctx); err != nil {
		return err
	}
	unlock, err := db.dialect.lockMigrations(ctx)
	if err != nil {
		return fmt.Errorf("lock the schema: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
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
	if s.newest <= namesVersion {
		if _, err := provider.UpTo(ctx, namesVersion); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		if err := db.fillNames(ctx); err != nil {
			return fmt.Errorf("index the missions' names: %w", err)
		}
	}
	if s.newest < accountsVersion {
		if _, err := provider.UpTo(ctx, accountsVersion-1); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		if err := db.fillAccounts(ctx); err != nil {
			return fmt.Errorf("add up the figures of accounts: %w", err)
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
	)}
	return goose.NewProvider(db.dialect.goose(), db.write.DB, files, options...)
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

// inGo are the migrations that are written in Go, which have no file.
var inGo = map[int64]Migration{
	wordsVersion:   {Name: "mission_words (in Go)"},
	figuresVersion: {Name: "measuring (in Go)"},
	joblessVersion: {Name: "posts_without_jobs (in Go)"},
	// Programs of the version before delete old events one by one, as they did. The deliveries
	// of these stay until their month is removed.
	monthsVersion: {Name: "months (in Go)", Compatible: true},
}

// jobless returns the migration that lets posts be without a job, or forbids it.
func (db *DB) jobless(allowed bool) *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, db.dialect.jobless(allowed))
		return err
	}}
}

func (*postgresDialect) jobless(allowed bool) string {
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
	err := db.write.NewSelect().Conn(tx).Model(&rows).Column("mission_id", "tenant_id").ColumnExpr("min(c.measure_at) AS measure_at").
		Where("c.status = 'published'").GroupExpr("c.mission_id, c.tenant_id").Scan(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		m := mission.Mission{ID: r.MissionID, TenantID: r.TenantID}
		insert := db.insertMeasure(ctx, db.write.NewInsert().Conn(tx), m, *r.MeasureAt, *r.MeasureAt)
		if _, err := insert.ExcludeColumn("traceparent").Exec(ctx); err != nil { // which comes with a later migration
			return err
		}
	}
	return nil
}

// migrationLock is the key of the advisory lock of migrations. It is goose's own,
// which earlier versions of the program take.
const migrationLock = lock.DefaultLockID

// lockMigrations takes an advisory lock in a transaction that stays open during
// the migration: a lock of a session's would be lost behind a pooler. Waiting for
// the lock in a statement would keep others from building indexes.
func (d *postgresDialect) lockMigrations(ctx context.Context) (unlock func() error, err error) {
	const pause = 200 * time.Millisecond
	for {
		conn, err := handle{DB: d.pools[0].DB}.conn(ctx)
		if err != nil {
			return nil, err
		}
		unlock, locked, err := tryMigrationLock(ctx, conn)
		if locked {
			return unlock, nil
		}
		if err = errors.Join(err, unlock()); err == nil {
			err = clock.Sleep(ctx, jittered(pause))
		}
		if err != nil {
			return nil, err
		}
	}
}

// tryMigrationLock takes the lock unless another has it. Call unlock in any case.
func tryMigrationLock(ctx context.Context, conn *sql.Conn) (unlock func() error, locked bool, err error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return conn.Close, false, err
	}
	unlock = func() error { return errors.Join(tx.Rollback(), conn.Close()) }
	if _, err := tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return unlock, false, err
	}
	err = tx.QueryRowContext(ctx, fmt.Sprintf("SELECT pg_try_advisory_xact_lock(%d)", migrationLock)).Scan(&locked)
	return unlock, locked, err
}

// lockMigrations locks a file next to the database.
func (d *sqliteDialect) lockMigrations(ctx context.Context) (func() error, error) {
	l := flock.New(d.path + ".migrate.lock")
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, err
	}
	return l.Unlock, nil
}
