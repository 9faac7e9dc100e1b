package store_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"missiond/internal/id"
	"missiond/mission"
	"missiond/store"
)

// same reports whether a value is the wanted one.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %+v, want %+v", what, got, want)
	}
}

// An endpoint's activity counts its latest deliveries since a time; what it didn't accept are the
// events of those that failed, unless they are on their way again or arrived after all.
func TestDeliveryActivity(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w, other := f.endpoint(mission.AllEventTypes()...), f.endpoint(mission.EventMissionPaused)
		for range 3 {
			f.mission(nil)
		}
		page, err := f.db.Events(ctx, f.tenant.ID, store.EventFilter{}, start, store.Page{Limit: 6, Oldest: true})
		f.must(err)
		events := page.List
		minute := func(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }
		add := func(at, event, n int, status mission.DeliveryStatus, attempts int) {
			t.Helper()
			list := make([]mission.Delivery, n)
			for i := range list {
				list[i] = mission.Delivery{
					ID: f.db.NewID(mission.PrefixDelivery, minute(at)), TenantID: f.tenant.ID, WebhookID: w.ID, EventID: events[event].ID,
					EventType: events[event].Type, Status: status, Attempts: attempts, CreatedAt: minute(at),
				}
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.AddDeliveries(ctx, list) }))
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.CancelDeliveries(ctx, w, start) })) // those of the missions
		add(10, 0, 1, mission.DeliveryFailed, 5)
		add(20, 1, 1, mission.DeliveryDelivered, 1)
		add(30, 2, 2, mission.DeliveryFailed, 5) // twice the same event
		add(40, 3, 1, mission.DeliveryFailed, 5) // arrived later
		add(41, 3, 1, mission.DeliveryDelivered, 1)
		add(42, 4, 1, mission.DeliveryFailed, 5)
		add(43, 5, 1, mission.DeliveryFailed, 5) // on its way again
		add(44, 5, 1, mission.DeliveryPending, 1)
		add(45, 5, 1, mission.DeliveryPending, 0)
		ids := []string{w.ID, other.ID}
		activity, err := f.db.ActivityOf(ctx, f.tenant.ID, ids, minute(20))
		f.must(err)
		same(t, "the activity", activity, map[string]mission.WebhookActivity{
			w.ID: {From: minute(20), Deliveries: 9, Accepted: 2, Failed: 6}, other.ID: {From: minute(20)},
		})
		undelivered, err := f.db.UndeliveredOf(ctx, f.tenant.ID, ids, start.Add(-time.Hour))
		f.must(err)
		from, _ := id.Time(mission.PrefixEvent, min(events[0].ID, events[2].ID, events[4].ID))
		same(t, "what wasn't accepted", undelivered, map[string]mission.UndeliveredEvents{w.ID: {Events: 3, From: from, Since: minute(42)}})
		again, err := f.db.ReplayEvents(ctx, w, from, minute(60), "", true, 10)
		f.must(err)
		if len(again) != 3 {
			t.Errorf("%d events would be sent again, want 3", len(again))
		}
		for limit, want := range map[int]int{2: 2, 3: 3, 4: 3} {
			if n, err := f.db.CountReplay(ctx, w, from, minute(60), true, limit); err != nil || n != want {
				t.Errorf("counted up to %d are %d, %v; want %d", limit, n, err, want)
			}
		}
		fewer := w
		fewer.Events = []mission.EventType{mission.EventMissionPaused}
		f.must(f.tx(func(tx store.Tx) error { return tx.SetWebhook(ctx, fewer, f.entry(f.tenant.ID)) }))
		undelivered, err = f.db.UndeliveredOf(ctx, f.tenant.ID, ids, start.Add(-time.Hour))
		f.must(err)
		same(t, "what isn't sent any more", undelivered, map[string]mission.UndeliveredEvents{})
		foreign, _ := f.makeTenant("theirs")
		undelivered, err = f.db.UndeliveredOf(ctx, foreign.ID, ids, start)
		f.must(err)
		same(t, "what another tenant sees", undelivered, map[string]mission.UndeliveredEvents{})

		add(50, 1, mission.ActivityDeliveries+200, mission.DeliveryDelivered, 1)
		activity, err = f.db.ActivityOf(ctx, f.tenant.ID, ids, start)
		f.must(err)
		same(t, "the activity of many", activity[w.ID], mission.WebhookActivity{
			From: start, Deliveries: mission.ActivityDeliveries, Accepted: mission.ActivityDeliveries,
		})
	})
}

// What is said of an endpoint's deliveries is read in the order of an index, up to a limit: neither sorted nor scanned.
func TestDeliveryActivityIsBounded(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if !f.db.RowLocks() {
			return // EXPLAIN is tried on Postgres
		}
		var texts []string
		f.faults.Listen(func(text string, _ ...any) { texts = append(texts, text) })
		_, err := f.db.ActivityOf(ctx, f.tenant.ID, []string{"whk_x"}, start)
		f.must(err)
		_, err = f.db.UndeliveredOf(ctx, f.tenant.ID, []string{"whk_x"}, start)
		f.must(err)
		f.faults.Listen(nil)
		same(t, "the number of statements", len(texts), 2)
		for _, text := range texts {
			plan, err := store.Explain(ctx, f.db, text)
			f.must(err)
			if !strings.Contains(plan, "Merge Append") || strings.Contains(plan, "Sort  (") || strings.Contains(plan, "Seq Scan") {
				t.Errorf("deliveries aren't read in the order of an index:\n%s\n%s", text, plan)
			}
		}
	})
}
