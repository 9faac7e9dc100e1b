package store_test

import (
	"database/sql"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
	"missiond/store"
)

// Of two processes that clean up concurrently one does it, and the other doesn't wait. Every
// event and every delivery is counted out once.
func TestTwoCleanUpAtOnce(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		if strings.HasSuffix(t.Name(), "sqlite") {
			t.Skip("SQLite has one writer")
		}
		f.endpoint(mission.EventMissionCreated)
		for range 6 {
			f.mission(nil)
		}
		drop := func(tx store.Tx, limit int) int {
			t.Helper()
			n, err := tx.ExpireEvents(ctx, start.Add(time.Hour), limit)
			f.must(err)
			return n
		}
		f.must(f.tx(func(tx store.Tx) error { // the first ever waits for whoever else is the first
			_, err := tx.ExpireEvents(ctx, start.Add(-time.Hour), 1)
			return err
		}))
		f.must(f.tx(func(tx store.Tx) error {
			first := drop(tx, 4)
			f.must(f.tx(func(other store.Tx) error { // while the first isn't committed
				if second := drop(other, 4); first != 4 || second != 0 {
					t.Errorf("%d and %d events expire, want 4 and none", first, second)
				}
				return nil
			}))
			return nil
		}))
		f.countsAreRows(raw)
		for {
			n := 0
			f.must(f.tx(func(tx store.Tx) error { n = drop(tx, 4); return nil }))
			f.countsAreRows(raw)
			if n < 4 {
				break
			}
		}
	})
}

// A client that somebody lets act at the same time isn't deleted, and nobody waits.
func TestClientInUseIsKept(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if !f.db.RowLocks() {
			t.Skip("SQLite has one writer")
		}
		clients := []mission.OAuthClient{{ID: "acl_1", CreatedAt: start}, {ID: "acl_2", CreatedAt: start.Add(time.Second)}}
		f.must(f.tx(func(tx store.Tx) error {
			return errors.Join(tx.AddOAuthClient(ctx, clients[0]), tx.AddOAuthClient(ctx, clients[1]))
		}))
		f.must(f.tx(func(tx store.Tx) error {
			f.must(tx.UseOAuthClient(ctx, "acl_1", start, errors.New("it is gone")))
			_, err := tx.UnusedOAuthClients(ctx, start) // which sends what was written
			f.must(err)
			return f.tx(func(other store.Tx) error {
				n, err := other.DropOAuthClients(ctx, start.Add(2*time.Hour), 1)
				if n != 1 {
					t.Errorf("%d clients are deleted, want the second", n)
				}
				return err
			})
		}))
		if _, ok, err := f.db.OAuthClient(ctx, "acl_1", start.Add(time.Hour)); err != nil || !ok {
			t.Errorf("the client that is used is known: %t, %v", ok, err)
		}
	})
}

// A delivery that is settled while its event is dropped is counted out of the
// one status that it has, whichever of the two has it first.
func TestCleanUpBesideAnAttempt(t *testing.T) {
	for name, attemptFirst := range map[string]bool{"the attempt waits": false, "the clean-up waits": true} {
		t.Run(name, func(t *testing.T) {
			eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) { f.cleanUpBesideAnAttempt(raw, attemptFirst) })
		})
	}
}

func (f *fixture) cleanUpBesideAnAttempt(raw *sql.DB, attemptFirst bool) {
	if !f.db.RowLocks() {
		f.t.Skip("SQLite has one writer")
	}
	w := f.endpoint(mission.EventMissionCreated)
	f.mission(nil)
	due, err := f.db.DueDeliveries(ctx, w.ID, start, 1)
	f.must(err)
	expire := func(tx store.Tx) error {
		_, err := tx.ExpireEvents(ctx, start.Add(time.Hour), 100)
		return err
	}
	settle := func(tx store.Tx) error {
		now, err := tx.LockDeliveries(ctx, []string{due[0].ID})
		d, ok := now[due[0].ID]
		if err != nil || !ok {
			return err // it is deleted
		}
		a := mission.Attempt{DeliveryID: d.ID, Number: 1, At: start, StatusCode: 200}
		tried, _ := d.Tried(w, a, 0, start)
		return tx.SetDeliveries(ctx, now, []mission.Delivery{tried}, []mission.Attempt{a})
	}
	first, second := expire, settle
	if attemptFirst {
		first, second = settle, expire
	}
	ended := make(chan error, 1)
	f.must(f.tx(func(tx store.Tx) error {
		err := first(tx)
		go func() { ended <- f.tx(second) }()
		return errors.Join(err, f.untilBlocked(raw, ended))
	}))
	f.must(<-ended)
	f.countsAreRows(raw)
}

// The counters that expired events leave at 0 are dropped by tenant and name: each tenant's
// are, and a name of one tenant isn't dropped for another whose events expire with them.
func TestCountersAreDroppedByTenantAndName(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		ours, first := f.tenant, f.endpoint(mission.EventMissionCreated)
		f.mission(nil)
		f.tenant, _ = f.makeTenant("theirs")
		theirs, second := f.tenant, f.endpoint(mission.EventMissionCreated)
		f.mission(nil)
		pending := func(w mission.Webhook) string { return "deliveries:" + w.ID + ":pending" }
		rows := func(tenantID, name string) (n int) {
			t.Helper()
			f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM counters WHERE tenant_id = $1 AND name = $2", tenantID, name).Scan(&n))
			return n
		}
		for _, add := range [][2]string{{ours.ID, pending(second)}, {theirs.ID, pending(first)}} {
			_, err := raw.ExecContext(ctx, "INSERT INTO counters (tenant_id, name, n) VALUES ($1, $2, 0)", add[0], add[1])
			f.must(err)
		}
		if rows(ours.ID, pending(first)) != 1 || rows(theirs.ID, pending(second)) != 1 {
			t.Fatal("the deliveries aren't counted")
		}
		f.must(f.tx(func(tx store.Tx) error { _, err := tx.ExpireEvents(ctx, start.Add(time.Hour), 100); return err }))
		if rows(ours.ID, pending(first)) != 0 || rows(theirs.ID, pending(second)) != 0 {
			t.Error("counters of expired events are left")
		}
		if rows(ours.ID, pending(second)) != 1 || rows(theirs.ID, pending(first)) != 1 {
			t.Error("counters of other tenants and names are dropped")
		}
	})
}

// untilBlocked waits until a statement of the test's database waits for a lock,
// or other has a result.
func (f *fixture) untilBlocked(raw *sql.DB, other <-chan error) error {
	for deadline := time.Now().Add(await.Long()); ; {
		waiting := 0
		err := raw.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		switch {
		case err != nil || waiting > 0 || len(other) > 0:
			return err
		case time.Now().After(deadline):
			return errors.New("nobody waits for a lock")
		}
	}
}

// countsAreRows checks each counter of events and deliveries against the rows that haven't
// expired.
func (f *fixture) countsAreRows(raw *sql.DB) {
	f.t.Helper()
	const kept = " > COALESCE((SELECT value ->> 'up_to' FROM settings WHERE name = 'events_expired'), '')"
	counted := f.numbers(raw, "SELECT tenant_id || ' ' || name, n FROM counters WHERE n <> 0 AND (name LIKE 'events:%' OR name LIKE 'deliveries:%')")
	rows := f.numbers(raw, "SELECT tenant_id || ' events::' || type, count(*) FROM events WHERE id"+kept+" GROUP BY 1"+
		" UNION ALL SELECT tenant_id || ' events:' || mission_id || ':' || type, count(*) FROM events WHERE mission_id <> '' AND id"+kept+" GROUP BY 1"+
		" UNION ALL SELECT tenant_id || ' deliveries:' || webhook_id || ':' || status, count(*) FROM deliveries WHERE event_id"+kept+" GROUP BY 1")
	if !maps.Equal(counted, rows) {
		f.t.Errorf("counted %v, want %v", counted, rows)
	}
}

// numbers returns the rows of a query for names and numbers.
func (f *fixture) numbers(raw *sql.DB, query string) map[string]int {
	f.t.Helper()
	rows, err := raw.QueryContext(ctx, query)
	f.must(err)
	defer func() { _ = rows.Close() }()
	all := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		f.must(rows.Scan(&name, &n))
		all[name] = n
	}
	f.must(rows.Err())
	return all
}
