package webhooks_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/internal/webhook"
	"missiond/mission"
)

// A person is told of an endpoint that is failing, with how many of its deliveries failed, and of one
// that a 410 disabled until somebody changes it; not of one that a person disabled, and nobody is
// told of another tenant's.
func TestEndpointsThatNeedAPerson(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		codes := map[string]int{local: 500, local + "gone": 410, local + "fine": 200, local + "disabled": 500}
		w.Sender = &receivers{response: func(m webhook.Message, _ int) webhook.Result { return webhook.Result{StatusCode: codes[m.URL]} }}
		failing, _ := w.Hook(local, mission.EventMissionCreated)
		gone, _ := w.Hook(local+"gone", mission.AllEventTypes()...)
		w.Hook(local+"fine", mission.AllEventTypes()...)
		disabled, _ := w.Hook(local+"disabled", mission.EventMissionCreated)
		needs := func(p mission.Principal, want ...string) {
			t.Helper()
			list, err := w.Parts.Webhooks.Attention(ctx, p)
			w.Must(err)
			var got []string
			for _, a := range list {
				if a.Kind != mission.AttentionWebhook || a.Count != len(a.Items) {
					t.Errorf("got %+v", a)
				}
				for _, i := range a.Items {
					text := i.Webhook.URL
					if i.Count != nil {
						text += fmt.Sprintf(" %d of %d", *i.Count, *i.Of)
					}
					if kept := endpoint(w, *i.Webhook); !i.Since.Equal(kept.UpdatedAt) {
						t.Errorf("%s is since %s, want %s", text, i.Since, kept.UpdatedAt)
					}
					got = append(got, text)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		needs(w.Tenant)
		w.Create(nil)
		w.Create(nil)
		w.Pass(3 * time.Hour)
		off := false
		w.Must(of(w.Parts.Webhooks.Update(ctx, w.Tenant, disabled.ID, mission.WebhookUpdate{Enabled: &off})))
		needs(w.Tenant, local+" 2 of 2", local+"gone")
		needs(w.NewTenant("Other"))
		p := w.Tenant
		p.Scopes = []mission.Scope{mission.ScopeMissionsRead}
		needs(p)

		// Somebody has looked at one, and the other accepts events again.
		w.Clock.Advance(time.Second)
		w.Must(of(w.Parts.Webhooks.Update(ctx, w.Tenant, gone.ID, mission.WebhookUpdate{Events: []mission.EventType{mission.EventMissionCreated}})))
		codes[failing.URL] = 200
		w.Create(nil)
		w.Pass(time.Minute)
		needs(w.Tenant)
	})
}

// of returns the error of an operation's results.
func of[T any](_ T, err error) error { return err }
