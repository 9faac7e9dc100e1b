package database

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Reader is where a read is run: one of the DB's pools, or a Tx.
type Reader interface {
	// read runs a query, whose rows collect is given: all of them before it returns, and
	// again from the first if the query is run again.
	read(ctx context.Context, q Query, collect func(rows) error) error
}

// rows are what a query has found, from one of the two drivers.
type rows struct {
	postgres pgx.Rows
	sqlite   *sql.Rows
	bun      *bun.DB
	take     func(bytes int64) error // see Metered; nil if nothing counts them
}

func (r rows) next() bool {
	if r.sqlite != nil {
		return r.sqlite.Next()
	}
	return r.postgres.Next()
}

// columns returns the names of the rows' columns.
func (r rows) columns() ([]string, error) {
	if r.sqlite != nil {
		return r.sqlite.Columns()
	}
	names := make([]string, len(r.postgres.FieldDescriptions()))
	for i, f := range r.postgres.FieldDescriptions() {
		names[i] = f.Name
	}
	return names, nil
}

// target is where a column's value goes: pgx reads it in binary, and bun's scan what SQLite has
// in its own few types.
type target struct {
	value reflect.Value
	scan  schema.ScannerFunc
}

// read reads a row, a column into each target; see fromColumn for what becomes of a value. It
// leaves those of NULL as they are.
func (r rows) read(targets []target) error {
	if r.sqlite != nil {
		return r.readSQLite(targets)
	}
	found, values := make([]any, len(targets)), r.postgres.RawValues()
	if err := r.meter(values); err != nil {
		return err
	}
	for i, value := range values {
		if value != nil && i < len(targets) {
			found[i] = targets[i].value.Addr().Interface()
		}
	}
	if err := r.postgres.Scan(found...); err != nil {
		return err
	}
	for _, into := range found {
		fromColumn(into)
	}
	return nil
}

// readSQLite is read for a row of SQLite's.
func (r rows) readSQLite(targets []target) error {
	found, to := make([]any, len(targets)), make([]any, len(targets))
	for i := range to {
		to[i] = &found[i]
	}
	if err := r.sqlite.Scan(to...); err != nil {
		return err
	}
	if err := r.meterScanned(found); err != nil {
		return err
	}
	for i, v := range found {
		if v == nil {
			continue
		}
		if err := targets[i].scan(targets[i].value, v); err != nil {
			return err
		}
		fromColumn(targets[i].value.Addr().Interface())
	}
	return nil
}

// fromColumn turns what was read into a destination into what the program has: times in UTC and in
// milliseconds, which is what clients see, though a database may have microseconds; and durations,
// of which it has the milliseconds.
func fromColumn(into any) {
	switch into := into.(type) {
	case *time.Time:
		*into = into.UTC().Truncate(time.Millisecond)
	case **time.Time:
		**into = (*into).UTC().Truncate(time.Millisecond)
	case *time.Duration:
		milliseconds := int64(*into)
		*into = time.Duration(milliseconds) * time.Millisecond
	}
}

// targets returns a function that makes a row's targets of a value: its fields that have the
// columns' names, or itself.
func (r rows) targets(of reflect.Type) (func(into reflect.Value) []target, error) {
	if of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() {
		scan := schema.Scanner(of)
		return func(into reflect.Value) []target { return []target{{into, scan}} }, nil
	}
	names, err := r.columns()
	if err != nil {
		return nil, err
	}
	table := r.bun.Table(of)
	fields := make([]*schema.Field, len(names))
	for i, name := range names {
		if fields[i] = table.LookupField(name); fields[i] == nil {
			return nil, fmt.Errorf("%s has no column %s", table, name)
		}
	}
	targets := make([]target, len(fields)) // those of the row before are read
	return func(into reflect.Value) []target {
		for i, f := range fields {
			targets[i] = target{f.Value(into), f.Scan}
		}
		return targets
	}, nil
}

// Rows returns the rows that a query selects, each in the fields of an R that have the
// names of its columns. NULL is a field's zero.
func Rows[R any](ctx context.Context, on Reader, q Query) (list []*R, err error) {
	err = on.read(ctx, q, func(found rows) error {
		list = nil
		targets, err := found.targets(reflect.TypeFor[R]())
		for err == nil && found.next() {
			row := new(R)
			list = append(list, row)
			err = found.read(targets(reflect.ValueOf(row).Elem()))
		}
		return err
	})
	return list, err
}

// Scan reads what a query selects: its first row into a struct, or into dest, a column each;
// all its rows into a slice, of structs, of pointers to them, or of the values of the only
// column. NULL leaves a destination as it is. Errors: sql.ErrNoRows, unless dest is a slice.
func Scan(ctx context.Context, on Reader, q Query, dest ...any) error {
	into := reflect.ValueOf(dest[0]).Elem()
	if into.Kind() == reflect.Slice && into.Type().Elem().Kind() != reflect.Uint8 {
		return on.read(ctx, q, func(found rows) error { return found.all(into) })
	}
	return on.read(ctx, q, func(found rows) error {
		if !found.next() {
			return sql.ErrNoRows
		}
		var all []target
		for _, d := range dest {
			targets, err := found.targets(reflect.TypeOf(d).Elem())
			if err != nil {
				return err
			}
			all = append(all, targets(reflect.ValueOf(d).Elem())...)
		}
		return found.read(all)
	})
}

// all reads all rows into a slice.
func (r rows) all(into reflect.Value) error {
	into.SetLen(0)
	element := into.Type().Elem()
	pointers := element.Kind() == reflect.Pointer
	if pointers {
		element = element.Elem()
	}
	targets, err := r.targets(element)
	for err == nil && r.next() {
		v := reflect.New(element)
		if err = r.read(targets(v.Elem())); pointers {
			into.Set(reflect.Append(into, v))
		} else {
			into.Set(reflect.Append(into, v.Elem()))
		}
	}
	return err
}

// Exists reports whether a query finds a row.
func Exists(ctx context.Context, on Reader, q Query) (found bool, err error) {
	err = Scan(ctx, on, bun.SafeQuery("SELECT EXISTS (?)", q), &found)
	return found, err
}

// Count returns how many rows a query of a table selects.
func Count(ctx context.Context, on Reader, q *bun.SelectQuery) (n int, err error) {
	err = Scan(ctx, on, q.ColumnExpr("count(*)"), &n)
	return n, err
}

// Column is a column of Records: its name and the name of its type.
type Column struct{ Name, Type string }

// Records returns the rows that a query selects of a table that nobody describes, in the types
// of database/sql.
func Records(ctx context.Context, on Reader, q Query) (columns []Column, records [][]any, err error) {
	err = on.read(ctx, q, func(found rows) error {
		records = nil
		if found.sqlite != nil {
			columns, records, err = found.recordsOfSQLite()
			return err
		}
		types := found.postgres.Conn().TypeMap()
		columns = make([]Column, len(found.postgres.FieldDescriptions()))
		for found.postgres.Next() {
			if err := found.meter(found.postgres.RawValues()); err != nil {
				return err
			}
			record := make([]any, len(columns))
			for i, f := range found.postgres.FieldDescriptions() {
				t, ok := types.TypeForOID(f.DataTypeOID)
				if !ok {
					return fmt.Errorf("the type of column %s is unknown", f.Name)
				}
				columns[i] = Column{f.Name, t.Name}
				if record[i], err = t.Codec.DecodeDatabaseSQLValue(types, f.DataTypeOID, f.Format, found.postgres.RawValues()[i]); err != nil {
					return err
				}
			}
			records = append(records, record)
		}
		return nil
	})
	return columns, records, err
}

// recordsOfSQLite is Records for rows of SQLite's.
func (r rows) recordsOfSQLite() (columns []Column, records [][]any, err error) {
	found := r.sqlite
	types, err := found.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	for _, t := range types {
		columns = append(columns, Column{t.Name(), t.DatabaseTypeName()})
	}
	for found.Next() {
		record, to := make([]any, len(types)), make([]any, len(types))
		for i := range record {
			to[i] = &record[i]
		}
		if err := found.Scan(to...); err != nil {
			return nil, nil, err
		}
		if err := r.meterScanned(record); err != nil {
			return nil, nil, err
		}
		records = append(records, record)
	}
	return columns, records, nil
}
