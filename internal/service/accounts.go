package service

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"missiond/internal/identity"
	"missiond/internal/seal"
	"missiond/mission"
	"missiond/store"
)

// IdentityProvider verifies the tokens of an external identity provider.
// Errors: identity.ErrExternal.
type IdentityProvider interface {
	Verify(ctx context.Context, token string) (identity.External, error)
}

// Accounts is the verbs about who calls: logins, sessions, keys, and the
// settings, members and audit log of tenants. It is safe for concurrent use.
type Accounts struct {
	db       *store.DB
	missions *Service
	clock    Clock
	real     Clock
	provider IdentityProvider
	tokens   *identity.Tokens
	secrets  *seal.Keyring
	mailer   Mailer
	attempts Attempts
	asker    Asker
	log      *slog.Logger
	uses     meter
	// keys and sessions are looked up for all requests that come together.
	keys     *recall[store.KeyPrincipal]
	sessions *recall[store.SessionPrincipal]

	reload struct {
		sync.Mutex
		at time.Time
	}
}

// AccountsOptions are what NewAccounts needs.
type AccountsOptions struct {
	Missions *Service
	// Clock is the domain's, Real is real time, which sessions keep.
	Clock, Real Clock
	// Provider is who logs people in; nil is nobody.
	Provider IdentityProvider
	// Secrets seal what the database keeps; without them no session is issued.
	Secrets *seal.Keyring
	// Attempts bound logins; nil is no bound.
	Attempts Attempts
	// Forgetful has each request's credential looked up anew: for tests that
	// count statements, or whose clock stands still.
	Forgetful bool
	// Mailer e-mails notifications; nil where none are e-mailed.
	Mailer Mailer
	// Asker is asked at each refresh whether the login goes on; nil where the
	// provider can't be asked. Log has what it doesn't answer; nil is nowhere.
	Asker Asker
	Log   *slog.Logger
}

// NewAccounts returns the verbs over db.
func NewAccounts(db *store.DB, o AccountsOptions) *Accounts {
	a := &Accounts{
		db: db, missions: o.Missions, clock: o.Clock, real: o.Real, provider: o.Provider,
		tokens: identity.NewTokens(o.Real.Now), secrets: o.Secrets, mailer: o.Mailer, attempts: o.Attempts,
		asker: o.Asker, log: o.Log, uses: meter{counts: map[useKey]*store.Use{}},
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.keys = newRecall(o.Forgetful, func(ctx context.Context, hashes []string) (map[string]store.KeyPrincipal, error) {
		return db.KeyPrincipals(ctx, hashes, o.Clock.Now())
	})
	a.sessions = newRecall(o.Forgetful, db.SessionPrincipals)
	return a
}

// Authenticate answers who sends a request with a credential. Errors:
// unauthorized.
func (a *Accounts) Authenticate(ctx context.Context, credential string) (mission.Principal, error) {
	p, err := a.Identify(ctx, credential)
	if err == nil {
		a.uses.count(p, a.clock.Now())
	}
	return p, err
}

// Identify returns who holds a credential: one indexed statement a moment for
// all that are asked for together, and none for what can't be a credential by
// its form, its checksum or its signature. Errors: unauthorized.
func (a *Accounts) Identify(ctx context.Context, credential string) (mission.Principal, error) {
	var p mission.Principal
	var ok bool
	var err error
	if identity.IsKey(credential) {
		p, ok, err = a.keyPrincipal(ctx, credential)
	} else {
		p, ok, err = a.sessionPrincipal(ctx, credential)
	}
	if err != nil {
		return mission.Principal{}, err
	}
	if !ok {
		return mission.Principal{}, mission.Unauthorized()
	}
	return p, nil
}

// Current returns the holder of a key or session that called before, as it is
// now: what was read of it a moment ago doesn't count. Errors: unauthorized
// where the key or session has ended.
func (a *Accounts) Current(ctx context.Context, p mission.Principal) (mission.Principal, error) {
	if p.KeyID == "" {
		in, ok, err := a.sessions.look(ctx, p.SessionID)
		if err == nil && !(ok && in.Session.Live(a.real.Now())) {
			err = mission.Unauthorized()
		}
		return in.Principal, err
	}
	hash, err := a.db.KeyHash(ctx, p.TenantID, p.KeyID)
	if err != nil {
		return mission.Principal{}, err
	}
	k, ok, err := a.keys.look(ctx, hash)
	if err == nil && !(ok && k.Valid(a.clock.Now())) {
		err = mission.Unauthorized()
	}
	return k.Principal, err
}

func (a *Accounts) keyPrincipal(ctx context.Context, credential string) (p mission.Principal, ok bool, err error) {
	k, ok, err := a.keys.get(ctx, identity.HashKey(credential))
	return k.Principal, ok && k.Valid(a.clock.Now()), err
}

func (a *Accounts) sessionPrincipal(ctx context.Context, credential string) (p mission.Principal, ok bool, err error) {
	token, err := a.verify(ctx, credential)
	if errors.Is(err, identity.ErrToken) {
		return p, false, nil
	}
	if err != nil {
		return p, false, err
	}
	accepts := func(in store.SessionPrincipal) bool {
		return matches(token, in.Session) && in.Session.Accepts(token.Generation, a.real.Now()) && in.Principal.Enters(a.clock.Now())
	}
	in, ok, err := a.sessions.get(ctx, token.SessionID)
	if err == nil && ok && !accepts(in) { // it may have been refreshed just now
		in, ok, err = a.sessions.look(ctx, token.SessionID)
	}
	if err != nil || !ok || !accepts(in) {
		return mission.Principal{}, false, err
	}
	return in.Principal, true, nil
}

func matches(t identity.SessionToken, s mission.Session) bool {
	return t.SessionID == s.ID && t.TenantID == s.TenantID && t.UserID == s.UserID
}

// verify reads a session's token. Errors: identity.ErrToken.
func (a *Accounts) verify(ctx context.Context, credential string) (identity.SessionToken, error) {
	// Most of what isn't a token shows it at once.
	if strings.Count(credential, ".") != 2 {
		return identity.SessionToken{}, identity.ErrToken
	}
	token, err := a.tokens.Verify(credential)
	if !errors.Is(err, identity.ErrUnknownKey) {
		return token, err
	}
	if err := a.reloadKeys(ctx); err != nil {
		return identity.SessionToken{}, err
	}
	if token, err = a.tokens.Verify(credential); err != nil {
		return identity.SessionToken{}, identity.ErrToken
	}
	return token, nil
}

// Issued is a session's token, and whom it stands for.
type Issued struct {
	Token     string
	ExpiresAt time.Time
	User      mission.User
	Tenant    mission.Tenant
}

// Refresh issues the next token of a session for the one given, which works
// for mission.RefreshLeeway more. Using one to refresh after that ends the
// session. Errors: unauthorized; invalid_request for a key that is valid.
func (a *Accounts) Refresh(ctx context.Context, credential string) (Issued, error) {
	if identity.IsKey(credential) {
		p, err := a.Authenticate(ctx, credential)
		return Issued{}, errors.Join(err, p.InSession())
	}
	token, err := a.verify(ctx, credential)
	if errors.Is(err, identity.ErrToken) {
		return Issued{}, mission.Unauthorized()
	}
	if err != nil {
		return Issued{}, err
	}
	if err := a.askProvider(ctx, token); err != nil {
		return Issued{}, err
	}
	var next mission.Session
	issue := false
	err = a.db.Tx(ctx, func(tx store.Tx) error {
		s, ok, err := tx.LockSession(ctx, token.SessionID)
		if issue = ok && matches(token, s); err != nil || !issue {
			return err
		}
		next, issue = s.Refresh(token.Generation, a.real.Now())
		return tx.SetSession(ctx, next)
	})
	if err != nil {
		return Issued{}, err
	}
	if !issue {
		forgotten(ctx) // that may have ended the session
		return Issued{}, mission.Unauthorized()
	}
	return a.issue(next)
}

// issue signs a token of a session's current generation.
func (a *Accounts) issue(s mission.Session) (Issued, error) {
	expires := s.TokenExpiry(a.real.Now())
	token, err := a.tokens.Sign(identity.SessionToken{
		SessionID: s.ID, TenantID: s.TenantID, UserID: s.UserID, Generation: s.Generation, ExpiresAt: expires,
	})
	return Issued{Token: token, ExpiresAt: expires}, err
}

// Logout ends the caller's session, on every process at once. Errors:
// invalid_request for a key.
func (a *Accounts) Logout(ctx context.Context, p mission.Principal) error {
	if err := p.InSession(); err != nil {
		return err
	}
	return a.endSession(ctx, p.SessionID)
}

// Whoami returns the caller's user, for a key its maker, and tenant.
func (a *Accounts) Whoami(ctx context.Context, p mission.Principal) (mission.User, mission.Tenant, error) {
	u, err := a.db.Maker(ctx, p.TenantID, p.UserID)
	if err != nil {
		return u, mission.Tenant{}, err
	}
	t, err := a.db.Tenant(ctx, p.TenantID)
	return u, t, err
}
