package store

import "context"

// View runs fn in a transaction that only reads: fn's locks are none, and what it writes is
// refused. It keeps nobody from writing.
func (db *DB) View(ctx context.Context, fn func(tx Tx) error) error {
	conn, err := handle{DB: db.read.DB}.conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it goes back to its pool
	tx := Tx{db: db, batch: &batch{conn: conn, dialect: db.dialect}, done: newProgress(), view: true}
	defer func() { tx.batch.rollback(ctx) }()
	for _, statement := range db.dialect.view() {
		if _, err := tx.raw(statement).Exec(ctx); err != nil {
			return err
		}
	}
	if err := fn(tx); err != nil {
		return err
	}
	return tx.batch.flush(ctx)
}

// ReadOnly reports whether the transaction is View's.
func (tx Tx) ReadOnly() bool { return tx.view }

func (*postgresDialect) view() []string { return []string{"BEGIN", "SET TRANSACTION READ ONLY"} }

// view's transaction is on a connection that can't write.
func (*sqliteDialect) view() []string { return []string{"BEGIN"} }
