package store_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// The counters of a mission's events and of an endpoint's deliveries go with the
// last of them, and come again with the next.
func TestCountersGoWithTheirEvents(t *testing.T) {
	path, url := filepath.Join(t.TempDir(), "c.db"), testkit.PostgresURL(t)
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
			f := newFixture(t, db)
			raw, err := sql.Open(driver, map[string]string{"sqlite": path, "pgx": url}[driver])
			f.must(err)
			defer func() { _ = raw.Close() }()
			counters := func(want int) {
				t.Helper()
				var n int
				f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM counters WHERE name LIKE 'events:msn%' OR name LIKE 'deliveries:%'").Scan(&n))
				if n != want {
					t.Errorf("there are %d counters, want %d", n, want)
				}
			}
			f.endpoint(mission.AllEventTypes()...)
			f.mission(nil)
			f.mission(nil)
			counters(3 + 2) // each mission was made and started; what is pending
			drop := func(limit int) {
				t.Helper()
				f.must(f.tx(func(tx store.Tx) error { _, err := tx.DropEvents(ctx, start.Add(time.Hour), limit); return err }))
			}
			drop(1)
			counters(3 + 1)
			drop(100)
			counters(0)
			m := f.mission(nil)
			counters(3)
			if n, err := f.db.CountEvents(ctx, m.TenantID, store.EventFilter{MissionID: m.ID}); n != 2 || err != nil {
				t.Errorf("%d events are counted, %v", n, err)
			}
		})
	}
}
