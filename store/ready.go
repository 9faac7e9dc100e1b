package store

import (
	"context"
	"crypto/rand"
	"errors"

	"missiond/internal/database"
)

// errTried ends the transaction of TryWrite.
var errTried = errors.New("store: tried")

// TryWrite tries what the service needs of its database: a read, and a
// write, which it rolls back. Errors: the database's, such as those
// of a read-only server or a full disk.
func (db *DB) TryWrite(ctx context.Context) error {
	var n int
	name := "trial " + rand.Text() // one of its own: it waits for no other process
	if err := database.Scan(ctx, db.read, db.NewSelect().Table("settings").ColumnExpr("COUNT(*)").Where("name = ?", name), &n); err != nil {
		return err
	}
	err := db.base.Tx(ctx, func(tx *database.Tx) error {
		for _, statement := range db.dialect.trial() {
			if _, err := tx.Write(ctx, db.NewRaw(statement, name)); err != nil {
				return err
			}
		}
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}

// trial writes a row, and a temporary file beside the data: a row alone may fit into
// a page that is there already, on a disk that is full.
func (postgresDialect) trial() []string {
	return []string{
		"INSERT INTO settings (name, value) VALUES (?, '{}')",
		"SET LOCAL work_mem = '64kB'",
		"SELECT COUNT(*) FROM generate_series(1, 5000)",
	}
}

// trial writes more than the cache of pages holds at that moment, so that SQLite
// writes to the disk before the transaction's end.
func (sqliteDialect) trial() []string {
	return []string{
		"PRAGMA cache_size = 1",
		"INSERT INTO settings (name, value) VALUES (?, hex(randomblob(32768)))",
		"PRAGMA cache_size = -2000", // SQLite's default, in KiB
	}
}
