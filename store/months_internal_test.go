package store

import "context"

// MigrateTo migrates a database without a schema to a version.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	provider, err := db.provider()
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}
