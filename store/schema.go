package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// Migration is a version of the schema.
type Migration struct {
	Version int64
	// Name is the migration's file; "" if the program doesn't know the version.
	Name      string
	AppliedAt *time.Time // nil if it is pending
	// Compatible reports whether programs that run on the version before run on
	// this one too. It is false where the migration doesn't say so.
	Compatible bool
}

// Migrations returns the versions of the schema, oldest first: those that the program
// knows and those that the database has.
func (db *DB) Migrations(ctx context.Context) ([]Migration, error) {
	s, err := db.schema(ctx)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(s.migrations)
	for version, at := range s.applied {
		i := slices.IndexFunc(list, func(m Migration) bool { return m.Version == version })
		if i < 0 {
			list = append(list, Migration{Version: version, AppliedAt: &at, Compatible: version > s.floor.Version})
			continue
		}
		list[i].AppliedAt = &at
	}
	slices.SortFunc(list, func(a, b Migration) int { return int(a.Version - b.Version) })
	return list, nil
}

// Migrated returns an error if the program can't run on the database's schema: it lacks
// migrations, or it is newer and not compatible; or if statements can't be sent as the
// options say. It changes nothing.
func (db *DB) Migrated(ctx context.Context) error {
	if err := db.base.Check(ctx); err != nil {
		return err
	}
	s, err := db.schema(ctx)
	switch {
	case err != nil:
		return err
	case s.newest == 0:
		return errors.New("the database has no schema yet: run missiond migrate up")
	case s.newest > s.known:
		return s.refusal(db.program)
	}
	for _, m := range s.migrations {
		if _, ok := s.applied[m.Version]; !ok {
			return fmt.Errorf("the database's schema (version %d) is older than this program (%s): run missiond migrate up", s.newest, s.programText(db.program))
		}
	}
	return nil
}

// Rolling returns an error if programs that run on the schema as it is couldn't go on
// while the program migrates it: a migration that is pending isn't compatible. Nothing runs
// on a database without a schema. It changes nothing.
func (db *DB) Rolling(ctx context.Context) error {
	s, err := db.schema(ctx)
	if err != nil || s.newest == 0 {
		return err
	}
	for _, m := range s.migrations {
		if _, ok := s.applied[m.Version]; !ok && !m.Compatible {
			return fmt.Errorf("migration %d (%s) isn't compatible with the programs that run on version %d: stop all of them, back up, and migrate without --rolling",
				m.Version, m.Name, s.newest)
		}
	}
	return nil
}

// schemaState is what a database says of its schema, and what the program knows.
type schemaState struct {
	migrations []Migration // those that the program knows, oldest first
	known      int64       // the newest of them
	applied    map[int64]time.Time
	newest     int64 // the newest applied one; 0 if there is none
	floor      floorRow
}

// floorVersion is the migration that creates the table of the floor. Those before it
// don't say whether they are compatible.
const floorVersion = 21

// floorRow is the oldest version of the schema that a program must know to run here,
// and the version of the program that migrated last.
type floorRow struct {
	bun.BaseModel `bun:"table:schema_floor,alias:f"`

	Version    int64
	MigratedBy string
}

type versionRow struct {
	bun.BaseModel `bun:"table:goose_db_version,alias:v"`

	VersionID int64
	At        time.Time `bun:"tstamp"`
}

// schema reads the database's versions. It creates nothing, in a raw database neither.
func (db *DB) schema(ctx context.Context) (s schemaState, err error) {
	if s.migrations, err = db.known(); err != nil {
		return s, err
	}
	s.known, s.applied = s.migrations[len(s.migrations)-1].Version, map[int64]time.Time{}
	var rows []versionRow
	err = database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Where("v.is_applied").Where("v.version_id > 0"), &rows)
	if db.dialect.missingTable(err) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("read the schema's version: %w", err)
	}
	for _, r := range rows {
		s.applied[r.VersionID], s.newest = r.At, max(s.newest, r.VersionID)
	}
	err = database.Scan(ctx, db.read, db.NewSelect().Model(&s.floor).Limit(1), &s.floor)
	if errors.Is(err, sql.ErrNoRows) || db.dialect.missingTable(err) {
		s.floor, err = floorRow{Version: s.newest}, nil
	}
	return s, err
}

// SchemaVersion returns the newest version of the schema that the program knows.
func SchemaVersion() (newest int64, err error) {
	files, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return 0, err
	}
	for version := range inGo {
		newest = max(newest, version)
	}
	for _, f := range files {
		version, err := goose.NumericComponent(f.Name())
		if err != nil {
			return 0, err
		}
		newest = max(newest, version)
	}
	return newest, nil
}

// known returns the migrations that the program has, oldest first.
func (db *DB) known() (list []Migration, err error) {
	provider, err := db.provider()
	if err != nil {
		return nil, err
	}
	for _, source := range provider.ListSources() {
		m := inGo[source.Version]
		m.Version, m.Name = source.Version, cmp.Or(source.Path, m.Name)
		if strings.HasSuffix(source.Path, ".sql") {
			text, err := fs.ReadFile(migrations, "migrations/"+source.Path)
			if err != nil {
				return nil, err
			}
			m.Compatible, _ = compatible(string(text))
		}
		list = append(list, m)
	}
	return list, nil
}

// compatibleLine is what a migration says of the programs that run on the version before
// it, and why.
var compatibleLine = regexp.MustCompile(`(?m)^-- compatible: (yes|no), \S`)

// compatible returns what a migration says of itself before its statements; ok is false
// if it says nothing.
func compatible(text string) (yes, ok bool) {
	header, _, _ := strings.Cut(text, "-- +goose Up")
	found := compatibleLine.FindStringSubmatch(header)
	return len(found) > 0 && found[1] == "yes", len(found) > 0
}

// needs returns the oldest version that a program must know to run on the newest known
// one: that of the last migration that isn't compatible.
func (s schemaState) needs() (version int64) {
	for _, m := range s.migrations {
		if !m.Compatible {
			version = m.Version
		}
	}
	return version
}

// refusal returns an error if the program can't run on a schema that is newer than it
// knows; nil if it can.
func (s schemaState) refusal(program string) error {
	if s.newest <= s.known || s.known >= s.floor.Version {
		return nil
	}
	fits := "missiond " + s.floor.MigratedBy + ", which migrated it, or a later one"
	if s.floor.MigratedBy == "" {
		fits = "the missiond that migrated it, or a later one"
	}
	return fmt.Errorf("the database's schema (version %d) is newer than this program (%s), and needs one that knows version %d: run %s",
		s.newest, s.programText(program), s.floor.Version, fits)
}

// programText describes the program in errors.
func (s schemaState) programText(program string) string {
	if program == "" {
		return fmt.Sprintf("which knows version %d", s.known)
	}
	return fmt.Sprintf("missiond %s, which knows version %d", program, s.known)
}

// raiseFloor records what a program must know to run on the schema, and that this
// program migrated it.
func (db *DB) raiseFloor(ctx context.Context, version int64) error {
	_, err := db.write.Exec(ctx, db.NewUpdate().Model((*floorRow)(nil)).
		Set("version = ?", database.Int(version)).Set("migrated_by = ?", db.program).Where("version <= ?", database.Int(version)))
	return err
}

// undefinedTable is Postgres's error code of a statement on a missing table.
const undefinedTable = "42P01"

func (postgresDialect) missingTable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == undefinedTable
}

// missingTable reads the message: SQLite has no code of its own for it.
func (*sqliteDialect) missingTable(err error) bool {
	return err != nil && strings.Contains(err.Error(), "no such table")
}
