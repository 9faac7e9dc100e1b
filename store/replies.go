package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type replyRow struct {
	bun.BaseModel `bun:"table:replies,alias:rp"`
	mission.Reply
}

func (r replyRow) reply() mission.Reply {
	r.Found.Hidden = r.Status == mission.ReplyHidden
	return r.Reply
}

var repliesNewest = keyset{table: "replies", noun: "reply", time: "received_at", id: "rp.id"}

// TakeOverReplies writes what was read of the replies to a tenant's posts, with its events. One that
// is there already isn't added again. The caller holds the lock of the posts' missions.
func (tx Tx) TakeOverReplies(ctx context.Context, tenantID string, t mission.TakenOver) error {
	if len(t.Added)+len(t.Changed) > 0 {
		tx.countChange(tenantID, mission.ChangeReplies)
	}
	if len(t.Added) > 0 {
		rows := make([]replyRow, len(t.Added))
		for i, r := range t.Added {
			rows[i] = replyRow{Reply: r}
		}
		if err := tx.write(ctx, tx.NewInsert().Model(&rows)); err != nil {
			return err
		}
	}
	if len(t.Changed) > 0 {
		if err := tx.changeReplies(ctx, t.Changed); err != nil {
			return err
		}
	}
	if len(t.Seen) > 0 {
		if err := tx.writeReplies(ctx, t.Seen, "seen_in"); err != nil {
			return err
		}
	}
	return tx.addEvents(ctx, t.Events)
}

// ChangeReply writes a change of a reply with its events. The caller holds its mission's lock.
func (tx Tx) ChangeReply(ctx context.Context, r mission.Reply, events ...mission.Event) error {
	tx.countChange(r.TenantID, mission.ChangeReplies)
	if err := tx.changeReplies(ctx, []mission.Reply{r}); err != nil {
		return err
	}
	return tx.addEvents(ctx, events)
}

func (tx Tx) changeReplies(ctx context.Context, list []mission.Reply) error {
	return tx.writeReplies(ctx, list, "cid", "parent_id", "author_id", "author_handle", "author_name", "author_url", "body", "url",
		"published_at", "status", "answer", "hiding", "handled_by", "changed_at", "updated_at")
}

// writeReplies writes columns of replies.
func (tx Tx) writeReplies(ctx context.Context, list []mission.Reply, columns ...string) error {
	rows := make([]replyRow, len(list))
	for i, r := range list {
		rows[i] = replyRow{Reply: r}
	}
	slices.SortFunc(rows, func(a, b replyRow) int { return cmp.Compare(a.ID, b.ID) })
	return tx.write(ctx, tx.NewUpdate().Model(&rows).Column(columns...).Bulk())
}

// KnownReplies returns those of the replies to posts that are stored: of some the ones that the
// platform calls so, of others all that it hadn't deleted. The caller holds the lock of the posts'
// mission.
func (tx Tx) KnownReplies(ctx context.Context, contentIDs, platformIDs, whole []string) ([]mission.Reply, error) {
	if len(contentIDs) == 0 {
		return nil, nil
	}
	q := tx.NewSelect().Where("?", database.In("rp.content_id", contentIDs)).OrderExpr("rp.id")
	q.Where("(? OR ? AND rp.status <> 'deleted')", database.In("rp.reply_id", platformIDs), database.In("rp.content_id", whole))
	return findAll(ctx, tx.on, q, replyRow.reply)
}

// CountReplies returns how many replies to each of the posts are stored.
func (tx Tx) CountReplies(ctx context.Context, contentIDs []string) (map[string]int, error) {
	type counted struct {
		ContentID string
		N         int
	}
	counts := map[string]int{}
	if len(contentIDs) == 0 {
		return counts, nil
	}
	rows, err := database.Rows[counted](ctx, tx.on, tx.NewSelect().TableExpr("replies AS rp").ColumnExpr("rp.content_id").ColumnExpr("count(*) AS n").
		Where("?", database.In("rp.content_id", contentIDs)).GroupExpr("rp.content_id"))
	for _, r := range rows {
		counts[r.ContentID] = r.N
	}
	return counts, err
}

// RoomForReplies returns how many more replies a tenant may have. Other missions of its may add some meanwhile.
func (tx Tx) RoomForReplies(ctx context.Context, tenantID string) (int, error) {
	var t struct{ Plan mission.TenantPlan }
	if err := database.Scan(ctx, tx.on, tx.NewSelect().TableExpr("tenants AS tn").Column("plan").Where("tn.id = ?", tenantID), &t); err != nil {
		return 0, err
	}
	most := mission.MaxTenantReplies(t.Plan)
	some := tx.NewSelect().TableExpr("replies AS rp").ColumnExpr("1").Where("rp.tenant_id = ?", tenantID).Limit(int64(most))
	n, err := database.Count(ctx, tx.on, tx.NewSelect().TableExpr("(?) AS part", some))
	return most - n, err
}

// SetReplyReads writes how far the replies to a mission's posts have been read, by the posts' ids.
func (tx Tx) SetReplyReads(ctx context.Context, missionID string, reads map[string]mission.ReplyReads) error {
	if len(reads) == 0 {
		return nil
	}
	rows := make([]contentRow, 0, len(reads))
	for _, id := range slices.Sorted(maps.Keys(reads)) {
		rows = append(rows, contentRow{Content: mission.Content{ID: id, ReplyReads: reads[id]}})
	}
	return tx.write(ctx, tx.NewUpdate().Model(&rows).Column("reply_reads").Bulk().Where("c.mission_id = ?", missionID))
}

// LockReply returns a tenant's reply and locks it until the transaction ends. Errors: not_found.
func (tx Tx) LockReply(ctx context.Context, tenantID, id string) (mission.Reply, error) {
	return readOne(ctx, tx.on, tx.lock(tx.NewSelect()).Where("rp.id = ?", id).Where("rp.tenant_id = ?", tenantID), replyRow.reply, "reply", id)
}

// DropReplies deletes up to limit replies that are kept until before a time, and returns their
// number.
func (tx Tx) DropReplies(ctx context.Context, now time.Time, limit int) (int, error) {
	var gone []replyRow
	err := database.Scan(ctx, tx.on, tx.dropOld("replies", "id", "expires_at <= ?", now, limit), &gone)
	return len(gone), err
}

// Reply returns a tenant's reply. Errors: not_found.
func (db *DB) Reply(ctx context.Context, tenantID, id string) (mission.Reply, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("rp.id = ?", id).Where("rp.tenant_id = ?", tenantID), replyRow.reply, "reply", id)
}

// RepliesByID returns those of a tenant's replies that exist, by id.
func (db *DB) RepliesByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Reply, error) {
	return byID(ctx, db, "rp", tenantID, ids, replyRow.reply, func(r mission.Reply) string { return r.ID })
}

// ReplyFilter selects replies; an empty field doesn't filter.
type ReplyFilter struct {
	MissionID, ContentID, IntegrationID string
	Platform                            mission.Platform
	Status                              mission.ReplyStatus
}

func (f ReplyFilter) where(q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("rp.tenant_id = ?", tenantID)
	for column, value := range map[string]string{
		"mission_id": f.MissionID, "content_id": f.ContentID, "integration_id": f.IntegrationID, "platform": string(f.Platform), "status": string(f.Status),
	} {
		if value != "" {
			q.Where("rp.? = ?", bun.Ident(column), value)
		}
	}
	return q
}

// Replies returns a page of a tenant's replies, those that were received last first. Errors:
// invalid_request without a param for a foreign cursor.
func (db *DB) Replies(ctx context.Context, tenantID string, f ReplyFilter, p Page) (Listed[mission.Reply], error) {
	return readPart(ctx, db, f.where(db.NewSelect(), tenantID), repliesNewest, tenantID, p, replyRow.reply)
}

// CountReplies returns how many replies a filter selects, or Uncounted if they are too many.
func (db *DB) CountReplies(ctx context.Context, tenantID string, f ReplyFilter) (int, error) {
	most := db.lists.counted
	some := f.where(db.NewSelect().TableExpr("replies AS rp").ColumnExpr("1"), tenantID).Limit(int64(most) + 1)
	n, err := database.Count(ctx, db.read, db.NewSelect().TableExpr("(?) AS part", some))
	if n > most {
		n = Uncounted
	}
	return n, err
}
