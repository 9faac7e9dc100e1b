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
		if err == nil {
			changed, err = c.send(ctx, statements)
		}
		return err
	})
	return changed, err
}

// leads: the read of pgx's rows is sent behind the writes.
func (*postgresDialect) leads() bool { return true }

// send is postgresDialect's.
func (c *conn) send(ctx context.Context, statements []string) (changed []int64, err error) {
	all, skip := c.whole(statements)
	send := c.sendText
	if c.mode == pgx.QueryExecModeCacheStatement {
		send = c.sendPrepared
	}
	tags, err := send(ctx, all)
	return c.sent(tags, skip, err)
}

// whole returns statements with what a transaction begins with, and how many more
// they are than before.
func (c *conn) whole(statements []string) (all []string, more int) {
	first := c.pool.dialect.begin()
	if statements[0] != first {
		return statements, 0
	}
	all = append(c.begin(), statements[1:]...)
	return all, len(all) - len(statements)
}

// sent returns how many rows each statement changed, by their tags but the first
// few, and the error of those that failed.
func (c *conn) sent(tags []pgconn.CommandTag, skip int, err error) (changed []int64, _ error) {
	if err != nil && c.Conn.Conn().IsClosed() {
		err = errors.Join(errConnectionLost, err)
	}
	for _, tag := range tags[min(skip, len(tags)):] {
		changed = append(changed, tag.RowsAffected())
		if tag.String() == "ROLLBACK" {
			err = errors.New("store: the transaction was rolled back")
		}
	}
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
// tags of those that were run.
func (c *conn) sendPrepared(ctx context.Context, statements []string) (tags []pgconn.CommandTag, err error) {
	m := c.newMessage(ctx)
	m.write(statements)
	m.given = c.surplus(m.p)
	if err = m.p.Sync(); err == nil {
		tags, err = m.tags(len(statements))
	}
	if err == nil {
		_, err = m.next() // what is left are prepared statements that are given up
	}
	return tags, m.end(err)
}

// message is statements that are sent together. Each is prepared once for the
// connection, in the same message.
type message struct {
	c           *conn
	p           *pgconn.Pipeline
	made, given []string // those that the message prepares and gives up, in their order
}

func (c *conn) newMessage(ctx context.Context) *message {
	return &message{c: c, p: c.Conn.Conn().PgConn().StartPipeline(ctx)}
}

// write adds statements with their values marked.
func (m *message) write(statements []string) {
	for _, s := range statements {
		query, values := bindValues(s)
		if len(values) == 0 || len(values) > maxValues {
			m.p.SendQueryParams(withoutMarks(s), nil, nil, nil, nil)
			continue
		}
		m.add(query, values, nil)
	}
}

// add adds a statement with its values in text, and the format of its results.
func (m *message) add(query string, values [][]byte, results []int16) {
	if _, known := m.c.named[query]; !known {
		m.made = append(m.made, query)
		m.p.SendPrepare(m.c.name(query), query, nil)
	}
	m.p.SendQueryPrepared(m.c.named[query], values, nil, results)
}

// next returns the result of the next statement; nil if there is none.
func (m *message) next() (*pgconn.ResultReader, error) {
	for {
		result, err := m.p.GetResults()
		if err != nil {
			return nil, err
		}
		switch r := result.(type) {
		case *pgconn.StatementDescription:
			m.made = m.made[1:]
		case *pgconn.CloseComplete:
			delete(m.c.named, m.given[0])
			m.given = m.given[1:]
		case *pgconn.ResultReader:
			return r, nil
		default: // the end
			return nil, nil
		}
	}
}

// tags returns the tags of the next n statements, up to one that fails.
func (m *message) tags(n int) (tags []pgconn.CommandTag, err error) {
	for len(tags) < n {
		r, err := m.next()
		if err != nil || r == nil {
			return tags, err
		}
		tag, err := r.Close()
		if err != nil {
			return tags, err
		}
		tags = append(tags, tag)
	}
	return tags, nil
}

// end ends the message, which has failed with err if it isn't nil.
func (m *message) end(err error) error {
	for _, query := range m.made { // not reached
		delete(m.c.named, query)
	}
	const unknown = "26000"
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == unknown {
		m.c.named = nil // a pooler has lost them
	}
	if closed := m.p.Close(); err == nil {
		err = closed
	}
	return err
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

func (*sqliteDialect) leads() bool { return false }

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
