package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type keyRow struct {
	bun.BaseModel `bun:"table:api_keys,alias:k"`
	mission.APIKey

	Hash string
}

func (r keyRow) key() mission.APIKey { return r.APIKey }

var keysNewest = keyset{table: "api_keys", noun: "API key", at: "k.created_at", id: "k.id"}

// AddKey inserts a key with an audit log entry. Only the key's hash (SHA-256,
// hex) is stored.
func (tx Tx) AddKey(ctx context.Context, k mission.APIKey, hash string, entry mission.AuditEntry) error {
	key := keyRow{APIKey: k, Hash: hash}
	if err := tx.write(ctx, tx.NewInsert().Model(&key)); err != nil {
		return err
	}
	if err := tx.count(ctx, k.TenantID, counterKeys); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// WorkingKeys returns how many of a tenant's keys work at a time: those that are rotating, or
// the others.
func (tx Tx) WorkingKeys(ctx context.Context, tenantID string, rotating bool, now time.Time) (int, error) {
	q := tx.NewSelect().Model((*keyRow)(nil)).Where("k.tenant_id = ?", tenantID).Where("k.revoked_at IS NULL").
		Where("(k.expires_at IS NULL OR k.expires_at > ?)", now)
	if rotating {
		q.Where("k.grace_until > ?", now)
	} else {
		q.Where("k.grace_until IS NULL")
	}
	return database.Count(ctx, tx.on, q)
}

// LockMadeBy returns a tenant's keys that were made with a key, and with those
// in turn, oldest first, and locks them. Making a key locks the key it is made
// with, so no more keys can appear once all are locked: the loop ends when it
// finds none that it hasn't locked.
func (tx Tx) LockMadeBy(ctx context.Context, tenantID, id string) ([]mission.APIKey, error) {
	for locked := []mission.APIKey{}; ; {
		var rows []keyRow
		err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&rows).Column("k.id").Where("k.tenant_id = ?", tenantID).Where(`k.id IN (
WITH RECURSIVE made AS (
    SELECT id FROM api_keys WHERE made_by_key = ? AND tenant_id = ?
    UNION SELECT x.id FROM api_keys x JOIN made ON x.made_by_key = made.id
) SELECT id FROM made)`, id, tenantID), &rows)

		if err != nil || len(rows) == len(locked) {
			return locked, err
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
		}
		if locked, err = tx.lockKeys(ctx, tenantID, ids); err != nil {
			return nil, err
		}
	}
}

// LockKeysOf returns the keys that a tenant's user made, oldest first, and
// locks them.
func (tx Tx) LockKeysOf(ctx context.Context, tenantID, userID string) ([]mission.APIKey, error) {
	return tx.readKeys(ctx, tx.locking().Where("k.user_id = ?", userID), tenantID)
}

func (tx Tx) lockKeys(ctx context.Context, tenantID string, ids []string) ([]mission.APIKey, error) {
	return tx.readKeys(ctx, tx.locking().Where("?", database.In("k.id", ids)), tenantID)
}

func (tx Tx) readKeys(ctx context.Context, q *bun.SelectQuery, tenantID string) ([]mission.APIKey, error) {
	return findAll(ctx, tx.on, q.Where("k.tenant_id = ?", tenantID).OrderExpr("k.id"), keyRow.key)
}

// EndKeys writes the revocation or the new end of keys, with audit log entries.
func (tx Tx) EndKeys(ctx context.Context, keys []mission.APIKey, entries ...mission.AuditEntry) error {
	for some := range slices.Chunk(keys, keyBatch) {
		rows := make([]keyRow, len(some))
		for i, k := range some {
			rows[i] = keyRow{APIKey: k}
		}
		if err := tx.write(ctx, tx.NewUpdate().Model(&rows).Column("expires_at", "grace_until", "revoked_at").Bulk()); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(entries, keyBatch) {
		if err := tx.addAudits(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// keyBatch is how many keys are written in one statement.
const keyBatch = 200

// Key returns a tenant's key. Errors: not_found.
func (db *DB) Key(ctx context.Context, tenantID, id string) (mission.APIKey, error) {
	return readKey(ctx, db.read, db.NewSelect(), tenantID, id)
}

// LockKey returns a tenant's key and locks it. Errors: not_found.
func (tx Tx) LockKey(ctx context.Context, tenantID, id string) (mission.APIKey, error) {
	return readKey(ctx, tx.on, tx.locking(), tenantID, id)
}

func readKey(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) (mission.APIKey, error) {
	return readOne(ctx, on, q.Where("k.id = ?", id).Where("k.tenant_id = ?", tenantID), keyRow.key, "API key", id)
}

// Keys returns a page of a tenant's keys, newest first. Errors: invalid_request
// without a param for a foreign cursor.
func (db *DB) Keys(ctx context.Context, tenantID string, p Page) (Listed[mission.APIKey], error) {
	q := db.NewSelect().Where("k.tenant_id = ?", tenantID)
	return readPart(ctx, db, q, keysNewest, tenantID, p, keyRow.key)
}

// CountKeys returns how many keys a tenant has, including revoked ones.
func (db *DB) CountKeys(ctx context.Context, tenantID string) (int, error) {
	return db.counter(ctx, tenantID, counterKeys)
}

// KeyPrincipal is the principal of a key, with the times at which the key
// expires.
type KeyPrincipal struct {
	Principal             mission.Principal
	expiresAt, graceUntil *time.Time
}

// Valid reports whether the key hasn't expired.
func (k KeyPrincipal) Valid(now time.Time) bool {
	return (k.expiresAt == nil || k.expiresAt.After(now)) && (k.graceUntil == nil || k.graceUntil.After(now))
}

// KeyHash returns the hash of a tenant's key, or "" if there is no such key.
func (db *DB) KeyHash(ctx context.Context, tenantID, id string) (hash string, err error) {
	err = database.Scan(ctx, db.keys, db.NewSelect().Model((*keyRow)(nil)).Column("k.hash").Where("k.id = ?", id).Where("k.tenant_id = ?", tenantID), &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return hash, err
}

// KeyPrincipals returns the principals of the keys with the given hashes that
// are valid at now, by hash, in one indexed statement. The scopes are those of
// the key that its maker still has.
func (db *DB) KeyPrincipals(ctx context.Context, hashes []string, now time.Time) (map[string]KeyPrincipal, error) {
	var rows []struct {
		keyRow `bun:",extend"`

		Role             mission.Role
		Plan             mission.TenantPlan
		Limits           mission.Limits
		AgentsMayApprove bool
	}
	err := database.Scan(ctx, db.keys, db.NewSelect().Model(&rows).Column("k.id", "k.hash", "k.tenant_id", "k.user_id", "k.scopes", "k.expires_at", "k.grace_until", "u.role", "t.plan", "t.limits", "t.agents_may_approve").
		Join("JOIN users AS u ON u.id = k.user_id").Join("JOIN tenants AS t ON t.id = k.tenant_id").
		Where("?", database.In("k.hash", hashes)).Where("k.revoked_at IS NULL").Where("t.deletes_at IS NULL").
		Where("(k.expires_at IS NULL OR k.expires_at > ?)", now).
		Where("(k.grace_until IS NULL OR k.grace_until > ?)", now), &rows)
	principals := make(map[string]KeyPrincipal, len(rows))
	for _, row := range rows {
		principals[row.Hash] = KeyPrincipal{expiresAt: row.ExpiresAt, graceUntil: row.GraceUntil, Principal: mission.Principal{
			TenantID: row.TenantID, UserID: row.UserID, KeyID: row.ID, Scopes: mission.ScopesWithin(row.Scopes, row.Role),
			Plan: row.Plan, Limits: row.Limits, AgentsMayApprove: row.AgentsMayApprove,
		}}
	}
	return principals, err
}

// KeysByID returns those of a tenant's API keys that exist, by id.
func (db *DB) KeysByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.APIKey, error) {
	return byID(ctx, db, "k", tenantID, ids, keyRow.key, func(x mission.APIKey) string { return x.ID })
}
