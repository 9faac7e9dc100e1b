package store_test

import (
	"database/sql"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// due returns how many deliveries an endpoint has.
func (f *fixture) due(w mission.Webhook) int {
	f.t.Helper()
	due, err := f.db.DueDeliveries(ctx, w.ID, start, 100)
	f.must(err)
	return len(due)
}

// An endpoint that is created or changed gets the events from then on, of the types that it
// subscribes to.
func TestSubscriptionsBeginAtOnce(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for range 5 {
			f.mission(nil)
		}
		w := f.endpoint(mission.EventMissionStarted)
		f.mission(nil)
		if n := f.due(w); n != 1 {
			t.Errorf("a new endpoint has %d deliveries, want 1", n)
		}
		for range 3 {
			f.mission(nil)
		}
		w.Events = []mission.EventType{mission.EventMissionCreated, mission.EventMissionStarted}
		f.must(f.tx(func(tx store.Tx) error { return tx.SetWebhook(ctx, w, f.entry(f.tenant.ID)) }))
		f.mission(nil)
		if n := f.due(w); n != 6 {
			t.Errorf("an endpoint that subscribes to more has %d deliveries, want 6", n)
		}
		if n := int(f.seq()); n != 20 {
			t.Errorf("the tenant's last seq is %d, want 20", n)
		}
	})
}

// seq returns the seq of the tenant's last event.
func (f *fixture) seq() int64 {
	f.t.Helper()
	heads, err := f.db.Heads(ctx, []string{f.tenant.ID})
	f.must(err)
	return heads[f.tenant.ID].Events
}

// An endpoint's creation waits for the transactions that are writing events, and
// those that wait for it deliver to it: what is committed after the creation
// isn't missed.
func TestEventsBesideANewEndpoint(t *testing.T) {
	t.Parallel()
	address := testkit.MigratedURL(t)
	db, err := store.OpenPostgres(testkit.Pooled(t, address), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	f := newFixture(t, db)
	raw, err := sql.Open("pgx", address)
	f.must(err)
	t.Cleanup(func() { _ = raw.Close() })
	const lock = "UPDATE counters SET n = n WHERE tenant_id = $1 AND name = 'event_seq'"
	for range 2 {
		f.mission(nil) // nobody subscribes
	}
	writer, err := raw.BeginTx(ctx, nil)
	f.must(err)
	_, err = writer.ExecContext(ctx, lock, f.tenant.ID)
	f.must(err)
	done := make(chan error, 1)
	w := mission.Webhook{
		ID: f.db.NewID(mission.PrefixWebhook, start), TenantID: f.tenant.ID, URL: "https://example.com", Events: mission.AllEventTypes(),
		Status: mission.WebhookActive, Enabled: true, Sealed: "sealed", CreatedAt: start, UpdatedAt: start,
	}
	go func() { done <- f.tx(func(tx store.Tx) error { return tx.AddWebhook(ctx, w, f.entry(f.tenant.ID)) }) }()
	f.must(f.untilBlocked(raw, done))
	if len(done) > 0 {
		t.Error("an endpoint's creation doesn't wait for a transaction that writes events")
	}
	f.must(writer.Commit())
	f.must(<-done)
	_, err = raw.ExecContext(ctx, "DELETE FROM webhooks")
	f.must(err)
	other, err := store.OpenPostgres(testkit.Pooled(t, address), options)
	f.must(err)
	t.Cleanup(func() { _ = other.Close() })
	g := &fixture{t: t, db: other, tenant: f.tenant, user: f.user}
	for range 2 {
		g.mission(nil) // nobody subscribes again
	}
	creation, err := raw.BeginTx(ctx, nil)
	f.must(err)
	for _, statement := range []string{
		`INSERT INTO webhooks (id, tenant_id, url, events, status, enabled, sealed, code, created_at, updated_at)
			SELECT 'whk_1', $1, 'https://example.com', '[]', 'active', true, 'sealed', '01', now(), now()`,
		`INSERT INTO webhook_events SELECT $1, 'mission.created', 'whk_1', '01'`, lock,
	} {
		_, err = creation.ExecContext(ctx, statement, f.tenant.ID)
		f.must(err)
	}
	m, events := g.newMission(nil)
	go func() { done <- g.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, m, events) }) }()
	f.must(f.untilBlocked(raw, done))
	f.must(creation.Commit())
	f.must(<-done)
	if n := f.due(mission.Webhook{ID: "whk_1"}); n != 1 {
		t.Errorf("the endpoint has %d deliveries, want 1", n)
	}
}
