package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type tenantRow struct {
	bun.BaseModel `bun:"table:tenants,alias:t"`

	ID        string `bun:",pk"`
	Name      string
	Slug      string
	Plan      mission.TenantPlan
	Limits    map[string]string
	Brand     mission.Brand
	CreatedAt time.Time
	UpdatedAt time.Time
}

func (r tenantRow) tenant() mission.Tenant {
	return mission.Tenant{
		ID: r.ID, Name: r.Name, Slug: r.Slug, Plan: r.Plan, Limits: r.Limits, Brand: r.Brand,
		CreatedAt: mission.Millis(r.CreatedAt), UpdatedAt: mission.Millis(r.UpdatedAt),
	}
}

type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`

	ID        string `bun:",pk"`
	TenantID  string
	Email     string
	Name      string
	Role      mission.Role
	CreatedAt time.Time
}

type keyRow struct {
	bun.BaseModel `bun:"table:api_keys,alias:k"`

	ID        string `bun:",pk"`
	TenantID  string
	UserID    string
	Name      string
	KeyPrefix string
	Hash      string
	Scopes    []mission.Scope
	ExpiresAt *time.Time
	RevokedAt *time.Time
	CreatedAt time.Time
}

// CreateTenant writes a tenant with its first user. Errors: conflict where the
// slug is taken.
func (tx Tx) CreateTenant(ctx context.Context, t mission.Tenant, u mission.User) error {
	row := tenantRow{
		ID: t.ID, Name: t.Name, Slug: t.Slug, Plan: t.Plan, Limits: t.Limits, Brand: t.Brand,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
	res, err := tx.tx.NewInsert().Model(&row).On("CONFLICT (slug) DO NOTHING").Exec(ctx)
	if err := one(res, err, mission.Conflict("The slug %q is taken.", t.Slug)); err != nil {
		return err
	}
	user := userRow{ID: u.ID, TenantID: t.ID, Email: u.Email, Name: u.Name, Role: u.Role, CreatedAt: u.CreatedAt}
	_, err = tx.tx.NewInsert().Model(&user).Exec(ctx)
	return err
}

// AddKey writes a key, of which only the hash (SHA-256, hex) is kept.
func (tx Tx) AddKey(ctx context.Context, k mission.APIKey, hash string) error {
	key := keyRow{
		ID: k.ID, TenantID: k.TenantID, UserID: k.UserID, Name: k.Name, KeyPrefix: k.KeyPrefix, Hash: hash,
		Scopes: k.Scopes, ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
	}
	_, err := tx.tx.NewInsert().Model(&key).Exec(ctx)
	return err
}

// FirstUser answers the first user of the tenant with a slug; ok is false
// where there is none.
func (db *DB) FirstUser(ctx context.Context, slug string) (u mission.User, ok bool, err error) {
	var row userRow
	err = db.read.NewSelect().Model(&row).Join("JOIN tenants AS t ON t.id = u.tenant_id").
		Where("t.slug = ?", slug).OrderExpr("u.id").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.User{}, false, nil
	}
	return mission.User{
		ID: row.ID, TenantID: row.TenantID, Email: row.Email, Name: row.Name, Role: row.Role, CreatedAt: mission.Millis(row.CreatedAt),
	}, err == nil, err
}

// Tenants answers up to limit tenants, newest first, those after the id given
// where it isn't "".
func (db *DB) Tenants(ctx context.Context, after string, limit int) ([]mission.Tenant, error) {
	var rows []tenantRow
	q := db.read.NewSelect().Model(&rows).OrderExpr("t.created_at DESC, t.id DESC").Limit(int64(limit))
	if after != "" {
		q.Where("(t.created_at, t.id) < (SELECT created_at, id FROM tenants WHERE id = ?)", after)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	tenants := make([]mission.Tenant, len(rows))
	for i, r := range rows {
		tenants[i] = r.tenant()
	}
	return tenants, nil
}

// Tenant answers a tenant. Errors: not_found.
func (db *DB) Tenant(ctx context.Context, id string) (mission.Tenant, error) {
	var row tenantRow
	err := db.read.NewSelect().Model(&row).Where("t.id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Tenant{}, mission.NotFound("tenant", id)
	}
	return row.tenant(), err
}

// Principal answers who holds the key of a hash that is valid at now: one
// indexed statement. ok is false where there is none.
func (db *DB) Principal(ctx context.Context, hash string, now time.Time) (p mission.Principal, ok bool, err error) {
	var row keyRow
	err = db.read.NewSelect().Model(&row).Column("id", "tenant_id", "user_id", "scopes").
		Where("hash = ?", hash).Where("revoked_at IS NULL").
		Where("(expires_at IS NULL OR expires_at > ?)", now).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Principal{}, false, nil
	}
	if err != nil {
		return mission.Principal{}, false, err
	}
	return mission.Principal{TenantID: row.TenantID, UserID: row.UserID, KeyID: row.ID, Scopes: row.Scopes}, true, nil
}
