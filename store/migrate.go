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
		return fmt.Errorf("wait for another migration: %w", err)
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
		goose.NewGoMigration(figuresVersion, &goose.GoFunc{RunTx: db.fillFigures}, &goose.GoFunc{}),
	)}
	return goose.NewProvider(db.dialect.goose(), db.write.DB, files, options...)
}

// wordsVersion is the migration that filled the table before mission_names.
const wordsVersion = 7

// namesVersion is the migration that creates mission_names, the next one requires
// that it is filled.
const namesVersion = 26

// figuresVersion is the migration that adds up the figures of posts.
const figuresVersion = 9

// fillFigures adds up the figures of posts that existed before the migration,
// and schedules measuring them.
func (db *DB) fillFigures(ctx context.Context, tx *sql.Tx) error {
	const some = 500
	for last := ""; ; {
		var rows []contentRow
		err := db.write.NewSelect().Conn(tx).Model(&rows).
			Column("id", "tenant_id", "mission_id", "platform", "published_at", "metrics", "measure_at").
			Where("c.id > ?", last).Where("c.status = 'published'").OrderExpr("c.id").Limit(some).Scan(ctx)
		if err != nil || len(rows) == 0 {
			return err
		}
		byMission := map[string][]contentRow{}
		for _, r := range rows {
			byMission[r.MissionID] = append(byMission[r.MissionID], r)
		}
		for _, posts := range byMission {
			if err := db.fillMission(ctx, tx, posts); err != nil {
				return err
			}
		}
		last = rows[len(rows)-1].ID
	}
}

// fillMission does what fillFigures does, for posts of one mission.
func (db *DB) fillMission(ctx context.Context, tx *sql.Tx, posts []contentRow) error {
	m, due := mission.Mission{ID: posts[0].MissionID, TenantID: posts[0].TenantID}, *posts[0].MeasureAt
	var points []mission.Measurement
	for _, r := range posts {
		if c := r.content(); c.Metrics != nil {
			points = append(points, mission.Measurement{ContentID: c.ID, Platform: c.Platform, PublishedAt: *c.PublishedAt, Metrics: c.Metrics})
		}
	}
	if days := mission.DayChanges(nil, points); len(days) > 0 {
		if err := insertDays(ctx, db.write.NewInsert().Conn(tx), m, days); err != nil {
			return err
		}
	}
	_, err := db.insertMeasure(db.write.NewInsert().Conn(tx), m, due, due).Exec(ctx)
	return err
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
		conn, err := handle{d.pools[0].DB}.conn(ctx)
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
