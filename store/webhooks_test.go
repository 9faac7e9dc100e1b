package store_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// endpoint adds an endpoint to the fixture's tenant.
func (f *fixture) endpoint(events ...mission.EventType) mission.Webhook {
	f.t.Helper()
	w := mission.Webhook{
		ID: f.db.NewID(mission.PrefixWebhook, start), TenantID: f.tenant.ID, URL: "https://example.com", Events: events,
		Status: mission.WebhookActive, Enabled: true, Sealed: "sealed", CreatedAt: start, UpdatedAt: start,
	}
	f.must(f.tx(func(tx store.Tx) error { return tx.AddWebhook(ctx, w, f.entry(f.tenant.ID)) }))
	w, err := f.db.Webhook(ctx, f.tenant.ID, w.ID)
	f.must(err)
	return w
}

// claimDeliveryTask claims an endpoint's delivery task.
func (f *fixture) claimDeliveryTask(w mission.Webhook, now time.Time) (mission.Task, bool) {
	f.t.Helper()
	dispatched, err := f.db.Dispatch(ctx, now, 100)
	f.must(err)
	for _, d := range dispatched {
		if d.Task.Subject == w.ID {
			t, ok, err := f.db.Claim(ctx, d.Task.ID, now, time.Minute)
			f.must(err)
			return t, ok
		}
	}
	return mission.Task{}, false
}

// Writing events creates a delivery for each endpoint that subscribes, and one
// delivery task per endpoint.
func TestDeliveriesComeWithEvents(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		created, all := f.endpoint(mission.EventMissionCreated), f.endpoint(mission.AllEventTypes()...)
		disabled := f.endpoint(mission.AllEventTypes()...)
		disabled.Enabled = false
		f.must(f.tx(func(tx store.Tx) error { return tx.SetWebhook(ctx, disabled, f.entry(f.tenant.ID)) }))
		if created.Code == all.Code {
			t.Errorf("two endpoints have the code %s", all.Code)
		}
		m := f.mission(nil) // mission.created and mission.started
		for w, want := range map[*mission.Webhook][]mission.EventType{
			&created: {mission.EventMissionCreated}, &all: {mission.EventMissionCreated, mission.EventMissionStarted}, &disabled: nil,
		} {
			due, err := f.db.DueDeliveries(ctx, w.ID, start, 10)
			f.must(err)
			var types []mission.EventType
			for _, p := range due {
				types = append(types, p.EventType)
				if !mission.HasIDForm(mission.PrefixDelivery, p.ID) || p.MissionID != m.ID || len(p.Body) == 0 {
					t.Errorf("the delivery is %+v with %d bytes", p.Delivery, len(p.Body))
				}
			}
			equal(t, "events to "+w.Code, types, want)
		}
		dispatched, err := f.db.Dispatch(ctx, start, 100)
		f.must(err)
		subjects := map[string]int{}
		for _, d := range dispatched {
			subjects[d.Task.Subject]++
		}
		if subjects[created.ID] != 1 || subjects[all.ID] != 1 || subjects[disabled.ID] != 0 {
			t.Errorf("the endpoints' tasks are %v", subjects)
		}
		// Events of a deleted mission are still delivered.
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteMission(ctx, m) }))
		due, err := f.db.DueDeliveries(ctx, all.ID, start, 10)
		f.must(err)
		if len(due) != 2 {
			t.Errorf("%d deliveries of a deleted mission are left, want 2", len(due))
		}
	})
}

// A delivery moves a task that waits for later to now. A task that is held sees
// the delivery before it rests.
func TestEndpointsTask(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w := f.endpoint(mission.AllEventTypes()...)
		f.mission(nil)
		task, ok := f.claimDeliveryTask(w, start)
		if !ok || !mission.HasIDForm(mission.PrefixTask, task.ID) {
			t.Fatalf("the endpoint's task is %+v", task)
		}
		f.mission(nil) // the task is held, so it isn't dispatched
		if _, ok := f.claimDeliveryTask(w, start); ok {
			t.Error("a held task was claimed")
		}
		f.must(f.tx(func(tx store.Tx) error {
			if err := tx.RequireLease(ctx, task); err != nil {
				return err
			}
			next, err := tx.NextDue(ctx, w.ID)
			if err != nil || next == nil || !next.Equal(start) {
				t.Errorf("the next delivery is due at %v, %v", next, err)
			}
			return tx.ReleaseTask(ctx, task, start.Add(time.Hour), start, 0)
		}))
		if _, ok := f.claimDeliveryTask(w, start); ok {
			t.Error("a task that waits for later was claimed")
		}
		f.mission(nil)
		if _, ok := f.claimDeliveryTask(w, start); !ok {
			t.Error("a delivery didn't move the task that waited for later")
		}
	})
}

func TestDeliveryRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w := f.endpoint(mission.EventMissionCreated)
		f.mission(nil)
		due, err := f.db.DueDeliveries(ctx, w.ID, start, 10)
		f.must(err)
		d, a := due[0].Delivery, mission.Attempt{
			DeliveryID: due[0].ID, Number: 1, At: start, StatusCode: 500, DurationMS: 12, Response: "ünï",
		}
		d, failing := d.Tried(w, a, 0, start)
		f.must(f.tx(func(tx store.Tx) error {
			found, err := tx.LockDeliveries(ctx, []string{d.ID, "dlv_x"})
			if err != nil || len(found) != 1 {
				t.Errorf("the locked deliveries are %v, %v", found, err)
			}
			return tx.SetDeliveries(ctx, found, []mission.Delivery{d}, []mission.Attempt{a})
		}))
		got, err := f.db.Delivery(ctx, f.tenant.ID, d.ID)
		f.must(err)
		attempts, err := f.db.AttemptsOf(ctx, f.tenant.ID, []string{d.ID, "dlv_x"})
		f.must(err)
		if !reflect.DeepEqual(got, d) || len(attempts[d.ID]) != 1 || attempts[d.ID][0] != a {
			t.Errorf("the delivery is\n%+v with %+v, want\n%+v", got, attempts, d)
		}
		other, _ := f.makeTenant("theirs")
		_, err = f.db.Delivery(ctx, other.ID, d.ID)
		f.wantCode(err, mission.CodeNotFound)
		if foreign, err := f.db.AttemptsOf(ctx, other.ID, []string{d.ID}); err != nil || len(foreign[d.ID]) != 0 {
			t.Errorf("another tenant sees %v, %v", foreign, err)
		}
		part, err := f.db.Deliveries(ctx, f.tenant.ID, w.ID, mission.DeliveryPending, start, store.Page{Limit: 5})
		if err != nil || len(part.List) != 1 || part.More || part.List[0].ID != d.ID {
			t.Errorf("the deliveries are %v, %v, %v", part.List, part.More, err)
		}
		failing.Status, failing.Enabled = mission.WebhookFailing, false
		f.must(f.tx(func(tx store.Tx) error {
			if err := tx.SetWebhookState(ctx, failing); err != nil {
				return err
			}
			return tx.CancelDeliveries(ctx, w, start)
		}))
		got, err = f.db.Delivery(ctx, f.tenant.ID, d.ID)
		if err != nil || got.Status != mission.DeliveryCanceled || got.NextAttemptAt != nil {
			t.Errorf("a canceled delivery is %+v, %v", got, err)
		}
		events, err := f.db.ReplayEvents(context.Background(), w, start, start, "", true, 10)
		if err != nil || len(events) != 1 {
			t.Errorf("the events to replay are %v, %v", events, err)
		}
		page, err := f.db.Events(ctx, f.tenant.ID, store.EventFilter{Types: []mission.EventType{mission.EventMissionStarted}}, start, store.Page{Limit: 5})
		if err != nil || len(page.List) != 1 || page.List[0].Type != mission.EventMissionStarted {
			t.Errorf("the events are %v, %v", page.List, err)
		}
		webhooks, err := f.db.Webhooks(ctx, f.tenant.ID, store.Page{Limit: 5})
		if err != nil || webhooks.Total != 1 || !reflect.DeepEqual(webhooks.List[0], func() mission.Webhook { failing.Code = w.Code; return failing }()) {
			t.Errorf("the endpoints are %+v, %d, %v, want %+v", webhooks.List, webhooks.Total, err, failing)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteWebhook(ctx, w, f.entry(f.tenant.ID)) }))
		_, err = f.db.Webhook(ctx, f.tenant.ID, w.ID)
		f.wantCode(err, mission.CodeNotFound)
	})
}

// The counters of an endpoint's deliveries match the rows after every change.
func TestDeliveriesAreCounted(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w, other := f.endpoint(mission.AllEventTypes()...), f.endpoint(mission.EventMissionCreated)
		kept := start
		check := func(when string, want map[mission.DeliveryStatus]int) {
			t.Helper()
			for _, hook := range []mission.Webhook{w, other} {
				for _, s := range mission.AllDeliveryStatuses() {
					part, err := f.db.Deliveries(ctx, f.tenant.ID, hook.ID, s, kept, store.Page{Limit: 100})
					f.must(err)
					n, err := f.db.CountDeliveries(ctx, f.tenant.ID, hook.ID, s)
					f.must(err)
					if n != len(part.List) || hook.ID == w.ID && n != want[s] {
						t.Errorf("%s %d deliveries of %s are %s, %d are counted, want %d", when, len(part.List), hook.ID, s, n, want[s])
					}
				}
			}
		}
		f.mission(nil)
		second := f.mission(nil)
		check("after two missions", map[mission.DeliveryStatus]int{mission.DeliveryPending: 4})
		due, err := f.db.DueDeliveries(ctx, w.ID, start, 1)
		f.must(err)
		before := map[string]mission.Delivery{due[0].ID: due[0].Delivery}
		a := mission.Attempt{DeliveryID: due[0].ID, Number: 1, At: start, StatusCode: 200}
		d, _ := due[0].Tried(w, a, 0, start)
		f.must(f.tx(func(tx store.Tx) error {
			return tx.SetDeliveries(ctx, before, []mission.Delivery{d}, []mission.Attempt{a})
		}))
		check("after one is delivered", map[mission.DeliveryStatus]int{mission.DeliveryPending: 3, mission.DeliveryDelivered: 1})
		f.must(f.tx(func(tx store.Tx) error {
			again := d
			again.ID, again.Status, again.NextAttemptAt = "dlv_again", mission.DeliveryPending, &start
			return tx.AddDeliveries(ctx, []mission.Delivery{again})
		}))
		check("after a redelivery", map[mission.DeliveryStatus]int{mission.DeliveryPending: 4, mission.DeliveryDelivered: 1})
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteMission(ctx, second) }))
		f.must(f.tx(func(tx store.Tx) error { return tx.CancelDeliveries(ctx, w, start) }))
		check("after a mission's end and the endpoint's", map[mission.DeliveryStatus]int{mission.DeliveryCanceled: 4, mission.DeliveryDelivered: 1})
		kept = start.Add(time.Hour)
		f.must(f.tx(func(tx store.Tx) error { _, err := tx.ExpireEvents(ctx, kept, 100); return err }))
		check("after the events have expired", nil)
	})
}
