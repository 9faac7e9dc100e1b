package seed

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Grow fills empty tenants with so many missions each, by their ids, with a job
// and a post each: what lists and counters are measured on as they grow. Only
// the last ones have stages. Whoever it talks to must be a superuser.
func Grow(ctx context.Context, conn *pgx.Conn, missions map[string]int, say func(format string, args ...any)) error {
	if _, err := conn.Exec(ctx, "SET session_replication_role = replica"); err != nil {
		return err
	}
	indexes, err := dropIndexes(ctx, conn, tables())
	if err != nil {
		return err
	}
	for tenant, n := range missions {
		say("growing a tenant to %d missions", n)
		for _, statement := range growStatements() {
			if _, err := conn.Exec(ctx, statement, tenant, n); err != nil {
				return fmt.Errorf("%.120s: %w", statement, err)
			}
		}
	}
	say("building indexes")
	for _, statement := range append(indexes, "VACUUM (ANALYZE)", "CHECKPOINT", "SET session_replication_role = origin") {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.120s: %w", statement, err)
		}
	}
	return nil
}

// growth has a query of what each mission comes from, and the statements that
// write it, with the query between braces.
//
//go:embed growth.sql
var growth string

// growStatements returns the statements.
func growStatements() []string {
	query, rest, _ := strings.Cut(growth, ";\n")
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(rest, "{grown}", query), ";\n"), ";\n")
}
