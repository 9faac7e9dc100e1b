package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// WorkingAgentsOf returns the agents of a tenant's user that may act at a time, oldest first.
func (db *DB) WorkingAgentsOf(ctx context.Context, tenantID, userID string, now time.Time) ([]mission.Agent, error) {
	return findAll(ctx, db.read, db.NewSelect().Where("ag.tenant_id = ?", tenantID).Where("ag.user_id = ?", userID).
		Where("ag.revoked_at IS NULL").Where("ag.expires_at > ?", now).OrderExpr("ag.id"), agentRow.agent)
}

// CountAgents returns how many agents a tenant has, or its user userID unless that is "".
func (db *DB) CountAgents(ctx context.Context, tenantID, userID string) (int, error) {
	q := db.NewSelect().Model((*agentRow)(nil)).Where("ag.tenant_id = ?", tenantID)
	if userID != "" {
		q.Where("ag.user_id = ?", userID)
	}
	return database.Count(ctx, db.read, q)
}
