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

// Accounts has the operations on logins, sessions and keys, and on the settings, members
// and audit logs of tenants. It is safe for concurrent use.
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
	// keys and sessions cache who holds a credential.
	keys     *credentialCache[store.KeyPrincipal]
	sessions *credentialCache[store.SessionPrincipal]

	reload struct {
		sync.Mutex
		at time.Time
	}
}

// AccountsOptions are what NewAccounts needs.
type AccountsOptions struct {
	Missions *Service
	// Clock is the domain's clock, Real the real one, which sessions keep.
	Clock, Real Clock
	// Provider verifies logins; nil refuses all of them.
	Provider IdentityProvider
	// Secrets seal the signing keys; without them no session is issued.
	Secrets *seal.Keyring
	// Attempts limits logins; nil is no limit.
	Attempts Attempts
	// DisableCache has each request look up its credential: for tests that count
	// statements or whose clock stands still.
	DisableCache bool
	// Mailer e-mails notifications; nil sends none.
	Mailer Mailer
	// Asker asks the provider at each refresh whether the login goes on; nil if
	// the provider can't be asked. Log logs failures to ask; nil discards them.
	Asker Asker
	Log   *slog.Logger
}

// NewAccounts returns Accounts over db.
func NewAccounts(db *store.DB, o AccountsOptions) *Accounts {
	a := &Accounts{
		db: db, missions: o.Missions, clock: o.Clock, real: o.Real, provider: o.Provider,
		tokens: identity.NewTokens(o.Real.Now), secrets: o.Secrets, mailer: o.Mailer, attempts: o.Attempts,
		asker: o.Asker, log: o.Log, uses: meter{counts: map[useKey]*store.Use{}},
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.keys = newCredentialCache(o.DisableCache, func(ctx context.Context, hashes []string) (map[string]store.KeyPrincipal, error) {
		return db.KeyPrincipals(ctx, hashes, o.Clock.Now())
	})
	a.sessions = newCredentialCache(o.DisableCache, db.SessionPrincipals)
	return a
}

// Authenticate returns the holder of the credential that a request came with, and
// counts the request. Errors: unauthorized.
func (a *Accounts) Authenticate(ctx context.Context, credential string) (mission.Principal, error) {
	p, err := a.Identify(ctx, credential)
	if err == nil {
		a.uses.count(p, a.clock.Now())
	}
	return p, err
}

// Identify returns the holder of a credential. Concurrent lookups share one
// indexed statement, and a result is reused for credentialTTL. A text that can't
// be a credential by its form, checksum or signature takes no statement. Errors:
// unauthorized.
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

// Current returns the holder of p's key or session as it is now, past the cache.
// Errors: unauthorized if the key or session has ended.
func (a *Accounts) Current(ctx context.Context, p mission.Principal) (mission.Principal, error) {
	if p.KeyID == "" {
		in, ok, err := a.sessions.lookup(ctx, p.SessionID)
		if err == nil && !(ok && in.Session.Live(a.real.Now())) {
			err = mission.Unauthorized()
		}
		return in.Principal, err
	}
	hash, err := a.db.KeyHash(ctx, p.TenantID, p.KeyID)
	if err != nil {
		return mission.Principal{}, err
	}
	k, ok, err := a.keys.lookup(ctx, hash)
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
		in, ok, err = a.sessions.lookup(ctx, token.SessionID)
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
	// Most texts that aren't tokens fail here.
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

// Issued is a session's token, with the user and tenant that it is for.
type Issued struct {
	Token     string
	ExpiresAt time.Time
	User      mission.User
	Tenant    mission.Tenant
}

// Refresh issues the next token of a session. The token given is valid for
// mission.RefreshLeeway longer; using it to refresh after that ends the session.
// Errors: unauthorized; invalid_request for a valid API key.
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
		awaitExpiry(ctx) // that may have ended the session
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

// Logout ends the caller's session. When it returns, no process accepts the
// session any more. Errors: invalid_request for an API key.
func (a *Accounts) Logout(ctx context.Context, p mission.Principal) error {
	if err := p.InSession(); err != nil {
		return err
	}
	return a.endSession(ctx, p.SessionID)
}

// Whoami returns the caller's user, or its creator for an API key, and its tenant.
func (a *Accounts) Whoami(ctx context.Context, p mission.Principal) (mission.User, mission.Tenant, error) {
	u, err := a.db.Maker(ctx, p.TenantID, p.UserID)
	if err != nil {
		return u, mission.Tenant{}, err
	}
	t, err := a.db.Tenant(ctx, p.TenantID)
	return u, t, err
}
