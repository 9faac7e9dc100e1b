package service

import (
	"context"
	"errors"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// Asker asks the identity provider whether a login of its goes on. Errors:
// identity.ErrGone where it says that it doesn't.
type Asker interface {
	Ask(ctx context.Context, who identity.Asked) (role string, err error)
}

// askProvider asks the provider about the session that a token is of, where it can
// be asked, and follows the role that it names. A definite word ends the session; a
// provider that doesn't answer is no reason to. Errors: unauthorized.
func (a *Accounts) askProvider(ctx context.Context, token identity.SessionToken) error {
	if a.asker == nil {
		return nil
	}
	in, ok, err := a.sessions.look(ctx, token.SessionID)
	if err != nil || !ok || !matches(token, in.Session) || !in.Session.Accepts(token.Generation, a.real.Now()) {
		return err // who refreshes is told so without
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

// followAt writes the role that the provider names of a user outside a login.
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
		forgotten(ctx)
	}
	return err
}

// endSession ends a session, on every process at once.
func (a *Accounts) endSession(ctx context.Context, id string) error {
	err := a.db.Tx(ctx, func(tx store.Tx) error {
		s, ok, err := tx.LockSession(ctx, id)
		if err != nil || !ok {
			return err
		}
		return tx.SetSession(ctx, s.End(a.real.Now()))
	})
	if err == nil {
		forgotten(ctx)
	}
	return err
}
