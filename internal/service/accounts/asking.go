package accounts

import (
	"context"
	"errors"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// LoginChecker checks with the identity provider that a session is still valid, and gets
// the user's current role. Errors: identity.ErrGone if it isn't.
type LoginChecker interface {
	CheckLogin(ctx context.Context, who identity.Login) (role string, err error)
}

// checkLogin checks a token's session with the provider, if that is possible, and
// adopts the role that it names. The session ends only if the provider says so,
// not if the provider is unavailable. Errors: unauthorized.
func (a *Service) checkLogin(ctx context.Context, token identity.SessionToken) error {
	if a.checker == nil {
		return nil
	}
	in, ok, err := a.sessions.GetFresh(ctx, token.SessionID)
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
	role, err := a.checker.CheckLogin(
		ctx, identity.Login{SessionID: in.Session.ProviderSession, Subject: u.Subject, OrganizationID: organization},
	)
	switch {
	case errors.Is(err, identity.ErrGone):
		if err := a.endSession(ctx, token.SessionID); err != nil {
			return err
		}
		return mission.Unauthorized()
	case err != nil:
		a.log.WarnContext(ctx, "accounts: check a login with the identity provider; the session continues", "error", err)
		return nil
	case organization == "":
		return nil
	}
	return a.followAt(ctx, u, role)
}

// followAt adopts the role that the provider names for a user outside a login.
func (a *Service) followAt(ctx context.Context, u mission.User, named string) error {
	next, lost := u.Follow(named), false
	if next == u {
		return nil
	}
	err := a.store.Tx(ctx, func(tx store.Tx) (err error) {
		if err = tx.SetProfile(ctx, next); err == nil {
			lost, err = a.follow(ctx, tx, u, next, a.clock.Now())
		}
		return err
	})
	if err == nil && lost {
		a.awaitRevocation(ctx)
	}
	return err
}

// endSession ends a session. When it returns, no process accepts it any more.
func (a *Service) endSession(ctx context.Context, id string) error {
	err := a.store.Tx(ctx, func(tx store.Tx) error {
		s, ok, err := tx.LockSession(ctx, id)
		if err != nil || !ok {
			return err
		}
		return tx.SetSession(ctx, s.End(a.real.Now()))
	})
	if err == nil {
		a.awaitRevocation(ctx)
	}
	return err
}
