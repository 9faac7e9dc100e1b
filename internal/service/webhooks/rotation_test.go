package webhooks_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/testkit/world"
	"missiond/internal/webhook"
	"missiond/mission"
)

// knowing is a receiver that knows one secret, and refuses what another signed by the
// interface's recipe.
type knowing struct {
	*httptest.Server

	mu       sync.Mutex
	secret   string
	requests int
}

func newKnowing(t *testing.T) *knowing {
	t.Helper()
	k := &knowing{}
	k.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.requests++
		h := hmac.New(sha256.New, []byte(k.secret))
		_, _ = h.Write([]byte(r.Header.Get("X-SVC-Timestamp") + "." + string(body)))
		signatures := r.Header.Values("X-SVC-Signature")
		if len(signatures) != 1 || signatures[0] != "sha256="+hex.EncodeToString(h.Sum(nil)) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(k.Close)
	return k
}

// knows makes the receiver know a secret, and counts its requests anew.
func (k *knowing) knows(secret string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.secret, k.requests = secret, 0
}

// While a secret replaces another, the receiver may switch to it at any time: each event
// arrives in its first attempt, and the secret that was accepted last is tried first, by
// events, tests, redeliveries and replays alike.
func TestSecretRotation(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, k := context.Background(), newKnowing(t)
		client := webhook.NewClient(outbound.Rules{Local: true}, time.Now)
		defer client.Close()
		w.Sender = client
		hook, old := w.Hook(k.URL, mission.EventMissionCreated)
		hooks := w.Parts.Webhooks
		event := func() {
			w.Create(func(in *mission.CreateInput) { in.StartImmediately = nil })
			w.Step()
		}
		test := func() {
			tested, err := hooks.Test(ctx, w.Tenant, hook.ID)
			w.Must(err)
			if !tested.Delivered {
				t.Errorf("a test ended in %+v", tested)
			}
		}
		redeliver := func() {
			_, err := hooks.Redeliver(ctx, w.Tenant, deliveries(w, hook)[0].ID)
			w.Must(err)
			w.Step()
		}
		replay := func() {
			_, n, err := hooks.Replay(ctx, w.Tenant, hook.ID, w.Clock.Now(), false)
			w.Must(err)
			w.Idle()
			if n != 6 {
				t.Errorf("%d events were replayed", n)
			}
		}
		k.knows(old)
		event()
		_, next, err := hooks.RotateSecret(ctx, w.Tenant, hook.ID)
		w.Must(err)
		again := func() {
			if _, _, err := hooks.RotateSecret(ctx, w.Tenant, hook.ID); mission.CodeOf(err) != mission.CodeConflict {
				t.Errorf("a second rotation got %v", err)
			}
			event()
		}
		for i, step := range []struct {
			knows    string
			do       func()
			requests int
		}{
			{old, event, 1}, {old, again, 1}, {next, event, 2}, {next, event, 1}, {next, test, 1}, {next, redeliver, 1}, {old, test, 2}, {old, event, 1}, {old, redeliver, 1}, {next, redeliver, 2}, {next, replay, 6},
		} {
			k.knows(step.knows)
			step.do()
			if k.requests != step.requests {
				t.Errorf("step %d: got %d requests, want %d", i, k.requests, step.requests)
			}
		}
		w.Clock.Advance(mission.SecretGrace)
		k.knows(next)
		event()
		_, third, err := hooks.RotateSecret(ctx, w.Tenant, hook.ID)
		w.Must(err)
		event()
		k.knows(third)
		event()
		for _, d := range deliveries(w, hook) {
			if d.Status != mission.DeliveryDelivered || d.Attempts != 1 {
				t.Errorf("got the delivery %+v", d)
			}
		}
		if got := endpoint(w, hook); got.Status != mission.WebhookActive {
			t.Errorf("got the endpoint %s", got.Status)
		}
	})
}
