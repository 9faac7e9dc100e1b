package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// calendarRead reads the days of a calendar. As lists are, it is read from a mission's
// posts, or merged of branches; see contentList. Its number of statements doesn't depend
// on the days.
type calendarRead struct {
	db       *DB
	tenantID string
	mission.CalendarInput

	days []mission.Day
	// after is the post after which the first day's posts are read; nil for all.
	after *mission.Content
}

// calendarRow is a post, or the number of posts, on a day, given by its index.
type (
	calendarRow struct {
		contentRow `bun:",extend"`

		Day int `bun:",scanonly"`
	}
	calendarCountRow struct {
		Day    int
		Status mission.ContentStatus
		N      int
	}
)

// Calendar returns the counts and the posts of a calendar's days, without planned slots,
// in two statements. after is the post after which the first day's posts are read; nil
// for all.
func (db *DB) Calendar(ctx context.Context, tenantID string, in mission.CalendarInput, days []mission.Day, after *mission.Content) ([]mission.CalendarDay, error) {
	r := calendarRead{db: db, tenantID: tenantID, CalendarInput: in, days: days, after: after}
	counts, err := r.counts(ctx)
	if err != nil {
		return nil, err
	}
	posts, err := r.posts(ctx)
	if err != nil {
		return nil, err
	}
	shown := make([]mission.CalendarDay, len(days))
	for i, d := range days {
		shown[i].Day, shown[i].Posts, shown[i].Counts = d, []mission.Content{}, []mission.StatusCount{}
	}
	for _, row := range counts {
		n := min(row.N, mission.CalendarCounted)
		shown[row.Day].Counts = append(shown[row.Day].Counts, mission.StatusCount{Status: row.Status, Count: n, Capped: row.N > n})
	}
	for i := range shown {
		slices.SortFunc(shown[i].Counts, func(a, b mission.StatusCount) int {
			return slices.Index(mission.AllContentStatuses(), a.Status) - slices.Index(mission.AllContentStatuses(), b.Status)
		})
	}
	for _, row := range posts {
		if d := &shown[row.Day]; len(d.Posts) == mission.CalendarPosts {
			d.HasMore = true
		} else {
			d.Posts = append(d.Posts, row.content())
		}
	}
	return shown, nil
}

// branches reports whether the days are merged of branches.
func (r calendarRead) branches() bool { return r.db.Lateral() && r.MissionID == "" }

// table returns the days as a table d, with their index n.
func (r calendarRead) table() *bun.SelectQuery {
	if r.db.Lateral() {
		starts, ends := make(database.Texts, len(r.days)), make(database.Texts, len(r.days))
		for i, d := range r.days {
			starts[i], ends[i] = d.StartsAt.Format(time.RFC3339Nano), d.EndsAt.Format(time.RFC3339Nano)
		}
		return r.db.NewSelect().TableExpr("unnest(?::timestamptz[], ?::timestamptz[]) WITH ORDINALITY AS u (since, until, place)", starts, ends).
			ColumnExpr("u.place - 1 AS n, u.since, u.until")
	}
	parts, args := make([]string, len(r.days)), make([]any, 0, len(r.days))
	for i, d := range r.days {
		parts[i] = fmt.Sprintf("SELECT %d AS n, ? AS since, ? AS until", i)
		args = append(args, d.StartsAt, d.EndsAt)
	}
	return r.db.NewSelect().TableExpr("("+strings.Join(parts, " UNION ALL ")+") AS u", args...).ColumnExpr("u.n, u.since, u.until")
}

// list returns the list of the posts that the calendar has by their publication or by
// their slots.
func (r calendarRead) list(by mission.ContentOrder) contentList {
	q := mission.ContentQuery{MissionID: r.MissionID, Platform: r.Platform, IntegrationID: r.IntegrationID, Order: by}
	for _, s := range mission.AllContentStatuses() {
		if (s == mission.ContentPublished) == (by == mission.OrderPublished) && (len(r.Statuses) == 0 || slices.Contains(r.Statuses, s)) {
			q.Statuses = append(q.Statuses, s)
		}
	}
	if len(q.Statuses) == 0 {
		q.Statuses = []mission.ContentStatus{""} // no post: all states would be those of every post
	}
	return contentList{ContentQuery: q, tenantID: r.tenantID, by: by}
}

// onDay adds the condition that a time is on the day d and, if the day's first posts are
// read, after the post that they follow.
func (r calendarRead) onDay(q *bun.SelectQuery, at string, first bool) *bun.SelectQuery {
	q.Where("? >= d.since", bun.Safe(at)).Where("? < d.until", bun.Safe(at))
	if r.after != nil && first {
		q.Where("(?, c.id) > (?, ?)", bun.Safe(at), *r.after.CalendarAt(), r.after.ID)
	}
	return q
}

// calendarOrders are the two times by which a calendar has posts.
var calendarOrders = []mission.ContentOrder{mission.OrderScheduled, mission.OrderPublished}

// calendarAt is the time of a post in the calendar.
const calendarAt = "CASE WHEN c.status = 'published' THEN c.published_at ELSE c.scheduled_at END"

// whole returns the query of all posts on the calendar's days, each with its day.
func (r calendarRead) whole(first bool) *bun.SelectQuery {
	l := contentList{ContentQuery: mission.ContentQuery{MissionID: r.MissionID, Platform: r.Platform, IntegrationID: r.IntegrationID, Statuses: r.Statuses, Order: mission.OrderCreated}, tenantID: r.tenantID}
	q := l.where(r.db.NewSelect().TableExpr("contents AS c"), mission.OrderCreated).
		Where(calendarAt+" >= ?", r.days[0].StartsAt).Where(calendarAt+" < ?", r.days[len(r.days)-1].EndsAt)
	return r.onDay(q.Join("JOIN (?) AS d ON TRUE", r.table()), calendarAt, first)
}

// posts returns the first posts of each day, one more than are shown.
func (r calendarRead) posts(ctx context.Context) ([]*calendarRow, error) {
	var ids *bun.SelectQuery
	if r.branches() {
		parts := make([]any, len(calendarOrders))
		for i, o := range calendarOrders {
			column := "c." + contentColumns[o]
			l := r.list(o)
			branch := r.onDay(l.posts(r.db.Builder).ColumnExpr("c.id, ? AS at", bun.Safe(column)), column, true).
				OrderExpr("?, c.id", bun.Safe(column)).Limit(mission.CalendarPosts + 1)
			parts[i] = l.merged(r.db.Builder, branch).Column("part.id", "part.at")
		}
		of := r.db.NewSelect().TableExpr("(? UNION ALL ?) AS each", parts...).Column("each.id", "each.at").OrderExpr("each.at, each.id").Limit(mission.CalendarPosts + 1)
		ids = r.db.NewSelect().TableExpr("(?) AS d", r.table()).Join("CROSS JOIN LATERAL (?) AS shown", of).ColumnExpr("shown.id, shown.at, d.n")
	} else {
		placed := r.whole(true).ColumnExpr("c.id, d.n").ColumnExpr(calendarAt + " AS at").
			ColumnExpr("row_number() OVER (PARTITION BY d.n ORDER BY " + calendarAt + ", c.id) AS place")
		ids = r.db.NewSelect().TableExpr("(?) AS placed", placed).Column("placed.id", "placed.at", "placed.n").Where("placed.place <= ?", mission.CalendarPosts+1)
	}
	return database.Rows[calendarRow](ctx, r.db.read, r.db.NewSelect().Model((*calendarRow)(nil)).ColumnExpr("c.*, found.n AS day").
		Join("JOIN (?) AS found ON found.id = c.id", ids).OrderExpr("found.n, found.at, c.id"))
}

// counts returns the numbers of posts by day and state, each at most one more than is
// shown.
func (r calendarRead) counts(ctx context.Context) (rows []calendarCountRow, err error) {
	if !r.branches() {
		err = database.Scan(ctx, r.db.read, r.whole(false).ColumnExpr("d.n AS day, c.status, count(*) AS n").GroupExpr("d.n, c.status"), &rows)
		return rows, err
	}
	most := mission.CalendarCounted + 1
	parts := make([]any, len(calendarOrders))
	for i, o := range calendarOrders {
		l := r.list(o)
		statuses := r.db.NewSelect().TableExpr("content_totals AS st").ColumnExpr("DISTINCT st.status").
			Where("st.tenant_id = ?", r.tenantID).Where("st.mission_id = ''").Where("st.platform = ''").Where("st.n > 0").
			Where("?", database.In("st.status", l.Statuses))
		branch := r.onDay(l.posts(r.db.Builder).ColumnExpr("1"), "c."+contentColumns[o], false).Limit(int64(most))
		counted := r.db.NewSelect().TableExpr("(?) AS one", l.merged(r.db.Builder, branch).ColumnExpr("1").Where("b.status = st.status").Limit(int64(most))).ColumnExpr("count(*) AS n")
		parts[i] = r.db.NewSelect().TableExpr("(?) AS d", r.table()).Join("CROSS JOIN (?) AS st", statuses).
			Join("CROSS JOIN LATERAL (?) AS part", counted).ColumnExpr("d.n AS day, st.status, part.n").Where("part.n > 0")
	}
	err = database.Scan(ctx, r.db.read, r.db.NewRaw("? UNION ALL ?", parts...), &rows)
	return rows, err
}

// WrittenOf returns the positions in the plans of a tenant's jobs that already have a post, by job
// id.
func (db *DB) WrittenOf(ctx context.Context, tenantID string, jobIDs []string) (map[string][]int, error) {
	rows, err := database.Rows[contentRow](ctx, db.read, db.NewSelect().Model((*contentRow)(nil)).Column("id", "job_id", "position").
		Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.job_id", jobIDs)))
	written := map[string][]int{}
	for _, r := range rows {
		written[r.JobID] = append(written[r.JobID], r.Position)
	}
	return written, err
}
