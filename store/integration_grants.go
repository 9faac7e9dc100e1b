package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// Grant is an authorization that an integration waits for.
type Grant struct {
	bun.BaseModel `bun:"table:integration_grants,alias:g"`

	StateHash     string `bun:",pk"`
	IntegrationID string
	TenantID      string
	// UserID, KeyID and SessionID identify who requested it (see
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
	spare := tx.NewSelect().Model((*Grant)(nil)).Column("state_hash").Where("g.integration_id = ?", g.IntegrationID).
		Where("g.expires_at > ?", now).OrderExpr("g.expires_at DESC").Limit(maxGrants - 1)
	err := tx.write(ctx, tx.NewDelete().Model((*Grant)(nil)).Where("integration_id = ?", g.IntegrationID).Where("state_hash NOT IN (?)", spare))
	if err != nil {
		return err
	}
	return tx.write(ctx, tx.NewInsert().Model(&g))
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
	err = database.Scan(ctx, tx.on, query, &g)
	if errors.Is(err, sql.ErrNoRows) {
		return g, false, nil
	}
	return g, err == nil, err
}

// BindGrant binds an authorization to the browser with a cookie.
func (tx Tx) BindGrant(ctx context.Context, g Grant, browserHash string) error {
	return tx.write(ctx, tx.NewUpdate().Model((*Grant)(nil)).Set("browser_hash = ?", browserHash).Where("state_hash = ?", g.StateHash))
}

// DropGrant deletes an authorization, which is used only once.
func (tx Tx) DropGrant(ctx context.Context, g Grant) error {
	return tx.write(ctx, tx.NewDelete().Model((*Grant)(nil)).Where("state_hash = ?", g.StateHash))
}
