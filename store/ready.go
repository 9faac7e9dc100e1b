package store

import (
	"context"
	"crypto/rand"
	"errors"
)

// errTried ends the transaction of TryWrite.
var errTried = errors.New("store: tried")

// TryWrite tries what the service needs of its database: a read by a prepared
// statement, and a write, which it rolls back. Errors: the database's, such as those
// of a read-only server or a full disk.
func (db *DB) TryWrite(ctx context.Context) error {
	var n int
	name := "trial " + rand.Text() // one of its own: it waits for no other process
	p := db.prepared(db.read)
	if err := p.NewSelect().Table("settings").ColumnExpr("COUNT(*)").Where("name = ?", p.bind(name)).Scan(ctx, &n); err != nil {
		return err
	}
	_, err := db.once(ctx, func(tx Tx) error {
		for _, statement := range db.dialect.trial() {
			if _, err := tx.raw(statement, name).Exec(ctx); err != nil {
				return err
			}
		}
		if err := tx.batch.flush(ctx); err != nil {
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
func (*postgresDialect) trial() []string {
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
