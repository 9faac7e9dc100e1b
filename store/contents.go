package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type contentRow struct {
	bun.BaseModel `bun:"table:contents,alias:c"`
	mission.Content
	orderedFigures
}

func newContentRow(c mission.Content) contentRow {
	c.Deadline = cmp.Or(c.ExpiresAt, c.Deadline)
	return contentRow{Content: c, orderedFigures: figuresOf(c.Metrics)}
}

func (r contentRow) content() mission.Content {
	if r.Status == mission.ContentPendingReview {
		r.ExpiresAt = r.Deadline
	}
	return r.Content
}

// AddContent inserts a new post with its events, and counts it; see AddContents.
func (tx Tx) AddContent(ctx context.Context, c mission.Content, events []mission.Event) error {
	return tx.AddContents(ctx, mission.AddedContent{Content: c, Events: events})
}

// AddContents inserts new posts of one mission with their events, and counts them. The
// caller holds the mission's lock.
func (tx Tx) AddContents(ctx context.Context, added ...mission.AddedContent) error {
	rows := make([]contentRow, len(added))
	var events []mission.Event
	var counts mission.ContentCounts
	scheduled := false
	written := map[string]int{}
	for i, p := range added {
		rows[i], events = newContentRow(p.Content), append(events, p.Events...)
		counts = counts.Plus(mission.Moved("", p.Content.Status))
		scheduled = scheduled || p.Content.Status == mission.ContentScheduled
		written[p.Content.JobID]++
		tx.done.totals.moved(p.Content, "", p.Content.Status)
		tx.countTexts(p.Content.TenantID, p.Content.MissionID, p.Content.TextBytes())
	}
	posts := make([]mission.Content, len(added))
	for i, p := range added {
		posts[i] = p.Content
	}
	writes := []database.Query{tx.NewInsert().Model(&rows), tx.setTexts(posts...)}
	for _, job := range slices.Sorted(maps.Keys(written)) {
		writes = append(writes, tx.addToJob(job, written[job], 0, 0)...)
	}
	if err := tx.together(ctx, append(writes, tx.addCounts(rows[0].MissionID, counts)...)...); err != nil {
		return err
	}
	if err := tx.useMedia(ctx, posts, nil); err != nil {
		return err
	}
	if scheduled {
		if err := tx.nextPost(ctx, rows[0].MissionID); err != nil {
			return err
		}
	}
	return tx.addEvents(ctx, events)
}

// LockContent returns a tenant's post and locks it until the transaction ends.
// Errors: not_found.
func (tx Tx) LockContent(ctx context.Context, tenantID, id string) (mission.Content, error) {
	return readOne(ctx, tx.on, tx.lock(tx.NewSelect()).Where("c.id = ?", id).Where("c.tenant_id = ?", tenantID), contentRow.content, "content", id)
}

// ChangeContent writes changes of one mission's posts with their events, and
// counts them. The number of statements doesn't grow with the posts. The caller
// holds the lock of the posts or of their mission. Errors: conflict if a post
// isn't in a state that the changes started from.
func (tx Tx) ChangeContent(ctx context.Context, changes ...mission.ContentChange) error {
	if len(changes) == 0 {
		return nil
	}
	var rows []contentRow
	var from []mission.ContentStatus
	var counts mission.ContentCounts
	var events []mission.Event
	scheduled := false
	settled := map[string]int{}
	for _, ch := range changes {
		rows = append(rows, newContentRow(ch.To))
		from = append(from, ch.From)
		counts = counts.Plus(mission.Moved(ch.From, ch.To.Status))
		events = append(events, ch.Events...)
		tx.done.totals.moved(ch.To, ch.From, ch.To.Status)
		scheduled = scheduled || ch.From == mission.ContentScheduled || ch.To.Status == mission.ContentScheduled
		switch was, is := ch.FromSettled, ch.To.Settled(); {
		case is && !was:
			settled[ch.To.JobID]++
		case was && !is: // rewritten
			settled[ch.To.JobID]--
		}
	}
	if err := tx.partSlots(ctx, changes); err != nil {
		return err
	}
	update := tx.NewUpdate().Model(&rows).
		Column("status", "uploads", "first_comment", "scheduled_at", "placed", "published_at", "integration_id", "account_handle", "publications", "called_at", "in_doubt", "platform_post_id", "platform_url", "rejection_reason", "error",
			"expires_at", "expiring_at", "verdict", "rests_on", "reviewed_by", "reviewed_at", "cost_micros", "fee_micros", "measure_at", "updated_at").
		Bulk().Where("?", database.In("c.status", from))
	if err := tx.must(ctx, update, len(rows), mission.Conflict("A post is no longer %s.", from[0])); err != nil {
		return err
	}
	if err := errors.Join(tx.addReviews(ctx, changes), tx.addEvents(ctx, events)); err != nil {
		return err
	}
	var writes []database.Query
	for _, job := range slices.Sorted(maps.Keys(settled)) {
		writes = append(writes, tx.addToJob(job, 0, settled[job], 0)...)
	}
	if err := tx.together(ctx, append(writes, tx.addCounts(changes[0].To.MissionID, counts)...)...); err != nil || !scheduled {
		return err
	}
	return tx.nextPost(ctx, changes[0].To.MissionID)
}

// SettleContent writes a person's change of a post, as ChangeContent does, with its audit
// log entry. Errors: conflict.
func (tx Tx) SettleContent(ctx context.Context, ch mission.ContentChange, e mission.AuditEntry) error {
	if err := tx.ChangeContent(ctx, ch); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// ChangeComment writes what became of the first comment of a published post, and what the
// post costs by now. The caller holds the post's lock. Errors: conflict.
func (tx Tx) ChangeComment(ctx context.Context, c mission.Content, n mission.Comment) error {
	row := newContentRow(c)
	row.Comment = &n
	update := tx.NewUpdate().Model(&row).Column("first_comment", "cost_micros", "fee_micros", "updated_at").
		WherePK().Where("c.status = 'published'")
	return tx.must(ctx, update, 1, mission.Conflict("The post isn't published."))
}

// JobContents returns a job's posts in the order of its plan: at most as many
// as a day has.
func (tx Tx) JobContents(ctx context.Context, jobID string) ([]mission.Content, error) {
	return findAll(ctx, tx.on, tx.lock(tx.NewSelect()).Where("c.job_id = ?", jobID).OrderExpr("c.position"), contentRow.content)
}

// UnsettledContents returns the posts of a mission that may still change
// without a user's action, locked, in the order of their slots: at most those of the
// running cycles and mission.MaxOwnPosts.
func (tx Tx) UnsettledContents(ctx context.Context, missionID string) ([]mission.Content, error) {
	return findAll(ctx, tx.on, unsettled(tx.lock(tx.NewSelect()), missionID), contentRow.content)
}

// Slots returns the posts that UnsettledContents returns, with their ids, jobs, origins,
// accounts, states and times alone, and not locked. The caller holds the mission's lock.
func (tx Tx) Slots(ctx context.Context, missionID string) ([]mission.Content, error) {
	q := tx.NewSelect().Column("id", "job_id", "origin", "platform", "integration_id", "status", "scheduled_at", "placed", "expires_at", "expiring_at")
	return findAll(ctx, tx.on, unsettled(q, missionID), contentRow.content)
}

func unsettled(q *bun.SelectQuery, missionID string) *bun.SelectQuery {
	return q.Where("c.mission_id = ?", missionID).
		Where("c.status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown')").OrderExpr("c.scheduled_at, c.id")
}

// PublishedSince returns the publication times, since a time, of a mission's
// posts.
func (tx Tx) PublishedSince(ctx context.Context, missionID string, since time.Time) (times []time.Time, err error) {
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model((*contentRow)(nil)).Column("published_at").Where("c.mission_id = ?", missionID).
		Where("c.status = 'published'").Where("c.published_at >= ?", since), &times)
	return times, err
}

// PostNamed returns the id of a tenant's post of which an account has the platform's id as
// its first part, or "".
func (tx Tx) PostNamed(ctx context.Context, tenantID, integrationID, postID string) (string, error) {
	q := tx.NewSelect().Column("id").Where("c.tenant_id = ?", tenantID).Where("c.platform_post_id = ?", postID).
		Where("c.integration_id = ?", integrationID).Limit(1)
	id, _, err := findOne(ctx, tx.on, q, func(r contentRow) string { return r.ID })
	return id, err
}

// Written returns the positions in a job's plan that already have a post.
func (db *DB) Written(ctx context.Context, jobID string) (positions []int, err error) {
	err = database.Scan(ctx, db.write, db.NewSelect().Model((*contentRow)(nil)).Column("position").Where("c.job_id = ?", jobID), &positions)
	return positions, err
}

// NextPublishAt returns when each mission's next post is due, by the mission's
// id; missions without scheduled posts are missing.
func (db *DB) NextPublishAt(ctx context.Context, missionIDs ...string) (map[string]time.Time, error) {
	type due struct {
		MissionID   string
		ScheduledAt time.Time
	}
	rows, err := readPerParent[due](ctx, db, missionIDs, func(id any) *bun.SelectQuery {
		return db.NewSelect().Table("contents").Column("mission_id", "scheduled_at").
			Where("mission_id = ?", id).Where("status = 'scheduled'").OrderExpr("scheduled_at").Limit(1)
	})
	next := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		next[r.MissionID] = r.ScheduledAt
	}
	return next, err
}

// Publishing reports whether a call to a platform may be in progress for one of
// a mission's posts or first comments, that is whether a worker holds its task. A post
// whose worker is gone still has the status publishing until it is looked up on
// the platform, but no call is made for it.
func (db *DB) Publishing(ctx context.Context, missionID string) (bool, error) {
	posts, err := database.Exists(ctx, db.read, db.NewSelect().Model((*contentRow)(nil)).Where("c.mission_id = ?", missionID).Where("c.status = 'publishing'").
		Where("EXISTS (SELECT 1 FROM tasks AS t WHERE t.mission_id = c.mission_id AND t.subject = c.id AND t.state = 'running')"))
	if err != nil || posts {
		return posts, err
	}
	return database.Exists(ctx, db.read, db.NewSelect().Model((*taskRow)(nil)).Where("t.mission_id = ?", missionID).
		Where("t.type = 'content:comment'").Where("t.state = 'running'"))
}

// ContentFilter selects posts of a tenant; an empty field doesn't filter.
type ContentFilter struct {
	MissionID string
	Status    mission.ContentStatus
	Platform  mission.Platform
}

func (f ContentFilter) where(q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("c.tenant_id = ?", tenantID)
	if f.MissionID != "" {
		q.Where("c.mission_id = ?", f.MissionID)
	}
	if f.Status != "" {
		q.Where("c.status = ?", f.Status)
	}
	if f.Platform != "" {
		q.Where("c.platform = ?", f.Platform)
	}
	return q
}

var contentsNewest = keyset{table: "contents", noun: "post", at: "c.created_at", id: "c.id"}

// query returns the filter of a list of its own.
func (f ContentFilter) query() mission.ContentQuery {
	q := mission.ContentQuery{MissionID: f.MissionID, Platform: f.Platform, Order: mission.OrderCreated}
	if f.Status != "" {
		q.Statuses = []mission.ContentStatus{f.Status}
	}
	return q
}

// Contents returns a page of a tenant's posts, newest first. Errors: invalid_request without a param if the cursor isn't one of
// the tenant's posts.
func (db *DB) Contents(ctx context.Context, tenantID string, f ContentFilter, p Page) (Listed[mission.Content], error) {
	return db.ListContents(ctx, tenantID, f.query(), p)
}

// ContentsOf returns a page of the posts of each of a tenant's missions, by the
// missions' ids; f has no mission. Errors: as for Contents.
func (db *DB) ContentsOf(ctx context.Context, tenantID string, missionIDs []string, f ContentFilter, p Page) (map[string]Listed[mission.Content], error) {
	return partsOf(ctx, db, contentsNewest, tenantID, p, missionIDs, func(id any) *bun.SelectQuery {
		return p.Columns.of("c", f.where(db.NewSelect().Model((*contentRow)(nil)), tenantID), "mission_id", "created_at").Where("c.mission_id = ?", id)
	}, func(r contentRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, contentRow.content)
}

// Content returns a tenant's post. Errors: not_found.
func (db *DB) Content(ctx context.Context, tenantID, id string) (mission.Content, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("c.id = ?", id).Where("c.tenant_id = ?", tenantID), contentRow.content, "content", id)
}

// ContentsByID returns those of a tenant's posts that exist, by id.
func (db *DB) ContentsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Content, error) {
	return byID(ctx, db, "c", tenantID, ids, contentRow.content, func(x mission.Content) string { return x.ID })
}

// ContentMissions returns the missions of those posts that are the tenant's, by
// the posts' ids.
func (tx Tx) ContentMissions(ctx context.Context, tenantID string, ids []string) (map[string]string, error) {
	return findMap(ctx, tx.on, tx.NewSelect().Column("id", "mission_id").
		Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.id", ids)), func(r contentRow) (string, string) { return r.ID, r.MissionID })
}

// LockContents returns those of the posts that are the tenant's, locked, in the
// order of their ids.
func (tx Tx) LockContents(ctx context.Context, tenantID string, ids []string) ([]mission.Content, error) {
	return findAll(ctx, tx.on, tx.locking().Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.id", ids)).OrderExpr("c.id"), contentRow.content)
}
