package store

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`
	mission.User

	RemovedAt *time.Time
}

func (r userRow) user() mission.User { return r.User }

var usersNewest = keyset{table: "users", noun: "member", at: "u.created_at", id: "u.id"}

// AddUser inserts a user with an audit log entry.
func (tx Tx) AddUser(ctx context.Context, u mission.User, entry mission.AuditEntry) error {
	row := userRow{User: u}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
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
	tx.countChange(u.TenantID, mission.ChangeMembers)
	row := userRow{User: u}
	return tx.write(ctx, tx.NewUpdate().Model(&row).Column("email", "name", "provider_role").WherePK())
}

// SetReviewEmails writes whether a user gets e-mails about posts that wait for review. Errors:
// not_found.
func (tx Tx) SetReviewEmails(ctx context.Context, tenantID, id string, on bool) error {
	tx.countChange(tenantID, mission.ChangeMembers)
	q := tx.NewUpdate().Model((*userRow)(nil)).Set("review_emails_off = ?", !on).Where("id = ?", id).Where("tenant_id = ?", tenantID)
	return tx.must(ctx, q, 1, mission.NotFound("member", id))
}

// SetRole writes a user's role with an audit log entry.
func (tx Tx) SetRole(ctx context.Context, u mission.User, entry mission.AuditEntry) error {
	row := userRow{User: u}
	if err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("role", "role_from").WherePK()); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// FirstAdmins returns the users of a tenant who are admins only because they
// were its first users, and locks them.
func (tx Tx) FirstAdmins(ctx context.Context, tenantID string) ([]mission.User, error) {
	return findAll(ctx, tx.on, tx.locking().Where("u.tenant_id = ?", tenantID).Where("u.role_from = 'first'").
		OrderExpr("u.id"), userRow.user)
}

// NamesRoles reports whether the identity provider has ever named a role for
// one of a tenant's users, including removed ones.
func (tx Tx) NamesRoles(ctx context.Context, tenantID string) (bool, error) {
	var ids []string
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*userRow)(nil)).Column("id").Where("u.tenant_id = ?", tenantID).
		Where("u.provider_role <> ''").Limit(1), &ids)
	return len(ids) > 0, err
}

// Admins returns the number of a tenant's admins, but at most 2.
func (tx Tx) Admins(ctx context.Context, tenantID string) (int, error) {
	var ids []string
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*userRow)(nil)).Column("id").Where("tenant_id = ?", tenantID).
		Where("role = 'admin'").Where("removed_at IS NULL").Limit(2), &ids)
	return len(ids), err
}

// SubjectOf returns the user with a subject at the identity provider, of the
// tenant with an origin; ok is false if there is none.
func (tx Tx) SubjectOf(ctx context.Context, origin, subject string) (u mission.User, ok bool, err error) {
	return findOne(ctx, tx.on, tx.NewSelect().Join("JOIN tenants AS t ON t.id = u.tenant_id").
		Where("t.origin = ?", origin).Where("u.subject = ?", subject), userRow.user)
}

// FirstUser returns the first user of the tenant with an origin; ok is false if
// there is none.
func (db *DB) FirstUser(ctx context.Context, origin string) (u mission.User, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Join("JOIN tenants AS t ON t.id = u.tenant_id").
		Where("t.origin = ?", origin).Where("u.removed_at IS NULL").OrderExpr("u.id").Limit(1), userRow.user)
}

// RemoveUser removes a user, with an audit log entry. The row stays for what
// the user made, without any personal data, which notifications about refused e-mails lose too;
// the drafts go.
func (tx Tx) RemoveUser(ctx context.Context, u mission.User, at time.Time, entry mission.AuditEntry) error {
	row := userRow{User: u}
	row.Email, row.Name, row.Subject, row.RemovedAt = "", "", "", &at
	if err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("email", "name", "subject", "removed_at").WherePK()); err != nil {
		return err
	}
	if err := tx.forgetRefused(ctx, u); err != nil {
		return err
	}
	if err := tx.dropPostDrafts(ctx, u); err != nil {
		return err
	}
	if err := tx.addCounters(ctx, map[counterRow]int{{TenantID: u.TenantID, Name: counterUsers}: -1}); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// User returns a tenant's user. Errors: not_found.
func (db *DB) User(ctx context.Context, tenantID, id string) (mission.User, error) {
	return readUser(ctx, db.read, db.NewSelect(), tenantID, id)
}

// LockUser returns a tenant's user and locks it. Errors: not_found.
func (tx Tx) LockUser(ctx context.Context, tenantID, id string) (mission.User, error) {
	return readUser(ctx, tx.on, tx.locking(), tenantID, id)
}

// Maker returns a tenant's user, even a removed one, as the maker of something.
// Errors: not_found.
func (db *DB) Maker(ctx context.Context, tenantID, id string) (mission.User, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("u.id = ?", id).Where("u.tenant_id = ?", tenantID), userRow.user, "member", id)
}

func readUser(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) (mission.User, error) {
	return readOne(ctx, on, q.Where("u.id = ?", id).Where("u.tenant_id = ?", tenantID).Where("u.removed_at IS NULL"), userRow.user, "member", id)
}

// Users returns a page of a tenant's users, newest first. Errors: invalid_request
// without a param for a foreign cursor.
func (db *DB) Users(ctx context.Context, tenantID string, p Page) (Listed[mission.User], error) {
	q := db.NewSelect().Where("u.tenant_id = ?", tenantID).Where("u.removed_at IS NULL")
	return readPart(ctx, db, q, usersNewest, tenantID, p, userRow.user)
}

// CountUsers returns how many users a tenant has.
func (db *DB) CountUsers(ctx context.Context, tenantID string) (int, error) {
	return db.counter(ctx, tenantID, counterUsers)
}

// UsersByID is DB.UsersByID as the transaction sees them.
func (tx Tx) UsersByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.User, error) {
	return usersByID(ctx, tx.on, tx.NewSelect(), tenantID, ids)
}

// UsersByID returns those of a tenant's users that exist, by id.
func (db *DB) UsersByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.User, error) {
	return usersByID(ctx, db.read, db.NewSelect(), tenantID, ids)
}

func usersByID(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string, ids []string) (map[string]mission.User, error) {
	return findMap(ctx, on, q.Where("u.tenant_id = ?", tenantID).Where("?", database.In("u.id", ids)).
		Where("u.removed_at IS NULL"), func(r userRow) (string, mission.User) { return r.ID, r.user() })
}

// EmailedReviewers returns up to limit of a tenant's members who have an e-mail address, may approve
// posts, and want to know of them: of those with the ids and also, which may be "", or
// of all if there are no ids.
func (db *DB) EmailedReviewers(ctx context.Context, tenantID string, ids []string, also string, limit int) ([]mission.User, error) {
	q := db.emailed(tenantID, limit).Where("u.role IN ('admin', 'editor')").Where("NOT u.review_emails_off")
	if len(ids) > 0 {
		q.Where("?", database.In("u.id", append(slices.Clone(ids), also)))
	}
	return findAll(ctx, db.read, q, userRow.user)
}

// EmailedAdmins returns up to limit of a tenant's admins who have an e-mail address.
func (db *DB) EmailedAdmins(ctx context.Context, tenantID string, limit int) ([]mission.User, error) {
	return findAll(ctx, db.read, db.emailed(tenantID, limit).Where("u.role = 'admin'"), userRow.user)
}

func (db *DB) emailed(tenantID string, limit int) *bun.SelectQuery {
	return db.NewSelect().Where("u.tenant_id = ?", tenantID).Where("u.removed_at IS NULL").Where("u.email <> ''").OrderExpr("u.id").Limit(int64(limit))
}
