package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type mediaRow struct {
	bun.BaseModel `bun:"table:media,alias:md"`
	mission.Media
}

func (r mediaRow) media() mission.Media { return r.Media }

// mediaUseRow is a file that a post's latest revision has.
type mediaUseRow struct {
	bun.BaseModel `bun:"table:media_uses,alias:mu"`

	MediaID   string `bun:",pk"`
	ContentID string `bun:",pk"`
	TenantID  string
}

// mediaWordRow is a word of what is said of a file.
type mediaWordRow struct {
	bun.BaseModel `bun:"table:media_words,alias:mw"`

	TenantID string `bun:",pk"`
	Word     string `bun:",pk"`
	MediaID  string `bun:",pk"`
}

// counterMediaBytes is the name of the counter of the bytes that are stored for a tenant's files, whatever
// their states.
const counterMediaBytes = "media:bytes"

// mediaCounter is the name of the counter of a tenant's files of a kind in a state.
func mediaCounter(k mission.MediaKind, s mission.MediaStatus) string {
	return "media:" + string(k) + ":" + string(s)
}

// AddMedia inserts a file whose bytes are about to arrive, with the task that removes them if
// they don't.
func (tx Tx) AddMedia(ctx context.Context, m mission.Media) error {
	row := mediaRow{Media: m}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	if err := tx.setMediaWords(ctx, m); err != nil {
		return err
	}
	if err := tx.addCounters(ctx, map[counterRow]int{{TenantID: m.TenantID, Name: counterMediaBytes}: int(m.Stored)}); err != nil {
		return err
	}
	return tx.AddTasks(ctx, m.CreatedAt, mission.NewTenantTask(m.TenantID, mission.TaskMedia, m.ID, *m.ExpiresAt))
}

// ChangeMedia is SetMedia for a person's change, with its audit log entry.
func (tx Tx) ChangeMedia(ctx context.Context, from, to mission.Media, e mission.AuditEntry) error {
	if err := tx.SetMedia(ctx, from, to); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// SetMedia writes a change of a file, which was from before, with its events; counts and the
// words of searches follow. The caller holds the file's lock. Its task is due at once if the
// change needs one.
func (tx Tx) SetMedia(ctx context.Context, from, to mission.Media, events ...mission.Event) error {
	row := mediaRow{Media: to}
	err := tx.write(ctx, tx.NewUpdate().Model(&row).ExcludeColumn("id", "tenant_id", "uses", "uploaded_by", "created_by", "created_at").WherePK())
	if err != nil {
		return err
	}
	if from.AltText != to.AltText || from.Description != to.Description {
		if err := tx.setMediaWords(ctx, to); err != nil {
			return err
		}
	}
	moves := map[counterRow]int{}
	count := func(m mission.Media, n int) {
		if m.Shown() {
			moves[counterRow{TenantID: m.TenantID, Name: mediaCounter(m.Kind, m.Status)}] += n
		}
		moves[counterRow{TenantID: m.TenantID, Name: counterMediaBytes}] += n * int(m.Stored)
	}
	count(from, -1)
	count(to, 1)
	if err := tx.addCounters(ctx, moves); err != nil {
		return err
	}
	if err := tx.addEvents(ctx, events); err != nil {
		return err
	}
	if from.Status == to.Status || to.Status != mission.MediaProcessing && to.Status != mission.MediaDeleting {
		return nil
	}
	return tx.addMediaTask(ctx, to)
}

// maxMediaWords bounds the words of a file that searches find it by.
const maxMediaWords = 200

// setMediaWords writes the words that searches find a file by.
func (tx Tx) setMediaWords(ctx context.Context, m mission.Media) error {
	if err := tx.write(ctx, tx.NewDelete().Model((*mediaWordRow)(nil)).Where("media_id = ?", m.ID)); err != nil {
		return err
	}
	words := mission.Words(m.Description + " " + m.AltText)
	rows := make([]mediaWordRow, min(len(words), maxMediaWords))
	for i := range rows {
		rows[i] = mediaWordRow{TenantID: m.TenantID, Word: words[i], MediaID: m.ID}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// DropMedia deletes the row of a file whose bytes are gone. The caller holds its lock.
func (tx Tx) DropMedia(ctx context.Context, m mission.Media) error {
	if err := tx.write(ctx, tx.NewDelete().Model((*mediaRow)(nil)).Where("id = ?", m.ID)); err != nil {
		return err
	}
	return tx.addCounters(ctx, map[counterRow]int{{TenantID: m.TenantID, Name: counterMediaBytes}: -int(m.Stored)})
}

// LockMedia returns a tenant's file, whatever its state, and locks it. Errors: not_found.
func (tx Tx) LockMedia(ctx context.Context, tenantID, id string) (mission.Media, error) {
	return readOne(ctx, tx.on, tx.lock(tx.NewSelect()).Where("md.id = ?", id).Where("md.tenant_id = ?", tenantID), mediaRow.media, "file", id)
}

// MediaWaits reports whether a post that isn't settled has a file.
func (tx Tx) MediaWaits(ctx context.Context, id string) (bool, error) {
	return database.Exists(ctx, tx.on, tx.NewSelect().Model((*mediaUseRow)(nil)).Where("mu.media_id = ?", id).
		Where("EXISTS (SELECT 1 FROM contents AS c WHERE c.id = mu.content_id AND c.status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown'))"))
}

// MediaNeeded reports whether a post may send a file, or its platform fetch it: any that has it and
// wasn't published before a time.
func (tx Tx) MediaNeeded(ctx context.Context, id string, since time.Time) (bool, error) {
	return database.Exists(ctx, tx.on, tx.NewSelect().Model((*mediaUseRow)(nil)).Where("mu.media_id = ?", id).
		Where("EXISTS (SELECT 1 FROM contents AS c WHERE c.id = mu.content_id AND (c.status <> 'published' OR c.published_at > ?))", since))
}

// Upload returns a tenant's file, whatever its state, with whoever uploads it as they are now. Errors: not_found.
func (db *DB) Upload(ctx context.Context, tenantID, id string) (m mission.Media, by mission.Maker, err error) {
	type uploadRow struct {
		mediaRow `bun:",extend"`
		makerRow
	}
	q := withMaker(db.NewSelect().ColumnExpr("md.*"), "COALESCE(md.created_by, md.uploaded_by)").Where("md.id = ?", id).Where("md.tenant_id = ?", tenantID)
	row, err := readOne(ctx, db.read, q, func(r uploadRow) uploadRow { return r }, "file", id)
	return row.media(), row.maker(), err
}

// Media returns a tenant's file, whatever its state. Errors: not_found.
func (db *DB) Media(ctx context.Context, tenantID, id string) (mission.Media, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("md.id = ?", id).Where("md.tenant_id = ?", tenantID), mediaRow.media, "file", id)
}

// MediaByID returns those of a tenant's files that are shown, by id.
func (db *DB) MediaByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Media, error) {
	return mediaByID(ctx, db.read, db.NewSelect(), tenantID, ids)
}

// MediaByID is DB.MediaByID in the transaction; the files are locked against deletion until it
// ends.
func (tx Tx) MediaByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Media, error) {
	return mediaByID(ctx, tx.on, tx.lock(tx.NewSelect()).OrderExpr("md.id"), tenantID, ids)
}

func mediaByID(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string, ids []string) (map[string]mission.Media, error) {
	q.Where("md.tenant_id = ?", tenantID).Where("?", database.In("md.id", ids)).Where("md.status IN ('processing', 'ready', 'failed')")
	return findMap(ctx, on, q, func(r mediaRow) (string, mission.Media) { return r.ID, r.media() })
}

// MediaSlots returns when those of a tenant's posts that have files go out, or did, from
// mission.MediaCooldown before a time to as long after another, by the file. It reads the
// uses of these files.
func (db *DB) MediaSlots(ctx context.Context, tenantID string, ids []string, from, to time.Time) (map[string][]time.Time, error) {
	return mediaSlots(ctx, db.read, db.NewSelect(), tenantID, ids, from, to)
}

// MediaSlots is DB.MediaSlots in the transaction. The caller holds the lock of the files.
func (tx Tx) MediaSlots(ctx context.Context, tenantID string, ids []string, from, to time.Time) (map[string][]time.Time, error) {
	return mediaSlots(ctx, tx.on, tx.NewSelect(), tenantID, ids, from, to)
}

func mediaSlots(
	ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string, ids []string, from, to time.Time,
) (map[string][]time.Time, error) {
	type slot struct {
		MediaID string
		At      time.Time
	}
	const at = "COALESCE(c.published_at, c.scheduled_at)"
	rows, err := database.Rows[slot](ctx, on, q.TableExpr("media_uses AS mu").Join("JOIN contents AS c ON c.id = mu.content_id").
		ColumnExpr("mu.media_id").ColumnExpr(at+" AS at").
		Where("mu.tenant_id = ?", tenantID).Where("?", database.In("mu.media_id", ids)).
		Where("c.status NOT IN ('rejected', 'failed', 'expired', 'canceled')").
		Where(at+" BETWEEN ? AND ?", from.Add(-mission.MediaCooldown), to.Add(mission.MediaCooldown)))
	slots := map[string][]time.Time{}
	for _, r := range rows {
		slots[r.MediaID] = append(slots[r.MediaID], r.At)
	}
	return slots, err
}

// MediaBytes returns how many bytes are stored for a tenant's files, or reserved.
func (db *DB) MediaBytes(ctx context.Context, tenantID string) (int64, error) {
	n, err := db.counter(ctx, tenantID, counterMediaBytes)
	return int64(n), err
}

// MediaBytes is DB.MediaBytes in the transaction. The caller holds the tenant's lock, or takes
// that the number is old by what others add meanwhile.
func (tx Tx) MediaBytes(ctx context.Context, tenantID string) (bytes int64, err error) {
	rows, err := database.Rows[counterRow](ctx, tx.on, tx.NewSelect().Model((*counterRow)(nil)).
		Where("c.tenant_id = ?", tenantID).Where("c.name = ?", counterMediaBytes))
	for _, r := range rows {
		bytes += int64(r.N)
	}
	return bytes, err
}

// MediaFilter selects files; an empty field doesn't filter.
type MediaFilter struct {
	Kind   mission.MediaKind
	Status mission.MediaStatus
	// Unused selects those that no post has.
	Unused bool
	// Words are words of their descriptions and alt texts.
	Words []string
}

var mediaNewest = keyset{table: "media", noun: "file", at: "md.created_at", id: "md.id"}

// ListMedia returns a page of a tenant's files, newest first, with their number, or Uncounted
// if the filter can't be counted. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) ListMedia(ctx context.Context, tenantID string, f MediaFilter, p Page) (Listed[mission.Media], error) {
	q := db.NewSelect().Where("md.tenant_id = ?", tenantID)
	if f.Status == "" {
		q.Where("md.status IN ('processing', 'ready', 'failed')")
	} else {
		q.Where("md.status = ?", f.Status)
	}
	if f.Kind != "" {
		q.Where("md.kind = ?", f.Kind)
	}
	if f.Unused {
		q.Where("md.uses = 0")
	}
	for _, w := range f.Words {
		q.Where("EXISTS (SELECT 1 FROM media_words AS mw WHERE mw.tenant_id = ? AND mw.word = ? AND mw.media_id = md.id)", tenantID, w)
	}
	if len(f.Words) > 0 { // the longest is likely the rarest: at most searched files that have it are looked at
		longest := slices.MaxFunc(f.Words, func(a, b string) int { return len(a) - len(b) })
		q.Where("md.id IN (SELECT mw.media_id FROM media_words AS mw WHERE mw.tenant_id = ? AND mw.word = ? ORDER BY mw.media_id DESC LIMIT ?)",
			tenantID, longest, searchedMedia)
	}
	part, err := readPart(ctx, db, q, mediaNewest, tenantID, p, mediaRow.media)
	if err != nil || !p.Total {
		return part, err
	}
	part.Total, err = db.countMedia(ctx, tenantID, f)
	return part, err
}

// searchedMedia bounds the files that a search looks at: the latest that have its longest word.
const searchedMedia = 10_000

// countMedia returns how many files a filter selects, or Uncounted.
func (db *DB) countMedia(ctx context.Context, tenantID string, f MediaFilter) (int, error) {
	if f.Unused || len(f.Words) > 0 {
		return Uncounted, nil
	}
	var names []string
	for _, k := range append(mission.AllMediaKinds(), "") {
		for _, s := range mission.ShownMediaStatuses() {
			if (f.Kind == "" || k == f.Kind) && (f.Status == "" || s == f.Status) {
				names = append(names, mediaCounter(k, s))
			}
		}
	}
	return db.sumCounters(ctx, tenantID, names)
}

// MediaPosts returns up to limit of the posts whose latest revision has a file, latest first.
func (db *DB) MediaPosts(ctx context.Context, tenantID, mediaID string, limit int) ([]mission.Content, error) {
	return findAll(ctx, db.read, db.NewSelect().Where("c.tenant_id = ?", tenantID).
		Where("c.id IN (SELECT mu.content_id FROM media_uses AS mu WHERE mu.media_id = ? ORDER BY mu.content_id DESC LIMIT ?)", mediaID, limit).
		OrderExpr("c.id DESC"), contentRow.content)
}

// useMedia writes which files posts have, which had others before.
func (tx Tx) useMedia(ctx context.Context, posts []mission.Content, before map[string][]string) error {
	moves := map[string]int{}
	var added []mediaUseRow
	for _, c := range posts {
		has := c.MediaIDs()
		for _, id := range has {
			if !slices.Contains(before[c.ID], id) {
				moves[id]++
				added = append(added, mediaUseRow{MediaID: id, ContentID: c.ID, TenantID: c.TenantID})
			}
		}
		gone := slices.DeleteFunc(slices.Clone(before[c.ID]), func(id string) bool { return slices.Contains(has, id) })
		for _, id := range gone {
			moves[id]--
			if err := tx.write(ctx, tx.NewDelete().Model((*mediaUseRow)(nil)).Where("media_id = ?", id).Where("content_id = ?", c.ID)); err != nil {
				return err
			}
		}
	}
	if len(added) > 0 {
		if err := tx.write(ctx, tx.NewInsert().Model(&added)); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(moves)) { // always locked in one order
		if err := tx.write(ctx, tx.NewUpdate().Model((*mediaRow)(nil)).Set("uses = uses + ?", database.Int(moves[id])).Where("id = ?", id)); err != nil {
			return err
		}
	}
	return nil
}

// unuseMedia takes the posts of a mission, which are about to be deleted, from the numbers of
// posts that have its files.
func (tx Tx) unuseMedia(ctx context.Context, missionID string) error {
	const of = "FROM media_uses AS mu JOIN contents AS c ON c.id = mu.content_id WHERE c.mission_id = ?"
	return tx.write(ctx, tx.NewUpdate().Model((*mediaRow)(nil)).
		Set("uses = uses - (SELECT count(*) "+of+" AND mu.media_id = md.id)", missionID).
		Where("md.id IN (SELECT mu.media_id "+of+")", missionID))
}
