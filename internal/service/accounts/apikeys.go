package accounts

import (
	"context"
	"time"

	"missiond/internal/identity"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const keyNoun = "API key"

// CreateKey makes an API key and returns its secret, which can't be read again.
// Errors: invalid_request, naming the field; forbidden for a scope that the
// caller lacks; conflict if the tenant has mission.MaxKeys already.
func (a *Service) CreateKey(ctx context.Context, p mission.Principal, in mission.KeyInput) (k mission.APIKey, secret string, err error) {
	if err := in.Check(); err != nil {
		return k, "", err
	}
	made, err := idempotency.Once(ctx, a.db, func(tx store.Tx) (madeKey, error) {
		now, secret := a.clock.Now(), identity.NewKey()
		k, err := mission.NewAPIKey(tx.NewID(mission.PrefixKey, now), identity.KeyPrefix(secret), in, p, now)
		if err != nil {
			return madeKey{Key: k}, err
		}
		if err := roomForKey(ctx, tx, p.TenantID, false, now); err != nil {
			return madeKey{Key: k}, err
		}
		with, err := a.making(ctx, tx, p)
		if err == nil && with != nil {
			k, err = k.Under(*with, now)
		}
		if err != nil {
			return madeKey{Key: k}, err
		}
		return madeKey{Key: k, Secret: secret}, tx.AddKey(
			ctx, k, identity.HashKey(secret), tx.AuditEntry(p, mission.AuditKeyCreated, k.ID, keyDetails(k), now),
		)
	})
	return made.Key, made.Secret, err
}

// roomForKey returns a conflict if a tenant has as many active or rotating keys as it may
// have. It locks the tenant, so that keys aren't counted at the same time.
func roomForKey(ctx context.Context, tx store.Tx, tenantID string, rotating bool, now time.Time) error {
	if _, err := tx.LockTenant(ctx, tenantID); err != nil {
		return err
	}
	n, err := tx.WorkingKeys(ctx, tenantID, rotating, now)
	if err == nil && n >= mission.MaxKeys {
		state := mission.KeyActive
		if rotating {
			state = mission.KeyRotating
		}
		err = mission.Conflict("A tenant has at most %d %s API keys; revoke one first.", mission.MaxKeys, state)
	}
	return err
}

// making returns the key that the caller creates another one with, nil for a
// session. It locks the key's row, or the user's, so that a transaction that takes
// the caller's rights away runs either before or after this one. Errors:
// unauthorized.
func (a *Service) making(ctx context.Context, tx store.Tx, p mission.Principal) (with *mission.APIKey, err error) {
	if p.KeyID == "" {
		_, err = tx.LockUser(ctx, p.TenantID, p.UserID)
	} else {
		var k mission.APIKey
		k, err = tx.LockKey(ctx, p.TenantID, p.KeyID)
		with = &k
	}
	if mission.CodeOf(err) == mission.CodeNotFound {
		err = mission.Unauthorized()
	}
	return with, err
}

// madeKey is a new key with its secret, and the key that it replaces, if any.
type madeKey struct {
	Key, Old mission.APIKey
	Secret   string
}

func keyDetails(k mission.APIKey) map[string]any {
	return map[string]any{"name": k.Name, "key_prefix": k.KeyPrefix, "scopes": k.Scopes}
}

// Keys returns a page of the tenant's keys, newest first, revoked ones included.
// Errors: invalid_request.
func (a *Service) Keys(ctx context.Context, p mission.Principal, page store.Page) (listed store.Listed[mission.APIKey], err error) {
	if err := page.Check(mission.PrefixKey, keyNoun); err != nil {
		return listed, err
	}
	return a.db.Keys(ctx, p.TenantID, page)
}

// CountKeys returns how many keys the tenant has.
func (a *Service) CountKeys(ctx context.Context, p mission.Principal) (int, error) {
	return a.db.CountKeys(ctx, p.TenantID)
}

// Key returns a key of the tenant's. Errors: not_found.
func (a *Service) Key(ctx context.Context, p mission.Principal, id string) (mission.APIKey, error) {
	if !mission.HasIDForm(mission.PrefixKey, id) {
		return mission.APIKey{}, mission.NotFound(keyNoun, id)
	}
	return a.db.Key(ctx, p.TenantID, id)
}

// usageDays is how many days a key's usage covers.
const usageDays = 30

// KeyUsage returns how often keys of the tenant were used in the last 30 days,
// today included, by key id. It takes one statement.
func (a *Service) KeyUsage(ctx context.Context, p mission.Principal, keys ...mission.APIKey) (map[string]int64, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return a.db.KeyRequests(ctx, p.TenantID, idsOf(keys), a.clock.Now().Add(-(usageDays-1)*24*time.Hour))
}

// revokedKeys are a revoked key and those that ended with it.
type revokedKeys struct {
	Key  mission.APIKey
	With []mission.APIKey
}

// RevokeKey revokes a key and all keys that were made with it, and returns those
// too; keys that have ended stay as they are. When it returns, no process accepts
// them any more. Errors: not_found.
func (a *Service) RevokeKey(ctx context.Context, p mission.Principal, id string) (k mission.APIKey, with []mission.APIKey, err error) {
	if !mission.HasIDForm(mission.PrefixKey, id) {
		return k, nil, mission.NotFound(keyNoun, id)
	}
	r, err := idempotency.Once(ctx, a.db, func(tx store.Tx) (r revokedKeys, err error) {
		if r.Key, err = tx.LockKey(ctx, p.TenantID, id); err != nil {
			return r, err
		}
		made, err := tx.LockMadeBy(ctx, p.TenantID, id)
		if err != nil {
			return r, err
		}
		ended, err := endKeys(ctx, tx, p, append([]mission.APIKey{r.Key}, made...), a.clock.Now())
		if r.With = ended; len(ended) > 0 && ended[0].ID == id {
			r.Key, r.With = ended[0], ended[1:]
		}
		return r, err
	})
	if err == nil {
		a.awaitRevocation(ctx)
	}
	return r.Key, r.With, err
}

// endMadeBy has the keys that were made with a rotated key end with its grace.
func endMadeBy(ctx context.Context, tx store.Tx, old mission.APIKey) error {
	made, err := tx.LockMadeBy(ctx, old.TenantID, old.ID)
	if err != nil {
		return err
	}
	for i, k := range made {
		made[i] = k.EndingBy(old.GraceUntil)
	}
	return tx.EndKeys(ctx, made)
}

// idsOf returns the ids of keys.
func idsOf(keys []mission.APIKey) []string {
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	return ids
}

// endKeys revokes those of some keys that haven't ended, with the review links that were made
// with them, and returns them.
func endKeys(
	ctx context.Context, tx store.Tx, p mission.Principal, keys []mission.APIKey, now time.Time,
) (ended []mission.APIKey, err error) {
	var entries []mission.AuditEntry
	for _, k := range keys {
		if k, changed := k.Revoke(now); changed {
			ended = append(ended, k)
			entries = append(entries, tx.AuditEntry(p, mission.AuditKeyRevoked, k.ID, keyDetails(k), now))
		}
	}
	if err := tx.EndReviewLinksOf(ctx, p.TenantID, idsOf(ended), now); err != nil {
		return nil, err
	}
	return ended, tx.EndKeys(ctx, ended, entries...)
}

// RotateKey makes a key's successor and returns its secret, which can't be read
// again; the old key is valid until its grace is over. Errors: invalid_request;
// not_found; conflict for a key that isn't active, or if the tenant has mission.MaxKeys
// rotating ones already.
func (a *Service) RotateKey(
	ctx context.Context, p mission.Principal, id string, graceDays *int,
) (old, next mission.APIKey, secret string, err error) {
	if !mission.HasIDForm(mission.PrefixKey, id) {
		return old, next, "", mission.NotFound(keyNoun, id)
	}
	made, err := idempotency.Once(ctx, a.db, func(tx store.Tx) (r madeKey, err error) {
		now := a.clock.Now()
		if err := roomForKey(ctx, tx, p.TenantID, true, now); err != nil {
			return r, err
		}
		with, err := a.making(ctx, tx, p)
		if err != nil {
			return r, err
		}
		locked, err := tx.LockKey(ctx, p.TenantID, id)
		if err != nil {
			return r, err
		}
		r.Secret = identity.NewKey()
		r.Old, r.Key, err = locked.Rotate(tx.NewID(mission.PrefixKey, now), identity.KeyPrefix(r.Secret), graceDays, p, with, now)
		if err != nil {
			return r, err
		}
		if err := endMadeBy(ctx, tx, r.Old); err != nil {
			return r, err
		}
		rotated := map[string]any{"name": r.Old.Name, "key_prefix": r.Old.KeyPrefix, "successor": r.Key.ID, "valid_until": r.Old.GraceUntil}
		if err := tx.EndKeys(ctx, []mission.APIKey{r.Old}, tx.AuditEntry(p, mission.AuditKeyRotated, r.Old.ID, rotated, now)); err != nil {
			return r, err
		}
		return r, tx.AddKey(ctx, r.Key, identity.HashKey(r.Secret), tx.AuditEntry(p, mission.AuditKeyCreated, r.Key.ID, keyDetails(r.Key), now))
	})
	if err == nil {
		a.awaitRevocation(ctx) // the grace may be zero
	}
	return made.Old, made.Key, made.Secret, err
}

// KeysByID returns the tenant's keys with the given ids.
func (a *Service) KeysByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.APIKey, error) {
	return a.db.KeysByID(ctx, p.TenantID, ids)
}
