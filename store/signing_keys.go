package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// SealedKey is a key that signs session tokens, encrypted.
type SealedKey struct {
	bun.BaseModel `bun:"table:signing_keys,alias:sk"`

	ID         string `bun:",pk"`
	Sealed     string
	ActiveFrom time.Time
	CreatedAt  time.Time
}

// SigningKeys returns the keys that sign session tokens, newest first.
func (db *DB) SigningKeys(ctx context.Context) ([]SealedKey, error) {
	var keys []SealedKey
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&keys).OrderExpr("sk.active_from DESC, sk.id DESC"), &keys)
	return keys, err
}

// SigningKeys returns the keys as the transaction sees them, newest first.
func (tx Tx) SigningKeys(ctx context.Context) ([]SealedKey, error) {
	var keys []SealedKey
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&keys).OrderExpr("sk.active_from DESC, sk.id DESC"), &keys)
	return keys, err
}

// AddSigningKey inserts a key.
func (tx Tx) AddSigningKey(ctx context.Context, k SealedKey) error {
	return tx.write(ctx, tx.NewInsert().Model(&k))
}

// DropSigningKeys deletes the keys with these ids.
func (tx Tx) DropSigningKeys(ctx context.Context, ids []string) error {
	return tx.write(ctx, tx.NewDelete().Model((*SealedKey)(nil)).Where("?", database.In("id", ids)))
}

// ResealSigningKey replaces a key's ciphertext from by to, unless it has
// changed meanwhile.
func (tx Tx) ResealSigningKey(ctx context.Context, id, from, to string) error {
	return tx.write(ctx, tx.NewUpdate().Model((*SealedKey)(nil)).Set("sealed = ?", to).
		Where("id = ?", id).Where("sealed = ?", from))
}
