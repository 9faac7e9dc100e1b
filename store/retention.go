package store

import (
	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// Old rows are deleted in steps, possibly by several processes at once: each deletes
// rows that no other has locked, and counts only what it deleted itself.

// dropOld deletes up to limit rows of a table for which a condition on a value
// is true, and returns them.
func (tx Tx) dropOld(table, key, condition string, value any, limit int) *bun.RawQuery {
	w := tx.db.words
	return tx.NewRaw("WITH old AS "+w.materialized+" (SELECT ? FROM ? WHERE ? LIMIT ?"+w.skipLocked+") DELETE FROM ? WHERE (?) IN (SELECT ? FROM old) RETURNING *",
		bun.Safe(key), bun.Ident(table), bun.SafeQuery(condition, value), database.Int(limit), bun.Ident(table), bun.Safe(key), bun.Safe(key))
}
