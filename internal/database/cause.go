package database

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Cause names the database's trouble that err is of in a word or two, for people who run
// the service: "disk full", "read-only", "too many connections", "access denied",
// "starting", or "unreachable" where it says nothing of itself.
func Cause(err error) string {
	var (
		pg   *pgconn.PgError
		lite *sqlite.Error
	)
	switch {
	case errors.As(err, &pg):
		if cause := causes[pg.Code]; cause != "" {
			return cause
		}
	case errors.As(err, &lite):
		const primary = 0xff // the rest is detail
		switch lite.Code() & primary {
		case sqlite3.SQLITE_FULL:
			return "disk full"
		case sqlite3.SQLITE_READONLY:
			return "read-only"
		}
	}
	return "unreachable"
}

// causes are Postgres's error codes that Cause knows (its manual, appendix A).
var causes = map[string]string{
	"25006": "read-only",
	"28000": "access denied", // of a role, or of a host
	"28P01": "access denied", // a password
	"42501": "access denied", // of a table
	"53100": "disk full",
	"53300": "too many connections",
	"57P03": "starting",
}
