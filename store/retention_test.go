package store_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit/await"
	"missiond/mission"
	"missiond/store"
)

// Old rows are deleted in steps, newer ones stay, and the counters match,
// however many processes delete.
func TestOldRowsGo(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		const old, fresh = 40, 3
		before := start.Add(-90 * 24 * time.Hour)
		for i := range old + fresh {
			at := before.Add(-time.Duration(old-i) * time.Hour)
			if i >= old {
				at = start
			}
			entry := f.entry(f.tenant.ID)
			entry.CreatedAt = at
			n := mission.Notification{
				ID: f.db.NewID(mission.PrefixNotification, at), TenantID: f.tenant.ID, Kind: mission.NotifyWebhookFailing, CreatedAt: at,
			}
			f.must(f.tx(func(tx store.Tx) error {
				if err := tx.Audit(ctx, entry); err != nil {
					return err
				}
				return tx.AddNotification(ctx, n)
			}))
			if i%2 == 0 {
				f.must(f.tx(func(tx store.Tx) error { _, err := tx.MarkRead(ctx, f.tenant.ID, []string{n.ID}, at); return err }))
			}
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		dropped := map[string]int{}
		for range 4 {
			all.Go(func() {
				for range 12 {
					for what, drop := range map[string]func(tx store.Tx) (int, error){
						"audit": func(tx store.Tx) (int, error) { return tx.DropAudit(ctx, before, 7) },
						"notes": func(tx store.Tx) (int, error) { return tx.DropNotifications(ctx, before, 7) },
					} {
						n := 0
						err := f.tx(func(tx store.Tx) (err error) { n, err = drop(tx); return err })
						if err != nil {
							t.Error(err)
						}
						mu.Lock()
						dropped[what] += n
						mu.Unlock()
						if n > 7 {
							t.Errorf("a step removed %d rows of %s", n, what)
						}
					}
				}
			})
		}
		all.Wait()
		if dropped["audit"] != old || dropped["notes"] != old {
			t.Errorf("dropped %v, want %d of each", dropped, old)
		}
		page := store.Page{Limit: 100}
		entries, err := f.db.AuditLog(ctx, f.tenant.ID, mission.AuditFilter{}, page)
		f.must(err)
		counted, err := f.db.CountAudit(ctx, f.tenant.ID, mission.AuditFilter{})
		f.must(err)
		if len(entries.List) != fresh+1 || counted != len(entries.List) { // including the entry of the fixture's user
			t.Errorf("%d entries are left, %d counted", len(entries.List), counted)
		}
		for _, unread := range []bool{false, true} {
			notes, err := f.db.Notifications(ctx, f.tenant.ID, unread, page)
			f.must(err)
			counted, err := f.db.CountNotifications(ctx, f.tenant.ID, unread)
			f.must(err)
			if want := map[bool]int{false: fresh, true: 1}[unread]; len(notes.List) != want || counted != want {
				t.Errorf("%d notifications are left, %d counted, want %d", len(notes.List), counted, want)
			}
		}
	})
}

// Concurrent deletions of old rows don't wait for each other, but delete
// different rows.
func TestTwoDropWhatIsOld(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if strings.HasSuffix(t.Name(), "sqlite") {
			t.Skip("SQLite has one writer")
		}
		limited, cancel := context.WithTimeout(ctx, await.Long())
		defer cancel()
		f.must(f.tx(func(tx store.Tx) error {
			for range 8 {
				if err := tx.Audit(ctx, f.entry(f.tenant.ID)); err != nil {
					return err
				}
			}
			return nil
		}))
		drop := func(tx store.Tx) {
			t.Helper()
			if n, err := tx.DropAudit(limited, start.Add(24*time.Hour), 4); n != 4 || err != nil {
				t.Errorf("%d entries are dropped, want 4: %v", n, err)
			}
		}
		f.must(f.db.Tx(limited, func(tx store.Tx) error {
			drop(tx)
			return f.db.Tx(limited, func(other store.Tx) error { drop(other); return nil })
		}))
	})
}
