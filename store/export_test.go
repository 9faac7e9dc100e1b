package store

import "context"

// PreparedWrites returns how many writes a connection has prepared.
func PreparedWrites(ctx context.Context, db *DB) (n int, err error) {
	err = db.write.NewRaw("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'write%'").Scan(ctx, &n)
	return n, err
}
