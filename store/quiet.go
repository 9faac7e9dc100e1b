package store

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// quiet has the types of events that no endpoint of a tenant subscribed to when
// last one was written. A transaction of such events writes no deliveries: it
// has the database check that there is still nobody to deliver them to, and is
// run again if there is (errSubscribed).
//
// The check comes after the tenant's log is locked, and an endpoint that
// subscribes locks the log too (holdLog). So what is committed once an endpoint
// is, is delivered to it.
type quiet struct {
	mu    sync.Mutex
	types map[subject]struct{}
}

type subject struct {
	tenantID string
	event    mission.EventType
}

// maxQuiet bounds what a process remembers.
const maxQuiet = 20_000

// errSubscribed aborts a transaction without deliveries whose events an endpoint
// has subscribed to.
var errSubscribed = errors.New("store: an endpoint subscribes to the events")

// subjects returns what events are about, without duplicates.
func subjects(events []eventRow) map[subject]struct{} {
	about := map[subject]struct{}{}
	for _, e := range events {
		about[subject{e.TenantID, e.Type}] = struct{}{}
	}
	return about
}

// has reports whether nobody is known to subscribe to events.
func (q *quiet) has(events []eventRow) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for s := range subjects(events) {
		if _, ok := q.types[s]; !ok {
			return false
		}
	}
	return true
}

// learn remembers whether anybody subscribes to events.
func (q *quiet) learn(events []eventRow, subscribed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.types == nil || len(q.types) > maxQuiet {
		q.types = map[subject]struct{}{}
	}
	for s := range subjects(events) {
		if delete(q.types, s); !subscribed {
			q.types[s] = struct{}{}
		}
	}
}

// learnQuiet remembers what a transaction found out about the endpoints that
// subscribe to its events.
func (db *DB) learnQuiet(done *progress, err error) {
	switch {
	case errors.Is(err, errSubscribed):
		db.quiet.learn(done.events, true)
	case err == nil && done.deliver != nil:
		db.quiet.learn(done.events, done.deliver.changed > 0)
	}
}

// writeQuietEvents inserts events that nobody is known to subscribe to, with
// their seqs and counters in one statement.
func (tx Tx) writeQuietEvents(ctx context.Context, events []eventRow) error {
	tenantID, counts := events[0].TenantID, map[counterRow]int{}
	for _, e := range events {
		countEvent(counts, e, 1)
	}
	counts[counterRow{TenantID: tenantID, Name: counterSeq}] = len(events)
	rows, types := sortedCounters(counts), make([]mission.EventType, 0, len(events))
	var counters []string
	var args []any
	for _, r := range rows {
		counters = append(counters, "(?, ?, ?)")
		args = append(args, r.TenantID, r.Name, number(r.N))
	}
	args = append(args, counterSeq)
	var list []string
	for i, e := range events {
		list = append(list, "(?, ?, ?, ?, ?, ?, (SELECT n FROM taken) - ?)")
		args = append(args, e.ID, e.TenantID, e.MissionID, e.Type, e.CreatedAt, e.Body, len(events)-1-i)
		types = append(types, e.Type)
	}
	_, err := tx.raw("WITH counted AS (INSERT INTO counters AS c (tenant_id, name, n) VALUES "+strings.Join(counters, ", ")+
		" ON CONFLICT (tenant_id, name) DO UPDATE SET n = c.n + EXCLUDED.n RETURNING name, n), taken AS (SELECT n FROM counted WHERE name = ?)"+
		" INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq) VALUES "+strings.Join(list, ", "), args...).Exec(ctx)
	if err != nil {
		return err
	}
	return tx.mustNot(ctx, tx.db.marked.NewSelect().Model((*webhookEventRow)(nil)).ColumnExpr("1").
		Where("we.tenant_id = ?", tenantID).Where("we.type IN (?)", bun.List(types)), errSubscribed)
}

// holdLog keeps a tenant's events from being written until the transaction ends.
// It waits for those transactions that are writing some. Without a tenant it does
// nothing.
func (tx Tx) holdLog(ctx context.Context, tenantID string) error {
	if tenantID == "" {
		return nil
	}
	_, err := tx.insert().Model(&counterRow{TenantID: tenantID, Name: counterSeq}).
		On("CONFLICT (tenant_id, name) DO UPDATE").Set("n = c.n").Exec(ctx)
	return err
}
