package agents

import (
	"context"
	"slices"
	"strings"
	"time"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// refreshRate is how often the tokens of a grant may be rotated.
var refreshRate = mission.Rate{Limit: 120, Per: time.Hour}

// Tokens are the tokens of a grant, which only their holder has.
type Tokens struct {
	Access, Refresh string
	Life            time.Duration // of the access token
	Scopes          []mission.Scope
}

var refusedGrant = mission.Refuse(mission.RefusedGrant, "", "The code or refresh token is invalid, has expired or was used.")

// Redeem exchanges a code for tokens. A code that is used again ends its grant, with all its tokens; one that is used by
// whoever can't prove to have asked for it is burnt. Errors: *mission.AgentRefusal.
func (s *Service) Redeem(ctx context.Context, code, resource string, r mission.Redemption) (Tokens, error) {
	if refused := mission.CheckResource(resource, s.Resource()); refused != nil {
		return Tokens{}, refused
	}
	return s.use(ctx, code, mission.AgentCode, func(_ store.Tx, t mission.AgentToken, a mission.Agent, now time.Time) (mission.TokenUse, error) {
		return t.Redeem(r, a.ClientID, now), nil
	})
}

// Refresh rotates a refresh token. One that is used again ends its grant, unless the answer to the first use may
// have been lost (mission.AgentToken.Rotate). scope is "" or some of the grant's scopes; the tokens have all of those.
// Errors: *mission.AgentRefusal; rate_limit_exceeded.
func (s *Service) Refresh(ctx context.Context, token, clientID, resource, scope string) (Tokens, error) {
	if refused := mission.CheckResource(resource, s.Resource()); refused != nil {
		return Tokens{}, refused
	}
	return s.use(ctx, token, mission.AgentRefresh, func(tx store.Tx, t mission.AgentToken, a mission.Agent, now time.Time) (mission.TokenUse, error) {
		for _, asked := range strings.Fields(scope) {
			if asked != "offline_access" && !slices.Contains(a.Scopes, mission.Scope(asked)) {
				return "", mission.Refuse(mission.RefusedScope, "scope", "A refreshed token has no more scopes than were allowed.")
			}
		}
		successors, err := tx.AgentTokensFor(ctx, t)
		return t.Rotate(clientID, a.ClientID, successors, now), err
	})
}

// rule returns what becomes of a grant whose token is used, under the grant's lock.
type rule func(tx store.Tx, t mission.AgentToken, a mission.Agent, now time.Time) (mission.TokenUse, error)

// hasForm reports whether a text has the form of a token of a kind. One without it needs no lookup.
var hasForm = map[mission.AgentTokenKind]func(string) bool{mission.AgentCode: identity.IsAgentCode, mission.AgentRefresh: identity.IsAgentRefresh}

// use uses a code or a refresh token as a rule says, in one transaction.
func (s *Service) use(ctx context.Context, token string, kind mission.AgentTokenKind, decide rule) (Tokens, error) {
	if !hasForm[kind](token) {
		return Tokens{}, refusedGrant
	}
	known, ok, err := s.store.AgentToken(ctx, identity.HashKey(token))
	if err != nil || !ok {
		return Tokens{}, orRefused(err)
	}
	if err := s.slow(ctx, known); err != nil {
		return Tokens{}, err
	}
	var issued Tokens
	var use mission.TokenUse
	err = s.store.Tx(ctx, func(tx store.Tx) (err error) {
		use, issued = mission.TokenRefused, Tokens{}
		now := s.options.Real.Now()
		a, t, ok, err := lockToken(ctx, tx, known)
		if err != nil || !ok {
			return err
		}
		if use, err = decide(tx, t, a, now); err != nil {
			return err
		}
		if !a.Works(now) && use != mission.TokenBurnt {
			use = mission.TokenRefused
		}
		issued, err = s.follow(ctx, tx, t, a, use, now)
		return err
	})
	if code := mission.CodeOf(err); code == mission.CodeConflict || code == mission.CodeNotFound {
		return Tokens{}, refusedGrant
	}
	if err != nil {
		return Tokens{}, err
	}
	return s.used(ctx, use, issued)
}

// used returns what the use of a token issued, once what was issued before isn't taken any more.
func (s *Service) used(ctx context.Context, use mission.TokenUse, issued Tokens) (Tokens, error) {
	if use == mission.TokenBurnt || use == mission.TokenIssuesAgain {
		s.options.Callers.AwaitRevocation(ctx)
	}
	if issued.Access == "" {
		return Tokens{}, refusedGrant
	}
	return issued, nil
}

func orRefused(err error) error {
	if err != nil {
		return err
	}
	return refusedGrant
}

// slow refuses a grant whose tokens are rotated too often. Errors: rate_limit_exceeded.
func (s *Service) slow(ctx context.Context, t mission.AgentToken) error {
	if s.options.Attempts == nil {
		return nil
	}
	return s.options.Attempts.Take(ctx, "oauth-token:"+t.AgentID, refreshRate)
}

// lockToken returns a token with its grant, both locked; ok is false if it is gone.
func lockToken(ctx context.Context, tx store.Tx, known mission.AgentToken) (a mission.Agent, t mission.AgentToken, ok bool, err error) {
	if a, err = tx.LockAgent(ctx, known.TenantID, known.AgentID); err != nil {
		return a, t, false, err
	}
	t, ok, err = tx.LockAgentToken(ctx, known.Hash)
	return a, t, ok, err
}

// follow does what the use of a token means.
func (s *Service) follow(
	ctx context.Context, tx store.Tx, t mission.AgentToken, a mission.Agent, use mission.TokenUse, now time.Time,
) (Tokens, error) {
	switch use {
	case mission.TokenBurnt:
		return Tokens{}, s.burn(ctx, tx, t, a, now)
	case mission.TokenIssuesAgain:
		if err := tx.VoidAgentTokens(ctx, t, now); err != nil {
			return Tokens{}, err
		}
	case mission.TokenIssues:
		if err := tx.UseAgentToken(ctx, t, now); err != nil {
			return Tokens{}, err
		}
	default:
		return Tokens{}, nil
	}
	return issue(ctx, tx, t, a, now)
}

// burn ends the grant of a token that somebody else has too.
func (s *Service) burn(ctx context.Context, tx store.Tx, t mission.AgentToken, a mission.Agent, now time.Time) error {
	if t.UsedAt == nil && t.VoidedAt == nil {
		if err := tx.UseAgentToken(ctx, t, now); err != nil {
			return err
		}
	}
	return s.end(ctx, tx, mission.Principal{TenantID: a.TenantID, UserID: a.UserID}, a, whyReused)
}

// issue makes an access token and a refresh token, in the place of another token.
func issue(ctx context.Context, tx store.Tx, parent mission.AgentToken, a mission.Agent, now time.Time) (Tokens, error) {
	made := Tokens{
		Access: identity.NewAgentToken(), Refresh: identity.NewAgentRefresh(),
		Life: mission.AccessLife, Scopes: a.Scopes,
	}
	row := func(secret string, kind mission.AgentTokenKind, life time.Duration) mission.AgentToken {
		return mission.AgentToken{
			Hash: identity.HashKey(secret), TenantID: a.TenantID, AgentID: a.ID, Kind: kind, Parent: parent.Hash,
			ExpiresAt: now.Add(life), CreatedAt: now,
		}
	}
	return made, tx.AddAgentTokens(ctx, row(made.Access, mission.AgentAccess, mission.AccessLife), row(made.Refresh, mission.AgentRefresh, mission.RefreshLife))
}

// RevokeToken ends a token for its client (RFC 7009): an access token by itself, a refresh token with its grant.
// One that isn't the client's is left as it is.
func (s *Service) RevokeToken(ctx context.Context, token, clientID string) error {
	if !identity.IsAgentToken(token) && !identity.IsAgentRefresh(token) {
		return nil
	}
	known, ok, err := s.store.AgentToken(ctx, identity.HashKey(token))
	if err != nil || !ok {
		return err
	}
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		a, t, ok, err := lockToken(ctx, tx, known)
		if err != nil || !ok || a.ClientID != clientID {
			return err
		}
		if t.Kind == mission.AgentAccess {
			return tx.DropAgentToken(ctx, t.Hash)
		}
		return s.end(ctx, tx, mission.Principal{TenantID: a.TenantID, UserID: a.UserID}, a, whyByClient)
	})
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil
	}
	if err == nil {
		s.options.Callers.AwaitRevocation(ctx)
	}
	return err
}
