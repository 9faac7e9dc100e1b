package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// Part is a page of a list below a record.
type Part[T any] struct {
	List []T
	More bool // whether there are more
	// Total is the length of the whole list, if Page.Total asks for it.
	Total int
}

// perParent reads the rows below several records in one statement: for each of
// parents the rows of query, which gets the parent's id, or the SQL name of it.
func (db *DB) perParent(ctx context.Context, b *binding, rows any, parents []string, query func(b *binding, parent any) *bun.SelectQuery) error {
	if !db.dialect.lateral() {
		return perParent(ctx, b.on, rows, parents, func(parent string) *bun.SelectQuery { return query(b, parent) })
	}
	if len(parents) == 0 {
		return nil
	}
	return b.NewRaw("SELECT part.* FROM unnest(?::text[]) AS parent (id) CROSS JOIN LATERAL (?) AS part",
		b.bind(parents), query(b, bun.Safe("parent.id"))).Scan(ctx, rows)
}

// perParent is DB.perParent on a connection, for a few parents: its text grows
// with their number.
func perParent(ctx context.Context, on bun.IDB, rows any, parents []string, query func(parent string) *bun.SelectQuery) error {
	if len(parents) == 0 {
		return nil
	}
	parts, args := make([]string, len(parents)), make([]any, len(parents))
	for i, id := range parents {
		parts[i], args[i] = "SELECT * FROM (?) AS part", query(id)
	}
	return on.NewRaw(strings.Join(parts, " UNION ALL "), args...).Scan(ctx, rows)
}

// position is where a row belongs: the parent of its list, and the order in it.
type position struct {
	parent string
	at     time.Time
	id     string
}

// partsOf reads the same page of each parent's list, in one statement after
// those of the cursors. Errors: find's.
func partsOf[R, T any](ctx context.Context, db *DB, k keyset, tenantID string, p Page, parents []string,
	query func(b *binding, parent any) *bun.SelectQuery, where func(R) position, show func(R) T,
) (map[string]Part[T], error) {
	b, err := db.find(ctx, k, tenantID, p)
	if err != nil {
		return nil, err
	}
	var rows []R
	err = db.perParent(ctx, db.bound(), &rows, parents, func(values *binding, parent any) *bun.SelectQuery { return b.bound(values, query(values, parent)) })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(x, y R) int {
		a, b := where(x), where(y)
		if p.Backward != p.Oldest {
			a, b = b, a
		}
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id))
	})
	byParent := map[string][]R{}
	for _, r := range rows {
		parent := where(r).parent
		byParent[parent] = append(byParent[parent], r)
	}
	parts := make(map[string]Part[T], len(parents))
	for _, parent := range parents {
		list, more := cut(byParent[parent], p)
		part := Part[T]{List: make([]T, len(list)), More: more}
		for i, r := range list {
			part.List[i] = show(r)
		}
		parts[parent] = part
	}
	return parts, nil
}

// ContentsOf returns a page of the posts of each of a tenant's missions, by the
// missions' ids; f has no mission. Errors: as for Contents.
func (db *DB) ContentsOf(ctx context.Context, tenantID string, missionIDs []string, f ContentFilter, p Page) (map[string]Part[mission.Content], error) {
	return partsOf(ctx, db, contentsNewest, tenantID, p, missionIDs, func(b *binding, id any) *bun.SelectQuery {
		return p.Columns.of("c", f.where(b, b.NewSelect().Model((*contentRow)(nil)), tenantID), "mission_id", "created_at").Where("c.mission_id = ?", id)
	}, func(r contentRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, contentRow.content)
}

// CountContentsOf returns how many posts of each of a tenant's missions a filter
// matches; f has no mission.
func (db *DB) CountContentsOf(ctx context.Context, tenantID string, missionIDs []string, f ContentFilter) (map[string]int, error) {
	var rows []contentTotalRow
	b := db.bound()
	q := b.NewSelect().Model(&rows).Column("mission_id", "n").Where("ct.tenant_id = ?", b.bind(tenantID)).
		Where(b.among("ct.mission_id", missionIDs)).Where("ct.platform = ?", b.bind(f.Platform))
	if f.Status != "" {
		q.Where("ct.status = ?", b.bind(f.Status))
	}
	err := q.Scan(ctx)
	counts := zeros(missionIDs)
	for _, r := range rows {
		counts[r.MissionID] += r.N
	}
	return counts, err
}

func zeros(ids []string) map[string]int {
	counts := make(map[string]int, len(ids))
	for _, id := range ids {
		counts[id] = 0
	}
	return counts
}

var jobsNewest = keyset{table: "jobs", noun: "job", at: "j.created_at", id: "j.id"}

// JobsOf returns a page of the jobs of each of a tenant's missions, newest
// first, by the missions' ids. Errors: invalid_request without a param for a
// foreign cursor.
func (db *DB) JobsOf(ctx context.Context, tenantID string, missionIDs []string, p Page) (map[string]Part[mission.Job], error) {
	parts, err := partsOf(ctx, db, jobsNewest, tenantID, p, missionIDs, func(b *binding, id any) *bun.SelectQuery {
		return b.NewSelect().Model((*jobRow)(nil)).Where("j.tenant_id = ?", b.bind(tenantID)).Where("j.mission_id = ?", id)
	}, func(r jobRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, func(r jobRow) jobRow { return r })
	if err != nil {
		return nil, err
	}
	var all []jobRow
	for _, part := range parts {
		all = append(all, part.List...)
	}
	jobs, err := withStages(ctx, db.bound(), all)
	byID := make(map[string]mission.Job, len(jobs))
	for _, j := range jobs {
		byID[j.ID] = j
	}
	shown := make(map[string]Part[mission.Job], len(parts))
	for id, part := range parts {
		list := make([]mission.Job, len(part.List))
		for i, r := range part.List {
			list[i] = byID[r.ID]
		}
		shown[id] = Part[mission.Job]{List: list, More: part.More}
	}
	return shown, err
}

// EventsOf returns a page of the events since a time of each of a tenant's
// missions, by the missions' ids; f has no mission. Errors: as for Events.
func (db *DB) EventsOf(ctx context.Context, tenantID string, missionIDs []string, f EventFilter, since time.Time, p Page) (map[string]Part[mission.Event], error) {
	var failed error
	parts, err := partsOf(ctx, db, eventsNewest, tenantID, p, missionIDs, func(b *binding, id any) *bun.SelectQuery {
		return f.where(b, b.NewSelect().Model((*eventRow)(nil)), tenantID).Where("e.mission_id = ?", id).Where("e.created_at >= ?", b.bind(since))
	}, func(r eventRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, func(r eventRow) mission.Event {
		e, err := r.event()
		if err != nil {
			failed = err
		}
		return e
	})
	if err == nil {
		err = failed
	}
	return parts, err
}

// CountEventsOf returns how many events of the given types, or of all if there
// are none, each of a tenant's missions has.
func (db *DB) CountEventsOf(ctx context.Context, tenantID string, missionIDs []string, types []mission.EventType) (map[string]int, error) {
	owners := map[string]string{}
	for _, id := range missionIDs {
		for _, name := range eventCounters(id, types) {
			owners[name] = id
		}
	}
	return db.countersOf(ctx, tenantID, missionIDs, owners)
}

// countersOf sums a tenant's counters by owner; owners maps a counter's name to
// its owner's id.
func (db *DB) countersOf(ctx context.Context, tenantID string, ids []string, owners map[string]string) (map[string]int, error) {
	names := make([]string, 0, len(owners))
	for name := range owners {
		names = append(names, name)
	}
	var rows []counterRow
	b := db.bound()
	err := b.NewSelect().Model(&rows).Where("c.tenant_id = ?", b.bind(tenantID)).Where(b.among("c.name", names)).Scan(ctx)
	counts := zeros(ids)
	for _, r := range rows {
		counts[owners[r.Name]] += r.N
	}
	return counts, err
}

// DeliveriesOf returns a page of the deliveries of each of a tenant's
// endpoints, by the endpoints' ids. Errors: as for Deliveries.
func (db *DB) DeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, status mission.DeliveryStatus, p Page) (map[string]Part[mission.Delivery], error) {
	return partsOf(ctx, db, deliveriesNewest, tenantID, p, webhookIDs, func(b *binding, id any) *bun.SelectQuery {
		return deliveriesWhere(b, b.NewSelect().Model((*deliveryRow)(nil)), tenantID, status).Where("d.webhook_id = ?", id)
	}, func(r deliveryRow) position { return position{r.WebhookID, r.CreatedAt, r.ID} }, deliveryRow.delivery)
}

// CountDeliveriesOf returns how many deliveries each of a tenant's endpoints
// has with a status, or with any if it is "".
func (db *DB) CountDeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, status mission.DeliveryStatus) (map[string]int, error) {
	owners := map[string]string{}
	for _, id := range webhookIDs {
		for _, name := range deliveryCounters(id, status) {
			owners[name] = id
		}
	}
	return db.countersOf(ctx, tenantID, webhookIDs, owners)
}

// RevisionsOf returns the replaced texts of each of a tenant's posts, latest
// first and at most 100 each, by the posts' ids.
func (db *DB) RevisionsOf(ctx context.Context, tenantID string, contentIDs []string) (map[string][]mission.Revision, error) {
	var rows []revisionRow
	err := db.perParent(ctx, db.bound(), &rows, contentIDs, func(b *binding, id any) *bun.SelectQuery {
		return b.NewSelect().Model((*revisionRow)(nil)).Where("r.content_id = ?", id).Where("r.tenant_id = ?", b.bind(tenantID)).
			OrderExpr("r.revision DESC").Limit(maxRevisions)
	})
	slices.SortStableFunc(rows, func(a, b revisionRow) int { return b.Revision - a.Revision })
	revisions := make(map[string][]mission.Revision, len(contentIDs))
	for _, r := range rows {
		revisions[r.ContentID] = append(revisions[r.ContentID], r.revision())
	}
	return revisions, err
}
