package accounts

import (
	"cmp"
	"context"
	"maps"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const sessionNoun = "session"

// Sessions returns a page of a user's sessions that haven't ended, newest first: the
// caller's own if userID is "". Errors: invalid_request; forbidden for another user's,
// and for a key without the scope admin; not_found.
func (a *Service) Sessions(
	ctx context.Context, p mission.Principal, userID string, page store.Page,
) (listed store.Listed[mission.Session], err error) {
	if err := page.Check(mission.PrefixSession, sessionNoun); err != nil {
		return listed, err
	}
	userID = cmp.Or(userID, p.UserID)
	if err := p.CheckSessionsOf(userID); err != nil {
		return listed, err
	}
	if userID != p.UserID {
		if _, err := a.Member(ctx, p, userID); err != nil {
			return listed, err
		}
	}
	return a.db.Sessions(ctx, p.TenantID, userID, a.real.Now(), page)
}

// LastSeen returns when the tenant's users were last seen, by their ids, as their sessions that
// haven't ended say: up to an hour late; nothing for users without one.
func (a *Service) LastSeen(ctx context.Context, p mission.Principal, userIDs []string) (map[string]time.Time, error) {
	return a.db.LastSeen(ctx, p.TenantID, userIDs, a.real.Now())
}

// SessionsByID returns those of the sessions with the given ids that haven't ended and
// that the caller may see.
func (a *Service) SessionsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Session, error) {
	found, err := a.db.SessionsByID(ctx, p.TenantID, ids)
	now := a.real.Now()
	maps.DeleteFunc(found, func(_ string, s mission.Session) bool { return !s.Live(now) || p.CheckSessionsOf(s.UserID) != nil })
	return found, err
}

// EndSession ends a session of the caller's or, with the scope admin, of any member.
// One that has ended stays as it is. When it returns, no process accepts the session
// any more. Errors: not_found.
func (a *Service) EndSession(ctx context.Context, p mission.Principal, id string) error {
	if !mission.HasIDForm(mission.PrefixSession, id) {
		return mission.NotFound(sessionNoun, id)
	}
	_, err := idempotency.Once(ctx, a.db, func(tx store.Tx) (string, error) {
		s, ok, err := tx.LockSession(ctx, id)
		if err != nil {
			return "", err
		}
		if !ok || s.TenantID != p.TenantID || p.CheckSessionsOf(s.UserID) != nil {
			return "", mission.NotFound(sessionNoun, id)
		}
		now := a.real.Now()
		if !s.Live(now) {
			return id, nil
		}
		if err := tx.SetSession(ctx, s.End(now)); err != nil {
			return "", err
		}
		details := map[string]any{"sessions": 1, "session": id}
		return id, tx.Audit(ctx, tx.AuditEntry(p, mission.AuditSessionsEnded, s.UserID, details, a.clock.Now()))
	})
	if err == nil {
		a.awaitRevocation(ctx)
	}
	return err
}
