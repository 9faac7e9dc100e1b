package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type oauthClientRow struct {
	bun.BaseModel `bun:"table:oauth_clients,alias:oc"`
	mission.OAuthClient

	ExpiresAt time.Time
}

func (r oauthClientRow) client() mission.OAuthClient { return r.OAuthClient }

// UnusedOAuthClients returns how many registered clients nobody has let act, or nobody for long.
func (tx Tx) UnusedOAuthClients(ctx context.Context, now time.Time) (int, error) {
	return database.Count(ctx, tx.on, tx.NewSelect().Model((*oauthClientRow)(nil)).Where("oc.expires_at <= ?", now.Add(mission.UnusedClientLife)))
}

// AddOAuthClient inserts a client that registers.
func (tx Tx) AddOAuthClient(ctx context.Context, c mission.OAuthClient) error {
	row := oauthClientRow{OAuthClient: c, ExpiresAt: c.CreatedAt.Add(mission.UnusedClientLife)}
	return tx.write(ctx, tx.NewInsert().Model(&row))
}

// OAuthClient returns a registered client that hasn't expired; ok is false if there is none.
func (db *DB) OAuthClient(ctx context.Context, id string, now time.Time) (c mission.OAuthClient, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Where("oc.id = ?", id).Where("oc.expires_at > ?", now), oauthClientRow.client)
}

// UseOAuthClient records that somebody lets a registered client act. Errors: unmet if it has been deleted.
func (tx Tx) UseOAuthClient(ctx context.Context, id string, now time.Time, unmet error) error {
	q := tx.NewUpdate().Model((*oauthClientRow)(nil)).Set("expires_at = ?", now.Add(mission.UsedClientLife)).Where("oc.id = ?", id)
	return tx.must(ctx, q, 1, unmet)
}

// DropOAuthClients deletes up to limit clients that expire by a time, those that expire first first, and returns their
// number. It skips one that somebody lets act at the same time.
func (tx Tx) DropOAuthClients(ctx context.Context, by time.Time, limit int) (int, error) {
	return tx.changed(ctx, tx.dropOld("oauth_clients", "id", "expires_at <= ? ORDER BY expires_at", by, limit))
}
