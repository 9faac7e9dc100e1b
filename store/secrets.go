package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"
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
	err := db.read.NewSelect().Model(&keys).OrderExpr("sk.active_from DESC, sk.id DESC").Scan(ctx)
	return keys, err
}

// LockSettings makes other transactions that lock the settings wait until this
// one ends.
func (tx Tx) LockSettings(ctx context.Context) error {
	const lock = "lock"
	_, err := tx.insert().Model(&settingRow[struct{}]{Name: lock}).
		On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value").Exec(ctx)
	return err
}

// SigningKeys returns the keys as the transaction sees them, newest first.
func (tx Tx) SigningKeys(ctx context.Context) ([]SealedKey, error) {
	var keys []SealedKey
	err := tx.tx.NewSelect().Model(&keys).OrderExpr("sk.active_from DESC, sk.id DESC").Scan(ctx)
	return keys, err
}

// AddSigningKey inserts a key.
func (tx Tx) AddSigningKey(ctx context.Context, k SealedKey) error {
	_, err := tx.insert().Model(&k).Exec(ctx)
	return err
}

// DropSigningKeys deletes the keys with these ids.
func (tx Tx) DropSigningKeys(ctx context.Context, ids []string) error {
	_, err := tx.tx.NewDelete().Model((*SealedKey)(nil)).Where("id IN (?)", bun.List(ids)).Exec(ctx)
	return err
}

// ResealSigningKey replaces a key's ciphertext from by to, unless it has
// changed meanwhile.
func (tx Tx) ResealSigningKey(ctx context.Context, id, from, to string) error {
	_, err := tx.tx.NewUpdate().Model((*SealedKey)(nil)).Set("sealed = ?", to).
		Where("id = ?", id).Where("sealed = ?", from).Exec(ctx)
	return err
}

const probeSetting = "secret_probe"

type secretProbe struct {
	Sealed string `json:"sealed"`
}

// SecretProbe returns a known text, encrypted with the secret key that this
// database is used with; ok is false if none is stored yet.
func (db *DB) SecretProbe(ctx context.Context) (sealed string, ok bool, err error) {
	var row settingRow[secretProbe]
	err = db.read.NewSelect().Model(&row).Where("name = ?", probeSetting).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return row.Value.Sealed, err == nil, err
}

// KeepSecretProbe stores the probe unless there is one.
func (tx Tx) KeepSecretProbe(ctx context.Context, sealed string) error {
	_, err := tx.insert().Model(&settingRow[secretProbe]{Name: probeSetting, Value: secretProbe{Sealed: sealed}}).
		On("CONFLICT (name) DO NOTHING").Exec(ctx)
	return err
}

// SetSecretProbe replaces the probe.
func (tx Tx) SetSecretProbe(ctx context.Context, sealed string) error {
	_, err := tx.tx.NewUpdate().Model(&settingRow[secretProbe]{Name: probeSetting, Value: secretProbe{Sealed: sealed}}).Column("value").WherePK().Exec(ctx)
	return err
}
