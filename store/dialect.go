package store

import (
	"context"
	"fmt"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/uptrace/bun"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"missiond/internal/clock"
)

// dialect is everything that differs between the two databases in what is said to them.
type dialect interface {
	// words are what the dialect says in statements that are otherwise the same.
	words() words
	// instant returns a query's expression of the time d ahead by the
	// database's clock.
	instant(d time.Duration) any
	// stages returns an expression of the rows of stages s as JSON, wholly or their names and
	// states.
	stages(whole bool) string
	// trial returns the statements that TryWrite runs and rolls back. Its argument is
	// the name of a setting.
	trial() []string
	goose() goose.Dialect
	// missingTable reports whether err is that of a statement on a table that
	// doesn't exist.
	missingTable(err error) bool
	// jobless returns the statements that allow posts without a job, or forbid them.
	jobless(allowed bool) string
	// makeTexts returns the statements that make the table that searches of posts read, and
	// indexTexts those of its index. Both do nothing where they were run before.
	makeTexts() []string
	indexTexts() []string
	// variantBytes returns the expression of the bytes of the variants in a column of media.
	variantBytes(column string) string
	// unnamed returns the expression of a stored record without the names of users.
	unnamed() string
	// divide returns the migration that has monthly tables kept by months.
	divide() *goose.GoFunc
	// maintain makes the partitions of a monthly table that are missing, and removes rows
	// whose column is less than a value; none for "". now is the domain's time.
	maintain(ctx context.Context, db *DB, m monthly, now time.Time, before string) error
	// migrating runs fn, which migrates, while no other process does.
	migrating(ctx context.Context, db *DB, fn func(ctx context.Context) error) error
}

// words are what a dialect says in statements.
type words struct {
	// rowLocks is whether rows are locked individually, writableCTE whether a WITH may contain
	// an INSERT.
	rowLocks, writableCTE bool
	// skipLocked ends a SELECT that locks its rows and skips those that others have locked.
	skipLocked string
	// materialized keeps Postgres from running a CTE that locks rows twice.
	materialized string
	// unsynced ends the condition of a statement outside transactions whose change needn't be
	// on disk when it returns.
	unsynced string
	// position is the function of where a text contains another, and withGrams the condition
	// that a row of content_texts has grams.
	position, withGrams string
}

// words implements dialect.
func (postgresDialect) words() words {
	return words{
		rowLocks: true, writableCTE: true, skipLocked: " FOR UPDATE SKIP LOCKED", materialized: "MATERIALIZED",
		unsynced: " AND set_config('synchronous_commit', 'off', true) = 'off'",
		position: "strpos", withGrams: "t.grams @> CAST(? AS integer[])",
	}
}

// words implements dialect.
func (*sqliteDialect) words() words {
	return words{position: "instr", withGrams: "t.number IN (SELECT rowid FROM content_grams WHERE content_grams MATCH ?)"}
}

// postgresDialect is Postgres's.
type postgresDialect struct{}

// sqliteDialect is SQLite's.
type sqliteDialect struct{ path string }

func (postgresDialect) goose() goose.Dialect { return goose.DialectPostgres }

func (*sqliteDialect) goose() goose.Dialect { return goose.DialectSQLite3 }

// instant uses the statement's own time, because a transaction may have begun
// long before.
func (postgresDialect) instant(d time.Duration) any {
	return bun.Safe(fmt.Sprintf("statement_timestamp() + interval '%d milliseconds'", d.Milliseconds()))
}

// instant uses the process's clock, which is also the database's.
func (*sqliteDialect) instant(d time.Duration) any { return clock.Real().Now().Add(d) }
