package store

import (
	"cmp"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// textRows are the rows of a question within a batch, which Postgres answers as
// text.
type textRows struct {
	tx      *deferringTx
	results *pgconn.MultiResultReader
	reader  *pgconn.ResultReader
	types   *pgtype.Map
	closed  bool
}

var _ driver.Rows = (*textRows)(nil)

// Columns returns the columns' names.
func (r *textRows) Columns() []string {
	fields := r.reader.FieldDescriptions()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Next reads a row.
func (r *textRows) Next(values []driver.Value) error {
	if r.closed || !r.reader.NextRow() {
		if err := r.Close(); err != nil {
			return err
		}
		return io.EOF
	}
	fields := r.reader.FieldDescriptions()
	for i, text := range r.reader.Values() {
		var err error
		if values[i], err = r.value(fields[i].DataTypeOID, text); err != nil {
			return fmt.Errorf("store: read the column %s: %w", fields[i].Name, err)
		}
	}
	return nil
}

// value reads a value of a type.
func (r *textRows) value(oid uint32, text []byte) (driver.Value, error) {
	if text == nil {
		return nil, nil
	}
	switch oid {
	case pgtype.BoolOID:
		return string(text) == "t", nil
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		return strconv.ParseInt(string(text), 10, 64)
	case pgtype.Float4OID, pgtype.Float8OID:
		return strconv.ParseFloat(string(text), 64)
	case pgtype.TimestamptzOID, pgtype.TimestampOID, pgtype.DateOID:
		var at time.Time
		err := r.types.Scan(oid, pgtype.TextFormatCode, text, &at)
		return at, err
	case pgtype.ByteaOID:
		if len(text) < 2 || text[0] != '\\' || text[1] != 'x' {
			return nil, errors.New("the bytes aren't in hex")
		}
		data := make([]byte, hex.DecodedLen(len(text)-2))
		_, err := hex.Decode(data, text[2:])
		return data, err
	case pgtype.JSONOID, pgtype.JSONBOID:
		return append([]byte(nil), text...), nil
	default:
		return string(text), nil
	}
}

// Close reads the rest, and tells what went wrong.
func (r *textRows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	_, err := r.reader.Close()
	return r.tx.fail(cmp.Or(err, r.results.Close()))
}
