package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// storedVersion is the migration that has files count with all that is stored for them.
const storedVersion = 73

// countStored returns that migration.
func (db *DB) countStored() *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, s := range []string{
			"UPDATE media SET stored = bytes + " + db.dialect.variantBytes("variants") + " + " + db.dialect.variantBytes("earlier"),
			"DELETE FROM counters WHERE name = '" + counterMediaBytes + "'",
			"INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, '" + counterMediaBytes + "', sum(stored) FROM media GROUP BY tenant_id",
		} {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}}
}

// uncountStored returns what undoes it.
func uncountStored() *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, s := range []string{
			"DELETE FROM counters WHERE name = '" + counterMediaBytes + "'",
			"INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, '" + counterMediaBytes + `', sum(bytes) FROM media
				WHERE status IN ('processing', 'ready', 'failed') GROUP BY tenant_id`,
		} {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}}
}

func (postgresDialect) variantBytes(column string) string {
	return "COALESCE((SELECT sum(CAST(v->>'bytes' AS bigint)) FROM jsonb_array_elements(" + column + ") AS v), 0)"
}

func (*sqliteDialect) variantBytes(column string) string {
	return "COALESCE((SELECT sum(v.value->>'bytes') FROM json_each(" + column + ") AS v), 0)"
}
