// Package seed fills a database with missions as the service leaves them.
package seed

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"missiond/internal/textindex"
)

// missions has a query of what each mission comes from, and the statements that
// write it, with the query between braces.
//
//go:embed missions.sql
var missions string

//go:embed totals.sql
var totals string

// Fill gives tenants, by their ids, so many missions with so many posts each. The URL is a
// superuser's, for references aren't checked meanwhile.
func Fill(ctx context.Context, url string, tenants map[string]int, posts int) error {
	conn, err := pgx.Connect(ctx, url+"&session_replication_role=replica")
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	indexes, err := dropIndexes(ctx, conn)
	if err != nil {
		return err
	}
	query, rest, _ := strings.Cut(missions, ";\n")
	rest = strings.ReplaceAll(rest, "{seeded}", query)
	for tenant, n := range tenants {
		if err := run(ctx, conn, strings.Split(rest, ";\n"), tenant, n, posts); err != nil {
			return err
		}
		if err := fillTexts(ctx, conn, tenant); err != nil {
			return err
		}
	}
	return run(ctx, conn, slices.Concat(indexes, strings.Split(totals, ";\n")))
}

// fillTexts has searches find a tenant's posts.
func fillTexts(ctx context.Context, conn *pgx.Conn, tenant string) error {
	const some = 10_000
	for last, n := "", some; n == some; {
		found, err := conn.Query(ctx, "SELECT id, body FROM contents WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3", tenant, last, some)
		if err != nil {
			return err
		}
		var rows [][]any
		var post, text string
		_, err = pgx.ForEachRow(found, []any{&post, &text}, func() error {
			folded := textindex.Fold(text)
			rows = append(rows, []any{post, tenant, folded, textindex.Grams(tenant, folded)})
			return nil
		})
		if err != nil {
			return err
		}
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"content_texts"}, []string{"content_id", "tenant_id", "folded", "grams"}, pgx.CopyFromRows(rows)); err != nil {
			return err
		}
		last, n = post, len(rows)
	}
	return nil
}

func run(ctx context.Context, conn *pgx.Conn, statements []string, args ...any) error {
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement, args...); err != nil {
			return fmt.Errorf("%.120s: %w", statement, err)
		}
	}
	return nil
}

// dropIndexes removes the indexes of what is seeded, but those of constraints,
// and returns the statements that make them again.
func dropIndexes(ctx context.Context, conn *pgx.Conn) (definitions []string, err error) {
	found, err := conn.Query(ctx, `SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i
		JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
		WHERE t.relname IN ('missions', 'mission_platforms', 'mission_names', 'jobs', 'stages', 'contents', 'content_texts', 'tasks')
		AND NOT EXISTS (SELECT FROM pg_constraint x WHERE x.conindid = c.oid) ORDER BY c.relname`)
	if err != nil {
		return nil, err
	}
	var drops []string
	var name, definition string
	_, err = pgx.ForEachRow(found, []any{&name, &definition}, func() error {
		drops, definitions = append(drops, "DROP INDEX "+pgx.Identifier{name}.Sanitize()), append(definitions, definition)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return definitions, run(ctx, conn, drops)
}
