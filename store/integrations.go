package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type integrationRow struct {
	bun.BaseModel       `bun:"table:integrations,alias:i"`
	mission.Integration // DeletedAt hides the row from all statements that don't ask for deleted ones

	AccountKey    string
	OwnerID       string
	RenewingUntil *time.Time
}

func newIntegrationRow(i mission.Integration) integrationRow {
	row := integrationRow{Integration: i, AccountKey: i.AccountKey()}
	if i.Account != nil {
		row.OwnerID = i.Account.OwnerID
	}
	return row
}

func (r integrationRow) integration() mission.Integration { return r.Integration }

const integrationNoun = "integration"

var integrationsNewest = keyset{table: "integrations", noun: integrationNoun, at: "i.created_at", id: "i.id"}

// Integrations returns a page of a tenant's integrations, newest first, with the
// number of all.
// Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Integrations(ctx context.Context, tenantID string, p Page) (Listed[mission.Integration], error) {
	q := db.NewSelect().Where("i.tenant_id = ?", tenantID)
	part, err := readPart(ctx, db, q, integrationsNewest, tenantID, p, integrationRow.integration)
	if err != nil {
		return part, err
	}
	part.Total, err = countIntegrations(ctx, db.read, db.NewSelect(), tenantID)
	return part, err
}

func countIntegrations(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string) (int, error) {
	return database.Count(ctx, on, q.Model((*integrationRow)(nil)).Where("i.tenant_id = ?", tenantID))
}

// Integration returns a tenant's integration. Errors: not_found.
func (db *DB) Integration(ctx context.Context, tenantID, id string) (mission.Integration, error) {
	return readIntegration(ctx, db.read, db.NewSelect(), tenantID, id)
}

// IntegrationsByID returns those of a tenant's integrations that exist, by id.
func (db *DB) IntegrationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Integration, error) {
	return byID(ctx, db, "i", tenantID, ids, integrationRow.integration, func(i mission.Integration) string { return i.ID })
}

// AllIntegrationsByID is IntegrationsByID with those that were disconnected.
func (db *DB) AllIntegrationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Integration, error) {
	q := db.NewSelect().Model((*integrationRow)(nil)).WhereAllWithDeleted().Where("i.tenant_id = ?", tenantID).Where("?", database.In("i.id", ids))
	return findMap(ctx, db.read, q, func(r integrationRow) (string, mission.Integration) { return r.ID, r.integration() })
}

// IntegrationsByID is DB.IntegrationsByID as the transaction sees them.
func (tx Tx) IntegrationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Integration, error) {
	return findMap(ctx, tx.on, tx.NewSelect().Where("i.tenant_id = ?", tenantID).Where("?", database.In("i.id", ids)), func(r integrationRow) (string, mission.Integration) {
		return r.ID, r.integration()
	})
}

// AccountsOn returns a tenant's integrations with platforms, those of each in the order
// in which they were made.
func (db *DB) AccountsOn(ctx context.Context, tenantID string, platforms []string) (map[mission.Platform][]mission.Integration, error) {
	list, err := findAll(ctx, db.read, db.NewSelect().Where("i.tenant_id = ?", tenantID).Where("?", database.In("i.platform", platforms)).
		OrderExpr("i.created_at, i.id"), integrationRow.integration)
	on := map[mission.Platform][]mission.Integration{}
	for _, i := range list {
		on[i.Platform] = append(on[i.Platform], i)
	}
	return on, err
}

// LockIntegration returns a tenant's integration and locks it. Errors:
// not_found.
func (tx Tx) LockIntegration(ctx context.Context, tenantID, id string) (mission.Integration, error) {
	return readIntegration(ctx, tx.on, tx.locking(), tenantID, id)
}

func readIntegration(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) (mission.Integration, error) {
	return readOne(ctx, on, q.Where("i.id = ?", id).Where("i.tenant_id = ?", tenantID), integrationRow.integration, integrationNoun, id)
}

// PublishingIntegration returns the integration of a tenant's post as the transaction sees
// it, a deleted one too: the one with the id or, if that is "", the platform's default;
// ok is false if there is none.
func (tx Tx) PublishingIntegration(ctx context.Context, tenantID string, p mission.Platform, id string) (i mission.Integration, ok bool, err error) {
	q := tx.NewSelect().Where("i.tenant_id = ?", tenantID).Where("i.platform = ?", p)
	if id == "" {
		q.Where("i.is_default")
	} else {
		q.Model((*integrationRow)(nil)).WhereAllWithDeleted().Where("i.id = ?", id)
	}
	return findOne(ctx, tx.on, q, integrationRow.integration)
}

// Accounts returns a tenant's default integrations with platforms and those with the ids,
// deleted ones too, in the order in which they were made.
func (tx Tx) Accounts(ctx context.Context, tenantID string, platforms []mission.Platform, ids []string) ([]mission.Integration, error) {
	return accounts(ctx, tx.on, tx.NewSelect(), tenantID, platforms, ids)
}

// Accounts is Tx.Accounts outside a transaction.
func (db *DB) Accounts(ctx context.Context, tenantID string, platforms []mission.Platform, ids []string) ([]mission.Integration, error) {
	return accounts(ctx, db.read, db.NewSelect(), tenantID, platforms, ids)
}

func accounts(
	ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string, platforms []mission.Platform, ids []string,
) ([]mission.Integration, error) {
	q.Model((*integrationRow)(nil)).WhereAllWithDeleted().Where("i.tenant_id = ?", tenantID).
		Where("?", database.In("i.platform", platforms)).OrderExpr("i.created_at, i.id")
	if len(ids) == 0 {
		q.Where("i.is_default")
	} else {
		q.Where("(i.is_default OR ?)", database.In("i.id", ids))
	}
	return findAll(ctx, on, q, integrationRow.integration)
}

// IntegrationOf returns a tenant's integration with an account, a deleted one too; ok is
// false if there is none. The caller holds the tenant's lock.
func (tx Tx) IntegrationOf(ctx context.Context, tenantID string, p mission.Platform, accountKey string) (i mission.Integration, ok bool, err error) {
	return findOne(ctx, tx.on, tx.locking().Model((*integrationRow)(nil)).WhereAllWithDeleted().Where("i.tenant_id = ?", tenantID).Where("i.platform = ?", p).
		Where("i.account_key = ?", accountKey), integrationRow.integration)
}

// IntegrationsWith returns a tenant's integrations with a platform, in the order in which
// they were made. The caller holds the tenant's lock.
func (tx Tx) IntegrationsWith(ctx context.Context, tenantID string, p mission.Platform) ([]mission.Integration, error) {
	return findAll(ctx, tx.on, tx.locking().Where("i.tenant_id = ?", tenantID).Where("i.platform = ?", p).OrderExpr("i.created_at, i.id"), integrationRow.integration)
}

// CountIntegrations returns how many integrations a tenant has.
func (tx Tx) CountIntegrations(ctx context.Context, tenantID string) (int, error) {
	return countIntegrations(ctx, tx.on, tx.NewSelect(), tenantID)
}

// CountConnected returns how many webhook endpoints and how many integrations a
// tenant has, in one statement: there are few of both.
func (db *DB) CountConnected(ctx context.Context, tenantID string) (webhooks, integrations int, err error) {
	var row struct{ Webhooks, Integrations int }
	count := func(model any, at string) *bun.SelectQuery {
		return db.NewSelect().Model(model).ColumnExpr("count(*)").Where(at+".tenant_id = ?", tenantID)
	}
	err = database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("(?) AS webhooks", count((*webhookRow)(nil), "w")).
		ColumnExpr("(?) AS integrations", count((*integrationRow)(nil), "i")), &row)
	return row.Webhooks, row.Integrations, err
}

// StoreIntegration inserts an integration, unless it is stored already. The caller holds
// the tenant's lock.
func (tx Tx) StoreIntegration(ctx context.Context, i mission.Integration) error {
	tx.countChange(i.TenantID, mission.ChangeIntegrations)
	row := newIntegrationRow(i)
	return tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (id) DO NOTHING"))
}

// SetIntegration writes a change of an integration that the caller has locked.
// If its credentials change, a renewal in progress loses its lease. If it was disconnected, its days
// are deleted. If it was
// connected at now, posts that wait for it are tried.
func (tx Tx) SetIntegration(ctx context.Context, i mission.Integration, now time.Time) error {
	tx.countChange(i.TenantID, mission.ChangeIntegrations)
	row := newIntegrationRow(i)
	if i.DeletedAt != nil { // what its platform reported may not be kept without its owner's consent
		if err := tx.dropDaysOf(ctx, i.ID); err != nil {
			return err
		}
	}
	err := tx.write(ctx, tx.NewUpdate().Model(&row).
		Column("status", "auth", "server", "account", "account_key", "owner_id", "is_default", "label", "scopes", "expires_at", "sealed", "version",
			"error", "checked_at", "connected_at", "updated_at", "deleted_at").
		Set("renewing_until = CASE WHEN version = ? THEN renewing_until END", database.Int(i.Version)).
		WhereAllWithDeleted().WherePK())
	if err != nil || i.ConnectedAt == nil || !i.ConnectedAt.Equal(now) {
		return err
	}
	return tx.wakePosts(ctx, i, now)
}

// wakePosts moves the publishing tasks of late posts on an integration's
// platform to now, and those of the first comments of its posts.
func (tx Tx) wakePosts(ctx context.Context, i mission.Integration, now time.Time) error {
	late := func(column string) *bun.SelectQuery {
		return tx.NewSelect().Model((*contentRow)(nil)).Column(column).
			Where("c.tenant_id = ?", i.TenantID).Where("c.platform = ?", i.Platform).Where("c.integration_id IN (?, '')", i.ID).
			Where("c.status IN ('scheduled', 'publishing', 'unknown')").Where("c.scheduled_at <= ?", now)
	}
	tx.done.tasks = true
	err := tx.write(ctx, tx.NewUpdate().Model((*taskRow)(nil)).Set("run_at = ?", now).Set("ring_at = ?", now).Set("lane = ''").
		Where("type = 'content:publish'").Where("state = 'waiting'").Where("run_at > ?", now).
		Where("mission_id IN (?)", late("mission_id")).Where("subject IN (?)", late("id")))
	if err != nil {
		return err
	}
	own := tx.NewSelect().Model((*contentRow)(nil)).ColumnExpr("1").Where("c.id = t.subject").Where("c.integration_id = ?", i.ID)
	return tx.write(ctx, tx.NewUpdate().Model((*taskRow)(nil)).Set("run_at = ?", now).Set("ring_at = ?", now).Set("lane = ''").
		Where("tenant_id = ?", i.TenantID).Where("type = 'content:comment'").Where("state = 'waiting'").Where("run_at > ?", now).
		Where("EXISTS (?)", own))
}

// MoveDefault makes one of a platform's integrations no longer the default.
func (tx Tx) MoveDefault(ctx context.Context, tenantID string, p mission.Platform) error {
	return tx.write(ctx, tx.NewUpdate().Model((*integrationRow)(nil)).Set("is_default = FALSE").
		Where("i.tenant_id = ?", tenantID).Where("i.platform = ?", p).Where("i.is_default"))
}

// DropPending deletes an integration that was never connected, with its consents.
func (tx Tx) DropPending(ctx context.Context, i mission.Integration) error {
	return tx.write(ctx, tx.dropPending(i))
}

// DropUnawaited is DropPending, unless a consent for the integration may still come.
func (tx Tx) DropUnawaited(ctx context.Context, i mission.Integration, now time.Time) error {
	awaited := tx.NewSelect().Model((*Grant)(nil)).ColumnExpr("1").Where("g.integration_id = ?", i.ID).Where("g.expires_at > ?", now)
	return tx.write(ctx, tx.dropPending(i).Where("NOT EXISTS (?)", awaited))
}

func (tx Tx) dropPending(i mission.Integration) *bun.DeleteQuery {
	tx.countChange(i.TenantID, mission.ChangeIntegrations)
	return tx.NewDelete().Model((*integrationRow)(nil)).Where("i.id = ?", i.ID).Where("i.account_key = ''").ForceDelete()
}

// Renewing takes the lease for renewing an integration's credentials; ok is
// false if they have changed since i.Version, or somebody else holds the lease.
func (tx Tx) Renewing(ctx context.Context, i mission.Integration, lease time.Duration) (ok bool, err error) {
	n, err := tx.changed(ctx, tx.NewUpdate().Model((*integrationRow)(nil)).Set("renewing_until = ?", tx.db.leaseEnd(lease)).
		Where("i.id = ?", i.ID).Where("i.version = ?", database.Int(i.Version)).Where(tx.db.lapsed("i.renewing_until", 0)))
	return n == 1, err
}

// StopRenewing gives up the lease for renewing an integration's credentials.
func (tx Tx) StopRenewing(ctx context.Context, i mission.Integration) error {
	return tx.write(ctx, tx.NewUpdate().Model((*integrationRow)(nil)).Set("renewing_until = NULL").
		Where("i.id = ?", i.ID).Where("i.version = ?", database.Int(i.Version)))
}

// SealedIntegrations returns up to limit integrations with ids greater than
// after, in order, with their encrypted credentials, and locks them.
func (tx Tx) SealedIntegrations(ctx context.Context, after string, limit int) ([]mission.Integration, error) {
	return findAll(ctx, tx.on, tx.locking().Where("i.id > ?", after).OrderExpr("i.id").Limit(int64(limit)), integrationRow.integration)
}

// ResealIntegration writes an integration's credentials, encrypted with another
// key.
func (tx Tx) ResealIntegration(ctx context.Context, i mission.Integration) error {
	row := newIntegrationRow(i)
	return tx.write(ctx, tx.NewUpdate().Model(&row).Column("sealed").WherePK())
}
