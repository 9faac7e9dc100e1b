package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// maxReviews is the maximum number of reviews of a post's record.
const maxReviews = 200

// RecordSources are what the records of posts are made of, beside the posts.
type RecordSources struct {
	// Revisions are the replaced texts, latest first, Reviews the decisions, first to last, by the
	// posts' ids.
	Revisions map[string][]mission.Revision
	Reviews   map[string][]mission.Review
	Names     mission.RecordNames
}

// RecordParts are the parts of records that are read beside the posts: the replaced texts, if Texts isn't nil, and the
// decisions.
type RecordParts struct {
	Texts   *TextPage
	Reviews bool
}

// RecordSources returns what the given parts of the records of a tenant's posts are made of: at most 100 replaced
// texts and 200 decisions of each.
func (db *DB) RecordSources(ctx context.Context, tenantID string, posts []mission.Content, parts RecordParts) (s RecordSources, err error) {
	ids := idsOfPosts(posts)
	if parts.Texts != nil {
		if s.Revisions, err = db.RevisionsOf(ctx, tenantID, ids, *parts.Texts); err != nil {
			return s, err
		}
	}
	if !parts.Reviews {
		return s.named(ctx, db.read, db.NewSelect, tenantID, posts, nil)
	}
	rows, err := readPerParent[reviewRow](ctx, db, ids, func(id any) *bun.SelectQuery {
		return reviewsOf(db.NewSelect(), tenantID).Where("rv.content_id = ?", id)
	})
	if err != nil {
		return s, err
	}
	return s.named(ctx, db.read, db.NewSelect, tenantID, posts, rows)
}

// RecordSources is DB's, in a transaction. The statements' texts grow with the posts.
func (tx Tx) RecordSources(ctx context.Context, tenantID string, posts []mission.Content) (s RecordSources, err error) {
	ids := idsOfPosts(posts)
	var revisions []*revisionRow
	err = perParent(ctx, tx.on, tx.Builder, &revisions, ids, func(id string) *bun.SelectQuery {
		return revisionsOf(tx.NewSelect(), tenantID, TextPage{}).Where("r.content_id = ?", id)
	})
	if err != nil {
		return s, err
	}
	s.Revisions = byPost(revisions)
	var rows []*reviewRow
	err = perParent(ctx, tx.on, tx.Builder, &rows, ids, func(id string) *bun.SelectQuery {
		return reviewsOf(tx.NewSelect(), tenantID).Where("rv.content_id = ?", id)
	})
	if err != nil {
		return s, err
	}
	return s.named(ctx, tx.on, tx.NewSelect, tenantID, posts, rows)
}

func reviewsOf(q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	return q.Model((*reviewRow)(nil)).Where("rv.tenant_id = ?", tenantID).OrderExpr("rv.created_at DESC, rv.id DESC").Limit(maxReviews)
}

func idsOfPosts(posts []mission.Content) []string {
	ids := make([]string, len(posts))
	for i, c := range posts {
		ids[i] = c.ID
	}
	return ids
}

// named adds reviews, and the names of all who had a part in the posts.
func (s RecordSources) named(
	ctx context.Context, on database.Reader, query func() *bun.SelectQuery, tenantID string, posts []mission.Content, reviews []*reviewRow,
) (RecordSources, error) {
	slices.SortFunc(reviews, func(a, b *reviewRow) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	s.Reviews = map[string][]mission.Review{}
	for _, r := range reviews {
		s.Reviews[r.ContentID] = append(s.Reviews[r.ContentID], r.review())
	}
	var people []string
	for _, c := range posts {
		people = append(people, mission.RecordPeople(c.History(s.Revisions[c.ID]), s.Reviews[c.ID])...)
	}
	s.Names = mission.RecordNames{}
	if len(people) == 0 {
		return s, nil
	}
	users, err := userNames(ctx, on, query(), tenantID, people)
	if err != nil {
		return s, err
	}
	keys, err := findMap(ctx, on, query().Column("id", "name").Where("k.tenant_id = ?", tenantID).Where("?", database.In("k.id", people)),
		func(r keyRow) (string, string) { return r.ID, r.Name })
	if err != nil {
		return s, err
	}
	links, err := findMap(ctx, on, query().Column("id", "name").Where("l.tenant_id = ?", tenantID).Where("?", database.In("l.id", people)),
		func(r reviewLinkRow) (string, string) { return r.ID, r.Name })
	for _, names := range []map[string]string{users, keys, links} {
		for id, name := range names {
			s.Names[id] = name
		}
	}
	return s, err
}

// userNames returns the names of those of a tenant's users who have one, by their ids: a removed user has none.
func userNames(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string, ids []string) (mission.RecordNames, error) {
	q = q.Column("id", "name").Where("u.tenant_id = ?", tenantID).Where("?", database.In("u.id", ids)).Where("u.name <> ''")
	return findMap(ctx, on, q, func(r userRow) (string, string) { return r.ID, r.Name })
}

type recordRow struct {
	bun.BaseModel `bun:"table:content_records,alias:cr"`

	ContentID string `bun:",pk"`
	TenantID  string
	MissionID string
	Record    mission.Record
	Bytes     int // of the record's JSON
	ExpiresAt time.Time
}

func (r recordRow) record() mission.Record {
	r.Record.KeptUntil = &r.ExpiresAt
	return r.Record.Completed()
}

// PostsToRecord returns up to limit of a mission's posts that its platforms have something of, in
// the order of their ids; if after isn't "", only those after it.
func (tx Tx) PostsToRecord(ctx context.Context, missionID, after string, limit int) ([]mission.Content, error) {
	q := tx.NewSelect().Where("c.mission_id = ?", missionID).Where("(c.status = 'published' OR c.platform_post_id IS NOT NULL)").
		Where("c.id > ?", after).OrderExpr("c.id").Limit(int64(limit))
	return findAll(ctx, tx.on, q, contentRow.content)
}

// AddRecords inserts the records of a tenant's posts, which are about to be deleted, without the names of users.
func (tx Tx) AddRecords(ctx context.Context, tenantID string, records []mission.Record, expires time.Time) error {
	rows := make([]recordRow, len(records))
	kept := counterRow{TenantID: tenantID, Name: counterTextBytes}
	for i, r := range records {
		r = r.NameUsers(nil)
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		rows[i] = recordRow{ContentID: r.ContentID, TenantID: tenantID, MissionID: r.Mission.ID, Record: r, Bytes: len(text), ExpiresAt: expires}
		tx.done.changes[kept] += len(text)
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// Record returns the record of a tenant's post that was deleted, if it is kept at now, with the names that users
// have now. Errors: not_found.
func (db *DB) Record(ctx context.Context, tenantID, contentID string, now time.Time) (mission.Record, error) {
	q := db.NewSelect().Where("cr.content_id = ?", contentID).Where("cr.tenant_id = ?", tenantID).Where("cr.expires_at > ?", now)
	r, err := readOne(ctx, db.read, q, recordRow.record, "content", contentID)
	if err != nil {
		return r, err
	}
	names, err := userNames(ctx, db.read, db.NewSelect(), tenantID, r.Users())
	return r.NameUsers(names), err
}

// DropRecords deletes up to limit records that are kept until before a time, and returns their
// number.
func (tx Tx) DropRecords(ctx context.Context, now time.Time, limit int) (int, error) {
	var gone []recordRow
	err := database.Scan(ctx, tx.on, tx.dropOld("content_records", "content_id", "expires_at <= ?", now, limit), &gone)
	for _, r := range gone {
		tx.done.changes[counterRow{TenantID: r.TenantID, Name: counterTextBytes}] -= r.Bytes
	}
	return len(gone), err
}

// SetReadbacks records what the platforms of a mission's posts were found to show, by the posts'
// ids. The caller holds their mission's lock.
func (tx Tx) SetReadbacks(ctx context.Context, missionID string, found map[string]mission.Readback) error {
	if len(found) == 0 {
		return nil
	}
	rows := make([]contentRow, 0, len(found))
	for id, r := range found {
		rows = append(rows, contentRow{Content: mission.Content{ID: id, Readback: &r}})
	}
	slices.SortFunc(rows, func(a, b contentRow) int { return cmp.Compare(a.ID, b.ID) })
	return tx.write(ctx, tx.NewUpdate().Model(&rows).Column("readback").Bulk().Where("c.mission_id = ?", missionID))
}
