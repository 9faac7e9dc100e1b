package service

import (
	"context"
	"time"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

const keyNoun = "API key"

// CreateKey makes an API key. Its secret is answered this once. Errors:
// invalid_request, naming the field; forbidden for a scope that the caller
// lacks.
func (a *Accounts) CreateKey(ctx context.Context, p mission.Principal, in mission.KeyInput) (k mission.APIKey, secret string, err error) {
	now := a.clock.Now()
	secret = identity.NewKey()
	if k, err = mission.NewAPIKey(a.db.NewID(mission.PrefixKey, now), identity.KeyPrefix(secret), in, p, now); err != nil {
		return k, "", err
	}
	err = a.db.Tx(ctx, func(tx store.Tx) error {
		return tx.AddKey(ctx, k, identity.HashKey(secret), audit(tx, p, mission.AuditKeyCreated, k.ID, keyDetails(k), now))
	})
	return k, secret, err
}

func keyDetails(k mission.APIKey) map[string]any {
	return map[string]any{"name": k.Name, "key_prefix": k.KeyPrefix, "scopes": k.Scopes}
}

// Keys answers a page of the tenant's keys, newest first, the revoked ones
// among them, and whether more lie beyond it. Errors: invalid_request.
func (a *Accounts) Keys(ctx context.Context, p mission.Principal, page store.Page) ([]mission.APIKey, bool, error) {
	if err := checkPage(page, mission.PrefixKey, keyNoun); err != nil {
		return nil, false, err
	}
	return a.db.Keys(ctx, p.TenantID, page)
}

// CountKeys answers how many keys the tenant has.
func (a *Accounts) CountKeys(ctx context.Context, p mission.Principal) (int, error) {
	return a.db.CountKeys(ctx, p.TenantID)
}

// Key answers a key of the tenant's. Errors: not_found.
func (a *Accounts) Key(ctx context.Context, p mission.Principal, id string) (mission.APIKey, error) {
	if !mission.HasIDForm(mission.PrefixKey, id) {
		return mission.APIKey{}, mission.NotFound(keyNoun, id)
	}
	return a.db.Key(ctx, p.TenantID, id)
}

// usageDays is how far back a key's usage is told.
const usageDays = 30

// KeyUsage answers how often keys of the tenant's were used on the last 30
// days, today among them, by their ids: one statement.
func (a *Accounts) KeyUsage(ctx context.Context, p mission.Principal, keys ...mission.APIKey) (map[string]int64, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	return a.db.KeyRequests(ctx, p.TenantID, ids, a.clock.Now().Add(-(usageDays-1)*24*time.Hour))
}

// RevokeKey ends a key at once; one that has ended stays as it is. Errors:
// not_found.
func (a *Accounts) RevokeKey(ctx context.Context, p mission.Principal, id string) (k mission.APIKey, err error) {
	now := a.clock.Now()
	err = a.changeKey(ctx, p, id, func(tx store.Tx, kept mission.APIKey) error {
		var changed bool
		if k, changed = kept.Revoke(now); !changed {
			return nil
		}
		return tx.EndKey(ctx, k, audit(tx, p, mission.AuditKeyRevoked, k.ID, keyDetails(k), now))
	})
	return k, err
}

// RotateKey makes a key's successor, and lets the key work for the grace only.
// The new secret is answered this once. Errors: invalid_request; not_found;
// conflict for a key that isn't active.
func (a *Accounts) RotateKey(ctx context.Context, p mission.Principal, id string, graceDays *int) (old, next mission.APIKey, secret string, err error) {
	now := a.clock.Now()
	secret = identity.NewKey()
	err = a.changeKey(ctx, p, id, func(tx store.Tx, kept mission.APIKey) error {
		old, next, err = kept.Rotate(tx.NewID(mission.PrefixKey, now), identity.KeyPrefix(secret), graceDays, p, now)
		if err != nil {
			return err
		}
		rotated := map[string]any{"name": old.Name, "key_prefix": old.KeyPrefix, "successor": next.ID, "valid_until": old.GraceUntil}
		if err := tx.EndKey(ctx, old, audit(tx, p, mission.AuditKeyRotated, old.ID, rotated, now)); err != nil {
			return err
		}
		return tx.AddKey(ctx, next, identity.HashKey(secret), audit(tx, p, mission.AuditKeyCreated, next.ID, keyDetails(next), now))
	})
	return old, next, secret, err
}

func (a *Accounts) changeKey(ctx context.Context, p mission.Principal, id string, change func(tx store.Tx, k mission.APIKey) error) error {
	if !mission.HasIDForm(mission.PrefixKey, id) {
		return mission.NotFound(keyNoun, id)
	}
	return a.db.Tx(ctx, func(tx store.Tx) error {
		k, err := tx.LockKey(ctx, p.TenantID, id)
		if err != nil {
			return err
		}
		return change(tx, k)
	})
}
