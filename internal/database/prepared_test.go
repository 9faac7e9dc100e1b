package database

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

// preparedFile opens a file on one connection, with a table of a number.
func preparedFile(t *testing.T) *sql.Conn {
	t.Helper()
	db, err := sql.Open(DriverSQLite, dsn(filepath.Join(t.TempDir(), "f"), nil))
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := c.ExecContext(t.Context(), "CREATE TABLE a (n INTEGER UNIQUE); INSERT INTO a VALUES (1), (2)"); err != nil {
		t.Fatal(err)
	}
	return c
}

// kept returns how many statements a connection keeps.
func kept(t *testing.T, c *sql.Conn) (n int) {
	t.Helper()
	err := c.Raw(func(inner any) error {
		n = inner.(*preparedConn).kept.Len()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const above = "SELECT n FROM a WHERE n > $1 ORDER BY n"

// read returns the numbers of a table that are above another.
func read(ctx context.Context, t *testing.T, c *sql.Conn, over int) (got []int) {
	t.Helper()
	found, err := c.QueryContext(ctx, above, over)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var n int
		if err := found.Scan(&n); err != nil {
			t.Fatal(err)
		}
		got = append(got, n)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return got
}

// A statement is prepared once, whatever became of its last use: rows that weren't read to
// their end, an error, another schema.
func TestStatementsAreKept(t *testing.T) {
	t.Parallel()
	c := preparedFile(t)
	exec := func(text string, values ...any) error {
		_, err := c.ExecContext(t.Context(), text, values...)
		return err
	}
	want := func(what string, over int, numbers ...int) {
		t.Helper()
		if got := read(t.Context(), t, c, over); fmt.Sprint(got) != fmt.Sprint(numbers) {
			t.Errorf("%s: got %v, want %v", what, got, numbers)
		}
	}
	want("at first", 0, 1, 2)
	want("with another value", 1, 2)
	typed, err := c.QueryContext(t.Context(), "SELECT n FROM a WHERE n = $1", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = typed.Close() }()
	if columns, err := typed.ColumnTypes(); err != nil || columns[0].DatabaseTypeName() != "INTEGER" || typed.Err() != nil {
		t.Errorf("the columns have the types %v, %v", columns, err)
	}
	half, err := c.QueryContext(t.Context(), above, 0) //nolint:rowserrcheck // half of them are read
	if err != nil || !half.Next() {
		t.Fatal(err)
	}
	want("while rows of it are open", 1, 2)
	if err := half.Close(); err != nil { //nolint:sqlclosecheck // in between
		t.Error(err)
	}
	want("after rows that weren't read", 0, 1, 2)
	for range 2 {
		if exec("INSERT INTO a VALUES ($1)", 2) == nil {
			t.Error("a second row with a unique number")
		}
	}
	if err := exec("INSERT INTO a VALUES ($1)", 3); err != nil {
		t.Error(err)
	}
	want("after an error", 1, 2, 3)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.QueryContext(over, above, 0); err == nil { //nolint:rowserrcheck,sqlclosecheck // there are no rows
		t.Error("a call that had ended")
	}
	want("after a call that had ended", 2, 3)
	if err := exec("ALTER TABLE a ADD COLUMN m INTEGER; CREATE INDEX b ON a (m, n)"); err != nil {
		t.Error(err)
	}
	want("with another schema", 1, 2, 3)
	if n := kept(t, c); n != 3 {
		t.Errorf("%d statements are kept, want 3", n)
	}
}

// A connection keeps only so many, and closes none of which rows are open.
func TestStatementsKeptAreBounded(t *testing.T) {
	t.Parallel()
	c := preparedFile(t)
	open, err := c.QueryContext(t.Context(), above, 0)
	if err != nil || !open.Next() {
		t.Fatal(err)
	}
	for i := range maxPrepared + 50 {
		var n int
		if err := c.QueryRowContext(t.Context(), fmt.Sprintf("SELECT %d + $1", i), 1).Scan(&n); err != nil || n != i+1 {
			t.Fatalf("got %d, %v", n, err)
		}
	}
	if n := kept(t, c); n != maxPrepared {
		t.Errorf("%d statements are kept", n)
	}
	var n int
	if !open.Next() || open.Scan(&n) != nil || n != 2 || open.Next() || open.Err() != nil {
		t.Errorf("rows of a statement that was to be closed have %d, %v", n, open.Err())
	}
	if err := open.Close(); err != nil { //nolint:sqlclosecheck // before others are read
		t.Error(err)
	}
	if got := read(t.Context(), t, c, 1); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}
