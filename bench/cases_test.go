package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"missiond/bench/report"
	"missiond/internal/testkit"
)

// TestMain runs the processes that the benchmark starts of itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (slices.Contains([]string{limitKind, apiLimited, apiOpen}, os.Args[1])) {
		if err := run(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// smallSize is a size at which a case does all that it does, and measures little.
const smallSize = "-missions 2000 -tenants 10 -sizes 1000,5000 -tasks 2000 -rounds 2 -seconds 0.5 -scale 0.1"

// opened returns a benchmark of a small size.
func opened(t *testing.T, args ...string) *bench {
	t.Helper()
	o, err := readOptions(append(strings.Fields(smallSize), args...))
	if err != nil {
		t.Fatal(err)
	}
	o.buildEnv = nil // built as the other tests build it
	b, err := open(t.Context(), o)
	if err != nil {
		testkit.NotStarted(t, "the benchmark", err)
	}
	t.Cleanup(b.close)
	return b
}

// Every case of the benchmark runs, and has its rows for the table.
func TestCases(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	b := opened(t)
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			rows, err := b.runCase(t.Context(), c)
			if err != nil || len(rows) == 0 {
				t.Fatalf("it has %d rows, %v", len(rows), err)
			}
			t.Log("\n" + report.Table(rows))
		})
	}
}
