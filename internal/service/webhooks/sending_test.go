package webhooks_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/admission"
	"missiond/internal/database"
	"missiond/internal/testkit/world"
	"missiond/internal/webhook"
	"missiond/mission"
	"missiond/store"
)

// receivers simulate the endpoints: each URL responds as configured, and stores the
// messages.
type receivers struct {
	mu       sync.Mutex
	response func(m webhook.Message, n int) webhook.Result // n counts a URL's messages from 1
	got      map[string][]webhook.Message
}

func (r *receivers) Send(_ context.Context, m webhook.Message) webhook.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.got == nil {
		r.got = map[string][]webhook.Message{}
	}
	r.got[m.URL] = append(r.got[m.URL], m)
	if r.response == nil {
		return webhook.Result{StatusCode: 200}
	}
	return r.response(m, len(r.got[m.URL]))
}

func deliveries(w *world.World, hook mission.Webhook) []mission.Delivery {
	w.T.Helper()
	part, err := w.DB.Deliveries(context.Background(), w.Tenant.TenantID, hook.ID, "", time.Time{}, store.Page{Limit: 100}) // the clock is far ahead
	w.Must(err)
	return part.List
}

func endpoint(w *world.World, hook mission.Webhook) mission.Webhook {
	w.T.Helper()
	got, err := w.Parts.Webhooks.Webhook(context.Background(), w.Tenant, hook.ID)
	w.Must(err)
	return got
}

const local = "http://127.0.0.1/"

// A receiver that fails gets five attempts with the same id and bytes, at the
// interface's delays from the end of the failed one; then its endpoint is failing,
// and the first success makes it active.
func TestFailingReceiver(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		fails := true
		r := &receivers{}
		var at []time.Time
		r.response = func(webhook.Message, int) webhook.Result {
			at = append(at, w.Clock.Now())
			if fails {
				return webhook.Result{StatusCode: 500, Duration: time.Second}
			}
			return webhook.Result{StatusCode: 204}
		}
		w.Sender = r
		hook, _ := w.Hook(local, mission.EventMissionCreated)
		w.Create(nil)
		w.Idle()
		var waits []time.Duration
		for i := 1; i < len(at); i++ {
			waits = append(waits, at[i].Sub(at[i-1]))
		}
		if want := []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}; !slices.Equal(waits, want) {
			t.Errorf("got the waits %v, want %v", waits, want)
		}
		for _, m := range r.got[local] {
			if m.EventID != r.got[local][0].EventID || string(m.Body) != string(r.got[local][0].Body) {
				t.Errorf("an attempt sends %s %s", m.EventID, m.Body)
			}
		}
		d := deliveries(w, hook)[0]
		of, err := w.DB.AttemptsOf(context.Background(), w.Tenant.TenantID, []string{d.ID})
		w.Must(err)
		attempts := of[d.ID]
		if d.Status != mission.DeliveryFailed || len(attempts) != 5 || attempts[4].Number != 5 || attempts[4].StatusCode != 500 || attempts[4].DurationMS != 1000 {
			t.Errorf("got the delivery %+v with %+v", d, attempts)
		}
		if got := endpoint(w, hook); got.Status != mission.WebhookFailing || !got.Enabled {
			t.Errorf("got the endpoint %s", got.Status)
		}
		fails = false
		w.Create(nil) // a failing endpoint still receives events
		w.Step()
		if got := endpoint(w, hook); got.Status != mission.WebhookActive || deliveries(w, hook)[0].Status != mission.DeliveryDelivered {
			t.Errorf("after a success got the endpoint %s", got.Status)
		}
		w.Idle()
	})
}

// Retry-After lengthens a wait and never shortens it; 410 disables the endpoint and
// cancels its pending deliveries.
func TestReceiversWishes(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		r := &receivers{}
		var at []time.Time
		r.response = func(m webhook.Message, n int) webhook.Result {
			if m.URL != local {
				return webhook.Result{StatusCode: 410}
			}
			at = append(at, w.Clock.Now())
			return []webhook.Result{{StatusCode: 429, RetryAfter: time.Hour}, {StatusCode: 503, RetryAfter: time.Second}, {StatusCode: 200}}[min(n, 3)-1]
		}
		w.Sender = r
		w.Hook(local, mission.EventMissionCreated)
		gone, _ := w.Hook(local+"gone", mission.AllEventTypes()...)
		w.Create(nil)
		w.Idle()
		if len(at) != 3 || at[1].Sub(at[0]) != time.Hour || at[2].Sub(at[1]) != 5*time.Minute {
			t.Errorf("got attempts at %v", at)
		}
		if got := endpoint(w, gone); got.Enabled {
			t.Error("an endpoint that is gone is enabled")
		}
		before := len(r.got[local+"gone"])
		for _, d := range deliveries(w, gone) {
			if d.Status != mission.DeliveryFailed && d.Status != mission.DeliveryCanceled {
				t.Errorf("got a delivery to it %s", d.Status)
			}
		}
		w.Create(nil)
		w.Idle()
		if len(r.got[local+"gone"]) != before {
			t.Error("it still receives events")
		}
	})
}

// Every event of a whole mission reaches an endpoint once, although another one
// fails; redelivery and replay send them again.
func TestEveryEventArrives(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		r := &receivers{response: func(m webhook.Message, _ int) webhook.Result {
			if m.URL != local {
				return webhook.Result{Error: "The receiver did not answer within 5 seconds.", Duration: 5 * time.Second}
			}
			return webhook.Result{StatusCode: 200}
		}}
		w.Sender = r
		hook, _ := w.Hook(local, mission.AllEventTypes()...)
		w.Hook(local+"hangs", mission.AllEventTypes()...)
		start := w.Clock.Now()
		m := w.Create(nil)
		w.Over(m.ID)
		events := w.Events(m.ID)
		w.Until("the last attempt", func() bool { return len(r.got[local+"hangs"]) == 5*len(events) })
		ids := map[string]int{}
		for _, message := range r.got[local] {
			ids[message.EventID]++
		}
		if len(ids) != len(events) || len(r.got[local]) != len(events) {
			t.Errorf("got %d messages of %d events, of %d that were written", len(r.got[local]), len(ids), len(events))
		}
		_, err := w.Parts.Webhooks.Redeliver(context.Background(), w.Tenant, deliveries(w, hook)[0].ID)
		w.Must(err)
		w.Step()
		weighed := &weights{}
		_, n, err := w.Parts.Webhooks.Replay(admission.WithAllowance(context.Background(), weighed), w.Tenant, hook.ID, start, false)
		w.Must(err)
		_, _, err = w.Parts.Webhooks.Replay(context.Background(), w.Tenant, hook.ID, start, false)
		if mission.CodeOf(err) != mission.CodeConflict {
			t.Errorf("a replay while another is to come: %v", err)
		}
		w.Until("the replayed events", func() bool { return len(r.got[local]) > 2*len(events) })
		_, none, err := w.Parts.Webhooks.Replay(context.Background(), w.Tenant, hook.ID, start, true)
		w.Must(err)
		if weighed.op != mission.OpWebhooksReplay || weighed.rows != n {
			t.Errorf("the replay weighs as %s of %d", weighed.op, weighed.rows)
		}
		if n != len(events) || none != 0 || len(r.got[local]) != 2*len(events)+1 {
			t.Errorf("replayed %d and %d events; got %d messages", n, none, len(r.got[local]))
		}
	})
}

// weights is an allowance that keeps what was weighed.
type weights struct {
	op     mission.Operation
	rows   int
	refuse error
}

func (w *weights) Weigh(_ context.Context, op mission.Operation, rows int) error {
	w.op, w.rows = op, rows
	return w.refuse
}

func (*weights) Draw(context.Context, mission.Operation, int) error { return nil }

// A replay that the caller's allowance doesn't allow has counted events in one statement, and read none.
func TestReplayIsWeighedBeforeEventsAreRead(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		w.Sender = &receivers{}
		hook, _ := w.Hook(local, mission.EventMissionCreated)
		start := w.Clock.Now()
		w.Create(nil)
		weighed := &weights{refuse: mission.RateLimited(time.Second, "Too many.")}
		var reads []string
		faults.Listen(func(text string, _ ...any) {
			if strings.Contains(text, `FROM "events"`) {
				reads = append(reads, text)
			}
		})
		_, _, err := w.Parts.Webhooks.Replay(admission.WithAllowance(context.Background(), weighed), w.Tenant, hook.ID, start, false)
		faults.Listen(nil)
		if mission.CodeOf(err) != mission.CodeRateLimitExceeded || weighed.rows != 1 {
			t.Errorf("a replay of %d events: %v", weighed.rows, err)
		}
		if len(reads) != 1 || !strings.HasPrefix(reads[0], "SELECT count(*)") {
			t.Errorf("the events are read with %q", reads)
		}
	})
}

// A crash before any statement of the deliveries loses no event.
func TestCrashDuringDelivery(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		for n := int64(1); ; n += 3 {
			r := &receivers{}
			w.Sender = r
			hook, _ := w.Hook(local, mission.EventMissionCreated, mission.EventMissionStarted)
			m := w.Create(nil)
			crashed := w.CrashesAt(faults, n, func() {
				for _, t := range w.Due() {
					if t.Type == mission.TaskWebhookDeliver {
						w.Run(t.ID)
					}
				}
			})
			w.ExpireLeases()
			w.Step()
			ids := map[string]bool{}
			for _, message := range r.got[local] {
				ids[message.EventID] = true
			}
			for _, d := range deliveries(w, hook) {
				if d.Status != mission.DeliveryDelivered || !ids[d.EventID] {
					t.Errorf("after a crash at statement %d got a delivery %s", n, d.Status)
				}
			}
			if len(deliveries(w, hook)) != 2 {
				t.Errorf("after a crash at statement %d got %d deliveries", n, len(deliveries(w, hook)))
			}
			_, err := w.Missions.CompleteMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
			w.Must(w.Parts.Webhooks.Delete(context.Background(), w.Tenant, hook.ID))
			w.Step()
			if !crashed {
				if n < 10 {
					t.Errorf("got only %d statements", n)
				}
				return
			}
		}
	})
}
