package store

import (
	"context"
	"database/sql"
	"errors"
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

// Integrations returns a page of a tenant's integrations, newest first, whether
// there are more, and how many the tenant has: at most one per platform.
// Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Integrations(ctx context.Context, tenantID string, p Page) (list []mission.Integration, more bool, total int, err error) {
	var rows []integrationRow
	b := db.bound()
	q := b.NewSelect().Model(&rows).Where("i.tenant_id = ?", b.bind(tenantID))
	more, err = readPage(ctx, db, b, q, integrationsNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, 0, err
	}
	list = make([]mission.Integration, len(rows))
	for i, r := range rows {
		list[i] = r.integration()
	}
	n, err := db.read.NewSelect().Model((*integrationRow)(nil)).Where("i.tenant_id = ?", tenantID).Count(ctx)
	return list, more, int(n), err
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
	var row integrationRow
	err := q.Model(&row).Where("i.id = ?", id).Where("i.tenant_id = ?", tenantID).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Integration{}, mission.NotFound(integrationNoun, id)
	}
	return row.integration(), err
}

// IntegrationWith returns a tenant's integration with a platform as the
// transaction sees it; ok is false if there is none.
func (tx Tx) IntegrationWith(ctx context.Context, tenantID string, p mission.Platform) (i mission.Integration, ok bool, err error) {
	var row integrationRow
	b := tx.bound()
	err = b.NewSelect().Model(&row).Where("i.tenant_id = ?", b.bind(tenantID)).Where("i.platform = ?", b.bind(p)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Integration{}, false, nil
	}
	return row.integration(), err == nil, err
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
	_, err := tx.tx.NewUpdate().Model(&row).
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
		return tx.tx.NewSelect().Model((*contentRow)(nil)).Column(column).
			Where("c.tenant_id = ?", i.TenantID).Where("c.platform = ?", i.Platform).
			Where("c.status IN ('scheduled', 'publishing', 'unknown')").Where("c.scheduled_at <= ?", now)
	}
	*tx.tasks = true
	_, err := tx.tx.NewUpdate().Model((*taskRow)(nil)).Set("run_at = ?", now).Set("ring_at = ?", now).Set("lane = ''").
		Where("type = ?", mission.TaskContentPublish).Where("state = 'waiting'").Where("run_at > ?", now).
		Where("mission_id IN (?)", late("mission_id")).Where("subject IN (?)", late("id")).Exec(ctx)
	return err
}

// DeleteIntegration deletes an integration, with an audit log entry.
func (tx Tx) DeleteIntegration(ctx context.Context, i mission.Integration, entry mission.AuditEntry) error {
	if _, err := tx.tx.NewDelete().Model((*integrationRow)(nil)).Where("id = ?", i.ID).Exec(ctx); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// Audit inserts an audit log entry.
func (tx Tx) Audit(ctx context.Context, e mission.AuditEntry) error { return tx.addAudit(ctx, e) }

// Renewing takes the lease for renewing an integration's credentials; ok is
// false if they have changed since i.Version, or somebody else holds the lease.
func (tx Tx) Renewing(ctx context.Context, i mission.Integration, lease time.Duration) (ok bool, err error) {
	res, err := tx.tx.NewUpdate().Model((*integrationRow)(nil)).Set("renewing_until = ?", tx.db.leaseEnd(lease)).
		Where("i.id = ?", i.ID).Where("i.version = ?", i.Version).Where(tx.db.lapsed("i.renewing_until", 0)).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// StopRenewing gives up the lease for renewing an integration's credentials.
func (tx Tx) StopRenewing(ctx context.Context, i mission.Integration) error {
	_, err := tx.tx.NewUpdate().Model((*integrationRow)(nil)).Set("renewing_until = NULL").
		Where("i.id = ?", i.ID).Where("i.version = ?", i.Version).Exec(ctx)
	return err
}

// SealedIntegrations returns up to limit integrations with ids greater than
// after, in order, with their encrypted credentials, and locks them.
func (tx Tx) SealedIntegrations(ctx context.Context, after string, limit int) ([]mission.Integration, error) {
	var rows []integrationRow
	err := tx.locking().Model(&rows).Where("i.id > ?", after).OrderExpr("i.id").Limit(int64(limit)).Scan(ctx)
	list := make([]mission.Integration, len(rows))
	for i, r := range rows {
		list[i] = r.integration()
	}
	return list, err
}

// ResealIntegration writes an integration's credentials, encrypted with another
// key.
func (tx Tx) ResealIntegration(ctx context.Context, i mission.Integration) error {
	row := newIntegrationRow(i)
	_, err := tx.tx.NewUpdate().Model(&row).Column("sealed").WherePK().Exec(ctx)
	return err
}

// Grant is an authorization that an integration waits for.
type Grant struct {
	bun.BaseModel `bun:"table:integration_grants,alias:g"`

	StateHash     string `bun:",pk"`
	IntegrationID string
	TenantID      string
	// UserID, KeyID and SessionID identify who asked for it (see
	// mission.Principal).
	UserID    string
	KeyID     string
	SessionID string
	// StartHash is the hash of the token in the start page's address,
	// BrowserHash that of the cookie that was given to the last browser there;
	// "" until then.
	StartHash   string
	BrowserHash string
	Sealed      string
	ReturnURL   string
	ExpiresAt   time.Time
}

// maxGrants is the maximum number of pending authorizations of an integration.
const maxGrants = 20

// AddGrant inserts an authorization. If its integration has too many, the
// oldest are deleted.
func (tx Tx) AddGrant(ctx context.Context, g Grant, now time.Time) error {
	spare := tx.tx.NewSelect().Model((*Grant)(nil)).Column("state_hash").Where("g.integration_id = ?", g.IntegrationID).
		Where("g.expires_at > ?", now).OrderExpr("g.expires_at DESC").Limit(maxGrants - 1)
	_, err := tx.tx.NewDelete().Model((*Grant)(nil)).Where("integration_id = ?", g.IntegrationID).Where("state_hash NOT IN (?)", spare).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = tx.insert().Model(&g).Exec(ctx)
	return err
}

// LockGrant returns the authorization with a hash of its state or of its start,
// and locks it; the other hash is "". ok is false if there is none, or it has
// expired.
func (tx Tx) LockGrant(ctx context.Context, stateHash, startHash string, now time.Time) (g Grant, ok bool, err error) {
	query := tx.locking().Model(&g).Where("g.expires_at > ?", now)
	if stateHash != "" {
		query = query.Where("g.state_hash = ?", stateHash)
	} else {
		query = query.Where("g.start_hash = ?", startHash)
	}
	err = query.Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return g, false, nil
	}
	return g, err == nil, err
}

// BindGrant binds an authorization to the browser with a cookie.
func (tx Tx) BindGrant(ctx context.Context, g Grant, browserHash string) error {
	_, err := tx.tx.NewUpdate().Model((*Grant)(nil)).Set("browser_hash = ?", browserHash).Where("state_hash = ?", g.StateHash).Exec(ctx)
	return err
}

// DropGrant deletes an authorization, which is used only once.
func (tx Tx) DropGrant(ctx context.Context, g Grant) error {
	_, err := tx.tx.NewDelete().Model((*Grant)(nil)).Where("state_hash = ?", g.StateHash).Exec(ctx)
	return err
}
