package database

import (
	"context"
	"fmt"
	"testing"
)

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
		_, span := traceStatements(ctx, systemPostgres, nil, &statement{text: "SELECT 1"})
		endStatements(span, nil)
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
