package testkit

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"missiond/internal/testkit/await"
)

// PostgresText returns all that a database's tables hold, as text; bytes as
// the text that they are.
func PostgresText(t testing.TB, url string) string {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ctx, cancel := await.Context()
	defer cancel()
	tables := column(ctx, t, db, `SELECT 'SELECT concat_ws('' '', ' || string_agg(
			CASE data_type WHEN 'bytea' THEN format('encode(%I, ''escape'')', column_name) ELSE format('%I::text', column_name) END, ', ')
			|| format(') FROM %I', table_name)
		FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`)
	var text strings.Builder
	for _, query := range tables {
		text.WriteString(strings.Join(column(ctx, t, db, query), "\n") + "\n")
	}
	return text.String()
}

// column returns the texts that a query's rows have.
func column(ctx context.Context, t testing.TB, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// RedisText returns all that a logical database of Redis holds, as text.
func RedisText(t testing.TB, url string) string {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(o)
	defer func() { _ = client.Close() }()
	ctx, cancel := await.Context()
	defer cancel()
	var text strings.Builder
	keys := client.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		key := keys.Val()
		read := map[string]func() any{
			"string": func() any { return client.Get(ctx, key).Val() },
			"hash":   func() any { return client.HGetAll(ctx, key).Val() },
			"list":   func() any { return client.LRange(ctx, key, 0, -1).Val() },
			"set":    func() any { return client.SMembers(ctx, key).Val() },
			"zset":   func() any { return client.ZRangeWithScores(ctx, key, 0, -1).Val() },
		}[client.Type(ctx, key).Val()]
		if read != nil {
			fmt.Fprintln(&text, key, read())
		}
	}
	if err := keys.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
