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
	// At is when a post expires, when it was to be published, or when a job or mission
	// was created.
	At   *time.Time
	Used int // percent of a budget
	N    int
}

func (r attentionRow) item() mission.AttentionItem {
	item := mission.AttentionItem{MissionID: r.MissionID}
	switch r.Kind {
	case mission.AttentionReview:
		item.ContentID, item.Deadline = r.ID, utc(r.At)
	case mission.AttentionContent:
		item.ContentID = r.ID
	case mission.AttentionJob:
		item.JobID = r.ID
	case mission.AttentionBudget:
		item.UsedPercent = &r.Used
	case mission.AttentionReconnect, mission.AttentionRenew: // not of missions
	}
	return item
}

// Attention returns what needs a person for the given reasons, of those that there is
// anything for, in one statement: posts that wait for review and posts that failed, with
// slots since a time; active missions whose latest job failed, among the latest
// mission.AttentionJobs failed jobs, or whose budget is used up to four fifths.
func (db *DB) Attention(ctx context.Context, tenantID string, kinds []mission.AttentionKind, since time.Time) ([]mission.Attention, error) {
	parts := make([]any, len(kinds))
	for i, kind := range kinds {
		var q *bun.SelectQuery
		direction := "DESC"
		switch kind {
		case mission.AttentionReview:
			q, direction = reviewsByDeadline(db.Builder, tenantID), "ASC"
		case mission.AttentionContent:
			q = db.failedPosts(tenantID, since)
		case mission.AttentionJob:
			q = failedMissions(db.Builder, tenantID)
		case mission.AttentionBudget:
			q = budgetsNearEnd(db.Builder, tenantID)
		case mission.AttentionReconnect, mission.AttentionRenew:
			panic("bug: missions have no " + kind)
		}
		first := db.NewSelect().TableExpr("(?) AS x", q.Limit(mission.AttentionCounted+1)).ColumnExpr("? AS kind", string(kind)).
			ColumnExpr("x.id, x.mission_id, x.at, x.used, count(*) OVER () AS n").
			OrderExpr("x.at ?0, x.id ?0", bun.Safe(direction)).Limit(mission.AttentionItems)
		parts[i] = db.NewSelect().TableExpr("(?) AS part", first)
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

// ofKind returns the rows of a kind: the earliest deadline first or, without, the
// latest first.
func ofKind(rows []attentionRow, kind mission.AttentionKind) []attentionRow {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r attentionRow) bool { return r.Kind != kind })
	slices.SortFunc(rows, func(a, b attentionRow) int {
		if kind != mission.AttentionReview {
			a, b = b, a
		}
		return cmp.Or(a.At.Compare(*b.At), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

func reviewsByDeadline(b database.Builder, tenantID string) *bun.SelectQuery {
	return b.NewSelect().TableExpr("contents AS c").ColumnExpr("c.id, c.mission_id, c.expires_at AS at, 0 AS used").
		Where("c.tenant_id = ?", tenantID).Where("c.status = 'pending_review'").Where("c.expires_at IS NOT NULL").
		OrderExpr("c.expires_at, c.id")
}

func (db *DB) failedPosts(tenantID string, since time.Time) *bun.SelectQuery {
	q := mission.ContentQuery{Statuses: []mission.ContentStatus{mission.ContentFailed}, Scheduled: mission.Span{From: &since}, Order: mission.OrderScheduled}
	l, p := contentList{ContentQuery: q, tenantID: tenantID, by: q.Order}, Page{Limit: mission.AttentionCounted}
	var found *bun.SelectQuery
	if db.Lateral() {
		found = l.merged(db.Builder, l.branch(db.Builder, p)).Column("part.id")
	} else {
		found = l.where(db.NewSelect().TableExpr("contents AS c"), q.Order).Column("c.id")
	}
	return db.NewSelect().TableExpr("(?) AS found", found).Join("JOIN contents AS c ON c.id = found.id").
		ColumnExpr("c.id, c.mission_id, c.scheduled_at AS at, 0 AS used").OrderExpr("c.scheduled_at DESC, c.id DESC")
}

func failedMissions(b database.Builder, tenantID string) *bun.SelectQuery {
	failed := b.NewSelect().TableExpr("jobs AS f").Column("f.id", "f.mission_id", "f.created_at").
		Where("f.tenant_id = ?", tenantID).Where("f.status = 'failed'").OrderExpr("f.id DESC").Limit(mission.AttentionJobs)
	return b.NewSelect().TableExpr("(?) AS j", failed).
		Join("JOIN missions AS m ON m.id = j.mission_id AND m.pipeline_job_id = j.id AND m.status = 'active'").
		ColumnExpr("j.id, j.mission_id, j.created_at AS at, 0 AS used").OrderExpr("j.id DESC")
}

// budgetsNearEnd reads the index missions_near_budget, whose condition it repeats: a cent is
// 10,000 micros, and four fifths of them 8,000.
func budgetsNearEnd(b database.Builder, tenantID string) *bun.SelectQuery {
	return b.NewSelect().TableExpr("missions AS m").
		ColumnExpr("m.id, m.id AS mission_id, m.created_at AS at").
		ColumnExpr("(m.spent_micros + m.reserved_micros) / (100 * CAST(m.constraints ->> 'budget_cents' AS bigint)) AS used").
		Where("m.tenant_id = ?", tenantID).Where("m.status = 'active'").
		Where("CAST(m.constraints ->> 'budget_cents' AS bigint) > 0").
		Where("m.spent_micros + m.reserved_micros >= 8000 * CAST(m.constraints ->> 'budget_cents' AS bigint)").
		OrderExpr("m.id DESC")
}
