package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// deliveryCounter returns the name of the counter of an endpoint's deliveries
// with a status.
func deliveryCounter(webhookID string, s mission.DeliveryStatus) string {
	return "deliveries:" + webhookID + ":" + string(s)
}

// pendingCounter is the name of the counter of an endpoint's pending
// deliveries, in SQL.
const pendingCounter = `'deliveries:' || webhook_id || ':pending'`

// countDeliveries counts n of an endpoint's deliveries out of one status and
// into another; "" is none.
func (tx Tx) countDeliveries(ctx context.Context, tenantID, webhookID string, from, to mission.DeliveryStatus, n int) error {
	moves := map[counterRow]int{}
	if from != "" {
		moves[counterRow{TenantID: tenantID, Name: deliveryCounter(webhookID, from)}] -= n
	}
	if to != "" {
		moves[counterRow{TenantID: tenantID, Name: deliveryCounter(webhookID, to)}] += n
	}
	return tx.addCounters(ctx, moves)
}

// countDropped counts out the deliveries of events that are about to be
// deleted, and locks them, so that no attempt changes their status meanwhile.
func (tx Tx) countDropped(ctx context.Context, eventIDs []string, counts map[counterRow]int) error {
	var rows []deliveryRow
	err := tx.locking().Model(&rows).Column("tenant_id", "webhook_id", "status").
		Where("d.event_id IN (?)", bun.List(eventIDs)).OrderExpr("d.id").Scan(ctx)
	for _, r := range rows {
		counts[counterRow{TenantID: r.TenantID, Name: deliveryCounter(r.WebhookID, r.Status)}]--
	}
	return err
}

// CountDeliveries returns how many deliveries an endpoint has with a status, or
// with any if it is "", from a few counter rows.
func (db *DB) CountDeliveries(ctx context.Context, tenantID, webhookID string, status mission.DeliveryStatus) (n int, err error) {
	return db.sumCounters(ctx, tenantID, deliveryCounters(webhookID, status))
}

// deliveryCounters returns the names of the counters of an endpoint's
// deliveries with a status, or with any if it is "".
func deliveryCounters(webhookID string, status mission.DeliveryStatus) []string {
	statuses := mission.AllDeliveryStatuses()
	if status != "" {
		statuses = []mission.DeliveryStatus{status}
	}
	names := make([]string, len(statuses))
	for i, s := range statuses {
		names[i] = deliveryCounter(webhookID, s)
	}
	return names
}

// CountDeliveriesOf returns how many deliveries of each of a tenant's endpoints pass a
// filter: from counters for one of states alone.
func (db *DB) CountDeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, f mission.DeliveryFilter) (map[string]int, error) {
	if f != (mission.DeliveryFilter{Status: f.Status}) {
		return db.countDeliveriesOf(ctx, tenantID, webhookIDs, f)
	}
	owners := map[string]string{}
	for _, id := range webhookIDs {
		for _, name := range deliveryCounters(id, f.Status) {
			owners[name] = id
		}
	}
	return db.countersOf(ctx, tenantID, webhookIDs, owners)
}

func (db *DB) countDeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, f mission.DeliveryFilter) (map[string]int, error) {
	var rows []struct {
		WebhookID string
		N         int
	}
	b := db.prepared(db.read)
	err := deliveriesWhere(b, b.NewSelect().Model((*deliveryRow)(nil)).Column("webhook_id").ColumnExpr("count(*) AS n"), tenantID, f).
		Where(b.among("d.webhook_id", webhookIDs)).GroupExpr("d.webhook_id").Scan(ctx, &rows)
	counts := zeros(webhookIDs)
	for _, r := range rows {
		counts[r.WebhookID] = r.N
	}
	return counts, err
}
