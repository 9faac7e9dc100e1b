package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// attentionRow is something that needs a person, with the number of all of its kind, up
// to one more than are counted.
type attentionRow struct {
	Kind          mission.AttentionKind
	ID, MissionID string
	// At orders the rows: when a post expires, when it was to be published, when the tenant is
	// deleted, or when a job or mission was created.
	At, Since *time.Time
	// Amount is a percentage of a budget, or the number of a mission's posts.
	Amount int
	N      int
}

func (r attentionRow) item() mission.AttentionItem {
	item := mission.AttentionItem{MissionID: r.MissionID}
	switch r.Kind {
	case mission.AttentionReview:
		item.ContentID, item.Deadline = r.ID, r.At
	case mission.AttentionContent:
		item.ContentID = r.ID
	case mission.AttentionUnknown:
		item.ContentID, item.Since = r.ID, r.Since
	case mission.AttentionOverdue:
		item.ContentID, item.Since, item.Count = r.ID, r.Since, &r.Amount
	case mission.AttentionExpired:
		item.Since, item.Count = r.Since, &r.Amount
	case mission.AttentionDeletion:
		item.Deadline, item.Since = r.At, r.Since
	case mission.AttentionJob:
		item.JobID = r.ID
	case mission.AttentionBudget:
		item.UsedPercent = &r.Amount
	case mission.AttentionReconnect, mission.AttentionRenew, mission.AttentionWebhook: // not of missions
	}
	return item
}

// Attention returns what needs a person for the given reasons, of those that there is
// anything for, in one statement. Missions are active. Of failed jobs the latest
// mission.AttentionJobs are looked at, of expired posts and of the overdue ones of a mission
// mission.AttentionPosts.
func (db *DB) Attention(ctx context.Context, tenantID string, kinds []mission.AttentionKind, slots mission.AttentionSlots) ([]mission.Attention, error) {
	parts := make([]any, len(kinds))
	for i, kind := range kinds {
		direction := "DESC"
		if kind.Earliest() {
			direction = "ASC"
		}
		first := db.NewSelect().TableExpr("(?) AS x", db.needing(kind, tenantID, slots).Limit(mission.AttentionCounted+1)).ColumnExpr("? AS kind", string(kind)).
			ColumnExpr("x.id, x.mission_id, x.at, x.since, x.amount, count(*) OVER () AS n").
			OrderExpr("x.at ?0, x.id ?0", bun.Safe(direction)).Limit(mission.AttentionItems)
		parts[i] = db.NewSelect().TableExpr("(?) AS part", first)
		if kind == mission.AttentionOverdue {
			parts[i] = db.overdueOf(first, slots.DueBefore)
		}
	}
	var rows []attentionRow
	union := strings.Repeat("? UNION ALL ", len(parts)-1) + "?"
	if err := database.Scan(ctx, db.read, db.NewRaw(union, parts...), &rows); err != nil {
		return nil, err
	}
	var list []mission.Attention
	for _, kind := range kinds {
		var items []mission.AttentionItem
		n := 0
		for _, r := range ofKind(rows, kind) {
			items, n = append(items, r.item()), r.N
		}
		if n > 0 {
			list = append(list, mission.NewAttention(kind, n, items))
		}
	}
	return list, nil
}

// needing returns the query of what needs a person for a reason, with what attentionRow has.
func (db *DB) needing(kind mission.AttentionKind, tenantID string, slots mission.AttentionSlots) *bun.SelectQuery {
	switch kind {
	case mission.AttentionReview:
		return reviewsByDeadline(db.Builder, tenantID)
	case mission.AttentionContent:
		return db.failedPosts(tenantID, slots.Since)
	case mission.AttentionUnknown:
		return unknownPosts(db.Builder, tenantID)
	case mission.AttentionOverdue:
		return overdueMissions(db.Builder, tenantID, slots.DueBefore)
	case mission.AttentionExpired:
		return db.expiredPosts(tenantID, slots.Since)
	case mission.AttentionDeletion:
		return deletion(db.Builder, tenantID)
	case mission.AttentionJob:
		return failedMissions(db.Builder, tenantID)
	case mission.AttentionBudget:
		return budgetsNearEnd(db.Builder, tenantID)
	case mission.AttentionReconnect, mission.AttentionRenew, mission.AttentionWebhook:
	}
	panic("bug: missions have no " + kind)
}

// ofKind returns the rows of a kind in the order in which they are shown.
func ofKind(rows []attentionRow, kind mission.AttentionKind) []attentionRow {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r attentionRow) bool { return r.Kind != kind })
	slices.SortFunc(rows, func(a, b attentionRow) int {
		if !kind.Earliest() {
			a, b = b, a
		}
		return cmp.Or(a.At.Compare(*b.At), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

func reviewsByDeadline(b database.Builder, tenantID string) *bun.SelectQuery {
	return b.NewSelect().TableExpr("contents AS c").ColumnExpr("c.id, c.mission_id, c.expires_at AS at, c.expires_at AS since, 0 AS amount").
		Where("c.tenant_id = ?", tenantID).Where("c.status = 'pending_review'").Where("c.expires_at IS NOT NULL").
		OrderExpr("c.expires_at, c.id")
}

func (db *DB) failedPosts(tenantID string, since time.Time) *bun.SelectQuery {
	return db.latestPosts(tenantID, mission.ContentFailed, since, mission.AttentionCounted).
		ColumnExpr("c.id, c.mission_id, c.scheduled_at AS at, c.scheduled_at AS since, 0 AS amount").OrderExpr("c.scheduled_at DESC, c.id DESC")
}

// expiredPosts returns the missions of the latest posts that expired. A post that did retains its
// deadline.
func (db *DB) expiredPosts(tenantID string, since time.Time) *bun.SelectQuery {
	latest := db.latestPosts(tenantID, mission.ContentExpired, since, mission.AttentionPosts-1).
		ColumnExpr("c.mission_id, c.scheduled_at, c.expires_at").OrderExpr("c.scheduled_at DESC, c.id DESC").Limit(mission.AttentionPosts)
	return db.NewSelect().TableExpr("(?) AS e", latest).GroupExpr("e.mission_id").
		ColumnExpr("e.mission_id AS id, e.mission_id, MAX(e.scheduled_at) AS at, MIN(e.expires_at) AS since, count(*) AS amount").
		OrderExpr("MAX(e.scheduled_at) DESC, e.mission_id DESC")
}

// latestPosts returns a query of a tenant's posts in a state with slots since a time: limit and one
// more of each platform, the latest.
func (db *DB) latestPosts(tenantID string, status mission.ContentStatus, since time.Time, limit int) *bun.SelectQuery {
	q := mission.ContentQuery{Statuses: []mission.ContentStatus{status}, Scheduled: mission.Span{From: &since}, Order: mission.OrderScheduled}
	l := contentList{ContentQuery: q, tenantID: tenantID, by: q.Order}
	var found *bun.SelectQuery
	if db.Lateral() {
		found = l.merged(db.Builder, l.branch(db.Builder, Page{Limit: limit})).Column("part.id")
	} else {
		found = l.where(db.NewSelect().TableExpr("contents AS c"), q.Order).Column("c.id")
	}
	return db.NewSelect().TableExpr("(?) AS found", found).Join("JOIN contents AS c ON c.id = found.id")
}

// unknownPosts returns the posts of mission.Content.AwaitsPerson. Few posts are unknown.
func unknownPosts(b database.Builder, tenantID string) *bun.SelectQuery {
	return b.NewSelect().TableExpr("contents AS c").
		ColumnExpr("c.id, c.mission_id, c.created_at AS at, c.called_at AS since, 0 AS amount").
		Where("c.tenant_id = ?", tenantID).Where("c.status = 'unknown'").Where("c.error ->> 'code' = ?", mission.CodeOutcomeUnknown).
		OrderExpr("c.created_at DESC, c.id DESC")
}

// overdueMissions returns the active missions whose next post should have gone out before a time.
func overdueMissions(b database.Builder, tenantID string, dueBefore time.Time) *bun.SelectQuery {
	return b.NewSelect().TableExpr("next_posts AS np").ColumnExpr("np.mission_id AS id, np.mission_id, np.at, np.at AS since, 0 AS amount").
		Where("np.tenant_id = ?", tenantID).Where("np.at < ?", dueBefore).OrderExpr("np.at, np.mission_id")
}

// overdueOf returns the rows of overdue missions, which are few, with the first of their posts and
// how many these are.
func (db *DB) overdueOf(rows *bun.SelectQuery, dueBefore time.Time) *bun.SelectQuery {
	late := func() *bun.SelectQuery {
		return db.NewSelect().TableExpr("contents AS c").Column("c.id").Where("c.mission_id = part.mission_id").
			Where("c.status = 'scheduled'").Where("c.scheduled_at < ?", dueBefore)
	}
	return db.NewSelect().TableExpr("(?) AS part", rows).ColumnExpr("part.kind").
		ColumnExpr("COALESCE((?), '') AS id", late().OrderExpr("c.scheduled_at, c.id").Limit(1)).ColumnExpr("part.mission_id, part.at, part.since").
		ColumnExpr("(SELECT count(*) FROM (?) AS late) AS amount", late().Limit(mission.AttentionPosts)).ColumnExpr("part.n")
}

func deletion(b database.Builder, tenantID string) *bun.SelectQuery {
	return b.NewSelect().TableExpr("tenants AS t").
		ColumnExpr("t.id, '' AS mission_id, t.deletes_at AS at, t.deletion_asked_at AS since, 0 AS amount").
		Where("t.id = ?", tenantID).Where("t.deletes_at IS NOT NULL")
}

func failedMissions(b database.Builder, tenantID string) *bun.SelectQuery {
	failed := b.NewSelect().TableExpr("jobs AS f").Column("f.id", "f.mission_id", "f.created_at").
		Where("f.tenant_id = ?", tenantID).Where("f.status = 'failed'").OrderExpr("f.id DESC").Limit(mission.AttentionJobs)
	return b.NewSelect().TableExpr("(?) AS j", failed).
		Join("JOIN missions AS m ON m.id = j.mission_id AND m.pipeline_job_id = j.id AND m.status = 'active'").
		ColumnExpr("j.id, j.mission_id, j.created_at AS at, j.created_at AS since, 0 AS amount").OrderExpr("j.id DESC")
}

// budgetsNearEnd reads the index missions_near_budget, whose condition it repeats: a cent is
// 10,000 micros, and four fifths of them 8,000.
func budgetsNearEnd(b database.Builder, tenantID string) *bun.SelectQuery {
	return b.NewSelect().TableExpr("missions AS m").
		ColumnExpr("m.id, m.id AS mission_id, m.created_at AS at, m.created_at AS since").
		ColumnExpr("(m.spent_micros + m.reserved_micros) / (100 * CAST(m.constraints ->> 'budget_cents' AS bigint)) AS amount").
		Where("m.tenant_id = ?", tenantID).Where("m.status = 'active'").
		Where("CAST(m.constraints ->> 'budget_cents' AS bigint) > 0").
		Where("m.spent_micros + m.reserved_micros >= 8000 * CAST(m.constraints ->> 'budget_cents' AS bigint)").
		OrderExpr("m.id DESC")
}
