package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/id"
	"missiond/mission"
)

// ActivityOf returns how the deliveries since a time of each of a tenant's endpoints went, by the
// endpoints' ids: of each the latest mission.ActivityDeliveries, in one statement.
func (db *DB) ActivityOf(ctx context.Context, tenantID string, webhookIDs []string, from time.Time) (map[string]mission.WebhookActivity, error) {
	type activityRow struct {
		WebhookID                    string
		Deliveries, Accepted, Failed int
	}
	rows, err := readPerParent[activityRow](ctx, db, webhookIDs, func(id any) *bun.SelectQuery {
		latest := deliveriesWhere(db.NewSelect().Model((*deliveryRow)(nil)), tenantID, mission.DeliveryFilter{}, from).Column("status", "attempts").
			Where("d.webhook_id = ?", id).OrderExpr("d.created_at DESC, d.id DESC").Limit(mission.ActivityDeliveries)
		return db.NewSelect().TableExpr("(?) AS l", latest).ColumnExpr("? AS webhook_id", id).ColumnExpr("count(*) AS deliveries").
			ColumnExpr("count(*) FILTER (WHERE l.status = 'delivered') AS accepted").
			ColumnExpr("count(*) FILTER (WHERE l.attempts > 0 AND l.status IN ('pending', 'failed')) AS failed")
	})
	activity := make(map[string]mission.WebhookActivity, len(rows))
	for _, r := range rows {
		activity[r.WebhookID] = mission.WebhookActivity{From: from, Deliveries: r.Deliveries, Accepted: r.Accepted, Failed: r.Failed}
	}
	return activity, err
}

// UndeliveredOf returns the events, of types that an endpoint is sent, that each of a tenant's endpoints
// accepted in none of their deliveries since a time, by the endpoints' ids; nothing for endpoints
// without any, and for those that are disabled. Of each the latest
// mission.ActivityDeliveries that failed are looked at, in one statement.
func (db *DB) UndeliveredOf(ctx context.Context, tenantID string, webhookIDs []string, since time.Time) (map[string]mission.UndeliveredEvents, error) {
	type undeliveredRow struct {
		WebhookID string
		Events    int
		First     string // the oldest event's id
		Since     *time.Time
	}
	of := func(id any, status mission.DeliveryStatus) *bun.SelectQuery {
		return deliveriesWhere(db.NewSelect().Model((*deliveryRow)(nil)), tenantID, mission.DeliveryFilter{Status: status}, since).
			Where("d.webhook_id = ?", id).OrderExpr("d.created_at DESC, d.id DESC")
	}
	rows, err := readPerParent[undeliveredRow](ctx, db, webhookIDs, func(webhook any) *bun.SelectQuery {
		failed := of(webhook, mission.DeliveryFailed).Column("event_id", "event_type", "created_at").Limit(mission.ActivityDeliveries)
		accepted := of(webhook, mission.DeliveryDelivered).Column("created_at").Limit(1)
		// As in ReplayEvents, a subquery of one row is never made a join that reads all deliveries.
		return db.NewSelect().TableExpr("(?) AS f", failed).ColumnExpr("? AS webhook_id", webhook).
			ColumnExpr("count(DISTINCT f.event_id) AS events").ColumnExpr("COALESCE(min(f.event_id), '') AS first").
			ColumnExpr("COALESCE(min(f.created_at) FILTER (WHERE f.created_at > (?)), min(f.created_at)) AS since", accepted).
			Where("(SELECT 1 FROM deliveries x WHERE x.event_id = f.event_id AND x.id >= ? AND x.webhook_id = ? AND x.status IN ('delivered', 'pending') LIMIT 1) IS NULL",
				id.Least(mission.PrefixDelivery, since), webhook).
			Where("(SELECT 1 FROM webhook_events we WHERE we.tenant_id = ? AND we.type = f.event_type AND we.webhook_id = ?) IS NOT NULL", tenantID, webhook)
	})
	undelivered := map[string]mission.UndeliveredEvents{}
	for _, r := range rows {
		from, ok := id.Time(mission.PrefixEvent, r.First)
		if ok && r.Since != nil {
			undelivered[r.WebhookID] = mission.UndeliveredEvents{Events: r.Events, From: from, Since: *r.Since}
		}
	}
	return undelivered, err
}
