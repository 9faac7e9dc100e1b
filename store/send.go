package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errConnectionLost marks errors after which the connection is closed: nobody
// knows whether the statements that were sent were run.
var errConnectionLost = errors.New("store: the connection was lost")

func (*postgresDialect) begin() string { return "BEGIN" }

// send sends the statements in one message. Postgres skips the rest after one
// that fails.
func (d *postgresDialect) send(ctx context.Context, conn *sql.Conn, statements []string) (changed []int64, err error) {
	err = conn.Raw(func(driverConn any) error {
		c, err := ownConn(driverConn)
		if err != nil {
			return err
		}
		skip := 0
		if statements[0] == d.begin() {
			first := c.begin()
			statements = append(first, statements[1:]...)
			skip = len(first) - 1
		}
		send := c.sendText
		if c.mode == pgx.QueryExecModeCacheStatement {
			send = c.sendPrepared
		}
		tags, err := send(ctx, statements)
		if err != nil && c.Conn.Conn().IsClosed() {
			err = errors.Join(errConnectionLost, err)
		}
		for _, tag := range tags[min(skip, len(tags)):] {
			changed = append(changed, tag.RowsAffected())
			if tag.String() == "ROLLBACK" {
				err = errors.New("store: the transaction was rolled back")
			}
		}
		return err
	})
	return changed, err
}

// demand returns a write so that it fails if it doesn't change as many rows as it
// must: the server then skips the rest of the message, COMMIT included.
func demand(text string, rows int) string {
	return fmt.Sprintf("WITH changed AS (%s RETURNING 1) SELECT 1 / (count(*) = %d)::int FROM changed", text, rows)
}

// isUnmet reports whether err is that of a demand: a division by zero.
func isUnmet(err error) bool {
	const divisionByZero = "22012"
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == divisionByZero
}

// sendText sends statements in the simple protocol, with their values in the
// text, and returns the tags of those that were run.
func (c *conn) sendText(ctx context.Context, statements []string) (tags []pgconn.CommandTag, err error) {
	text := withoutMarks(strings.Join(statements, ";\n"))
	results, err := c.Conn.Conn().PgConn().Exec(ctx, text).ReadAll()
	for _, r := range results {
		if r.Err == nil {
			tags = append(tags, r.CommandTag)
		}
	}
	return tags, err
}

const (
	// maxNamed is how many statements of writes a connection keeps prepared.
	maxNamed = 250
	// maxValues is how many values a statement has that is prepared. One with more
	// writes many rows, seldom as many again.
	maxValues = 500
)

// sendPrepared sends statements with their values beside them, and returns the
// tags of those that were run. Each is prepared once for the connection, in the
// same message.
func (c *conn) sendPrepared(ctx context.Context, statements []string) (tags []pgconn.CommandTag, err error) {
	p := c.Conn.Conn().PgConn().StartPipeline(ctx)
	var made []string // those that this message prepares, in their order
	for _, s := range statements {
		query, values := bindValues(s)
		if len(values) == 0 || len(values) > maxValues {
			p.SendQueryParams(withoutMarks(s), nil, nil, nil, nil)
			continue
		}
		if _, known := c.named[query]; !known {
			made = append(made, query)
			p.SendPrepare(c.name(query), query, nil)
		}
		p.SendQueryPrepared(c.named[query], values, nil, nil)
	}
	given := c.surplus(p)
	err = p.Sync()
	for err == nil {
		var result any
		result, err = p.GetResults()
		switch r := result.(type) {
		case *pgconn.StatementDescription:
			made = made[1:]
		case *pgconn.CloseComplete:
			delete(c.named, given[0])
			given = given[1:]
		case *pgconn.ResultReader:
			var tag pgconn.CommandTag
			if tag, err = r.Close(); err == nil {
				tags = append(tags, tag)
			}
		}
		if result == nil {
			break
		}
	}
	for _, query := range made { // not reached
		delete(c.named, query)
	}
	const unknown = "26000"
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == unknown {
		c.named = nil // a pooler has lost them
	}
	if closed := p.Close(); err == nil {
		err = closed
	}
	return tags, err
}

// name names a statement that is to be prepared.
func (c *conn) name(query string) string {
	if c.named == nil {
		c.named = map[string]string{}
	}
	c.names++
	c.named[query] = "write_" + strconv.Itoa(c.names)
	return c.named[query]
}

// surplus gives up prepared statements, whichever, while there are too many, and
// returns which.
func (c *conn) surplus(p *pgconn.Pipeline) (given []string) {
	for query, name := range c.named {
		if len(c.named)-len(given) <= maxNamed {
			break
		}
		p.SendDeallocate(name)
		given = append(given, query)
	}
	return given
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
