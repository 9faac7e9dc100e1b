package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// SandboxPost is a post on the sandbox platform.
type SandboxPost struct {
	ID          string
	ContentID   string
	Platform    mission.Platform
	Body        string
	PublishedAt time.Time
}

type sandboxPostRow struct {
	bun.BaseModel `bun:"table:sandbox_posts,alias:sp"`

	ID          string `bun:",pk"`
	ContentID   string
	Platform    mission.Platform
	Body        string
	PublishedAt time.Time
}

// AddSandboxPost writes a post of the sandbox platform. It is the platform's
// doing, not the service's, so it is committed by itself. Two calls make two
// posts, as with a platform that has no idempotency key.
func (db *DB) AddSandboxPost(ctx context.Context, p SandboxPost) error {
	row := sandboxPostRow{ID: p.ID, ContentID: p.ContentID, Platform: p.Platform, Body: p.Body, PublishedAt: p.PublishedAt}
	_, err := db.write.NewInsert().Model(&row).Exec(ctx)
	return err
}

// SandboxPost answers the oldest post of the sandbox platform for a content;
// ok is false where there is none.
func (db *DB) SandboxPost(ctx context.Context, contentID string) (p SandboxPost, ok bool, err error) {
	var row sandboxPostRow
	err = db.write.NewSelect().Model(&row).Where("sp.content_id = ?", contentID).OrderExpr("sp.id").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return SandboxPost{}, false, nil
	}
	return SandboxPost{
		ID: row.ID, ContentID: row.ContentID, Platform: row.Platform, Body: row.Body, PublishedAt: mission.Millis(row.PublishedAt),
	}, err == nil, err
}
