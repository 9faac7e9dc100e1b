package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// The migration that adds up figures finds those of the posts that were there
// before, and leaves these to be measured.
func TestFiguresOfOlderPosts(t *testing.T) {
	eachRaw(t, func(t *testing.T, f *fixture, raw *sql.DB) {
		m, unmeasured := f.mission(nil), f.mission(nil)
		posts := f.posts(f.job(m))
		for i := range 3 {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*20*time.Hour))
		}
		f.publish(f.posts(f.job(unmeasured))[0], start)
		f.measure(m, map[string]mission.Metrics{posts[0].ID: {mission.Impressions: 9, mission.Likes: 3}, posts[1].ID: {mission.Likes: 4}}, start.Add(40*time.Hour))
		want, all := f.days(m.TenantID, m.ID), f.days(m.TenantID, "")

		for _, q := range append(down(t, "00010_integrations.sql"),
			"DELETE FROM day_figures", "DELETE FROM tasks", "UPDATE contents SET measure_at = published_at WHERE status = 'published'",
			"DELETE FROM goose_db_version WHERE version_id >= 9",
		) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		if got := f.days(m.TenantID, m.ID); !reflect.DeepEqual(got, want) || len(want) != 2 {
			t.Errorf("the mission's days are %+v, want %+v", got, want)
		}
		if got := f.days(m.TenantID, ""); !reflect.DeepEqual(got, all) {
			t.Errorf("the tenant's days are %+v, want %+v", got, all)
		}
		var tasks int
		f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM tasks WHERE type = 'mission:measure'").Scan(&tasks))
		if tasks != 2 {
			t.Errorf("%d tasks measure, want one of each mission", tasks)
		}
	})
}

// eachRaw is each with another handle on the database, for what the store doesn't
// tell.
func eachRaw(t *testing.T, test func(t *testing.T, f *fixture, raw *sql.DB)) {
	t.Helper()
	path, url := filepath.Join(t.TempDir(), "m.db"), testkit.PostgresURL(t)
	for driver, open := range map[string]func() (*store.DB, error){
		"sqlite": func() (*store.DB, error) { return store.OpenSQLite(path, options) },
		"pgx":    func() (*store.DB, error) { return store.OpenPostgres(url, options) },
	} {
		t.Run(driver, func(t *testing.T) {
			db, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			if err := db.Migrate(ctx); err != nil {
				t.Fatal(err)
			}
			raw, err := sql.Open(driver, map[string]string{"sqlite": path, "pgx": url}[driver])
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			test(t, newFixture(t, db), raw)
		})
	}
}

// down answers the statements that undo a migration.
func down(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("migrations", name))
	if err != nil {
		t.Fatal(err)
	}
	_, undo, ok := strings.Cut(string(text), "-- +goose Down")
	if !ok {
		t.Fatalf("%s has no way down", name)
	}
	var statements []string
	for s := range strings.SplitSeq(undo, ";") {
		if strings.TrimSpace(s) != "" {
			statements = append(statements, s)
		}
	}
	return statements
}
