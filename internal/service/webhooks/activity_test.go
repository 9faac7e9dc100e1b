package webhooks_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/internal/webhook"
	"missiond/mission"
)

// The last attempt of an endpoint is the latest of all, accepted or not, and what an attempt would send
// is signed with the endpoint's secret and is what was sent, but for its time. Nobody gets it of another
// tenant's.
func TestLastAttemptsAndRequests(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, code := context.Background(), 200
		r := &receivers{response: func(webhook.Message, int) webhook.Result { return webhook.Result{StatusCode: code} }}
		w.Sender = r
		hook, secret := w.Hook(local, mission.EventMissionCreated)
		last := func(want int) {
			t.Helper()
			attempts, err := w.Parts.Webhooks.LastAttempts(ctx, w.Tenant, []string{hook.ID})
			w.Must(err)
			if got := attempts[hook.ID].StatusCode; got != want {
				t.Errorf("the last attempt got %d, want %d", got, want)
			}
		}
		last(0)
		for _, code = range []int{200, 503, 202} {
			w.Create(nil)
			w.Step()
			last(code)
			w.Clock.Advance(time.Second)
		}
		d, sent := deliveries(w, hook)[0], r.got[local][2]
		of := func(p mission.Principal) map[string]string {
			requests, err := w.Parts.Webhooks.RequestsOf(ctx, p, []string{d.ID})
			w.Must(err)
			request := map[string]string{"": string(requests[d.ID].Body)}
			for name := range requests[d.ID].Header {
				request[name] = requests[d.ID].Header.Get(name)
			}
			return request
		}
		got := of(w.Tenant)
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(got["X-Svc-Timestamp"] + "." + got[""]))
		if got[""] != string(sent.Body) || got["Webhook-Id"] != sent.EventID || got["X-Svc-Signature"] != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
			t.Errorf("got the request %v of the message %s %s", got, sent.EventID, sent.Body)
		}
		if got := of(w.NewTenant("Other")); len(got) != 1 || got[""] != "" {
			t.Errorf("another tenant gets %v", got)
		}
	})
}
