package database

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestCause(t *testing.T) {
	for code, want := range map[string]string{
		"53100": "disk full", "25006": "read-only", "53300": "too many connections", "28P01": "access denied", "57P03": "starting",
		"42P01": "unreachable",
	} {
		if got := Cause(fmt.Errorf("try: %w", &pgconn.PgError{Code: code})); got != want {
			t.Errorf("the cause of %s is %q, want %q", code, got, want)
		}
	}
	if got := Cause(errors.New("connection refused")); got != "unreachable" {
		t.Errorf("the cause of another error is %q", got)
	}
}
