package store

import (
	"context"
	"time"

	"missiond/internal/tracing"
	"missiond/mission"
)

// upsertDeliveryTasks returns an INSERT that creates the delivery tasks of rows
// (id, tenant, endpoint), or moves existing ones to now. It locks them in one
// order. A task keeps the span of the latest event.
func upsertDeliveryTasks(rows string) string {
	return `INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at, traceparent)
		SELECT p.id, p.tenant_id, '', 'webhook:deliver', 'webhooks', p.webhook_id, 0, ?now, ?now, 'waiting', '', 0, 0, 0, 0, ?now, ?span
		FROM (` + rows + `) AS p WHERE true ORDER BY p.webhook_id
		ON CONFLICT (subject) WHERE type = 'webhook:deliver' DO UPDATE SET
			ring_at = CASE WHEN tasks.run_at > EXCLUDED.run_at THEN EXCLUDED.ring_at ELSE tasks.ring_at END,
			run_at = CASE WHEN tasks.run_at > EXCLUDED.run_at THEN EXCLUDED.run_at ELSE tasks.run_at END,
			traceparent = COALESCE(EXCLUDED.traceparent, tasks.traceparent)`
}

// RunDeliveryTask runs an endpoint's delivery task at a time: it creates the
// task, or moves it to that time if it waits for later.
func (tx Tx) RunDeliveryTask(ctx context.Context, w mission.Webhook, at time.Time) error {
	return tx.upsertsTasks(ctx, tx.NewRaw(upsertDeliveryTasks(`SELECT ?id AS id, ?tenant AS tenant_id, ?webhook AS webhook_id`), deliveryTaskArgs{
		ID: tx.NewID(mission.PrefixTask, at), Tenant: w.TenantID, Webhook: w.ID, Now: at, Span: tracing.Traceparent(ctx),
	}))
}

type deliveryTaskArgs struct {
	ID, Tenant, Webhook string
	Now                 time.Time
	Span                string `bun:",nullzero"`
}
