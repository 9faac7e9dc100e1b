package tasks

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
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, k := context.Background(), newKnowing(t)
		hook, old := w.sendsTo(k.URL, mission.EventMissionCreated)
		hooks := w.worker.parts.Webhooks
		event := func() {
			w.create(func(in *mission.CreateInput) { in.StartImmediately = nil })
			w.step()
		}
		test := func() {
			tested, err := hooks.Test(ctx, w.tenant, hook.ID)
			w.must(err)
			if !tested.Delivered {
				t.Errorf("a test ended in %+v", tested)
			}
		}
		redeliver := func() {
			_, err := hooks.Redeliver(ctx, w.tenant, w.deliveries(hook)[0].ID)
			w.must(err)
			w.step()
		}
		replay := func() {
			_, n, err := hooks.Replay(ctx, w.tenant, hook.ID, w.clock.Now(), false)
			w.must(err)
			w.idle()
			if n != 5 {
				t.Errorf("%d events were replayed", n)
			}
		}
		k.knows(old)
		event()
		_, next, err := hooks.RotateSecret(ctx, w.tenant, hook.ID)
		w.must(err)
		for i, step := range []struct {
			knows    string
			do       func()
			requests int
		}{
			{old, event, 1}, {next, event, 2}, {next, event, 1}, {next, test, 1}, {next, redeliver, 1}, {old, test, 2}, {old, event, 1}, {old, redeliver, 1}, {next, redeliver, 2}, {next, replay, 5},
		} {
			k.knows(step.knows)
			step.do()
			if k.requests != step.requests {
				t.Errorf("step %d: got %d requests, want %d", i, k.requests, step.requests)
			}
		}
		w.clock.Advance(mission.SecretGrace)
		k.knows(next)
		event()
		for _, d := range w.deliveries(hook) {
			if d.Status != mission.DeliveryDelivered || d.Attempts != 1 {
				t.Errorf("got the delivery %+v", d)
			}
		}
		if got := w.hook(hook); got.Status != mission.WebhookActive {
			t.Errorf("got the endpoint %s", got.Status)
		}
	})
}
