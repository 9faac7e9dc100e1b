package database

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/schema"
)

// Query is a statement that a Builder has begun. It isn't run by its own methods.
type Query = schema.QueryAppender

// Builder begins statements.
type Builder struct {
	bun     *bun.DB
	dialect *dialect
}

func newBuilder(d schema.Dialect) Builder {
	own := &dialect{Dialect: d}
	own.tables = schema.NewTables(own)
	closed := sql.OpenDB(unconnected{})
	_ = closed.Close() // a statement that is run by its own methods fails
	return Builder{bun: bun.NewDB(closed, own), dialect: own}
}

// NewSelect begins a SELECT.
func (b Builder) NewSelect() *bun.SelectQuery { return b.bun.NewSelect() }

// NewInsert begins an INSERT that returns no rows: by default bun requests the values that
// the database filled in.
func (b Builder) NewInsert() *bun.InsertQuery { return b.bun.NewInsert().Returning("NULL") }

// NewValues begins a list of rows, for an UPDATE's WITH.
func (b Builder) NewValues(rows any) *bun.ValuesQuery { return b.bun.NewValues(rows) }

// NewUpdate begins an UPDATE.
func (b Builder) NewUpdate() *bun.UpdateQuery { return b.bun.NewUpdate() }

// NewDelete begins a DELETE.
func (b Builder) NewDelete() *bun.DeleteQuery { return b.bun.NewDelete() }

// NewRaw begins a statement with a text in which ? stands for an argument.
func (b Builder) NewRaw(text string, args ...any) *bun.RawQuery { return b.bun.NewRaw(text, args...) }

// Lateral reports whether a subquery may refer to the row of the outer query: on Postgres.
func (b Builder) Lateral() bool { return b.dialect.Name() == bundialect.PG }

// unconnected is a driver that nobody connects with.
type unconnected struct{ driver.Connector }

// statement is a rendered Query.
type statement struct {
	// text has $1, $2 … in place of the values. Each is a string (texts, times and JSON, as
	// the database reads them), int64, float64, bool, []byte, []string, or nil.
	text   string
	values []any
	// literal is the text with the values in it, which is sent instead; "" if it isn't.
	literal string
}

// sent returns the text that is sent, and the values beside it.
func (s statement) sent() (text string, values []any) {
	if s.literal != "" {
		return s.literal, nil
	}
	return s.text, s.values
}

// maxValues is how many values a statement has beside it: one with more writes many rows,
// seldom as many again, and SQLite takes only so many.
const maxValues = 500

// render returns a query's statement: with the values in the text too if it is to be planned
// for them.
func (b Builder) render(q Query, planned bool) (statement, error) {
	r := &recorder{dialect: b.dialect}
	text, err := q.AppendQuery(schema.NewQueryGen(r), nil)
	if err = errors.Join(err, r.err); err != nil {
		return statement{}, err
	}
	s := statement{text: string(text), values: r.values}
	if len(r.values) <= maxValues && !(planned && b.Lateral()) {
		return s, nil
	}
	literal, err := q.AppendQuery(schema.NewQueryGen(b.dialect), nil)
	s.literal = string(literal)
	return s, err
}

// Int is a number of a condition or an expression. bun writes other numbers into the text,
// where constants belong.
type Int int64

// AppendQuery appends the number.
func (n Int) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	if r, ok := gen.Dialect().(*recorder); ok {
		return r.add(b, int64(n)), nil
	}
	return strconv.AppendInt(b, int64(n), 10), nil
}

// In is the condition that a column, or an expression, is one of a list of texts.
func In[S ~string](column string, list []S) Query { return newIn(column, list, false) }

// InConstants is In with the list in the statement's text: for a few names out of a closed set
// of which some are rare and others aren't, which plans should know.
func InConstants[S ~string](column string, list []S) Query { return newIn(column, list, true) }

type in struct {
	column    string
	list      []string
	constants bool
}

func newIn[S ~string](column string, list []S, constants bool) in {
	c := in{column, make([]string, len(list)), constants}
	for i, s := range list {
		c.list[i] = string(s)
	}
	return c
}

// AppendQuery appends the condition: with one value for the whole list where the database has
// lists.
func (c in) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	b = append(b, c.column...)
	d := gen.Dialect()
	if r, ok := d.(*recorder); ok && c.constants {
		d = r.Dialect
	} else if ok && r.Name() == bundialect.PG {
		return append(r.add(append(b, " = ANY("...), c.list), ')'), nil
	}
	if len(c.list) == 0 {
		return append(b, " IN (NULL)"...), nil
	}
	b = append(b, " IN "...)
	for i, s := range c.list {
		b = d.AppendString(append(b, "(,"[min(i, 1)]), s)
	}
	return append(b, ')'), nil
}

// Texts is a list of texts as one value, which only Postgres has.
type Texts []string

// AppendQuery appends the list.
func (t Texts) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	if r, ok := gen.Dialect().(*recorder); ok {
		return r.add(b, []string(t)), nil
	}
	return pgdialect.Array([]string(t)).AppendQuery(gen, b)
}

// dialect is one of bun's, with tables of its own.
type dialect struct {
	schema.Dialect

	tables *schema.Tables
}

// Tables returns the tables that were used.
func (d *dialect) Tables() *schema.Tables { return d.tables }

// AppendJSON appends JSON. bun would break a text that has the six characters of an escaped NUL.
func (d *dialect) AppendJSON(b, v []byte) []byte { return d.AppendString(b, storable(v)) }

// nulEscape is how JSON writes the character NUL, which Postgres refuses.
const nulEscape = `\u0000`

var escapes = regexp.MustCompile(`\\(u0000|.)`)

// storable returns JSON in whose texts the six characters of its escape stand for NUL.
func storable(v []byte) string {
	text := string(v)
	if !strings.Contains(text, nulEscape) {
		return text
	}
	return escapes.ReplaceAllStringFunc(text, func(escape string) string {
		if escape == nulEscape {
			return `\` + nulEscape
		}
		return escape
	})
}

// OnTable has a recorder record what bun writes into the text itself: numbers, and NULL, so that
// a text doesn't depend on which values there are; see toColumn for what is written of a value.
func (d *dialect) OnTable(table *schema.Table) {
	d.Dialect.OnTable(table)
	for _, f := range table.FieldMap {
		write, zeroIsNull, isZero := f.Append, f.NullZero || f.Tag.HasOption("nullzero"), f.IsZero
		if f != table.SoftDeleteField {
			f.IsPtr, f.NullZero = false, false // with which bun would append NULL, or DEFAULT, itself
		}
		f.Append = func(gen schema.QueryGen, b []byte, v reflect.Value) []byte {
			null := zeroIsNull && isZero(v)
			r, ok := gen.Dialect().(*recorder)
			if !null {
				v = toColumn(v)
			}
			switch {
			case ok && null:
				return r.add(b, nil)
			case null:
				return append(b, "NULL"...)
			case !ok:
				return write(gen, b, v)
			}
			recorded, start := len(r.values), len(b)
			b = write(gen, b, v)
			if len(r.values) > recorded {
				return b
			}
			return r.add(b[:start], r.literal(v, string(b[start:])))
		}
	}
}

// toColumn returns what is written of a field's value that isn't NULL: an empty list for none, as
// JSON's null is no list, and a duration in milliseconds. A row that embeds another does it twice.
func toColumn(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() == reflect.Slice && v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8:
		return reflect.MakeSlice(v.Type(), 0, 0)
	case v.Type() == reflect.TypeFor[time.Duration]():
		return reflect.ValueOf(time.Duration(v.Int()).Milliseconds())
	}
	return v
}

// recorder is the dialect of one statement: it records each value and appends its number.
type recorder struct {
	*dialect

	values []any
	err    error
}

var _ schema.Dialect = (*recorder)(nil)

// add records a value.
func (r *recorder) add(b []byte, v any) []byte {
	r.values = append(r.values, v)
	return strconv.AppendInt(append(b, '$'), int64(len(r.values)), 10)
}

// literal returns the value of a field that bun has written as a text.
func (r *recorder) literal(v reflect.Value, text string) any {
	if text == "NULL" {
		return nil
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanFloat():
		return v.Float()
	case v.CanUint():
		return int64(v.Uint())
	}
	r.err = errors.New("database: bun has written " + text + " for a field")
	return nil
}

// AppendUint32 records a number.
func (r *recorder) AppendUint32(b []byte, n uint32) []byte { return r.add(b, int64(n)) }

// AppendUint64 records a number.
func (r *recorder) AppendUint64(b []byte, n uint64) []byte { return r.add(b, int64(n)) }

// AppendTime records a time, as bun writes it: SQLite compares them as texts.
func (r *recorder) AppendTime(b []byte, t time.Time) []byte {
	return r.add(b, unquoted(r.Dialect.AppendTime(nil, t)))
}

// AppendString records a text.
func (r *recorder) AppendString(b []byte, s string) []byte {
	if strings.IndexByte(s, 0) >= 0 {
		r.err = errors.New("database: a text has a NUL byte")
	}
	return r.add(b, strings.ToValidUTF8(s, "\uFFFD"))
}

// AppendBytes records bytes.
func (r *recorder) AppendBytes(b, v []byte) []byte {
	if v == nil {
		return r.add(b, nil)
	}
	return r.add(b, v)
}

// AppendJSON records JSON.
func (r *recorder) AppendJSON(b, v []byte) []byte { return r.add(b, storable(v)) }

// AppendBool records a boolean.
func (r *recorder) AppendBool(b []byte, v bool) []byte { return r.add(b, v) }

// unquoted returns the text of a literal.
func unquoted(literal []byte) string {
	return strings.ReplaceAll(string(literal[1:len(literal)-1]), "''", "'")
}
