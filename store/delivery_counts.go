package store

import (
	"context"
	"time"

	"missiond/internal/database"
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

// CountDeliveriesOf returns how many deliveries since a time of each of a tenant's endpoints
// pass a filter: for one of states alone from counters, which are of those that haven't
// expired.
func (db *DB) CountDeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, f mission.DeliveryFilter, since time.Time) (map[string]int, error) {
	if f != (mission.DeliveryFilter{Status: f.Status}) {
		return db.countDeliveriesOf(ctx, tenantID, webhookIDs, f, since)
	}
	owners := map[string]string{}
	for _, id := range webhookIDs {
		for _, name := range deliveryCounters(id, f.Status) {
			owners[name] = id
		}
	}
	return db.countersOf(ctx, tenantID, webhookIDs, owners)
}

func (db *DB) countDeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, f mission.DeliveryFilter, since time.Time) (map[string]int, error) {
	var rows []struct {
		WebhookID string
		N         int
	}
	err := database.Scan(ctx, db.read, deliveriesWhere(db.NewSelect().Model((*deliveryRow)(nil)).Column("webhook_id").ColumnExpr("count(*) AS n"), tenantID, f, since).
		Where("?", database.In("d.webhook_id", webhookIDs)).GroupExpr("d.webhook_id"), &rows)
	counts := zeros(webhookIDs)
	for _, r := range rows {
		counts[r.WebhookID] = r.N
	}
	return counts, err
}
