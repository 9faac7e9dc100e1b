package seed

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/internal/testkit"
	"missiond/store"
)

// Days leave as many rows as their posts do, each in its month's partition, and no task but
// those that measure.
func TestDays(t *testing.T) {
	ctx, url := context.Background(), testkit.PostgresURL(t)
	db, err := store.OpenPostgres(url, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for i := range 2 {
		for _, q := range []string{
			`INSERT INTO tenants (id, name, unique_slug, plan, limits, brand, created_at, updated_at) VALUES ('tnt_%[1]d', '', '%[1]d', 'pro', '{}', '{}', now(), now())`,
			`INSERT INTO webhooks (id, tenant_id, url, events, status, enabled, sealed, code, created_at, updated_at) VALUES ('whk_%[1]d', 'tnt_%[1]d', '', '[]', 'active', true, '', '', now(), now())`,
		} {
			if _, err := pool.Exec(ctx, fmt.Sprintf(q, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	const posts, days = 40, 3
	y := Year{DB: pool, Posts: posts, Tenants: 2}
	if err := y.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	for _, day := range []time.Time{
		time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 4, 2, 0, 0, 0, 0, time.UTC),
	} {
		if err := db.MaintainMonths(ctx, day, store.MonthRetention{Usage: 1000 * time.Hour}); err != nil {
			t.Fatal(err)
		}
		if err := y.Day(ctx, day); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM missions": posts / PostsADay * 2,
		"SELECT count(*) FROM contents WHERE status = 'published' AND metrics IS NOT NULL": posts * days,
		"SELECT count(*) FROM events_2027_04":                                              posts * 2 * 15 / 2,
		"SELECT count(*) FROM deliveries WHERE status = 'delivered'":                       posts * days * 15 / 2,
		"SELECT count(*) FROM delivery_attempts":                                           posts * days * 15 / 2,
		"SELECT count(*) FROM measurements":                                                posts * (days + 1), // those of 1 April have two
		"SELECT count(*) FROM tasks WHERE type = 'mission:measure' AND state = 'waiting'":  posts / PostsADay * 2,
		"SELECT count(*) FROM tasks WHERE type <> 'mission:measure'":                       0,
		"SELECT sum(n) FROM counters WHERE name LIKE 'events::%'":                          posts * days * 15 / 2,
		"SELECT count(DISTINCT (tenant_id, seq)) FROM events":                              posts * days * 15 / 2,
		"SELECT count(*) FROM events_other":                                                0,
		"SELECT count(*) FROM usage_days":                                                  2 * days,
	} {
		var got int
		if err := pool.QueryRow(ctx, query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %d, want %d, %v", query, got, want, err)
		}
	}
}
