package store

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// contentList reads a list of posts that a mission.ContentQuery selects.
//
// A list of a mission's posts is read from the mission's. Any other list on Postgres is
// merged of branches, each of which one index has in the list's order: the platforms and
// states of which the tenant has posts, as its counters say.
//
// A span of other times than those that the list is in the order of needs its posts to
// be sorted for each page, as does the order of an account's posts by a figure, which
// listBounds.sorted limits.
type contentList struct {
	mission.ContentQuery

	tenantID string
	// by is the order of the indexes that are read: the list's, or that of a span.
	by mission.ContentOrder
	// slotless has the list have the posts that aren't in it for want of a slot.
	slotless bool
}

// listBounds are the bounds of the work of a list: how many records are counted for
// its total, and sorted for a page.
type listBounds struct{ counted, sorted int }

var defaultListBounds = listBounds{counted: 10_000, sorted: 10_000}

// contentColumns are the columns of the orders.
var contentColumns = map[mission.ContentOrder]string{
	mission.OrderCreated: "created_at", mission.OrderScheduled: "scheduled_at", mission.OrderPublished: "published_at",
	mission.OrderDeadline: "expires_at", mission.OrderImpressions: "impressions", mission.OrderClicks: "clicks",
	mission.OrderLikes: "likes", mission.OrderComments: "comments", mission.OrderShares: "shares",
	mission.OrderEngagementRate: "engagement_rate",
}

// contentKeyset returns the keyset of an order, of columns with an alias.
func contentKeyset(o mission.ContentOrder, at, id string) keyset {
	k := keyset{table: "contents", noun: "post", at: at, id: id, time: contentColumns[o]}
	if _, figure := o.Figure(); figure {
		k.time = "CASE WHEN status = 'published' THEN " + k.time + " END"
	}
	return k
}

// ListContents returns a page of the posts that a query, which has been checked, selects
// of a tenant's. Errors: invalid_request without a param if the cursor isn't one of the
// tenant's posts, on order if the page takes too many posts to sort.
func (db *DB) ListContents(ctx context.Context, tenantID string, q mission.ContentQuery, p Page) (listed Listed[mission.Content], err error) {
	p.Oldest = p.Oldest != q.Order.Ascending()
	l := contentList{ContentQuery: q, tenantID: tenantID, by: q.Order}
	if q.Search != "" {
		return db.searchContents(ctx, l, p)
	}
	if !db.branches(q) {
		list := l.where(p.Columns.of("c", db.NewSelect(), "created_at"), q.Order)
		return readPart(ctx, db, list, contentKeyset(q.Order, "c."+contentColumns[q.Order], "c.id"), tenantID, p, contentRow.content)
	}
	if l.by, err = db.walked(ctx, tenantID, q); err != nil {
		return listed, err
	}
	return db.contentsIn(ctx, l, l.ids(db, p), p)
}

// ids returns the query of a page of the list, of its posts' ids with what they are
// ordered by (at).
func (l contentList) ids(db *DB, p Page) *bun.SelectQuery {
	if db.branches(l.ContentQuery) {
		found := contentKeyset(l.Order, "part.at", "part.id")
		return found.page(l.tenantID, p).bound(l.merged(db.Builder, l.branch(db.Builder, p)).Column("part.id", "part.at"))
	}
	column := "c." + contentColumns[l.Order]
	list := l.where(db.NewSelect().TableExpr("contents AS c"), l.Order).ColumnExpr("c.id, ? AS at", bun.Safe(column))
	return contentKeyset(l.Order, column, "c.id").page(l.tenantID, p).bound(list)
}

// contentsIn returns the page whose posts ids has found. Errors: invalid_request without a
// param if the cursor isn't one of the tenant's posts.
func (db *DB) contentsIn(ctx context.Context, l contentList, ids *bun.SelectQuery, p Page) (listed Listed[mission.Content], err error) {
	found := contentKeyset(l.Order, "part.at", "part.id")
	list := p.Columns.of("c", db.NewSelect().Model((*contentRow)(nil)), "created_at").Join("JOIN (?) AS part ON part.id = c.id", ids)
	rows, err := database.Rows[contentRow](ctx, db.read, found.page(l.tenantID, Page{Limit: p.Limit, Backward: p.Backward, Oldest: p.Oldest}).bound(list))
	if err != nil {
		return listed, err
	}
	if len(rows) == 0 && p.After+p.Before != "" {
		if err := db.checkCursors(ctx, found, l.tenantID, p); err != nil {
			return listed, err
		}
	}
	return newPart(rows, p, contentRow.content), nil
}

// branches reports whether a list is merged of branches, rather than read from one index
// or from a mission's posts.
func (db *DB) branches(q mission.ContentQuery) bool {
	return db.Lateral() && q.MissionID == "" && (len(q.Statuses) > 1 || (q.Order != mission.OrderCreated || !q.Whole()))
}

// spans returns the orders of the indexes that have only the posts that a list in another
// order takes of them: within its spans or, for the figures of an account's posts, published.
func spans(q mission.ContentQuery) (of []mission.ContentOrder) {
	_, figure := q.Order.Figure()
	if q.Published.Bounded() || figure && q.IntegrationID != "" && !q.Scheduled.Bounded() {
		of = append(of, mission.OrderPublished)
	}
	if q.Scheduled.Bounded() {
		of = append(of, mission.OrderScheduled)
	}
	return of
}

// walked returns the order of the indexes that a list is read from: its own, unless spans
// has others. Errors: invalid_request on order.
func (db *DB) walked(ctx context.Context, tenantID string, q mission.ContentQuery) (mission.ContentOrder, error) {
	of := spans(q)
	if len(of) == 0 || len(of) == 1 && of[0] == q.Order {
		return q.Order, nil
	}
	for _, o := range of {
		alone := contentList{ContentQuery: q, tenantID: tenantID, by: o}
		alone.Scheduled, alone.Published = mission.Span{}, mission.Span{}
		if o == mission.OrderScheduled {
			alone.Scheduled = q.Scheduled
		} else {
			alone.Published = q.Published
		}
		if n, err := alone.count(ctx, db, db.lists.sorted); err != nil || n <= db.lists.sorted {
			return o, err
		}
	}
	switch {
	case !q.Published.Bounded() && !q.Scheduled.Bounded():
		return "", mission.Invalid("order", "The account has published more than %d posts. Give the first day of the range, or order by publication (API: published_from; published).", db.lists.sorted)
	case len(of) > 1:
		return "", mission.Invalid(string(of[0])+"_from", "More than %d posts are within each of the two ranges. Narrow one of them.", db.lists.sorted)
	}
	return "", mission.Invalid("order", "More than %d posts are within the range. Narrow it, or order by its times (API: %s_from and %s_to; %s).", db.lists.sorted, of[0], of[0], of[0])
}

// where adds the conditions of a list, in the order of the indexes that are read.
func (l contentList) where(q *bun.SelectQuery, by mission.ContentOrder) *bun.SelectQuery {
	if l.MissionID == "" {
		q.Where("c.tenant_id = ?", l.tenantID)
	} else {
		// An expression, so that no plan reads the tenant's posts beside the mission's.
		q.Where("c.mission_id = ?", l.MissionID).Where("c.tenant_id || '' = ?", l.tenantID)
	}
	if l.Platform != "" {
		q.Where("c.platform = ?", l.Platform)
	}
	if l.IntegrationID != "" {
		q.Where("c.integration_id = ?", l.IntegrationID).Where("c.integration_id <> ''")
	}
	switch len(l.Statuses) {
	case 0:
	case 1:
		q.Where("c.status = ?", l.Statuses[0])
	default:
		q.Where("?", database.In("c.status", l.Statuses))
	}
	for _, o := range []mission.ContentOrder{l.Order, by} {
		_, figure := o.Figure()
		switch {
		case l.slotless:
			q.Where("c.scheduled_at IS NULL")
		case figure:
			q.Where("c.status = 'published'")
		case o != mission.OrderCreated:
			q.Where("c.? IS NOT NULL", bun.Safe(contentColumns[o]))
		}
		if o == mission.OrderDeadline {
			q.Where("c.status = 'pending_review'") // others keep the time
		}
	}
	within(q, "c.scheduled_at", l.Scheduled)
	within(q, "c.published_at", l.Published)
	return q
}

// within adds the condition that a column is within a span.
func within(q *bun.SelectQuery, column string, s mission.Span) {
	if s.From != nil {
		q.Where("? >= ?", bun.Safe(column), *s.From)
	}
	if s.Until != nil {
		q.Where("? < ?", bun.Safe(column), *s.Until)
	}
}

// platforms reports whether there is a branch for each platform. The indexes of the
// newest posts and of accounts don't need it.
func (l contentList) platforms() bool { return l.IntegrationID == "" && l.by != mission.OrderCreated }

// merged returns a query of the branches: the counters of a tenant's posts as b, and the
// result of branch for each as part.
func (l contentList) merged(b database.Builder, branch *bun.SelectQuery) *bun.SelectQuery {
	pairs := b.NewSelect().TableExpr("content_totals AS ct").ColumnExpr("ct.platform, ct.status").
		Where("ct.tenant_id = ?", l.tenantID).Where("ct.mission_id = ''").Where("ct.n > 0")
	switch {
	case l.Platform != "":
		pairs.Where("ct.platform = ?", l.Platform)
	case l.platforms():
		pairs.Where("ct.platform <> ''")
	default:
		pairs.Where("ct.platform = ''")
	}
	if only := l.by.Only(); only != "" {
		pairs.Where("ct.status = ?", only)
	} else if len(l.Statuses) > 0 {
		pairs.Where("?", database.In("ct.status", l.Statuses))
	}
	return b.NewSelect().TableExpr("(?) AS b", pairs).Join("CROSS JOIN LATERAL (?) AS part", branch)
}

// posts returns the query of a branch's posts.
func (l contentList) posts(b database.Builder) *bun.SelectQuery {
	all := l
	if all.platforms() {
		all.Platform = ""
	}
	all.Statuses = nil
	q := all.where(b.NewSelect().TableExpr("contents AS c"), l.by)
	if l.platforms() {
		q.Where("c.platform = b.platform")
	}
	if only := l.by.Only(); only == "" {
		q.Where("c.status = b.status")
	} else if len(l.Statuses) > 0 && !slices.Contains(l.Statuses, only) {
		q.Where("FALSE")
	}
	return q
}

// branch returns the query of what a page needs of a branch: the page, or, where the
// list is in another order, all posts.
func (l contentList) branch(b database.Builder, p Page) *bun.SelectQuery {
	column := "c." + contentColumns[l.Order]
	q := l.posts(b).ColumnExpr("c.id, ? AS at", bun.Safe(column))
	if l.by != l.Order {
		return q
	}
	return contentKeyset(l.Order, column, "c.id").page(l.tenantID, p).bound(q)
}

// count returns how many posts a list has, or most+1 if they are more.
func (l contentList) count(ctx context.Context, db *DB, most int) (n int, err error) {
	var found *bun.SelectQuery
	if db.branches(l.ContentQuery) {
		found = l.merged(db.Builder, l.posts(db.Builder).ColumnExpr("1").Limit(int64(most)+1))
	} else {
		found = l.where(db.NewSelect().TableExpr("contents AS c"), l.Order)
	}
	err = database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("count(*)").TableExpr("(?) AS found", found.ColumnExpr("1").Limit(int64(most)+1)), &n)
	return n, err
}

// CountListed returns how many posts a query, which has been checked, selects of a
// tenant's, or Uncounted. Counters have the numbers of posts by mission, platform and
// state; those of an account or in a range are counted, up to a bound. Errors: as for ListContents.
func (db *DB) CountListed(ctx context.Context, tenantID string, q mission.ContentQuery) (n int, err error) {
	if q.Whole() {
		return db.countWhole(ctx, tenantID, q)
	}
	l := contentList{ContentQuery: q, tenantID: tenantID, by: q.Order}
	if q.Search != "" {
		return db.countFound(ctx, l)
	}
	if db.branches(q) {
		if l.by, err = db.walked(ctx, tenantID, q); err != nil {
			return 0, err
		}
	}
	if n, err = l.count(ctx, db, db.lists.counted); n > db.lists.counted {
		n = Uncounted
	}
	return n, err
}

// countWhole is CountListed for a list without an account and ranges: of its posts, or of
// those that have a slot if it is in the order of these. Few have none.
func (db *DB) countWhole(ctx context.Context, tenantID string, q mission.ContentQuery) (n int, err error) {
	counters := db.NewSelect().Model((*contentTotalRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(ct.n), 0) AS bigint)").
		Where("ct.tenant_id = ?", tenantID).Where("ct.mission_id = ?", q.MissionID).Where("ct.platform = ?", q.Platform)
	if len(q.Statuses) > 0 {
		counters.Where("?", database.In("ct.status", q.Statuses))
	}
	if only := q.Order.Only(); only != "" {
		counters.Where("ct.status = ?", only)
	}
	if err := database.Scan(ctx, db.read, counters, &n); err != nil || n == 0 || q.Order != mission.OrderScheduled {
		return n, err
	}
	l := contentList{ContentQuery: q, tenantID: tenantID, by: q.Order, slotless: true}
	without, err := l.count(ctx, db, db.lists.counted)
	if without > db.lists.counted {
		return Uncounted, err
	}
	return n - without, err
}
