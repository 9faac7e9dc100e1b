package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:s"`
	mission.Session
}

func (r sessionRow) session() mission.Session { return r.Session }

// AddSession inserts a session.
func (tx Tx) AddSession(ctx context.Context, s mission.Session) error {
	tx.countChange(s.TenantID, mission.ChangeMembers)
	row := sessionRow{Session: s}
	return tx.write(ctx, tx.NewInsert().Model(&row))
}

// LockSession returns a session and locks it; ok is false if there is none.
func (tx Tx) LockSession(ctx context.Context, id string) (s mission.Session, ok bool, err error) {
	return findOne(ctx, tx.on, tx.locking().Where("s.id = ?", id), sessionRow.session)
}

// SetSession writes a session's generations and end.
func (tx Tx) SetSession(ctx context.Context, s mission.Session) error {
	if s.EndedAt != nil {
		tx.countChange(s.TenantID, mission.ChangeMembers)
	}
	row := sessionRow{Session: s}
	return tx.write(ctx, tx.NewUpdate().Model(&row).Column("generation", "superseded", "ended_at").WherePK())
}

// EndSessions ends a user's sessions at a time, and returns how many it ended.
func (tx Tx) EndSessions(ctx context.Context, tenantID, userID string, at time.Time) (int, error) {
	tx.countChange(tenantID, mission.ChangeMembers)
	return tx.changed(ctx, tx.NewUpdate().Model((*sessionRow)(nil)).Set("ended_at = ?", at).
		Where("tenant_id = ?", tenantID).Where("user_id = ?", userID).Where("ended_at IS NULL").Where("expires_at > ?", at))
}

var sessionsNewest = keyset{table: "sessions", noun: "session", at: "s.created_at", id: "s.id"}

// Sessions returns a page of a user's sessions that haven't ended at now, newest
// first. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Sessions(ctx context.Context, tenantID, userID string, now time.Time, p Page) (Listed[mission.Session], error) {
	q := db.NewSelect().Where("s.tenant_id = ?", tenantID).Where("s.user_id = ?", userID).
		Where("s.ended_at IS NULL").Where("s.expires_at > ?", now).
		Where("s.created_at > ?", now.Add(-mission.SessionLife)) // those before have expired
	// Most users have a few sessions, and a program may have thousands.
	return readPartOn(ctx, db, db.read.Planned(), q, sessionsNewest, tenantID, p, sessionRow.session)
}

// seenSessions is how many of a user's sessions are looked at, the latest.
const seenSessions = 20

// LastSeen returns when one of the latest sessions of each of a tenant's users that haven't ended at
// now began or was renewed last, by the users' ids; nothing for users without one.
func (db *DB) LastSeen(ctx context.Context, tenantID string, userIDs []string, now time.Time) (map[string]time.Time, error) {
	rows, err := readPerParent[sessionRow](ctx, db, userIDs, func(user any) *bun.SelectQuery {
		return db.NewSelect().Model((*sessionRow)(nil)).Where("s.tenant_id = ?", tenantID).Where("s.user_id = ?", user).
			Where("s.ended_at IS NULL").Where("s.expires_at > ?", now).Where("s.created_at > ?", now.Add(-mission.SessionLife)).
			OrderExpr("s.created_at DESC, s.id DESC").Limit(seenSessions)
	})
	seen := map[string]time.Time{}
	for _, r := range rows {
		if at := r.SeenAt(); at.After(seen[r.UserID]) {
			seen[r.UserID] = at
		}
	}
	return seen, err
}

// SessionsByID returns those of a tenant's sessions that are stored, by id.
func (db *DB) SessionsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Session, error) {
	return byID(ctx, db, "s", tenantID, ids, sessionRow.session, func(s mission.Session) string { return s.ID })
}

// SessionPrincipal is a session with its principal.
type SessionPrincipal struct {
	Session   mission.Session
	Principal mission.Principal
}

// SessionPrincipals returns those of the sessions that exist, by id, in one
// indexed statement.
func (db *DB) SessionPrincipals(ctx context.Context, ids []string) (map[string]SessionPrincipal, error) {
	var rows []struct {
		sessionRow `bun:",extend"`

		Role   mission.Role
		Plan   mission.TenantPlan
		Limits mission.Limits

		DeletesAt *time.Time
	}
	err := database.Scan(ctx, db.keys, db.NewSelect().Model(&rows).ColumnExpr("s.*").Column("u.role", "t.plan", "t.limits", "t.deletes_at").
		Join("JOIN users AS u ON u.id = s.user_id").Join("JOIN tenants AS t ON t.id = s.tenant_id").Where("?", database.In("s.id", ids)).
		Where("u.removed_at IS NULL"), &rows)
	found := make(map[string]SessionPrincipal, len(rows))
	for _, row := range rows {
		s := row.session()
		found[s.ID] = SessionPrincipal{Session: s, Principal: mission.Principal{
			TenantID: s.TenantID, UserID: s.UserID, SessionID: s.ID, Scopes: row.Role.Scopes(), Plan: row.Plan, Limits: row.Limits, DeletesAt: row.DeletesAt,
		}}
	}
	return found, err
}

// DropSessions deletes up to limit sessions that expired before a time, and
// returns their number.
func (tx Tx) DropSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	old := tx.NewSelect().Model((*sessionRow)(nil)).Column("id").Where("expires_at < ?", before).Limit(int64(limit))
	return tx.changed(ctx, tx.NewDelete().Model((*sessionRow)(nil)).Where("id IN (?)", old))
}
