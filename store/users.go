package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`

	ID       string `bun:",pk"`
	TenantID string
	Subject  string `bun:",nullzero"`
	Email    string
	Name     string
	Role     mission.Role
	RoleFrom mission.RoleSource
	// ProviderRole is "" if the identity provider has named none.
	ProviderRole mission.Role
	CreatedAt    time.Time
	RemovedAt    *time.Time
}

func newUserRow(u mission.User) userRow {
	return userRow{
		ID: u.ID, TenantID: u.TenantID, Subject: u.Subject, Email: u.Email, Name: u.Name,
		Role: u.Role, RoleFrom: u.RoleFrom, ProviderRole: u.ProviderRole, CreatedAt: u.CreatedAt,
	}
}

func (r userRow) user() mission.User {
	return mission.User{
		ID: r.ID, TenantID: r.TenantID, Subject: r.Subject, Email: r.Email, Name: r.Name,
		Role: r.Role, RoleFrom: r.RoleFrom, ProviderRole: r.ProviderRole, CreatedAt: mission.Millis(r.CreatedAt),
	}
}

var usersNewest = keyset{table: "users", noun: "member", at: "u.created_at", id: "u.id"}

// AddUser inserts a user with an audit log entry.
func (tx Tx) AddUser(ctx context.Context, u mission.User, entry mission.AuditEntry) error {
	row := newUserRow(u)
	if _, err := tx.insert().Model(&row).Exec(ctx); err != nil {
		return err
	}
	if err := tx.count(ctx, u.TenantID, counterUsers); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// SetProfile writes what the identity provider says about a user: e-mail, name
// and role.
func (tx Tx) SetProfile(ctx context.Context, u mission.User) error {
	row := newUserRow(u)
	_, err := tx.tx.NewUpdate().Model(&row).Column("email", "name", "provider_role").WherePK().Exec(ctx)
	return err
}

// SetRole writes a user's role with an audit log entry.
func (tx Tx) SetRole(ctx context.Context, u mission.User, entry mission.AuditEntry) error {
	row := newUserRow(u)
	if _, err := tx.tx.NewUpdate().Model(&row).Column("role", "role_from").WherePK().Exec(ctx); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// FirstAdmins returns the users of a tenant who are admins only because they
// were its first users, and locks them.
func (tx Tx) FirstAdmins(ctx context.Context, tenantID string) ([]mission.User, error) {
	var rows []userRow
	err := tx.locking().Model(&rows).Where("u.tenant_id = ?", tenantID).Where("u.role_from = ?", mission.RoleAsFirst).
		OrderExpr("u.id").Scan(ctx)
	users := make([]mission.User, len(rows))
	for i, r := range rows {
		users[i] = r.user()
	}
	return users, err
}

// NamesRoles reports whether the identity provider has ever named a role for
// one of a tenant's users, including removed ones.
func (tx Tx) NamesRoles(ctx context.Context, tenantID string) (bool, error) {
	return tx.tx.NewSelect().Model((*userRow)(nil)).Where("u.tenant_id = ?", tenantID).Where("u.provider_role <> ''").Exists(ctx)
}

// Admins returns the number of a tenant's admins, but at most 2.
func (tx Tx) Admins(ctx context.Context, tenantID string) (int, error) {
	var ids []string
	err := tx.tx.NewSelect().Model((*userRow)(nil)).Column("id").Where("tenant_id = ?", tenantID).
		Where("role = ?", mission.RoleAdmin).Where("removed_at IS NULL").Limit(2).Scan(ctx, &ids)
	return len(ids), err
}

// SubjectOf returns the user with a subject at the identity provider, of the
// tenant with an origin; ok is false if there is none.
func (tx Tx) SubjectOf(ctx context.Context, origin, subject string) (u mission.User, ok bool, err error) {
	var row userRow
	err = tx.tx.NewSelect().Model(&row).Join("JOIN tenants AS t ON t.id = u.tenant_id").
		Where("t.origin = ?", origin).Where("u.subject = ?", subject).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return u, false, nil
	}
	return row.user(), err == nil, err
}

// FirstUser returns the first user of the tenant with an origin; ok is false if
// there is none.
func (db *DB) FirstUser(ctx context.Context, origin string) (u mission.User, ok bool, err error) {
	var row userRow
	err = db.read.NewSelect().Model(&row).Join("JOIN tenants AS t ON t.id = u.tenant_id").
		Where("t.origin = ?", origin).Where("u.removed_at IS NULL").OrderExpr("u.id").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return u, false, nil
	}
	return row.user(), err == nil, err
}

// RemoveUser removes a user, with an audit log entry. The row stays for what
// the user made, without any personal data.
func (tx Tx) RemoveUser(ctx context.Context, u mission.User, at time.Time, entry mission.AuditEntry) error {
	row := newUserRow(u)
	row.Email, row.Name, row.Subject, row.RemovedAt = "", "", "", &at
	if _, err := tx.tx.NewUpdate().Model(&row).Column("email", "name", "subject", "removed_at").WherePK().Exec(ctx); err != nil {
		return err
	}
	if err := tx.addCounters(ctx, map[counterRow]int{{TenantID: u.TenantID, Name: counterUsers}: -1}); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// User returns a tenant's user. Errors: not_found.
func (db *DB) User(ctx context.Context, tenantID, id string) (mission.User, error) {
	return readUser(ctx, db.read.NewSelect(), tenantID, id)
}

// LockUser returns a tenant's user and locks it. Errors: not_found.
func (tx Tx) LockUser(ctx context.Context, tenantID, id string) (mission.User, error) {
	return readUser(ctx, tx.locking(), tenantID, id)
}

// Maker returns a tenant's user, even a removed one, as the maker of something.
// Errors: not_found.
func (db *DB) Maker(ctx context.Context, tenantID, id string) (mission.User, error) {
	var row userRow
	b := db.bound()
	err := b.NewSelect().Model(&row).Where("u.id = ?", b.bind(id)).Where("u.tenant_id = ?", b.bind(tenantID)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.User{}, mission.NotFound("member", id)
	}
	return row.user(), err
}

func readUser(ctx context.Context, q *bun.SelectQuery, tenantID, id string) (mission.User, error) {
	var row userRow
	err := q.Model(&row).Where("u.id = ?", id).Where("u.tenant_id = ?", tenantID).Where("u.removed_at IS NULL").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.User{}, mission.NotFound("member", id)
	}
	return row.user(), err
}

// Users returns a page of a tenant's users, newest first, and whether there are
// more. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Users(ctx context.Context, tenantID string, p Page) (list []mission.User, more bool, err error) {
	var rows []userRow
	b := db.bound()
	q := b.NewSelect().Model(&rows).Where("u.tenant_id = ?", b.bind(tenantID)).Where("u.removed_at IS NULL")
	more, err = readPage(ctx, db, b, q, usersNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows {
		list = append(list, r.user())
	}
	return list, more, nil
}

// CountUsers returns how many users a tenant has.
func (db *DB) CountUsers(ctx context.Context, tenantID string) (int, error) {
	return db.counter(ctx, tenantID, counterUsers)
}
