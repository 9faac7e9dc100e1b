package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"missiond/internal/testkit"
	"missiond/store"
)

// rows are a completed mission with a published thread, as the service stores them.
const rows = `
INSERT INTO tenants (id, name, slug, unique_slug, plan, limits, brand, created_at, updated_at) VALUES ('tnt_1', 'T', 't', 'tnt_1', 'pro', '{}', '{}', now(), now());
INSERT INTO missions (id, tenant_id, name, description, status, objectives, platforms, constraints, kpis, duration_days, pipeline_job_id, paused_ms, next_cycle,
	generated, pending_review, approved, published, scheduled, totals, created_at, updated_at)
	VALUES ('msn_1', 'tnt_1', 'One', '', 'completed', '["x"]', '["twitter", "mastodon"]', '{"posts_per_day": 2, "require_approval": true}', '[]', 1, 'job_1', 0, 1,
	1, 0, 1, 1, 0, '{}', now(), now());
INSERT INTO mission_platforms (mission_id, platform, tenant_id, status, created_at) VALUES ('msn_1', 'twitter', 'tnt_1', 'completed', now());
INSERT INTO jobs (id, tenant_id, mission_id, cycle, day, window_start, window_end, status, current_stage, brief, plan, planned, written, settled, cost_micros, created_at, updated_at, completed_at)
	VALUES ('job_1', 'tnt_1', 'msn_1', 1, 0, now(), now(), 'completed', 'optimize', '{}', '{}', 1, 1, 1, 0, now(), now(), now());
INSERT INTO stages (job_id, name, status, attempts, started_at, completed_at) VALUES ('job_1', 'intake', 'completed', 1, now(), now());
INSERT INTO contents (id, tenant_id, mission_id, job_id, position, platform, format, status, body, parts, angle, revision, published_at, platform_post_id, publications, cost_micros, created_at, updated_at)
	VALUES ('cnt_1', 'tnt_1', 'msn_1', 'job_1', 0, 'twitter', 'thread', 'published', E'a\n\nb', '["a", "b"]', 'x', 1, now(), 'sbx_1', '[{"post_id": "sbx_1"}, {"post_id": "sbx_2"}]', 0, now(), now());
INSERT INTO sandbox_posts (id, content_id, platform, body, published_at, part) VALUES ('sbx_1', 'cnt_1', 'twitter', 'a', now(), 0), ('sbx_2', 'cnt_1', 'twitter', 'b', now(), 1);
INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq) VALUES
	('evt_1', 'tnt_1', 'msn_1', 'mission.created', now(), '{"id":"evt_1","type":"mission.created","data":{"mission_id":"msn_1"}}', 1),
	('evt_2', 'tnt_1', 'msn_1', 'mission.started', now(), '{"id":"evt_2","type":"mission.started","data":{"mission_id":"msn_1"}}', 2),
	('evt_3', 'tnt_1', 'msn_1', 'content.published', now(), '{"id":"evt_3","type":"content.published","data":{"mission_id":"msn_1","content_id":"cnt_1"}}', 3);
INSERT INTO counters (tenant_id, name, n) VALUES ('tnt_1', 'event_seq', 3), ('tnt_1', 'events::mission.created', 1), ('tnt_1', 'events::mission.started', 1), ('tnt_1', 'events::content.published', 1);
INSERT INTO webhooks (id, tenant_id, url, events, status, enabled, sealed, code, created_at, updated_at)
	VALUES ('whk_1', 'tnt_1', 'http://127.0.0.1:1/hook', '["mission.created"]', 'active', true, '', 'aa', now(), now());
INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, created_at)
	VALUES ('dlv_1', 'tnt_1', 'whk_1', 'evt_1', 'mission.created', 'msn_1', 'delivered', 1, now());
INSERT INTO delivery_attempts (delivery_id, number, at, status_code, duration_ms, error, response) VALUES ('dlv_1', 1, now(), 200, 1, '', '');
INSERT INTO mission_totals (tenant_id, platform, status, n) VALUES ('tnt_1', '', 'completed', 1);
`

// The auditor reads the service's own tables, and finds the planted faults.
func TestFaultsInADatabaseAreFound(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	url := testkit.PostgresURL(t)
	db, err := store.OpenPostgres(url, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	write := func(statements string) {
		t.Helper()
		if _, err := conn.PgConn().Exec(ctx, statements).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	write(rows)
	b := newRecord()
	b.missions["One"] = &sentMission{
		Name: "One", TenantID: "tnt_1", ID: "msn_1", Created: tally{Sure: 1}, Platforms: []string{"twitter", "mastodon"}, PostsPerDay: 2, Days: 1, Approval: true,
	}
	found := func(check string) []finding {
		t.Helper()
		s, err := readDatabase(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range audit(s, b, nil) {
			if r.check == check {
				return r.findings
			}
		}
		t.Fatalf("there is no check %q", check)
		return nil
	}
	for _, fault := range []struct{ check, plant, about string }{
		{"published once", `INSERT INTO sandbox_posts (id, content_id, platform, body, published_at, part) VALUES ('sbx_3', 'cnt_1', 'twitter', 'b', now(), 1)`, "cnt_1"},
		{"the log has no gaps", `UPDATE events SET seq = 4 WHERE id = 'evt_3'; UPDATE counters SET n = 4 WHERE name = 'event_seq'`, "evt_3"},
		{"no mission was created twice", `INSERT INTO missions SELECT (jsonb_populate_record(m, '{"id": "msn_2"}')).* FROM missions m`, "One"},
	} {
		if before := found(fault.check); len(before) > 0 {
			t.Fatalf("%s: %+v before anything is planted", fault.check, before)
		}
		write(fault.plant)
		if after := found(fault.check); !slices.ContainsFunc(after, func(f finding) bool { return strings.Contains(f.ID, fault.about) }) {
			t.Errorf("%s: %+v after it was planted", fault.check, after)
		}
	}
	write("DELETE FROM deliveries; DELETE FROM missions")
	if lost := found("missions are complete"); !slices.ContainsFunc(lost, func(f finding) bool { return f.Is == "lost" }) {
		t.Errorf("a mission that is lost isn't found: %+v", lost)
	}
}
