package store_test

import (
	"database/sql"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// The counters of a mission's events and of an endpoint's deliveries are
// deleted with the last of them, and created again with the next.
func TestCountersGoWithTheirEvents(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
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
		counters(3 + 2) // each mission's created and started events; pending deliveries
		drop := func(limit int) {
			t.Helper()
			f.must(f.tx(func(tx store.Tx) error { _, err := tx.ExpireEvents(ctx, start.Add(time.Hour), limit); return err }))
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
