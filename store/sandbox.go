package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// SandboxPost is a post on the sandbox platform.
type SandboxPost struct {
	ID        string `bun:",pk"`
	ContentID string
	Part      int // of a thread, from 0
	// AnswerID is the answer that it is; "" if it is a part of the post.
	AnswerID    string
	Platform    mission.Platform
	Body        string
	PublishedAt time.Time
}

type sandboxPostRow struct {
	bun.BaseModel `bun:"table:sandbox_posts,alias:sp"`
	SandboxPost
}

func (r sandboxPostRow) post() SandboxPost { return r.SandboxPost }

// AddSandboxPost inserts a post of the sandbox platform. It is an act of the
// platform, not of the service, so it is committed on its own. Two calls make
// two posts, as on a platform without idempotency keys.
func (db *DB) AddSandboxPost(ctx context.Context, p SandboxPost) error {
	row := sandboxPostRow{SandboxPost: p}
	_, err := db.write.Exec(ctx, db.NewInsert().Model(&row))
	return err
}

// SandboxPost returns the oldest post of the sandbox platform for a part of a
// post of the service, or for an answer to a reply to it; ok is false if there is none.
func (db *DB) SandboxPost(ctx context.Context, contentID string, part int, answerID string) (p SandboxPost, ok bool, err error) {
	return findOne(ctx, db.write, db.NewSelect().Where("sp.content_id = ?", contentID).Where("sp.part = ?", database.Int(part)).Where("sp.answer_id = ?", answerID).OrderExpr("sp.id").Limit(1), sandboxPostRow.post)
}

// SandboxBodies returns the texts of those of the sandbox platform's posts that exist, by id.
func (db *DB) SandboxBodies(ctx context.Context, ids []string) (map[string]string, error) {
	return findMap(ctx, db.read, db.NewSelect().Column("id", "body").Where("?", database.In("sp.id", ids)),
		func(r sandboxPostRow) (string, string) { return r.ID, r.Body })
}

// SandboxPosts returns the sandbox platform's posts of a mission, oldest first.
// It is for audits.
func (db *DB) SandboxPosts(ctx context.Context, missionID string) ([]SandboxPost, error) {
	return findAll(ctx, db.read, db.NewSelect().Join("JOIN contents AS c ON c.id = sp.content_id").
		Where("c.mission_id = ?", missionID).OrderExpr("sp.id"), sandboxPostRow.post)
}
