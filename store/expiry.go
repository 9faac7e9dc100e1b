package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/internal/id"
	"missiond/mission"
)

// Events end in two steps. They expire: their counters and those of their deliveries are
// taken back, and what nobody should see any more is left out by time. Then their rows are
// removed (MaintainMonths), on Postgres a month at once.

// expiredSetting is the name of the setting that says which events have expired.
const expiredSetting = "events_expired"

// expiredMark is the value of expiredSetting: events with ids up to UpTo have expired.
type expiredMark struct {
	UpTo string `json:"up_to"`
}

// expired reports whether an event has expired.
func (m expiredMark) expired(eventID string) bool { return eventID <= m.UpTo }

// lockExpired returns the mark, locked with a strength; nil if another transaction has it
// and the strength skips it.
func (tx Tx) lockExpired(ctx context.Context, strength string) (*expiredMark, error) {
	const keep = `INSERT INTO settings (name, value) SELECT ?, '{"up_to":""}' WHERE NOT EXISTS (SELECT 1 FROM settings WHERE name = ?) ON CONFLICT (name) DO NOTHING`
	if err := tx.write(ctx, tx.NewRaw(keep, expiredSetting, expiredSetting)); err != nil {
		return nil, err
	}
	q := tx.NewSelect()
	if tx.db.words.rowLocks {
		q.For(strength)
	}
	return setting[expiredMark](ctx, tx.on, q, expiredSetting)
}

// expiredEvents returns the mark.
func (db *DB) expiredEvents(ctx context.Context) (expiredMark, error) {
	m, err := setting[expiredMark](ctx, db.write, db.NewSelect(), expiredSetting)
	if err != nil || m == nil {
		return expiredMark{}, err
	}
	return *m, nil
}

// ExpireEvents takes up to limit events from before a time, oldest first, with their
// deliveries, out of the counters, and returns their number. One transaction at a time does
// so: beside another it returns 0.
func (tx Tx) ExpireEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	mark, err := tx.lockExpired(ctx, "UPDATE SKIP LOCKED")
	end := id.Least(mission.PrefixEvent, before)
	if err != nil || mark == nil || mark.expired(end) {
		return 0, err
	}
	var rows []eventRow
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model(&rows).ExcludeColumn("body").Where("e.id > ?", mark.UpTo).Where("e.id < ?", end).
		OrderExpr("e.id").Limit(int64(limit)), &rows)
	if err != nil {
		return 0, err
	}
	if len(rows) == limit {
		end = rows[limit-1].ID
	}
	err = tx.write(ctx, tx.NewUpdate().Model(&settingRow[expiredMark]{Name: expiredSetting, Value: expiredMark{UpTo: end}}).Column("value").WherePK())
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	ids, counts := make([]string, len(rows)), map[counterRow]int{}
	for i, r := range rows {
		ids[i] = r.ID
		countEvent(counts, r, -1)
	}
	if err := tx.expireDeliveries(ctx, ids, counts); err != nil {
		return 0, err
	}
	if err := tx.addCounters(ctx, counts); err != nil {
		return 0, err
	}
	return len(rows), tx.dropCounters(ctx, counts)
}

// expireDeliveries counts out the deliveries of events. Those that still wait are deleted,
// so that no attempt changes their status, and those that were added later than their event,
// which are in other months. The others stay until their month is removed.
func (tx Tx) expireDeliveries(ctx context.Context, eventIDs []string, counts map[counterRow]int) error {
	var rows []deliveryRow
	err := database.Scan(ctx, tx.on, tx.locking().Model(&rows).Column("id", "tenant_id", "webhook_id", "status").Where("?", database.In("d.event_id", eventIDs)).
		Where("(d.status = 'pending' OR substr(d.id, 5, 10) <> substr(d.event_id, 5, 10))").OrderExpr("d.id"), &rows)
	if err != nil {
		return err
	}
	if err := tx.deleteDeliveries(ctx, rows); err != nil {
		return err
	}
	for _, r := range rows {
		counts[counterRow{TenantID: r.TenantID, Name: deliveryCounter(r.WebhookID, r.Status)}]--
	}
	var left []struct {
		TenantID, WebhookID string
		Status              mission.DeliveryStatus
		N                   int
	}
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model((*deliveryRow)(nil)).Column("tenant_id", "webhook_id", "status").ColumnExpr("count(*) AS n").
		Where("?", database.In("d.event_id", eventIDs)).Group("tenant_id", "webhook_id", "status"), &left)
	for _, r := range left {
		counts[counterRow{TenantID: r.TenantID, Name: deliveryCounter(r.WebhookID, r.Status)}] -= r.N
	}
	return err
}

// deleteDeliveries deletes deliveries with their attempts.
func (tx Tx) deleteDeliveries(ctx context.Context, rows []deliveryRow) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	if err := tx.write(ctx, tx.NewDelete().Model((*attemptRow)(nil)).Where("?", database.In("delivery_id", ids))); err != nil {
		return err
	}
	return tx.write(ctx, tx.NewDelete().Model((*deliveryRow)(nil)).Where("?", database.In("id", ids)))
}

// checkStored returns an error if an event that is to be delivered again has expired, and
// keeps the others from expiring until the transaction ends. Errors: conflict.
func (tx Tx) checkStored(ctx context.Context, list []mission.Delivery) error {
	mark, err := tx.lockExpired(ctx, "SHARE")
	if err != nil || mark == nil {
		return err
	}
	for _, d := range list {
		if mark.expired(d.EventID) {
			return mission.Conflict("The event %s is no longer kept.", d.EventID)
		}
	}
	return nil
}
