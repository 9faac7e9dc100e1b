package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// recordsVersion is the migration that removes the names and e-mail addresses of users from the records of posts
// that were deleted: names are looked up when a record is read.
const recordsVersion = 77

// unnameRecords returns that migration.
func (db *DB) unnameRecords() *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE content_records SET record = "+db.dialect.unnamed()) //nolint:gosec // it is the program's own
		return err
	}}
}

func (postgresDialect) unnamed() string {
	return `record || jsonb_build_object(
		'revisions', COALESCE((SELECT jsonb_agg(jsonb_set(v, '{author,name}', 'null') ORDER BY n)
			FROM jsonb_array_elements(record->'revisions') WITH ORDINALITY AS e (v, n)), '[]'),
		'reviews', COALESCE((SELECT jsonb_agg(CASE WHEN starts_with(v->>'by_id', 'usr_') THEN v || '{"by_name": null}' ELSE v END ORDER BY n)
			FROM jsonb_array_elements(record->'reviews') WITH ORDINALITY AS e (v, n)), '[]'))`
}

func (*sqliteDialect) unnamed() string {
	return `json_set(record,
		'$.revisions', json((SELECT json_group_array(json_set(value, '$.author.name', NULL)) FROM json_each(record, '$.revisions'))),
		'$.reviews', json((SELECT json_group_array(CASE WHEN value->>'by_id' GLOB 'usr_*' THEN json_set(value, '$.by_name', NULL) ELSE json(value) END)
			FROM json_each(record, '$.reviews'))))`
}
