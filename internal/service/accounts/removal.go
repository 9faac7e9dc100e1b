package accounts

import (
	"context"
	"time"

	"missiond/internal/service/idempotency"
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

// RemoveMember removes a user from the tenant: it ends their sessions and the review links that
// they made, revokes their agents, deletes their personal data, and revokes the keys that they made unless they are to be retained. If the identity provider
// still has them in the organisation, they join again at their next login. Errors:
// invalid_request on keys; not_found; conflict for the caller itself and for the last
// admin.
func (a *Service) RemoveMember(ctx context.Context, p mission.Principal, id string, keys mission.MemberKeys) (r Removed, err error) {
	if keys == "" {
		keys = mission.RevokeKeys
	}
	if keys != mission.KeepKeys && keys != mission.RevokeKeys {
		return r, mission.Invalid("keys", "The keys must be %s or %s.", mission.KeepKeys, mission.RevokeKeys)
	}
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return r, mission.NotFound("member", id)
	}
	r, err = idempotency.Once(ctx, a.db, func(tx store.Tx) (r Removed, err error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return r, err
		}
		u, err := tx.LockUser(ctx, p.TenantID, id)
		if err != nil {
			return r, err
		}
		admins, err := tx.Admins(ctx, p.TenantID)
		if err != nil {
			return r, err
		}
		if err := u.CheckRemoval(p, admins); err != nil {
			return r, err
		}
		if r.Sessions, err = tx.EndSessions(ctx, p.TenantID, id, a.real.Now()); err != nil {
			return r, err
		}
		if r.Keys, err = a.keysLeft(ctx, tx, p, u, keys); err != nil {
			return r, err
		}
		now := a.clock.Now()
		if err := endMadeByUser(ctx, tx, p, u, a.real.Now(), now); err != nil {
			return r, err
		}
		details := map[string]any{"role": u.Role, "sessions": r.Sessions, "keys": len(r.Keys), "keys_revoked": keys == mission.RevokeKeys}
		return r, tx.RemoveUser(ctx, u, now, tx.AuditEntry(p, mission.AuditMemberRemoved, id, details, now))
	})
	if err == nil {
		a.awaitRevocation(ctx)
	}
	return r, err
}

// endMadeByUser revokes the review links that a user made, and the user's agents: those by the real time.
func endMadeByUser(ctx context.Context, tx store.Tx, p mission.Principal, u mission.User, real, now time.Time) error {
	if err := tx.EndReviewLinksOf(ctx, u.TenantID, []string{u.ID}, now); err != nil {
		return err
	}
	working, err := tx.LockAgentsOf(ctx, u.TenantID, u.ID, real)
	for _, agent := range working {
		if ended, changed := agent.Revoke(real); err == nil && changed {
			err = tx.RevokeAgent(ctx, ended, tx.AuditEntry(p, mission.AuditAgentRevoked, ended.ID, ended.AuditDetails(), now))
		}
	}
	return err
}

// keysLeft revokes the keys that a user made, and returns those that it revoked; with KeepKeys
// it returns those that remain valid.
func (a *Service) keysLeft(
	ctx context.Context, tx store.Tx, p mission.Principal, u mission.User, keys mission.MemberKeys,
) ([]mission.APIKey, error) {
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

// endedSessions is how many sessions of a user ended.
type endedSessions struct {
	User  mission.User
	Count int
}

// EndMemberSessions ends a user's sessions, and returns the user and how many sessions
// there were. When it returns, no process accepts them any more. Errors: not_found.
func (a *Service) EndMemberSessions(ctx context.Context, p mission.Principal, id string) (u mission.User, n int, err error) {
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return u, 0, mission.NotFound("member", id)
	}
	ended, err := idempotency.Once(ctx, a.db, func(tx store.Tx) (e endedSessions, err error) {
		if e.User, err = tx.LockUser(ctx, p.TenantID, id); err != nil {
			return e, err
		}
		if e.Count, err = tx.EndSessions(ctx, p.TenantID, id, a.real.Now()); err != nil {
			return e, err
		}
		return e, tx.Audit(ctx, tx.AuditEntry(p, mission.AuditSessionsEnded, id, map[string]any{"sessions": e.Count}, a.clock.Now()))
	})
	if err == nil {
		a.awaitRevocation(ctx)
	}
	return ended.User, ended.Count, err
}
