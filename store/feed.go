package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"missiond/mission"
)

// counterSeq counts all events that a tenant ever had, which is the seq of the
// last one.
const counterSeq = "event_seq"

// insertEvents inserts events of a tenant with their seqs in its log. From here
// to its end the transaction keeps others from taking a seq, so seqs are
// committed in order.
func (tx Tx) insertEvents(ctx context.Context, events []eventRow) error {
	const take = `INSERT INTO counters (tenant_id, name, n) VALUES (?, ?, ?)
		ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n RETURNING n`
	args := []any{events[0].TenantID, counterSeq, len(events)}
	if !tx.db.dialect.writableCTE() {
		var last int64
		if err := tx.tx.NewRaw(take, args...).Scan(ctx, &last); err != nil {
			return err
		}
		for i := range events {
			events[i].Seq = last - int64(len(events)-1-i)
		}
		_, err := tx.insert().Model(&events).Exec(ctx)
		return err
	}
	rows := make([]string, len(events))
	for i, e := range events {
		rows[i] = "(?, ?, ?, ?, ?, ?, (SELECT n FROM taken) - ?)"
		args = append(args, e.ID, e.TenantID, e.MissionID, e.Type, e.CreatedAt, e.Body, len(events)-1-i)
	}
	_, err := tx.tx.NewRaw("WITH taken AS ("+take+") INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq) VALUES "+
		strings.Join(rows, ", "), args...).Exec(ctx)
	return err
}

// EventHeads returns the seqs of tenants' last events, by tenant; a tenant
// without events has none.
func (db *DB) EventHeads(ctx context.Context, tenantIDs []string) (map[string]int64, error) {
	var rows []counterRow
	b := db.bound()
	err := b.NewSelect().Model(&rows).Where(b.among("c.tenant_id", tenantIDs)).Where("c.name = ?", counterSeq).Scan(ctx)
	heads := make(map[string]int64, len(rows))
	for _, r := range rows {
		heads[r.TenantID] = int64(r.N)
	}
	return heads, err
}

// EventSeq returns the seq of a tenant's event. Errors: invalid_request for
// after if it isn't one of the tenant's events.
func (db *DB) EventSeq(ctx context.Context, tenantID, id string) (seq int64, err error) {
	err = db.read.NewSelect().Model((*eventRow)(nil)).Column("seq").Where("e.id = ?", id).Where("e.tenant_id = ?", tenantID).Scan(ctx, &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, mission.Invalid("after", "Invalid cursor %q: there is no event with this id, or it is no longer kept.", id)
	}
	return seq, err
}

// EventsBetween returns the events of a tenant that match a filter, with seqs
// above one and up to another, in order of seq.
func (db *DB) EventsBetween(ctx context.Context, tenantID string, above, upTo int64, f EventFilter) ([]mission.Event, error) {
	var rows []eventRow
	b := db.bound()
	q := f.where(b, b.NewSelect().Model(&rows), tenantID).Where("e.seq > ?", b.bind(above)).Where("e.seq <= ?", b.bind(upTo))
	if err := q.OrderExpr("e.seq").Scan(ctx); err != nil {
		return nil, err
	}
	events := make([]mission.Event, len(rows))
	for i, r := range rows {
		var err error
		if events[i], err = r.event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// WatchedMissions returns those of the missions that exist, of any tenant: it
// is for subscribers whose access to each was already checked.
func (db *DB) WatchedMissions(ctx context.Context, ids []string) ([]mission.Mission, error) {
	var rows []missionRow
	b := db.bound()
	err := b.NewSelect().Model(&rows).Where(b.among("m.id", ids)).Scan(ctx)
	return missionsOf(rows), err
}

// WatchedJobs returns those of the jobs that exist, with their stages, by id,
// of any tenant.
func (db *DB) WatchedJobs(ctx context.Context, ids []string) (map[string]mission.Job, error) {
	b := db.bound()
	return db.jobsByID(ctx, b, b.NewSelect(), ids, JobState)
}
