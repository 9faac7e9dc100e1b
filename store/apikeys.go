package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type keyRow struct {
	bun.BaseModel `bun:"table:api_keys,alias:k"`

	ID         string `bun:",pk"`
	TenantID   string
	UserID     string
	Name       string
	KeyPrefix  string
	Hash       string
	Scopes     []mission.Scope
	ExpiresAt  *time.Time
	GraceUntil *time.Time
	RevokedAt  *time.Time
	LastUsedAt *time.Time
	Requests   int64
	CreatedAt  time.Time
}

func (r keyRow) key() mission.APIKey {
	return mission.APIKey{
		ID: r.ID, TenantID: r.TenantID, UserID: r.UserID, Name: r.Name, KeyPrefix: r.KeyPrefix, Scopes: r.Scopes,
		ExpiresAt: utc(r.ExpiresAt), GraceUntil: utc(r.GraceUntil), RevokedAt: utc(r.RevokedAt),
		LastUsedAt: utc(r.LastUsedAt), Requests: r.Requests, CreatedAt: mission.Millis(r.CreatedAt),
	}
}

var keysNewest = keyset{table: "api_keys", noun: "API key", at: "k.created_at", id: "k.id"}

// AddKey writes a key, of which only the hash (SHA-256, hex) is kept, with the
// audit log's entry.
func (tx Tx) AddKey(ctx context.Context, k mission.APIKey, hash string, entry mission.AuditEntry) error {
	key := keyRow{
		ID: k.ID, TenantID: k.TenantID, UserID: k.UserID, Name: k.Name, KeyPrefix: k.KeyPrefix, Hash: hash,
		Scopes: k.Scopes, ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
	}
	if _, err := tx.insert().Model(&key).Exec(ctx); err != nil {
		return err
	}
	if err := tx.count(ctx, k.TenantID, counterKeys); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// EndKey writes that a key was revoked or got a grace, with the audit log's
// entry.
func (tx Tx) EndKey(ctx context.Context, k mission.APIKey, entry mission.AuditEntry) error {
	row := keyRow{ID: k.ID, GraceUntil: k.GraceUntil, RevokedAt: k.RevokedAt}
	if _, err := tx.tx.NewUpdate().Model(&row).Column("grace_until", "revoked_at").WherePK().Exec(ctx); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// Key answers a tenant's key. Errors: not_found.
func (db *DB) Key(ctx context.Context, tenantID, id string) (mission.APIKey, error) {
	return readKey(ctx, db.read.NewSelect(), tenantID, id)
}

// LockKey answers a tenant's key for a change. Errors: not_found.
func (tx Tx) LockKey(ctx context.Context, tenantID, id string) (mission.APIKey, error) {
	return readKey(ctx, tx.locking(), tenantID, id)
}

func readKey(ctx context.Context, q *bun.SelectQuery, tenantID, id string) (mission.APIKey, error) {
	var row keyRow
	err := q.Model(&row).Where("k.id = ?", id).Where("k.tenant_id = ?", tenantID).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.APIKey{}, mission.NotFound("API key", id)
	}
	return row.key(), err
}

// Keys answers a page of a tenant's keys, newest first, and whether more lie
// beyond it. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Keys(ctx context.Context, tenantID string, p Page) (list []mission.APIKey, more bool, err error) {
	var rows []keyRow
	b := db.bound()
	q := b.NewSelect().Model(&rows).Where("k.tenant_id = ?", b.bind(tenantID))
	more, err = readPage(ctx, db, b, q, keysNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows {
		list = append(list, r.key())
	}
	return list, more, nil
}

// CountKeys answers how many keys a tenant has, the revoked ones among them.
func (db *DB) CountKeys(ctx context.Context, tenantID string) (int, error) {
	return db.counter(ctx, tenantID, counterKeys)
}

// KeyPrincipal is who holds a key, and when the key ends by itself.
type KeyPrincipal struct {
	Principal             mission.Principal
	expiresAt, graceUntil *time.Time
}

// Valid tells whether the key hasn't ended by itself.
func (k KeyPrincipal) Valid(now time.Time) bool {
	return (k.expiresAt == nil || k.expiresAt.After(now)) && (k.graceUntil == nil || k.graceUntil.After(now))
}

// KeyPrincipals answers who holds the keys of hashes, by these, where they are
// valid at now: one indexed statement. Scopes are those of the key that its
// maker still has.
func (db *DB) KeyPrincipals(ctx context.Context, hashes []string, now time.Time) (map[string]KeyPrincipal, error) {
	var rows []struct {
		keyRow `bun:",extend"`

		Role   mission.Role
		Plan   mission.TenantPlan
		Limits mission.Limits
	}
	b := db.bound()
	err := b.NewSelect().Model(&rows).Column("k.id", "k.hash", "k.tenant_id", "k.user_id", "k.scopes", "k.expires_at", "k.grace_until", "u.role", "t.plan", "t.limits").
		Join("JOIN users AS u ON u.id = k.user_id").Join("JOIN tenants AS t ON t.id = k.tenant_id").
		Where(b.among("k.hash", hashes)).Where("k.revoked_at IS NULL").
		Where("(k.expires_at IS NULL OR k.expires_at > ?)", b.bind(now)).
		Where("(k.grace_until IS NULL OR k.grace_until > ?)", b.bind(now)).Scan(ctx)
	principals := make(map[string]KeyPrincipal, len(rows))
	for _, row := range rows {
		principals[row.Hash] = KeyPrincipal{expiresAt: utc(row.ExpiresAt), graceUntil: utc(row.GraceUntil), Principal: mission.Principal{
			TenantID: row.TenantID, UserID: row.UserID, KeyID: row.ID, Scopes: mission.ScopesWithin(row.Scopes, row.Role),
			Plan: row.Plan, Limits: row.Limits,
		}}
	}
	return principals, err
}
