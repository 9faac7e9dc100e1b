package accounts

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// Times of signing keys, in real time.
const (
	// keyAhead is how long before its first use a new key is added. Every process loads
	// new keys more often than that.
	keyAhead = 2 * time.Minute
	// keyAge is the age at which a key is replaced.
	keyAge = 30 * 24 * time.Hour
	// keyRest is how long a replaced key is retained: longer than its last token lives.
	keyRest = 2 * mission.TokenLife
	// reloadSpacing is the least time between two reloads for an unknown key.
	reloadSpacing = time.Second
)

func signingContext(id string) string { return "signing_keys/" + id }

// probePlace and probeText make the sealed text by which CheckSecrets recognises the
// database's secret keys.
const (
	probePlace = "settings/secret_probe"
	probeText  = "missiond"
)

// CheckSecrets returns an error if the configured secret keys aren't those that the
// database was written with. It marks a new database with them.
func (a *Service) CheckSecrets(ctx context.Context) error {
	sealed, ok, err := a.db.SecretProbe(ctx)
	if err == nil && !ok {
		err = a.store.Tx(ctx, func(tx store.Tx) error {
			return tx.StoreSecretProbe(ctx, a.secrets.Seal(probePlace, []byte(probeText)))
		})
		if err == nil {
			sealed, _, err = a.db.SecretProbe(ctx) // perhaps a concurrent process's
		}
	}
	if err != nil {
		return err
	}
	if _, err := a.secrets.Open(probePlace, sealed); err != nil {
		return fmt.Errorf("the configured secret keys aren't this database's: %w", err)
	}
	return nil
}

// MaintainKeys creates a signing key if there is none, replaces one that is old, removes
// those that no token needs any more, and loads the others. Every process that issues or
// reads tokens calls it more often than keyAhead.
func (a *Service) MaintainKeys(ctx context.Context) error {
	keys, err := a.db.SigningKeys(ctx)
	if err != nil {
		return err
	}
	now := a.real.Now()
	if len(keys) == 0 || now.Sub(keys[0].ActiveFrom) > keyAge || len(rested(keys, now)) > 0 {
		if err := a.replaceKey(ctx, func(keys []store.SealedKey) bool {
			return len(keys) == 0 || now.Sub(keys[0].ActiveFrom) > keyAge
		}); err != nil {
			return err
		}
		if keys, err = a.db.SigningKeys(ctx); err != nil {
			return err
		}
	}
	return a.useKeys(keys)
}

// RotateSigningKey adds a new signing key, which every process uses two minutes later.
// Tokens of the old key stay valid.
func (a *Service) RotateSigningKey(ctx context.Context) error {
	return a.replaceKey(ctx, func([]store.SealedKey) bool { return true })
}

// replaceKey adds a key if wanted says so, and removes keys that no token needs any more.
// wanted sees the keys under the lock.
func (a *Service) replaceKey(ctx context.Context, wanted func(keys []store.SealedKey) bool) error {
	return a.store.Tx(ctx, func(tx store.Tx) error {
		if err := tx.LockSettings(ctx); err != nil {
			return err
		}
		keys, err := tx.SigningKeys(ctx)
		if err != nil {
			return err
		}
		now := a.real.Now()
		if wanted(keys) {
			if err := tx.AddSigningKey(ctx, a.newSigningKey(len(keys) == 0, now)); err != nil {
				return err
			}
		}
		if old := rested(keys, now); len(old) > 0 {
			return tx.DropSigningKeys(ctx, old)
		}
		return nil
	})
}

func (a *Service) newSigningKey(first bool, now time.Time) store.SealedKey {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails: crypto/rand ends the program instead
	public, _ := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	k := store.SealedKey{ID: "sgn_" + hex.EncodeToString(public[:8]), ActiveFrom: now.Add(keyAhead), CreatedAt: now}
	if first {
		k.ActiveFrom = now
	}
	k.Sealed = a.secrets.Seal(signingContext(k.ID), seed)
	return k
}

// rested returns the ids of the keys that were replaced so long ago that none of their
// tokens is valid. keys are sorted, newest first.
func rested(keys []store.SealedKey, now time.Time) []string {
	var ids []string
	for i := 1; i < len(keys); i++ {
		if now.Sub(keys[i-1].ActiveFrom) > keyRest {
			ids = append(ids, keys[i].ID)
		}
	}
	return ids
}

func (a *Service) useKeys(sealed []store.SealedKey) error {
	keys := make([]identity.SigningKey, 0, len(sealed))
	var errs []error
	for _, k := range sealed {
		seed, err := a.secrets.Open(signingContext(k.ID), k.Sealed)
		if err != nil || len(seed) != ed25519.SeedSize {
			errs = append(errs, fmt.Errorf("the signing key %s can't be read: %w", k.ID, err))
			continue
		}
		keys = append(keys, identity.SigningKey{ID: k.ID, Private: ed25519.NewKeyFromSeed(seed), ActiveFrom: mission.Millis(k.ActiveFrom)})
	}
	a.tokens.SetKeys(keys)
	return errors.Join(errs...)
}

// reloadKeys loads keys that another process made, at most once every reloadSpacing, so
// that tokens with made-up keys cost no more.
func (a *Service) reloadKeys(ctx context.Context) error {
	a.reload.Lock()
	defer a.reload.Unlock()
	now := a.real.Now()
	if now.Sub(a.reload.at) < reloadSpacing {
		return nil
	}
	a.reload.at = now
	keys, err := a.db.SigningKeys(ctx)
	if err != nil {
		return err
	}
	return a.useKeys(keys)
}

// Reseal seals with the first secret key all signing keys that other secret keys sealed,
// and returns how many those were. The other secret keys must stay configured until it
// has returned.
func (a *Service) Reseal(ctx context.Context) (n int, err error) {
	err = a.store.Tx(ctx, func(tx store.Tx) error {
		n = 0
		if err := tx.LockSettings(ctx); err != nil {
			return err
		}
		keys, err := tx.SigningKeys(ctx)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if !a.secrets.Stale(k.Sealed) {
				continue
			}
			seed, err := a.secrets.Open(signingContext(k.ID), k.Sealed)
			if err != nil {
				return err
			}
			n++
			if err := tx.ResealSigningKey(ctx, k.ID, k.Sealed, a.secrets.Seal(signingContext(k.ID), seed)); err != nil {
				return err
			}
		}
		return tx.SetSecretProbe(ctx, a.secrets.Seal(probePlace, []byte(probeText)))
	})
	return n, err
}

// dropBatch is how many old sessions are removed in one transaction.
const dropBatch = 500

// DropOldSessions deletes sessions that ended a day ago or earlier.
func (a *Service) DropOldSessions(ctx context.Context) error {
	for {
		var n int
		err := a.store.Tx(ctx, func(tx store.Tx) (err error) {
			n, err = tx.DropSessions(ctx, a.real.Now().Add(-24*time.Hour), dropBatch)
			return err
		})
		if err != nil || n < dropBatch {
			return err
		}
	}
}
