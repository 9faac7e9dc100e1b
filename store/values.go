package store

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/schema"
)

// marking is bun's dialect of a transaction's writes on Postgres. bun writes
// values into a statement's text; marking marks them there, so that they can be
// bound instead (bindValues).
type marking struct {
	*pgdialect.Dialect

	tables *schema.Tables
}

var _ schema.Dialect = (*marking)(nil)

func newMarking() *marking {
	d := &marking{Dialect: pgdialect.New()}
	d.tables = schema.NewTables(d)
	return d
}

// mark stands before and after each value. No text that Postgres accepts
// contains it, and bun refuses values that do.
const mark = 0

// markedBy marks the value that add appends.
func markedBy(b []byte, add func(b []byte) []byte) []byte {
	return append(add(append(b, mark)), mark)
}

// Tables returns the tables that this dialect has seen.
func (d *marking) Tables() *schema.Tables { return d.tables }

// OnTable has the numbers of a table marked, which bun writes itself.
func (d *marking) OnTable(table *schema.Table) {
	d.Dialect.OnTable(table)
	for _, f := range table.FieldMap {
		if write := f.Append; isNumber(f.StructField.Type) {
			f.Append = func(gen schema.QueryGen, b []byte, v reflect.Value) []byte {
				return markedBy(b, func(b []byte) []byte { return write(gen, b, v) })
			}
		}
	}
}

func isNumber(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		return true
	default:
		return false
	}
}

// AppendTime appends a time.
func (d *marking) AppendTime(b []byte, t time.Time) []byte {
	return markedBy(b, func(b []byte) []byte { return d.Dialect.AppendTime(b, t) })
}

// AppendString appends a text.
func (d *marking) AppendString(b []byte, s string) []byte {
	return markedBy(b, func(b []byte) []byte { return d.Dialect.AppendString(b, s) })
}

// AppendBytes appends bytes.
func (d *marking) AppendBytes(b, v []byte) []byte {
	return markedBy(b, func(b []byte) []byte { return d.Dialect.AppendBytes(b, v) })
}

// AppendJSON appends JSON.
func (d *marking) AppendJSON(b, v []byte) []byte {
	return markedBy(b, func(b []byte) []byte { return d.Dialect.AppendJSON(b, v) })
}

// AppendBool appends a boolean.
func (d *marking) AppendBool(b []byte, v bool) []byte {
	return markedBy(b, func(b []byte) []byte { return d.Dialect.AppendBool(b, v) })
}

// number is a number of a write's condition or expression, which bun doesn't
// ask the dialect to write.
type number int64

var _ schema.QueryAppender = number(0)

// AppendQuery appends the number.
func (n number) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	add := func(b []byte) []byte { return strconv.AppendInt(b, int64(n), 10) }
	if _, ok := gen.Dialect().(*marking); ok {
		return markedBy(b, add), nil
	}
	return add(b), nil
}

// withoutMarks returns a statement with its values in its text.
func withoutMarks(text string) string { return strings.ReplaceAll(text, string(rune(mark)), "") }

// bindValues returns a statement with placeholders instead of the marked values,
// and the values in Postgres's text format; nil is NULL. The server infers each
// value's type from where it stands, as it does for one in quotes.
func bindValues(text string) (query string, values [][]byte) {
	if strings.IndexByte(text, mark) < 0 {
		return text, nil
	}
	parts := strings.Split(text, string(rune(mark)))
	var b strings.Builder
	b.Grow(len(text))
	for i, part := range parts {
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		value, ok := plainValue(part)
		if !ok {
			b.WriteString(part)
			continue
		}
		values = append(values, value)
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(len(values)))
	}
	return b.String(), values
}

// plainValue returns a literal's value. ok is false for what isn't a literal:
// bun writes an error into the text for the server to refuse.
func plainValue(literal string) (value []byte, ok bool) {
	switch {
	case literal == "NULL":
		return nil, true
	case literal == "TRUE", literal == "FALSE":
		return []byte(literal), true
	case literal == "":
		return nil, false
	case literal[0] == '\'':
		return append([]byte{}, strings.ReplaceAll(literal[1:len(literal)-1], "''", "'")...), true // "" isn't nil
	case literal[0] == '-', '0' <= literal[0] && literal[0] <= '9':
		return []byte(literal), true
	}
	return nil, false
}
