package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// snapshot is the final state: the rows of the service's database, read without its
// code, and the content of Redis.
type snapshot struct {
	Missions      []missionRow
	Platforms     []platformRow
	Jobs          []jobRow
	Stages        []stageRow
	Posts         []postRow
	Publications  []publicationRow
	Events        []eventRow
	Hooks         []hookRow
	Deliveries    []deliveryRow
	Attempts      []attemptRow
	Tasks         []taskRow
	Spendings     []spendingRow
	Counters      []counterRow
	MissionTotals []missionTotalRow
	PostTotals    []postTotalRow
	Redis         redisState
	At            time.Time
}

// The fields of rows are the columns of the statements below, in order.
type (
	missionRow struct {
		ID, TenantID, Name, Status     string
		Platforms                      []string
		PostsPerDay                    int
		Approval                       bool
		Days                           int
		Budget                         int64 // in cents; 0 is none
		JobID                          string
		Paused                         bool
		Cycles                         int
		Generated, PendingReview       int
		Approved, Published, Scheduled int
		Reserved, Spent                int64
	}
	platformRow struct{ MissionID, Platform, TenantID, Status string }
	jobRow      struct {
		ID, TenantID, MissionID, Status, Stage string
		Cycle, Day                             int
		Planned, Written, Settled              int
		Ended                                  bool
	}
	stageRow struct {
		JobID, Name, Status string
		Began, Ended        bool
	}
	postRow struct {
		ID, TenantID, MissionID, JobID, Platform, Status string
		Position, Revision                               int
		Body                                             string
		Parts                                            []string
		PlatformPostID                                   string
		Publications                                     []publicationID
		Published, Reviewed                              bool
		Error                                            string
	}
	publicationID struct {
		PostID string `json:"post_id"`
	}
	publicationRow struct {
		ID, PostID, Platform, Body string
		Part                       int
	}
	eventRow struct {
		ID, TenantID, MissionID, Type string
		Seq                           int64
		Body                          []byte
	}
	hookRow struct {
		ID, TenantID, URL, Status string
		Events                    []string
		Enabled                   bool
	}
	deliveryRow struct {
		ID, TenantID, HookID, EventID, EventType, Status string
		Attempts                                         int
		Due                                              bool
	}
	attemptRow struct {
		DeliveryID     string
		Number, Status int
	}
	taskRow struct {
		ID, TenantID, MissionID, Type, Subject, State string
		RunAt                                         time.Time
		Attempt                                       int
	}
	spendingRow struct {
		ID, MissionID, Subject string
		Reserved               int64
		Spent                  int64
		Open                   bool
	}
	counterRow struct {
		TenantID, Name string
		N              int64
	}
	missionTotalRow struct {
		TenantID, Platform, Status string
		N                          int
	}
	postTotalRow struct {
		TenantID, MissionID, Platform, Status string
		N                                     int
	}
)

// readSnapshot reads the final state, the database in one transaction.
func readSnapshot(ctx context.Context, w *harness) (*snapshot, error) {
	s, err := readDatabase(ctx, w.postgres.URL(database))
	if err != nil {
		return nil, err
	}
	s.Redis, err = readRedis(ctx, w.control)
	return s, err
}

// readDatabase reads the rows of the database at a URL.
func readDatabase(ctx context.Context, url string) (*snapshot, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	s := &snapshot{At: time.Now()}
	for _, read := range []func() error{
		reading(ctx, tx, &s.Missions, `SELECT id, tenant_id, name, status, ARRAY(SELECT jsonb_array_elements_text(platforms)),
			(constraints->>'posts_per_day')::int, (constraints->>'require_approval')::bool, duration_days,
			COALESCE((constraints->>'budget_cents')::bigint, 0), COALESCE(pipeline_job_id, ''),
			paused_at IS NOT NULL, next_cycle, generated, pending_review, approved, published, scheduled, reserved_micros, spent_micros FROM missions ORDER BY id`),
		reading(ctx, tx, &s.Platforms, `SELECT mission_id, platform, tenant_id, status FROM mission_platforms ORDER BY 1, 2`),
		reading(ctx, tx, &s.Jobs, `SELECT id, tenant_id, mission_id, status, current_stage, cycle, day, planned, written, settled, completed_at IS NOT NULL FROM jobs ORDER BY id`),
		reading(ctx, tx, &s.Stages, `SELECT job_id, name, status, started_at IS NOT NULL, completed_at IS NOT NULL FROM stages ORDER BY 1, 2`),
		reading(ctx, tx, &s.Posts, `SELECT id, tenant_id, mission_id, job_id, platform, status, position, revision, body,
			CASE jsonb_typeof(parts) WHEN 'array' THEN ARRAY(SELECT jsonb_array_elements_text(parts)) ELSE '{}' END,
			COALESCE(platform_post_id, ''), CASE jsonb_typeof(publications) WHEN 'array' THEN publications ELSE '[]' END,
			published_at IS NOT NULL, reviewed_at IS NOT NULL, COALESCE(error->>'code', '') FROM contents ORDER BY id`),
		reading(ctx, tx, &s.Publications, `SELECT id, content_id, platform, body, part FROM sandbox_posts ORDER BY id`),
		reading(ctx, tx, &s.Events, `SELECT id, tenant_id, mission_id, type, seq, body FROM events ORDER BY tenant_id, seq`),
		reading(ctx, tx, &s.Hooks, `SELECT id, tenant_id, url, status, ARRAY(SELECT jsonb_array_elements_text(events)), enabled FROM webhooks ORDER BY id`),
		reading(ctx, tx, &s.Deliveries, `SELECT id, tenant_id, webhook_id, event_id, event_type, status, attempts, next_attempt_at IS NOT NULL FROM deliveries ORDER BY id`),
		reading(ctx, tx, &s.Attempts, `SELECT delivery_id, number, status_code FROM delivery_attempts ORDER BY 1, 2`),
		reading(ctx, tx, &s.Tasks, `SELECT id, tenant_id, mission_id, type, subject, state, run_at, attempt FROM tasks ORDER BY id`),
		reading(ctx, tx, &s.Spendings, `SELECT id, mission_id, subject, reserved_micros, COALESCE(spent_micros, 0), settled_at IS NULL FROM spendings ORDER BY id`),
		reading(ctx, tx, &s.Counters, `SELECT tenant_id, name, n FROM counters ORDER BY 1, 2`),
		reading(ctx, tx, &s.MissionTotals, `SELECT tenant_id, platform, status, n FROM mission_totals ORDER BY 1, 2, 3`),
		reading(ctx, tx, &s.PostTotals, `SELECT tenant_id, mission_id, platform, status, n FROM content_totals ORDER BY 1, 2, 3, 4`),
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// reading returns a function that reads a statement's rows into to.
func reading[T any](ctx context.Context, tx pgx.Tx, to *[]T, query string) func() error {
	return func() error {
		rows, err := tx.Query(ctx, query)
		if err == nil {
			*to, err = pgx.CollectRows(rows, pgx.RowToStructByPos[T])
		}
		if err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		return nil
	}
}
