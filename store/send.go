package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
)

// errConnectionLost marks errors after which the connection is closed: nobody
// knows whether the statements that were sent were run.
var errConnectionLost = errors.New("store: the connection was lost")

func (*postgresDialect) begin() string { return "BEGIN" }

// send sends the statements in one message of the simple protocol. Postgres
// skips the rest after one that fails.
func (d *postgresDialect) send(ctx context.Context, conn *sql.Conn, statements []string) (changed []int64, err error) {
	err = conn.Raw(func(driverConn any) error {
		c, err := ownConn(driverConn)
		if err != nil {
			return err
		}
		skip := 0
		if statements[0] == d.begin() {
			var n int
			statements = slices.Clone(statements)
			statements[0], n = c.begin()
			skip = n - 1
		}
		server := c.Conn.Conn()
		results, err := server.PgConn().Exec(ctx, strings.Join(statements, ";\n")).ReadAll()
		if err != nil && server.IsClosed() {
			err = errors.Join(errConnectionLost, err)
		}
		for _, r := range results[min(skip, len(results)):] {
			if r.Err == nil {
				changed = append(changed, r.CommandTag.RowsAffected())
			}
			if tag := r.CommandTag.String(); tag == "ROLLBACK" {
				err = errors.New("store: the transaction was rolled back")
			}
		}
		return err
	})
	return changed, err
}

// begin takes the lock for writing: taking it later fails at once if another
// writer came first.
func (*sqliteDialect) begin() string { return "BEGIN IMMEDIATE" }

// send runs the statements one by one. It interrupts none, which takes the
// connection with it, but stops before the next if ctx has ended.
func (*sqliteDialect) send(ctx context.Context, conn *sql.Conn, statements []string) (changed []int64, err error) {
	for _, s := range statements {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		result, err := conn.ExecContext(context.WithoutCancel(ctx), s)
		if err != nil {
			return changed, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return changed, err
		}
		changed = append(changed, n)
	}
	return changed, nil
}
