package store

import "context"

// MigrateTo migrates a database without a schema to a version, under the lock of migrations.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	return db.dialect.migrating(ctx, db, func(ctx context.Context) error {
		provider, err := db.provider()
		if err != nil {
			return err
		}
		_, err = provider.UpTo(ctx, version)
		return err
	})
}
