package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type missionRow struct {
	bun.BaseModel `bun:"table:missions,alias:m"`
	mission.Mission
}

func (r missionRow) mission() mission.Mission { return r.Mission }

// Mission returns a tenant's mission. Errors: not_found.
func (db *DB) Mission(ctx context.Context, tenantID, id string) (mission.Mission, error) {
	return readMission(ctx, db.read, db.NewSelect(), tenantID, id)
}

// LockMission returns a tenant's mission and locks it until the transaction
// ends, so that decisions about a mission are made one after the other. Errors:
// not_found.
func (tx Tx) LockMission(ctx context.Context, tenantID, id string) (mission.Mission, error) {
	q := tx.lock(tx.NewSelect()).ColumnExpr("m.*").
		ColumnExpr("EXISTS (SELECT 1 FROM tenants AS lt WHERE lt.id = m.tenant_id AND lt.deletes_at IS NOT NULL) AS leaving").
		ColumnExpr("EXISTS (SELECT 1 FROM tenants AS ht WHERE ht.id = m.tenant_id AND ht.hold IS NOT NULL) AS on_hold")
	return readMission(ctx, tx.on, q, tenantID, id)
}

func readMission(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) (mission.Mission, error) {
	return readOne(ctx, on, q.Where("m.id = ?", id).Where("m.tenant_id = ?", tenantID), missionRow.mission, "mission", id)
}

// CreateMission inserts a new mission with its events.
func (tx Tx) CreateMission(ctx context.Context, m mission.Mission, events []mission.Event) error {
	row := missionRow{Mission: m}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	platforms := make([]missionPlatformRow, len(m.Platforms))
	for i, p := range m.Platforms {
		platforms[i] = missionPlatformRow{MissionID: m.ID, Platform: p, TenantID: m.TenantID, Status: m.Status, CreatedAt: m.CreatedAt}
	}
	if err := tx.write(ctx, tx.NewInsert().Model(&platforms)); err != nil {
		return err
	}
	if err := tx.addName(ctx, m); err != nil {
		return err
	}
	if err := tx.addEvents(ctx, events); err != nil {
		return err
	}
	tx.done.missions.moved(m, "", m.Status)
	return nil
}

// ChangeMission writes a change of a mission's state with its events. Errors:
// conflict if the mission isn't in the state that the change started from.
func (tx Tx) ChangeMission(ctx context.Context, c mission.MissionChange) error {
	row := missionRow{Mission: c.To}
	update := tx.NewUpdate().Model(&row).
		Column("status", "starts_at", "ends_at", "paused_at", "paused_ms", "planned_from", "owed_posts", "held", "updated_at").
		Where("m.id = ?", c.To.ID).Where("m.tenant_id = ?", c.To.TenantID).Where("m.status = ?", c.From)
	if err := tx.must(ctx, update, 1, mission.Conflict("The mission is no longer %s.", c.From)); err != nil {
		return err
	}
	if err := tx.addEvents(ctx, c.Events); err != nil {
		return err
	}
	if c.From == c.To.Status {
		return nil
	}
	err := tx.write(ctx, tx.NewUpdate().Model((*missionPlatformRow)(nil)).Set("status = ?", c.To.Status).
		Where("mission_id = ?", c.To.ID))
	if err != nil {
		return err
	}
	if c.From != mission.StatusDraft {
		if err := tx.nextPost(ctx, c.To.ID); err != nil {
			return err
		}
	}
	tx.done.missions.moved(c.To, c.From, c.To.Status)
	return nil
}

// UpdateMission writes an update of what a user states about a mission. Errors:
// conflict if the mission isn't in the state that the update started from.
func (tx Tx) UpdateMission(ctx context.Context, c mission.MissionChange) error {
	tx.countChange(c.To.TenantID, mission.ChangeMissions)
	var name string
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*missionRow)(nil)).Column("name").Where("m.id = ?", c.To.ID), &name)
	if err != nil {
		return err
	}
	row := missionRow{Mission: c.To}
	update := tx.NewUpdate().Model(&row).
		Column("name", "description", "objectives", "integration_ids", "media_ids", "reviewers", "reviewers_only", "constraints", "kpis", "events", "blackouts", "disclosure", "links", "editor", "public_interest", "autonomy",
			"duration_days", "ends_at", "updated_at").
		Where("m.id = ?", c.To.ID).Where("m.tenant_id = ?", c.To.TenantID).Where("m.status = ?", c.From)
	if err := tx.must(ctx, update, 1, mission.Conflict("The mission is no longer %s.", c.From)); err != nil {
		return err
	}
	if name == c.To.Name {
		return nil
	}
	if err := tx.dropName(ctx, c.To, name); err != nil {
		return err
	}
	return tx.addName(ctx, c.To)
}

// DeleteMission deletes a mission with everything below it. Its events stay and
// are still delivered.
func (tx Tx) DeleteMission(ctx context.Context, m mission.Mission) error {
	tx.countChange(m.TenantID, mission.ChangeMissions)
	if err := tx.dropContentTotals(ctx, m); err != nil {
		return err
	}
	if err := tx.dropFigures(ctx, m); err != nil {
		return err
	}
	if err := tx.dropName(ctx, m, m.Name); err != nil {
		return err
	}
	if err := tx.unuseMedia(ctx, m.ID); err != nil {
		return err
	}
	remove := tx.NewDelete().Model((*missionRow)(nil)).
		Where("id = ?", m.ID).Where("tenant_id = ?", m.TenantID).Where("status = ?", m.Status)
	if err := tx.must(ctx, remove, 1, mission.Conflict("The mission is no longer %s.", m.Status)); err != nil {
		return err
	}
	if err := tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("mission_id = ?", m.ID)); err != nil {
		return err
	}
	tx.done.missions.moved(m, m.Status, "")
	return tx.dropTexts(ctx, m)
}

// SetCycle records that a job is the mission's current one.
func (tx Tx) SetCycle(ctx context.Context, j mission.Job) error {
	return tx.write(ctx, tx.NewUpdate().Model((*missionRow)(nil)).
		Set("pipeline_job_id = ?", j.ID).Set("next_cycle = ?", database.Int(j.Cycle)).Set("updated_at = ?", j.CreatedAt).
		Where("id = ?", j.MissionID))
}

// SetOwed writes how many posts a mission owes.
func (tx Tx) SetOwed(ctx context.Context, m mission.Mission) error {
	return tx.write(ctx, tx.NewUpdate().Model((*missionRow)(nil)).Set("owed_posts = ?", database.Int(m.Owed)).Where("id = ?", m.ID))
}

// addCounts returns the write that adds to a mission's counters, if there is
// anything to add.
func (tx Tx) addCounts(missionID string, d mission.ContentCounts) []database.Query {
	if d == (mission.ContentCounts{}) {
		return nil
	}
	return []database.Query{tx.NewUpdate().Model((*missionRow)(nil)).
		Set("generated = generated + ?", database.Int(d.Generated)).Set("pending_review = pending_review + ?", database.Int(d.PendingReview)).
		Set("approved = approved + ?", database.Int(d.Approved)).Set("published = published + ?", database.Int(d.Published)).
		Set("scheduled = scheduled + ?", database.Int(d.Scheduled)).Where("id = ?", missionID)}
}

// UnfinishedMissions returns up to limit ids of a tenant's active or paused
// missions, in order; if after isn't "", only those after it.
func (db *DB) UnfinishedMissions(ctx context.Context, tenantID, after string, limit int) (ids []string, err error) {
	err = database.Scan(ctx, db.write, db.NewSelect().Model((*missionRow)(nil)).Column("id").Where("m.tenant_id = ?", tenantID).
		Where("m.status IN ('active', 'paused')").Where("m.id > ?", after).OrderExpr("m.id").Limit(int64(limit)), &ids)
	return ids, err
}

// HoldableMissions returns up to limit ids of a tenant's missions that a hold or its release
// may change, active or held, in order; if after isn't "", only those after it.
func (db *DB) HoldableMissions(ctx context.Context, tenantID, after string, limit int) (ids []string, err error) {
	err = database.Scan(ctx, db.write, db.NewSelect().Model((*missionRow)(nil)).Column("id").Where("m.tenant_id = ?", tenantID).
		Where("(m.status = 'active' OR m.held)").Where("m.id > ?", after).OrderExpr("m.id").Limit(int64(limit)), &ids)
	return ids, err
}

type missionPlatformRow struct {
	bun.BaseModel `bun:"table:mission_platforms,alias:mp"`

	MissionID string           `bun:",pk"`
	Platform  mission.Platform `bun:",pk"`
	TenantID  string
	Status    mission.Status
	CreatedAt time.Time
}

// MissionFilter selects missions of a tenant; an empty field doesn't filter.
type MissionFilter struct {
	Status   mission.Status
	Platform mission.Platform
	// Words are prefixes: the name must have a word for each.
	Words []string
	// Order is the list's. Those of some orders haven't all missions.
	Order MissionOrder
}

// Missions returns a page of a tenant's missions; its total is CountMissions'. A page
// of a search by creation may have fewer missions than its limit though there are more.
// Errors: invalid_request without a param if the cursor isn't one of the tenant's
// missions, on order_by if the page takes too many missions to sort.
func (db *DB) Missions(ctx context.Context, tenantID string, f MissionFilter, p Page) (Listed[mission.Mission], error) {
	if f.Order != "" {
		return db.orderedMissions(ctx, tenantID, f, p)
	}
	if len(f.Words) > 0 {
		return db.searchMissions(ctx, tenantID, f, p)
	}
	at, id := "m.created_at", "m.id"
	if f.Platform != "" {
		at, id = "mp.created_at", "mp.mission_id"
	}
	total := 0
	q := p.Columns.of("m", f.where(db.Builder, db.NewSelect().Model((*listedMission)(nil)), tenantID), "tenant_id", "created_at")
	if p.Total {
		q.ColumnExpr("(?) AS total", f.totals(db.Builder, tenantID))
	}
	part, err := readPart(ctx, db, q, keyset{table: "missions", noun: "mission", at: at, id: id}, tenantID, p, func(r listedMission) mission.Mission {
		total = r.Total
		return r.mission()
	})
	if err == nil && p.Total && total == 0 {
		total, err = db.CountMissions(ctx, tenantID, f)
	}
	part.Total = total
	return part, err
}

// listedMission is a row of a page, with the length of the whole list.
type listedMission struct {
	missionRow `bun:",extend"`

	Total int `bun:",scanonly"`
}

// where adds the conditions of a filter without words.
func (f MissionFilter) where(b database.Builder, q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("m.tenant_id = ?", tenantID)
	switch {
	case f.Platform != "":
		// The tenant and status of both tables, so that the index on the platform
		// covers the whole condition.
		missionsOf(b, q, "mp.mission_id", "mission_platforms AS mp").
			Where("mp.tenant_id = ?", tenantID).Where("mp.platform = ?", f.Platform)
		if f.Status != "" {
			q.Where("mp.status = ?", f.Status)
		}
	case f.Status != "":
		q.Where("m.status = ?", f.Status)
	}
	return q
}

// missionsOf makes a query of missions walk over the rows of a table that has their
// ids. A prepared plan gets no choice: it is made for any tenant, and with a wrong
// estimate of how many missions one has it might sort them all.
func missionsOf(b database.Builder, q *bun.SelectQuery, id, table string, args ...any) *bun.SelectQuery {
	if !b.Lateral() {
		return q.Join("JOIN "+table+" ON m.id = "+id, args...)
	}
	return q.ModelTableExpr(table, args...).
		Join("CROSS JOIN LATERAL (SELECT * FROM missions WHERE id = " + id + " OFFSET 0) AS m")
}

// MissionsByID returns those of a tenant's missions that exist, by id.
func (db *DB) MissionsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Mission, error) {
	return byID(ctx, db, "m", tenantID, ids, missionRow.mission, func(m mission.Mission) string { return m.ID })
}

// ActiveMissions returns up to limit ids of a tenant's active missions, in
// order; if after isn't "", only those after it.
func (db *DB) ActiveMissions(ctx context.Context, tenantID, after string, limit int) (ids []string, err error) {
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*missionRow)(nil)).Column("id").Where("m.tenant_id = ?", tenantID).
		Where("m.status = 'active'").Where("m.id > ?", after).OrderExpr("m.id").Limit(int64(limit)), &ids)
	return ids, err
}
