package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type agentRow struct {
	bun.BaseModel `bun:"table:agent_grants,alias:ag"`
	mission.Agent
}

func (r agentRow) agent() mission.Agent { return r.Agent }

type agentDayRow struct {
	bun.BaseModel `bun:"table:agent_days,alias:ad"`
	mission.AgentDay

	TenantID string
}

func (r agentDayRow) day() mission.AgentDay { return r.AgentDay }

const agentNoun = "agent"

var agentsNewest = keyset{table: "agent_grants", noun: agentNoun, at: "ag.created_at", id: "ag.id"}

// AddAgent inserts an agent with an audit log entry.
func (tx Tx) AddAgent(ctx context.Context, a mission.Agent, e mission.AuditEntry) error {
	row := agentRow{Agent: a}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// LockAgent returns a tenant's agent and locks it. Errors: not_found.
func (tx Tx) LockAgent(ctx context.Context, tenantID, id string) (mission.Agent, error) {
	return readOne(ctx, tx.on, tx.lock(tx.NewSelect()).Where("ag.id = ?", id).Where("ag.tenant_id = ?", tenantID), agentRow.agent, agentNoun, id)
}

// LockAgentsOf returns the agents of a tenant's user that may act at a time, oldest first, and locks them.
func (tx Tx) LockAgentsOf(ctx context.Context, tenantID, userID string, now time.Time) ([]mission.Agent, error) {
	return findAll(ctx, tx.on, tx.locking().Where("ag.tenant_id = ?", tenantID).Where("ag.user_id = ?", userID).
		Where("ag.revoked_at IS NULL").Where("ag.expires_at > ?", now).OrderExpr("ag.id"), agentRow.agent)
}

// RevokeAgent writes the revocation of an agent, with an audit log entry.
func (tx Tx) RevokeAgent(ctx context.Context, a mission.Agent, e mission.AuditEntry) error {
	if err := tx.write(ctx, tx.NewUpdate().Model((*agentRow)(nil)).Set("revoked_at = ?", a.RevokedAt).Where("ag.id = ?", a.ID)); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// ChargeAgent adds an act of a tenant's agent to its day, if its leash allows it. It locks the agent, so
// that its acts are counted one by one. Errors: unauthorized if the agent may not act any more;
// rate_limit_exceeded, naming the part of the leash.
func (tx Tx) ChargeAgent(ctx context.Context, tenantID, id string, act mission.AgentAct, now time.Time) error {
	a, err := tx.LockAgent(ctx, tenantID, id)
	if mission.CodeOf(err) == mission.CodeNotFound || err == nil && !a.Works(now) {
		return mission.Unauthorized()
	}
	if err != nil {
		return err
	}
	day := now.UTC().Format(dayFormat)
	so, _, err := findOne(ctx, tx.on, tx.NewSelect().Where("ad.agent_id = ?", id).Where("ad.day = ?", day), agentDayRow.day)
	if err != nil {
		return err
	}
	if err := a.Leash.CheckAct(so, act, now); err != nil {
		return err
	}
	row := agentDayRow{AgentDay: mission.AgentDay{AgentID: id, Date: day, Calls: 1, Posts: act.Posts, Micros: act.Micros}, TenantID: tenantID}
	return tx.together(
		ctx,
		tx.NewInsert().Model(&row).On("CONFLICT (agent_id, day) DO UPDATE").
			Set("calls = ad.calls + EXCLUDED.calls").Set("posts = ad.posts + EXCLUDED.posts").Set("micros = ad.micros + EXCLUDED.micros"),
		tx.NewUpdate().Model((*agentRow)(nil)).Set("last_used_at = ?", now).Where("ag.id = ?", id),
	)
}

// AddAgentAct inserts the audit log entry of an act.
func (tx Tx) AddAgentAct(ctx context.Context, e mission.AuditEntry) error { return tx.addAudit(ctx, e) }

// Agent returns a tenant's agent. Errors: not_found.
func (db *DB) Agent(ctx context.Context, tenantID, id string) (mission.Agent, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("ag.id = ?", id).Where("ag.tenant_id = ?", tenantID), agentRow.agent, agentNoun, id)
}

// AgentsByID returns those of a tenant's agents that exist, by id.
func (db *DB) AgentsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Agent, error) {
	return byID(ctx, db, "ag", tenantID, ids, agentRow.agent, func(a mission.Agent) string { return a.ID })
}

// Agents returns a page of the agents of a tenant, or of its user userID unless that is "", newest
// first. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Agents(ctx context.Context, tenantID, userID string, p Page) (Listed[mission.Agent], error) {
	q := db.NewSelect().Where("ag.tenant_id = ?", tenantID)
	if userID != "" {
		q.Where("ag.user_id = ?", userID)
	}
	return readPart(ctx, db, q, agentsNewest, tenantID, p, agentRow.agent)
}

// AgentDaysOn returns what a tenant's agents did on the day (UTC) of a time, by their ids.
func (db *DB) AgentDaysOn(ctx context.Context, tenantID string, ids []string, now time.Time) (map[string]mission.AgentDay, error) {
	return findMap(ctx, db.read, db.NewSelect().Where("ad.tenant_id = ?", tenantID).Where("?", database.In("ad.agent_id", ids)).
		Where("ad.day = ?", now.UTC().Format(dayFormat)), func(r agentDayRow) (string, mission.AgentDay) { return r.AgentID, r.day() })
}

// DropAgentDays deletes what agents did on days before a time, up to limit rows, and returns their number.
func (tx Tx) DropAgentDays(ctx context.Context, before time.Time, limit int) (int, error) {
	old := tx.NewSelect().Model((*agentDayRow)(nil)).Column("agent_id", "day").Where("ad.day < ?", before.UTC().Format(dayFormat)).Limit(int64(limit))
	return tx.changed(ctx, tx.NewDelete().Model((*agentDayRow)(nil)).Where("(agent_id, day) IN (?)", old))
}
