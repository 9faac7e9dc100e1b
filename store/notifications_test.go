package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// note adds a notification to a tenant.
func (f *fixture) note(tenantID string, at time.Time) mission.Notification {
	f.t.Helper()
	n := mission.Notification{ID: f.db.NewID(mission.PrefixNotification, at), TenantID: tenantID, Kind: mission.NotifyContentExpired, Message: "m", SubjectID: tenantID, CreatedAt: at}
	f.must(f.tx(func(tx store.Tx) error { return tx.AddNotification(ctx, n) }))
	return n
}

// A reader of the log of notifications misses none, whatever the order of their times
// and however many are added concurrently.
func TestNotificationLog(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		other, _ := f.makeTenant("theirs")
		late := f.note(f.tenant.ID, start.Add(time.Hour))
		early := f.note(f.tenant.ID, start)
		theirs := f.note(other.ID, start)
		heads, err := f.db.Heads(ctx, []string{f.tenant.ID, other.ID})
		f.must(err)
		if heads[f.tenant.ID].Notifications != 2 || heads[other.ID].Notifications != 1 {
			t.Errorf("the heads are %v", heads)
		}
		seq, err := f.db.NotificationSeq(ctx, f.tenant.ID, late.ID)
		f.must(err)
		list, err := f.db.NotificationsBetween(ctx, f.tenant.ID, seq, 2)
		f.must(err)
		if seq != 1 || len(list) != 1 || list[0] != early {
			t.Errorf("after seq %d comes %v, want %v", seq, list, early)
		}
		_, err = f.db.NotificationSeq(ctx, f.tenant.ID, theirs.ID)
		f.wantCode(err, mission.CodeInvalidRequest)

		const writers, each = 4, 10
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for i := range each {
					at := start.Add(-time.Duration(w*each+i) * time.Minute)
					n := mission.Notification{ID: f.db.NewID(mission.PrefixNotification, at), TenantID: f.tenant.ID, Kind: mission.NotifyContentExpired, SubjectID: "x", CreatedAt: at}
					if err := f.tx(func(tx store.Tx) error { return tx.AddNotification(ctx, n) }); err != nil {
						t.Error(err)
					}
				}
			})
		}
		done := make(chan struct{})
		go func() { all.Wait(); close(done) }()
		seen, at := map[string]bool{}, int64(2)
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			heads, err := f.db.Heads(ctx, []string{f.tenant.ID})
			f.must(err)
			list, err := f.db.NotificationsBetween(ctx, f.tenant.ID, at, heads[f.tenant.ID].Notifications)
			f.must(err)
			if len(list) != int(heads[f.tenant.ID].Notifications-at) {
				t.Fatalf("from %d to %d there are %d notifications", at, heads[f.tenant.ID].Notifications, len(list))
			}
			for _, n := range list {
				seen[n.ID] = true
			}
			at = heads[f.tenant.ID].Notifications
		}
		if len(seen) != writers*each {
			t.Errorf("a reader got %d notifications, want %d", len(seen), writers*each)
		}
	})
}

// All unread notifications are marked up to one, of the tenant only; the counter
// follows, and those that were read keep their time.
func TestMarkAllRead(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		other, _ := f.makeTenant("theirs")
		theirs := f.note(other.ID, start)
		const n = 520 // more than one statement marks
		var notes []mission.Notification
		f.must(f.tx(func(tx store.Tx) error {
			for i := range n {
				at := start.Add(time.Duration(i/2) * time.Second) // two at a time
				note := mission.Notification{ID: f.db.NewID(mission.PrefixNotification, at), TenantID: f.tenant.ID, Kind: mission.NotifyContentExpired, Message: fmt.Sprint(i), SubjectID: "x", CreatedAt: at}
				notes = append(notes, note)
				if err := tx.AddNotification(ctx, note); err != nil {
					return err
				}
			}
			return nil
		}))
		first, then := start.Add(time.Hour), start.Add(2*time.Hour)
		mark := func(upTo string, at time.Time) (marked int, err error) {
			err = f.tx(func(tx store.Tx) (err error) { marked, err = tx.MarkAllRead(ctx, f.tenant.ID, upTo, at); return err })
			return marked, err
		}
		unread := func(want int) {
			t.Helper()
			counted, err := f.db.CountNotifications(ctx, f.tenant.ID, true)
			f.must(err)
			if counted != want {
				t.Errorf("%d are counted as unread, want %d", counted, want)
			}
		}
		f.must(f.tx(func(tx store.Tx) error {
			_, err := tx.MarkRead(ctx, f.tenant.ID, []string{notes[3].ID}, first)
			return err
		}))
		if marked, err := mark(notes[509].ID, then); err != nil || marked < 508 || marked > 510 {
			t.Errorf("marked %d, %v", marked, err)
		}
		found, err := f.db.NotificationsByID(ctx, f.tenant.ID, []string{notes[3].ID, notes[509].ID, notes[0].ID, notes[510].ID})
		f.must(err)
		for i, want := range map[int]*time.Time{0: &then, 3: &first, 509: &then, 510: nil} {
			if got := found[notes[i].ID].ReadAt; (got == nil) != (want == nil) || got != nil && !got.Equal(*want) {
				t.Errorf("notification %d was read at %v, want %v", i, got, want)
			}
		}
		_, err = mark(theirs.ID, then)
		f.wantCode(err, mission.CodeNotFound)
		left, err := mark("", then)
		f.must(err)
		if left < 10 || left > 11 {
			t.Errorf("marked the last %d", left)
		}
		unread(0)
		if again, err := mark("", then); err != nil || again != 0 {
			t.Errorf("marked %d again, %v", again, err)
		}
		unread(0)
		counted, err := f.db.CountNotifications(ctx, other.ID, true)
		f.must(err)
		if counted != 1 {
			t.Errorf("the other tenant has %d unread", counted)
		}
	})
}
