package service

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

// Removed is the result of removing a member.
type Removed struct {
	// Sessions is how many sessions ended.
	Sessions int
	// Keys are the keys that the member made and that hadn't ended, as they are now.
	Keys []mission.APIKey
}

// RemoveMember removes a user from the tenant: it ends their sessions, deletes their
// personal data, and keeps or revokes the keys that they made. If the identity provider
// still has them in the organisation, they join again at their next login. Errors:
// invalid_request on keys; not_found; conflict for the caller itself and for the last
// admin.
func (a *Accounts) RemoveMember(ctx context.Context, p mission.Principal, id string, keys mission.MemberKeys) (r Removed, err error) {
	if keys != mission.KeepKeys && keys != mission.RevokeKeys && keys != "" {
		return r, mission.Invalid("keys", "The keys must be %s or %s.", mission.KeepKeys, mission.RevokeKeys)
	}
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return r, mission.NotFound("member", id)
	}
	err = a.db.Tx(ctx, func(tx store.Tx) error {
		r = Removed{}
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return err
		}
		u, err := tx.LockUser(ctx, p.TenantID, id)
		if err != nil {
			return err
		}
		admins, err := tx.Admins(ctx, p.TenantID)
		if err != nil {
			return err
		}
		if err := u.CheckRemoval(p, admins); err != nil {
			return err
		}
		if r.Sessions, err = tx.EndSessions(ctx, p.TenantID, id, a.real.Now()); err != nil {
			return err
		}
		if r.Keys, err = a.keysLeft(ctx, tx, p, u, keys); err != nil {
			return err
		}
		now := a.clock.Now()
		details := map[string]any{"role": u.Role, "sessions": r.Sessions, "keys": len(r.Keys), "keys_revoked": keys == mission.RevokeKeys}
		return tx.RemoveUser(ctx, u, now, audit(tx, p, mission.AuditMemberRemoved, id, details, now))
	})
	if err == nil {
		awaitExpiry(ctx)
	}
	return r, err
}

// keysLeft returns the keys that a user made and that remain valid; with RevokeKeys it
// revokes them, and returns those that it revoked.
func (a *Accounts) keysLeft(ctx context.Context, tx store.Tx, p mission.Principal, u mission.User, keys mission.MemberKeys) ([]mission.APIKey, error) {
	made, err := tx.LockKeysOf(ctx, u.TenantID, u.ID)
	if err != nil {
		return nil, err
	}
	now := a.clock.Now()
	if keys == mission.RevokeKeys {
		return endKeys(ctx, tx, p, made, now)
	}
	left := []mission.APIKey{}
	for _, k := range made {
		if k.EndedAt(now) == nil {
			left = append(left, k)
		}
	}
	return left, nil
}

// EndMemberSessions ends a user's sessions, and returns the user and how many sessions
// there were. When it returns, no process accepts them any more. Errors: not_found.
func (a *Accounts) EndMemberSessions(ctx context.Context, p mission.Principal, id string) (u mission.User, n int, err error) {
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return u, 0, mission.NotFound("member", id)
	}
	err = a.db.Tx(ctx, func(tx store.Tx) error {
		if u, err = tx.LockUser(ctx, p.TenantID, id); err != nil {
			return err
		}
		if n, err = tx.EndSessions(ctx, p.TenantID, id, a.real.Now()); err != nil {
			return err
		}
		return tx.Audit(ctx, audit(tx, p, mission.AuditSessionsEnded, id, map[string]any{"sessions": n}, a.clock.Now()))
	})
	if err == nil {
		awaitExpiry(ctx)
	}
	return u, n, err
}
