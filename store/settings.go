package store

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/clock"
)

const clockSetting = "clock"

// DevClock is a development run's clock as its database stores it.
type DevClock struct {
	clock.Anchor
	// SeenReal is when a process last recorded that it uses the clock.
	SeenReal time.Time `json:"seen_real"`
}

// settingRow is a setting with a value of type T, stored as JSON.
type settingRow[T any] struct {
	bun.BaseModel `bun:"table:settings,alias:st"`

	Name  string `bun:",pk"`
	Value T      `bun:"type:jsonb"`
}

// DevClock returns the clock of the last development run, or nil if the
// database is on real time.
func (db *DB) DevClock(ctx context.Context) (*DevClock, error) {
	return setting[DevClock](ctx, db.read, db.NewSelect(), clockSetting)
}

// SetDevClock stores a development run's clock.
func (tx Tx) SetDevClock(ctx context.Context, c DevClock) error {
	return tx.write(ctx, tx.NewInsert().Model(&settingRow[DevClock]{Name: clockSetting, Value: c}).
		On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value"))
}

// LockSettings makes other transactions that lock the settings wait until this
// one ends.
func (tx Tx) LockSettings(ctx context.Context) error {
	const lock = "lock"
	return tx.write(ctx, tx.NewInsert().Model(&settingRow[struct{}]{Name: lock}).
		On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value"))
}

const installationSetting = "installation"

type installation struct {
	ID string `json:"id"`
}

// Installation returns the id of the installation whose database it is. The first call
// makes it.
func (db *DB) Installation(ctx context.Context) (id string, err error) {
	is, err := setting[installation](ctx, db.read, db.NewSelect(), installationSetting)
	if err != nil || is != nil {
		return idOf(is), err
	}
	err = db.Tx(ctx, func(tx Tx) error {
		return tx.write(ctx, tx.NewInsert().Model(&settingRow[installation]{Name: installationSetting, Value: installation{ID: rand.Text()}}).
			On("CONFLICT (name) DO NOTHING"))
	})
	if err == nil {
		is, err = setting[installation](ctx, db.read, db.NewSelect(), installationSetting)
	}
	return idOf(is), err
}

func idOf(i *installation) string {
	if i == nil {
		return ""
	}
	return i.ID
}

const probeSetting = "secret_probe"

type secretProbe struct {
	Sealed string `json:"sealed"`
}

// SecretProbe returns a known text, encrypted with the secret key that this
// database is used with; ok is false if none is stored yet.
func (db *DB) SecretProbe(ctx context.Context) (sealed string, ok bool, err error) {
	probe, err := setting[secretProbe](ctx, db.read, db.NewSelect(), probeSetting)
	if err != nil || probe == nil {
		return "", false, err
	}
	return probe.Sealed, true, nil
}

// StoreSecretProbe stores the probe unless there is one.
func (tx Tx) StoreSecretProbe(ctx context.Context, sealed string) error {
	return tx.write(ctx, tx.NewInsert().Model(&settingRow[secretProbe]{Name: probeSetting, Value: secretProbe{Sealed: sealed}}).
		On("CONFLICT (name) DO NOTHING"))
}

// SetSecretProbe replaces the probe.
func (tx Tx) SetSecretProbe(ctx context.Context, sealed string) error {
	return tx.write(ctx, tx.NewUpdate().Model(&settingRow[secretProbe]{Name: probeSetting, Value: secretProbe{Sealed: sealed}}).Column("value").WherePK())
}
