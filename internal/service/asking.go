package service

import (
	"context"
	"errors"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// Asker asks the identity provider whether a session is still valid there, and for
// the user's current role. Errors: identity.ErrGone if it isn't.
type Asker interface {
	Ask(ctx context.Context, who identity.Asked) (role string, err error)
}

// askProvider asks the provider, if it can be asked, about a token's session, and
// adopts the role that it names. The session ends only if the provider says so,
// not if the provider is unavailable. Errors: unauthorized.
func (a *Accounts) askProvider(ctx context.Context, token identity.SessionToken) error {
	if a.asker == nil {
		return nil
	}
	in, ok, err := a.sessions.lookup(ctx, token.SessionID)
	if err != nil || !ok || !matches(token, in.Session) || !in.Session.Accepts(token.Generation, a.real.Now()) {
		return err // Refresh refuses the token by itself
	}
	u, err := a.db.User(ctx, token.TenantID, token.UserID)
	if err != nil {
		return err
	}
	t, err := a.db.Tenant(ctx, token.TenantID)
	if err != nil {
		return err
	}
	organization := identity.OrganizationOf(t.Origin)
	role, err := a.asker.Ask(ctx, identity.Asked{SessionID: in.Session.ProviderSession, Subject: u.Subject, OrganizationID: organization})
	switch {
	case errors.Is(err, identity.ErrGone):
		if err := a.endSession(ctx, token.SessionID); err != nil {
			return err
		}
		return mission.Unauthorized()
	case err != nil:
		a.log.WarnContext(ctx, "accounts: ask the identity provider; the session goes on", "error", err)
		return nil
	case organization == "":
		return nil
	}
	return a.followAt(ctx, u, role)
}

// followAt adopts the role that the provider names for a user outside a login.
func (a *Accounts) followAt(ctx context.Context, u mission.User, named string) error {
	next, lost := u.Follow(named), false
	if next == u {
		return nil
	}
	err := a.db.Tx(ctx, func(tx store.Tx) (err error) {
		if err = tx.SetProfile(ctx, next); err == nil {
			lost, err = a.follow(ctx, tx, u, next, a.clock.Now())
		}
		return err
	})
	if err == nil && lost {
		awaitExpiry(ctx)
	}
	return err
}

// endSession ends a session. When it returns, no process accepts it any more.
func (a *Accounts) endSession(ctx context.Context, id string) error {
	err := a.db.Tx(ctx, func(tx store.Tx) error {
		s, ok, err := tx.LockSession(ctx, id)
		if err != nil || !ok {
			return err
		}
		return tx.SetSession(ctx, s.End(a.real.Now()))
	})
	if err == nil {
		awaitExpiry(ctx)
	}
	return err
}
