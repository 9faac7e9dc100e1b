package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type integrationRow struct {
	bun.BaseModel `bun:"table:integrations,alias:i"`

	ID            string `bun:",pk"`
	TenantID      string
	Platform      mission.Platform
	Status        mission.IntegrationStatus
	Auth          mission.IntegrationAuth
	Server        string
	Account       *mission.Account
	Scopes        []string
	ExpiresAt     *time.Time
	Sealed        string
	Version       int
	RenewingUntil *time.Time
	Error         *mission.Failure
	CheckedAt     *time.Time
	ConnectedAt   *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

func newIntegrationRow(i mission.Integration) integrationRow {
	return integrationRow{
		ID: i.ID, TenantID: i.TenantID, Platform: i.Platform, Status: i.Status, Auth: i.Auth, Server: i.Server, Account: i.Account,
		Scopes: append([]string{}, i.Scopes...), ExpiresAt: i.ExpiresAt, Sealed: i.Sealed, Version: i.Version, Error: i.Error,
		CheckedAt: i.CheckedAt, ConnectedAt: i.ConnectedAt, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
	}
}

func (r integrationRow) integration() mission.Integration {
	return mission.Integration{
		ID: r.ID, TenantID: r.TenantID, Platform: r.Platform, Status: r.Status, Auth: r.Auth, Server: r.Server, Account: r.Account,
		Scopes: r.Scopes, ExpiresAt: utc(r.ExpiresAt), Sealed: r.Sealed, Version: r.Version, Error: r.Error,
		CheckedAt: utc(r.CheckedAt), ConnectedAt: utc(r.ConnectedAt), CreatedAt: mission.Millis(r.CreatedAt), UpdatedAt: mission.Millis(r.UpdatedAt),
	}
}

const integrationNoun = "integration"

var integrationsNewest = keyset{table: "integrations", noun: integrationNoun, at: "i.created_at", id: "i.id"}

// Integrations returns a page of a tenant's integrations, newest first, with the
// number of all: at most one per platform.
// Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Integrations(ctx context.Context, tenantID string, p Page) (Part[mission.Integration], error) {
	b := db.prepared(db.read)
	q := b.NewSelect().Where("i.tenant_id = ?", b.bind(tenantID))
	part, err := readPart(ctx, db, b, q, integrationsNewest, tenantID, p, integrationRow.integration)
	if err != nil {
		return part, err
	}
	n, err := db.read.NewSelect().Model((*integrationRow)(nil)).Where("i.tenant_id = ?", tenantID).Count(ctx)
	part.Total = int(n)
	return part, err
}

// Integration returns a tenant's integration. Errors: not_found.
func (db *DB) Integration(ctx context.Context, tenantID, id string) (mission.Integration, error) {
	return readIntegration(ctx, db.read.NewSelect(), tenantID, id)
}

// IntegrationsByID returns those of a tenant's integrations that exist, by id.
func (db *DB) IntegrationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Integration, error) {
	return byID(ctx, db, "i", tenantID, ids, integrationRow.integration, func(i mission.Integration) string { return i.ID })
}

// ConnectedPlatforms returns the platforms with which a tenant has a connected
// integration.
func (db *DB) ConnectedPlatforms(ctx context.Context, tenantID string) (platforms []mission.Platform, err error) {
	err = db.read.NewSelect().Model((*integrationRow)(nil)).Column("platform").Where("i.tenant_id = ?", tenantID).
		Where("i.status = ?", mission.IntegrationConnected).Scan(ctx, &platforms)
	return platforms, err
}

// LockIntegration returns a tenant's integration and locks it. Errors:
// not_found.
func (tx Tx) LockIntegration(ctx context.Context, tenantID, id string) (mission.Integration, error) {
	return readIntegration(ctx, tx.locking(), tenantID, id)
}

func readIntegration(ctx context.Context, q *bun.SelectQuery, tenantID, id string) (mission.Integration, error) {
	return readOne(ctx, q.Where("i.id = ?", id).Where("i.tenant_id = ?", tenantID), integrationRow.integration, integrationNoun, id)
}

// IntegrationWith returns a tenant's integration with a platform as the
// transaction sees it; ok is false if there is none.
func (tx Tx) IntegrationWith(ctx context.Context, tenantID string, p mission.Platform) (i mission.Integration, ok bool, err error) {
	b := tx.prepared()
	return findOne(ctx, b.NewSelect().Where("i.tenant_id = ?", b.bind(tenantID)).Where("i.platform = ?", b.bind(p)), integrationRow.integration)
}

// AddIntegration inserts a new integration. The caller holds the tenant's lock.
func (tx Tx) AddIntegration(ctx context.Context, i mission.Integration) error {
	row := newIntegrationRow(i)
	_, err := tx.insert().Model(&row).Exec(ctx)
	return err
}

// SetIntegration writes a change of an integration that the caller has locked.
// If its credentials change, a renewal in progress loses its lease. If it was
// connected at now, posts that wait for it are tried.
func (tx Tx) SetIntegration(ctx context.Context, i mission.Integration, now time.Time) error {
	row := newIntegrationRow(i)
	_, err := tx.update().Model(&row).
		Column("status", "auth", "server", "account", "scopes", "expires_at", "sealed", "version", "error", "checked_at", "connected_at", "updated_at").
		Set("renewing_until = CASE WHEN version = ? THEN renewing_until END", i.Version).
		WherePK().Exec(ctx)
	if err != nil || i.ConnectedAt == nil || !i.ConnectedAt.Equal(now) {
		return err
	}
	return tx.wakePosts(ctx, i, now)
}

// wakePosts moves the publishing tasks of late posts on an integration's
// platform to now.
func (tx Tx) wakePosts(ctx context.Context, i mission.Integration, now time.Time) error {
	late := func(column string) *bun.SelectQuery {
		return tx.reading().Model((*contentRow)(nil)).Column(column).
			Where("c.tenant_id = ?", i.TenantID).Where("c.platform = ?", i.Platform).
			Where("c.status IN ('scheduled', 'publishing', 'unknown')").Where("c.scheduled_at <= ?", now)
	}
	tx.done.tasks = true
	_, err := tx.update().Model((*taskRow)(nil)).Set("run_at = ?", now).Set("ring_at = ?", now).Set("lane = ''").
		Where("type = ?", mission.TaskContentPublish).Where("state = 'waiting'").Where("run_at > ?", now).
		Where("mission_id IN (?)", late("mission_id")).Where("subject IN (?)", late("id")).Exec(ctx)
	return err
}

// DeleteIntegration deletes an integration, with an audit log entry.
func (tx Tx) DeleteIntegration(ctx context.Context, i mission.Integration, entry mission.AuditEntry) error {
	if _, err := tx.delete().Model((*integrationRow)(nil)).Where("id = ?", i.ID).Exec(ctx); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// Renewing takes the lease for renewing an integration's credentials; ok is
// false if they have changed since i.Version, or somebody else holds the lease.
func (tx Tx) Renewing(ctx context.Context, i mission.Integration, lease time.Duration) (ok bool, err error) {
	n, err := tx.changed(ctx, tx.update().Model((*integrationRow)(nil)).Set("renewing_until = ?", tx.db.leaseEnd(lease)).
		Where("i.id = ?", i.ID).Where("i.version = ?", i.Version).Where(tx.db.lapsed("i.renewing_until", 0)))
	return n == 1, err
}

// StopRenewing gives up the lease for renewing an integration's credentials.
func (tx Tx) StopRenewing(ctx context.Context, i mission.Integration) error {
	_, err := tx.update().Model((*integrationRow)(nil)).Set("renewing_until = NULL").
		Where("i.id = ?", i.ID).Where("i.version = ?", i.Version).Exec(ctx)
	return err
}

// SealedIntegrations returns up to limit integrations with ids greater than
// after, in order, with their encrypted credentials, and locks them.
func (tx Tx) SealedIntegrations(ctx context.Context, after string, limit int) ([]mission.Integration, error) {
	return findAll(ctx, tx.locking().Where("i.id > ?", after).OrderExpr("i.id").Limit(int64(limit)), integrationRow.integration)
}

// ResealIntegration writes an integration's credentials, encrypted with another
// key.
func (tx Tx) ResealIntegration(ctx context.Context, i mission.Integration) error {
	row := newIntegrationRow(i)
	_, err := tx.update().Model(&row).Column("sealed").WherePK().Exec(ctx)
	return err
}
