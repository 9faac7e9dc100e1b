package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type agentTokenRow struct {
	bun.BaseModel `bun:"table:agent_tokens,alias:at"`
	mission.AgentToken
}

func (r agentTokenRow) token() mission.AgentToken { return r.AgentToken }

// AddAgentTokens inserts tokens.
func (tx Tx) AddAgentTokens(ctx context.Context, tokens ...mission.AgentToken) error {
	rows := make([]agentTokenRow, len(tokens))
	for i, t := range tokens {
		rows[i] = agentTokenRow{AgentToken: t}
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// AgentToken returns the token with a hash; ok is false if there is none.
func (db *DB) AgentToken(ctx context.Context, hash string) (t mission.AgentToken, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Where("at.hash = ?", hash), agentTokenRow.token)
}

// LockAgentToken returns the token with a hash and locks it; ok is false if there is none. The caller holds the
// lock of its agent, under which alone tokens change.
func (tx Tx) LockAgentToken(ctx context.Context, hash string) (t mission.AgentToken, ok bool, err error) {
	return findOne(ctx, tx.on, tx.locking().Where("at.hash = ?", hash), agentTokenRow.token)
}

// AgentTokensFor returns the refresh tokens that were issued for a agent's token.
func (tx Tx) AgentTokensFor(ctx context.Context, t mission.AgentToken) ([]mission.AgentToken, error) {
	return findAll(ctx, tx.on, tx.locking().Where("at.agent_id = ?", t.AgentID).Where("at.parent = ?", t.Hash).
		Where("at.kind = ?", mission.AgentRefresh).Where("at.voided_at IS NULL"), agentTokenRow.token)
}

// UseAgentToken records that a code or a refresh token was used for the first time. Errors: conflict.
func (tx Tx) UseAgentToken(ctx context.Context, t mission.AgentToken, now time.Time) error {
	q := tx.NewUpdate().Model((*agentTokenRow)(nil)).Set("used_at = ?", now).Where("hash = ?", t.Hash).Where("used_at IS NULL").Where("voided_at IS NULL")
	return tx.must(ctx, q, 1, mission.Conflict("The token was used at the same time."))
}

// VoidAgentTokens ends what was issued for a token: its refresh tokens are voided, so that a use shows, and its
// access tokens are deleted.
func (tx Tx) VoidAgentTokens(ctx context.Context, t mission.AgentToken, now time.Time) error {
	issued := func(q *bun.UpdateQuery) *bun.UpdateQuery {
		return q.Where("agent_id = ?", t.AgentID).Where("parent = ?", t.Hash).Where("kind = ?", mission.AgentRefresh)
	}
	return tx.together(
		ctx, issued(tx.NewUpdate().Model((*agentTokenRow)(nil)).Set("voided_at = ?", now)).Where("voided_at IS NULL"),
		tx.NewDelete().Model((*agentTokenRow)(nil)).Where("agent_id = ?", t.AgentID).Where("parent = ?", t.Hash).Where("kind = ?", mission.AgentAccess),
	)
}

// DropAgentToken deletes a token.
func (tx Tx) DropAgentToken(ctx context.Context, hash string) error {
	return tx.write(ctx, tx.NewDelete().Model((*agentTokenRow)(nil)).Where("hash = ?", hash))
}

// DropAgentTokens deletes up to limit tokens that expired before a time, and returns their number.
func (tx Tx) DropAgentTokens(ctx context.Context, before time.Time, limit int) (int, error) {
	old := tx.NewSelect().Model((*agentTokenRow)(nil)).Column("hash").Where("expires_at < ?", before).Limit(int64(limit))
	return tx.changed(ctx, tx.NewDelete().Model((*agentTokenRow)(nil)).Where("hash IN (?)", old))
}

// UnusedAgentCodes returns when the codes of those of a tenant's agents expire that weren't used yet, by agent.
func (db *DB) UnusedAgentCodes(ctx context.Context, tenantID string, agentIDs []string) (map[string]time.Time, error) {
	return findMap(ctx, db.read, db.NewSelect().Where("at.tenant_id = ?", tenantID).Where("?", database.In("at.agent_id", agentIDs)).
		Where("at.kind = ?", mission.AgentCode).Where("at.used_at IS NULL"), func(r agentTokenRow) (string, time.Time) {
		return r.AgentID, r.ExpiresAt
	})
}

// ExpiredAgentCodes returns up to limit codes that had expired at a time and weren't used, those that expired first first.
func (db *DB) ExpiredAgentCodes(ctx context.Context, now time.Time, limit int) ([]mission.AgentToken, error) {
	return findAll(ctx, db.read, db.NewSelect().Where("at.expires_at <= ?", now).Where("at.kind = ?", mission.AgentCode).
		Where("at.used_at IS NULL").OrderExpr("at.expires_at").Limit(int64(limit)), agentTokenRow.token)
}

// AgentPrincipal is the principal of an agent's access token, with the time at which it expires.
type AgentPrincipal struct {
	Principal mission.Principal
	expiresAt time.Time
}

// Valid reports whether neither the token nor its agent has expired.
func (a AgentPrincipal) Valid(now time.Time) bool { return now.Before(a.expiresAt) }

// AgentPrincipals returns the principals of the access tokens with the given hashes that are valid at
// now, by hash, in one indexed statement. The scopes are those of the agent that its person still has.
func (db *DB) AgentPrincipals(ctx context.Context, hashes []string, now time.Time) (map[string]AgentPrincipal, error) {
	var rows []struct {
		agentTokenRow `bun:",extend"`

		UserID           string
		Scopes           []mission.Scope
		Leash            mission.Leash
		EndsAt           time.Time
		Role             mission.Role
		Plan             mission.TenantPlan
		Limits           mission.Limits
		AgentsMayApprove bool
	}
	err := database.Scan(ctx, db.keys, db.NewSelect().Model(&rows).Column("at.hash", "at.agent_id", "at.tenant_id", "at.expires_at").
		Column("ag.user_id", "ag.scopes", "ag.leash").ColumnExpr("ag.expires_at AS ends_at").Column("u.role", "t.plan", "t.limits", "t.agents_may_approve").
		Join("JOIN agent_grants AS ag ON ag.id = at.agent_id").Join("JOIN users AS u ON u.id = ag.user_id").Join("JOIN tenants AS t ON t.id = ag.tenant_id").
		Where("?", database.In("at.hash", hashes)).Where("at.kind = ?", mission.AgentAccess).Where("at.expires_at > ?", now).
		Where("ag.revoked_at IS NULL").Where("ag.expires_at > ?", now).Where("u.removed_at IS NULL").Where("t.deletes_at IS NULL"), &rows)
	principals := make(map[string]AgentPrincipal, len(rows))
	for _, row := range rows {
		expires := row.ExpiresAt
		if row.EndsAt.Before(expires) {
			expires = row.EndsAt
		}
		principals[row.Hash] = AgentPrincipal{expiresAt: expires, Principal: mission.Principal{
			TenantID: row.TenantID, UserID: row.UserID, AgentID: row.AgentID, Agent: true, Leash: row.Leash, AgentsMayApprove: row.AgentsMayApprove,
			Scopes: mission.ScopesWithin(row.Scopes, row.Role), Plan: row.Plan, Limits: row.Limits,
		}}
	}
	return principals, err
}
