// Package accounts has the operations on logins, sessions and keys, and on the settings,
// members, notifications and audit logs of tenants.
package accounts

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"missiond/internal/batchcache"
	"missiond/internal/identity"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Clock returns the time.
type Clock interface {
	Now() time.Time
}

// IdentityProvider verifies the tokens of an external identity provider.
// Errors: identity.ErrExternal.
type IdentityProvider interface {
	Verify(ctx context.Context, token string) (identity.External, error)
}

// Missions are what accounts need of missions.
type Missions interface {
	// CreateMissionIn creates a tenant's mission within a transaction, for a user.
	CreateMissionIn(ctx context.Context, tx store.Tx, t mission.Tenant, by string, in mission.CreateInput, now time.Time) (mission.Mission, error)
	// PauseAll pauses a tenant's active missions, and waits for calls to platforms.
	// Errors: service_unavailable if a call takes too long.
	PauseAll(ctx context.Context, tenantID string) error
}

// Media is what accounts need of files.
type Media interface {
	// RemoveAll removes the bytes of all files of a tenant.
	RemoveAll(ctx context.Context, tenantID string) error
}

// Service has the operations on logins, sessions and keys, and on the settings, members
// and audit logs of tenants. It is safe for concurrent use.
type Service struct {
	store    *store.DB
	db       idempotency.DB // the store for changes that callers make
	missions Missions
	media    Media
	clock    Clock
	real     Clock
	provider IdentityProvider
	tokens   *identity.Tokens
	secrets  *seal.Keyring
	mailer   Mailer
	// publicURL is the service's URL for browsers, without a trailing slash; "" if it isn't known.
	publicURL string
	attempts  Attempts
	checker   LoginChecker
	log       *slog.Logger
	uses      meter
	// keys and sessions cache who has a credential.
	keys     batchcache.Cache[store.KeyPrincipal]
	sessions batchcache.Cache[store.SessionPrincipal]
	agents   batchcache.Cache[store.AgentPrincipal]

	reload struct {
		sync.Mutex
		at time.Time
	}
}

// Options are what New needs.
type Options struct {
	Missions Missions // nil where tenants have none
	Media    Media    // nil where tenants have none
	// Clock is the domain's clock, Real the real one, which sessions use.
	Clock, Real Clock
	// Provider verifies logins; nil refuses all of them.
	Provider IdentityProvider
	// Secrets seal the signing keys; without them no session is issued.
	Secrets *seal.Keyring
	// Attempts limits logins; nil is no limit.
	Attempts Attempts
	// DisableCache has each request look up its credential: for tests that count
	// statements or whose clock is stopped.
	DisableCache bool
	// Mailer e-mails notifications; nil sends none. PublicURL is the service's URL for browsers,
	// without a trailing slash, which e-mails name; "" if it isn't known.
	Mailer    Mailer
	PublicURL string
	// LoginChecker checks at each refresh that the login is still valid; nil if
	// the provider can't check it. Log logs failed checks; nil discards them.
	LoginChecker LoginChecker
	Log          *slog.Logger
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	a := &Service{
		store: db, db: idempotency.Of(db), missions: o.Missions, media: o.Media, clock: o.Clock, real: o.Real, provider: o.Provider,
		tokens: identity.NewTokens(o.Real.Now), secrets: o.Secrets, mailer: o.Mailer, publicURL: o.PublicURL, attempts: o.Attempts,
		checker: o.LoginChecker, log: o.Log, uses: meter{counts: map[useKey]*store.Use{}},
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.keys.Lookup = func(ctx context.Context, hashes []string) (map[string]store.KeyPrincipal, error) {
		return db.KeyPrincipals(ctx, hashes, o.Clock.Now())
	}
	a.sessions.Lookup = db.SessionPrincipals
	a.agents.Lookup = func(ctx context.Context, hashes []string) (map[string]store.AgentPrincipal, error) {
		return db.AgentPrincipals(ctx, hashes, o.Real.Now())
	}
	if !o.DisableCache {
		a.keys.TTL, a.sessions.TTL, a.agents.TTL = credentialTTL, credentialTTL, credentialTTL
	}
	return a
}

// Authenticate returns the holder of the credential that a request came with, and
// counts the request. Errors: unauthorized.
func (a *Service) Authenticate(ctx context.Context, credential string) (mission.Principal, error) {
	p, err := a.Identify(ctx, credential)
	if err == nil {
		a.uses.count(p, a.clock.Now())
	}
	return p, err
}

// AuthenticateAgent is Authenticate for an agent's access token (IdentifyAgent).
func (a *Service) AuthenticateAgent(ctx context.Context, token string) (mission.Principal, error) {
	p, err := a.IdentifyAgent(ctx, token)
	if err == nil {
		a.uses.count(p, a.clock.Now())
	}
	return p, err
}

// Identify returns the holder of a credential. Concurrent lookups share one
// indexed statement, and a result is reused for credentialTTL. A text that can't
// be a credential by its form, checksum or signature takes no statement. Errors:
// unauthorized.
func (a *Service) Identify(ctx context.Context, credential string) (mission.Principal, error) {
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

// IdentifyAgent returns the agent that has an access token, and whose person still may what it does.
// REST and GraphQL take no agent's token: its tools alone do. Errors: unauthorized.
func (a *Service) IdentifyAgent(ctx context.Context, token string) (mission.Principal, error) {
	if !identity.IsAgentToken(token) {
		return mission.Principal{}, mission.Unauthorized()
	}
	found, ok, err := a.agents.Get(ctx, identity.HashKey(token))
	if err == nil && !(ok && found.Valid(a.real.Now())) {
		err = mission.Unauthorized()
	}
	if err != nil {
		return mission.Principal{}, err
	}
	return found.Principal, nil
}

// Current returns the holder of p's key or session as it is now, past the cache.
// Errors: unauthorized if the key or session has ended.
func (a *Service) Current(ctx context.Context, p mission.Principal) (mission.Principal, error) {
	if p.KeyID == "" {
		in, ok, err := a.sessions.GetFresh(ctx, p.SessionID)
		if err == nil && !(ok && in.Session.Live(a.real.Now())) {
			err = mission.Unauthorized()
		}
		return in.Principal, err
	}
	hash, err := a.db.KeyHash(ctx, p.TenantID, p.KeyID)
	if err != nil {
		return mission.Principal{}, err
	}
	k, ok, err := a.keys.GetFresh(ctx, hash)
	if err == nil && !(ok && k.Valid(a.clock.Now())) {
		err = mission.Unauthorized()
	}
	return k.Principal, err
}

func (a *Service) keyPrincipal(ctx context.Context, credential string) (p mission.Principal, ok bool, err error) {
	k, ok, err := a.keys.Get(ctx, identity.HashKey(credential))
	return k.Principal, ok && k.Valid(a.clock.Now()), err
}

func (a *Service) sessionPrincipal(ctx context.Context, credential string) (p mission.Principal, ok bool, err error) {
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
	in, ok, err := a.sessions.Get(ctx, token.SessionID)
	if err == nil && ok && !accepts(in) { // it may have been refreshed just now
		in, ok, err = a.sessions.GetFresh(ctx, token.SessionID)
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
func (a *Service) verify(ctx context.Context, credential string) (identity.SessionToken, error) {
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
func (a *Service) Refresh(ctx context.Context, credential string) (Issued, error) {
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
	return a.next(ctx, token, mission.Session.Refresh)
}

// next issues the token of a session's next generation, if the rule allows it. Errors:
// unauthorized.
func (a *Service) next(
	ctx context.Context, token identity.SessionToken,
	rule func(s mission.Session, generation int, now time.Time) (mission.Session, bool),
) (Issued, error) {
	if err := a.checkLogin(ctx, token); err != nil {
		return Issued{}, err
	}
	in, ok, err := a.sessions.GetFresh(ctx, token.SessionID)
	if err == nil && ok && !in.Principal.Enters(a.clock.Now()) {
		err = mission.Unauthorized() // as every request of the session, which goes on if the tenant is restored
	}
	if err != nil {
		return Issued{}, err
	}
	var next mission.Session
	issue := false
	err = a.store.Tx(ctx, func(tx store.Tx) error {
		s, ok, err := tx.LockSession(ctx, token.SessionID)
		if issue = ok && matches(token, s); err != nil || !issue {
			return err
		}
		next, issue = rule(s, token.Generation, a.real.Now())
		return tx.SetSession(ctx, next)
	})
	if err != nil {
		return Issued{}, err
	}
	if !issue {
		a.awaitRevocation(ctx) // that may have ended the session
		return Issued{}, mission.Unauthorized()
	}
	return a.issue(next)
}

// renewBefore is how much time a token has left at most when Renew issues the next.
const renewBefore = 10 * time.Minute

// Renew issues the next token of a session whose token has less than ten minutes left.
// ok is false if it has more, or isn't valid.
func (a *Service) Renew(ctx context.Context, credential string) (issued Issued, ok bool, err error) {
	if identity.IsKey(credential) {
		return issued, false, nil
	}
	token, err := a.verify(ctx, credential)
	if errors.Is(err, identity.ErrToken) || err == nil && token.ExpiresAt.Sub(a.real.Now()) >= renewBefore {
		return issued, false, nil
	}
	if err == nil {
		_, err = a.Identify(ctx, credential) // refuses most that were superseded, without a transaction
	}
	if err == nil {
		issued, err = a.next(ctx, token, mission.Session.Renew)
	}
	if mission.CodeOf(err) == mission.CodeUnauthorized {
		return issued, false, nil
	}
	return issued, err == nil, err
}

// Revoke ends the session of a token. Errors: unauthorized.
func (a *Service) Revoke(ctx context.Context, credential string) error {
	p, err := a.Identify(ctx, credential)
	if err != nil {
		return err
	}
	return a.Logout(ctx, p)
}

// issue signs a token of a session's current generation.
func (a *Service) issue(s mission.Session) (Issued, error) {
	expires := s.TokenExpiry(a.real.Now())
	token, err := a.tokens.Sign(identity.SessionToken{
		SessionID: s.ID, TenantID: s.TenantID, UserID: s.UserID, Generation: s.Generation, ExpiresAt: expires,
	})
	return Issued{Token: token, ExpiresAt: expires}, err
}

// Logout ends the caller's session. When it returns, no process accepts the
// session any more. Errors: invalid_request for an API key.
func (a *Service) Logout(ctx context.Context, p mission.Principal) error {
	if err := p.InSession(); err != nil {
		return err
	}
	return a.endSession(ctx, p.SessionID)
}

// Whoami returns the caller's user, or its creator for an API key, and its tenant.
func (a *Service) Whoami(ctx context.Context, p mission.Principal) (mission.User, mission.Tenant, error) {
	u, err := a.db.Maker(ctx, p.TenantID, p.UserID)
	if err != nil {
		return u, mission.Tenant{}, err
	}
	t, err := a.db.Tenant(ctx, p.TenantID)
	return u, t, err
}
