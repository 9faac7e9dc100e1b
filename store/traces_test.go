package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	"pgregory.net/rapid"
)

// A statement's text without values is the same whatever the values are, in each
// dialect.
func TestWithoutValues(t *testing.T) {
	t.Parallel()
	dialects := map[string]schema.Dialect{"postgres": newMarking(), "sqlite": sqlitedialect.New()}
	for name, d := range dialects {
		gen := schema.NewQueryGen(d)
		rapid.Check(t, func(t *rapid.T) {
			text := strings.ReplaceAll(rapid.String().Draw(t, "text"), "\x00", "")
			blob := rapid.SliceOf(rapid.Byte()).Draw(t, "blob")
			n, f := rapid.Int64Min(0).Draw(t, "n"), rapid.Float64Min(0).Draw(t, "f")
			got := withoutValues(gen.FormatQuery(`UPDATE "x1" AS "t" SET name = ?, data = ? WHERE n = ? AND f > ? AND $1 < n`, text, blob, n, f))
			got = strings.ReplaceAll(got, "X?", "?") // SQLite's blobs
			if want := "UPDATE x1 AS t SET name = ?, data = ? WHERE n = ? AND f > ? AND $1 < n"; got != want {
				t.Fatalf("%s: %s", name, got)
			}
		})
	}
	for text, want := range map[string]string{
		"SELECT 'a''b', 'c'\n\tFROM  t":               "SELECT ? FROM t",
		"VALUES ('1', -2, DEFAULT, 3.5e10, '4'), (5)": "VALUES (?, DEFAULT, ?), (?)",
		"WHERE id = $12 AND t2.x::text = 'it''s'":     "WHERE id = $12 AND t2.x::text = ?",
		"SELECT 'never ends":                          "SELECT ?",
		"LIMIT 51":                                    "LIMIT ?",
		"\x00'a'\x00, \x00NULL\x00, \x00TRUE\x00":     "?, NULL, TRUE",
		"": "",
	} {
		if got := withoutValues(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The summary is what a span is named by.
func TestDescribeStatements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		texts   []string
		summary string
	}{
		{[]string{`SELECT * FROM "missions" AS "m" WHERE id = 'x'`}, "SELECT missions"},
		{[]string{"BEGIN", `INSERT INTO "missions" ("id") VALUES ('a')`, "INSERT INTO tasks VALUES (1)", "INSERT INTO tasks VALUES (2)", "COMMIT"}, "INSERT missions; INSERT tasks"},
		{[]string{"BEGIN", "COMMIT"}, "COMMIT"},
		{[]string{"ROLLBACK"}, "ROLLBACK"},
		{[]string{"WITH due AS (SELECT id FROM tasks) UPDATE tasks SET x = 1"}, "WITH tasks"},
		{[]string{"SELECT part.* FROM (SELECT 1) AS x"}, "SELECT"},
		{[]string{"DELETE FROM t;"}, "DELETE t"},
	} {
		if got, _ := describeStatements(c.texts); got != c.summary {
			t.Errorf("%q: %q, want %q", c.texts, got, c.summary)
		}
	}
	long := make([]string, 1000)
	for i := range long {
		long[i] = fmt.Sprintf("SELECT ü FROM t%d", i)
	}
	if summary, text := describeStatements(long); len(summary) > maxSummary || len(text) > maxText {
		t.Errorf("%d and %d bytes", len(summary), len(text))
	}
}

// Statements cost nothing while there is no trace.
func TestUntracedStatements(t *testing.T) {
	ctx := context.Background()
	allocs := testing.AllocsPerRun(100, func() {
		_, span := traceStatements(ctx, systemPostgres, nil, "SELECT 1")
		endStatements(span, nil)
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
