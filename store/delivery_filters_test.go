package store_test

import (
	"slices"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Deliveries are found by type, state and time, with their number; the last trouble of an
// endpoint is its newest delivery that is tried again or has failed.
func TestDeliveryFilters(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w, other := f.endpoint(mission.AllEventTypes()...), f.endpoint(mission.EventMissionPaused)
		f.mission(nil)
		event, err := f.db.Events(ctx, f.tenant.ID, store.EventFilter{}, start, store.Page{Limit: 1})
		f.must(err)
		add := func(at int, kind mission.EventType, status mission.DeliveryStatus, attempts int) string {
			t.Helper()
			created := start.Add(time.Duration(at) * time.Minute)
			d := mission.Delivery{
				ID: f.db.NewID(mission.PrefixDelivery, created), TenantID: f.tenant.ID, WebhookID: w.ID, EventID: event.List[0].ID, EventType: kind,
				Status: status, Attempts: attempts, CreatedAt: created,
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.AddDeliveries(ctx, []mission.Delivery{d}) }))
			return d.ID
		}
		const published, failed = mission.EventContentPublished, mission.EventContentFailed
		one := add(1, published, mission.DeliveryDelivered, 1)
		two := add(2, failed, mission.DeliveryFailed, 5)
		three := add(3, published, mission.DeliveryPending, 2)
		four := add(4, published, mission.DeliveryPending, 0)
		minute := func(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }
		for name, c := range map[string]struct {
			filter mission.DeliveryFilter
			want   []string
		}{
			"a type":             {mission.DeliveryFilter{Type: published}, []string{four, three, one}},
			"a type and a state": {mission.DeliveryFilter{Type: published, Status: mission.DeliveryPending}, []string{four, three}},
			"from a time":        {mission.DeliveryFilter{From: minute(3)}, []string{four, three}},
			"a range":            {mission.DeliveryFilter{From: minute(1), Until: minute(3)}, []string{two, one}},
			"all of it":          {mission.DeliveryFilter{Type: published, Status: mission.DeliveryPending, From: minute(1), Until: minute(4)}, []string{three}},
			"none":               {mission.DeliveryFilter{Type: mission.EventMissionPaused}, nil},
		} {
			var got []string
			page := store.Page{Limit: 2}
			for {
				parts, err := f.db.DeliveriesOf(ctx, f.tenant.ID, []string{w.ID, other.ID}, c.filter, start, page)
				f.must(err)
				for _, d := range parts[w.ID].List {
					got = append(got, d.ID)
				}
				if !parts[w.ID].More {
					break
				}
				page.After = got[len(got)-1]
			}
			counts, err := f.db.CountDeliveriesOf(ctx, f.tenant.ID, []string{w.ID, other.ID}, c.filter, start)
			f.must(err)
			if !slices.Equal(got, c.want) || counts[w.ID] != len(c.want) || counts[other.ID] != 0 {
				t.Errorf("%s: got %v, %v counted, want %v", name, got, counts, c.want)
			}
		}
		last, err := f.db.LastTrouble(ctx, f.tenant.ID, []string{w.ID, other.ID}, start)
		f.must(err)
		if len(last) != 1 || last[w.ID].ID != three {
			t.Errorf("the last trouble is %v, want that of %s", last, three)
		}
		foreign, _ := f.makeTenant("theirs")
		if last, err = f.db.LastTrouble(ctx, foreign.ID, []string{w.ID}, start); err != nil || len(last) != 0 {
			t.Errorf("another tenant sees %v, %v", last, err)
		}
	})
}
