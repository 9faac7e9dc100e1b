package missions_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/service/integrations"
	"missiond/internal/testkit/world"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
	"missiond/store"
)

// ownKey is the key of a tenant's own model.
const ownKey = "sk-own-0123456789"

// keysOf returns the verbs with which tenants set writers and applications of their own.
func keysOf(w *world.World) *integrations.Service {
	return integrations.New(w.DB, integrations.Options{Clock: w.Clock, Real: w.Clock, Secrets: w.Secrets, Rules: outbound.Rules{Local: true}})
}

// notices returns the kinds of a tenant's notifications.
func notices(w *world.World) (kinds []mission.NotificationKind) {
	w.T.Helper()
	list, err := w.DB.Notifications(context.Background(), w.Tenant.TenantID, false, store.Page{Limit: 50})
	w.Must(err)
	for _, n := range list.List {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// A tenant's own model writes its posts, with its key and at its prices, and nobody else's. While
// its endpoint rejects the key, nothing is written by anybody else: the tenant is told once, and
// the posts are written once the endpoint accepts calls again.
func TestOwnWriter(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		var refusing atomic.Bool
		var others atomic.Int64
		model := llmtest.New(t, func(a llmtest.Request) llmtest.Act {
			if a.Header.Get("Authorization") != "Bearer "+ownKey || a.Model != "own-model" {
				t.Errorf("got a call of the model %q by %q", a.Model, a.Header.Get("Authorization"))
			}
			if refusing.Load() {
				return llmtest.Status(http.StatusUnauthorized, `{"error":{"message":"Incorrect API key: `+ownKey+`"}}`)
			}
			return fitting(llmtest.Fair)
		})
		w.Writer = world.PlainWriter{Fail: func(mission.Assignment) error { others.Add(1); return nil }}
		keys, ctx := keysOf(w), t.Context()
		key, prices := ownKey, mission.WriterPrices{Input: 1, Output: 10}
		set, err := keys.SetTenantWriter(ctx, w.Tenant, mission.WriterInput{URL: model.URL + "/v1/", Model: "own-model", Key: &key, Prices: &prices})
		w.Must(err)
		refusing.Store(true)
		one, budget := 1, int64(500)
		m := w.Create(func(in *mission.CreateInput) { in.DurationDays, in.Constraints.BudgetCents = &one, &budget })
		w.Step()
		w.Pass(time.Hour)
		why, err := w.Missions.MissionWhy(ctx, w.Tenant, m.ID)
		w.Must(err)
		if f := why.Reasons[0].Failure; f == nil || f.Code != mission.CodeWriterRejected || why.Reasons[0].Actions[0].Code != mission.RemedyWriter {
			t.Errorf("the first reason is %+v", why.Reasons[0])
		}
		got, err := keys.TenantWriter(ctx, w.Tenant)
		w.Must(err)
		if got.Error == nil || got.Error.Code != mission.CodeWriterRejected {
			t.Errorf("the rejected writer has the error %+v", got.Error)
		}
		if kinds := notices(w); len(kinds) != 1 || kinds[0] != mission.NotifyWriterRejected {
			t.Errorf("after %d rejected calls got the notifications %v, want one", len(model.Seen()), kinds)
		}
		if len(model.Seen()) < 2 || others.Load() != 0 || len(w.Posts(m.ID)) != 0 {
			t.Errorf("after %d calls of the tenant's model, %d of the service's and %d posts", len(model.Seen()), others.Load(), len(w.Posts(m.ID)))
		}

		refusing.Store(false)
		w.Over(m.ID)
		posts := w.Posts(m.ID)
		if len(posts) == 0 || others.Load() != 0 {
			t.Fatalf("got %d posts, %d by the service's writer", len(posts), others.Load())
		}
		by := posts[0].Writer
		if by.Kind != mission.AuthorModel || by.Model != "own-model" || by.Provider != "127.0.0.1" {
			t.Errorf("a post was written by %+v", by)
		}
		if want := mission.Micros(len(posts)) * (llmtest.FairInput + 10*llmtest.FairOutput); w.Mission(m.ID).Spent != want {
			t.Errorf("%d posts cost %d, want %d", len(posts), w.Mission(m.ID).Spent, want)
		}
		if got, err = keys.TenantWriter(ctx, w.Tenant); err != nil || got.Error != nil {
			t.Errorf("the writer that is accepted again has the error %+v (%v)", got.Error, err)
		}

		// A foreign tenant's posts are written by the service's writer, and so are the tenant's own once
		// it has removed its model.
		seen, tenant := len(model.Seen()), w.Tenant
		w.Tenant = w.NewTenant("Other")
		w.Over(w.Create(func(in *mission.CreateInput) { in.DurationDays = &one }).ID)
		w.Tenant = tenant
		removed, err := keys.RemoveTenantWriter(ctx, w.Tenant)
		if err != nil || removed.URL != set.URL {
			t.Fatalf("removed %+v (%v)", removed, err)
		}
		w.Over(w.Create(func(in *mission.CreateInput) { in.DurationDays = &one }).ID)
		if len(model.Seen()) != seen || others.Load() == 0 {
			t.Errorf("%d calls of a model that was removed, %d of the service's", len(model.Seen())-seen, others.Load())
		}
		_, err = keys.RemoveTenantWriter(ctx, w.Tenant)
		world.WantCode(t, err, mission.CodeNotFound)
	})
}

// A stored key is only sent to the host that it was stored for.
func TestOwnKeyStaysAtItsHost(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		keys, ctx, key := keysOf(w), t.Context(), ownKey
		first, err := keys.SetTenantWriter(ctx, w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:1/v1", Model: "m", Key: &key})
		w.Must(err)
		_, err = keys.SetTenantWriter(ctx, w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:2/v1", Model: "m"})
		world.WantCode(t, err, mission.CodeInvalidRequest)
		kept, err := keys.SetTenantWriter(ctx, w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:1/v2", Model: "n"})
		if err != nil || kept.Sealed != first.Sealed {
			t.Errorf("at the same host the key is replaced: %v", err)
		}
		none := ""
		without, err := keys.SetTenantWriter(ctx, w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:2/v1", Model: "m", Key: &none})
		if err != nil || without.Sealed != "" {
			t.Errorf("a key that is removed is %q (%v)", without.Sealed, err)
		}
	})
}
