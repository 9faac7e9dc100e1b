// Package agents has the operations on programs that act for people: the consents that let them, their tokens, and their
// end.
package agents

import (
	"context"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const agentNoun = "agent"

// Why agents end, as the audit log has it.
const (
	whyRevoked  = "revoked"
	whyReplaced = "replaced"
	whyReused   = "token_used_twice"
	whyByClient = "ended_by_client"
	whyUnused   = "never_connected"
)

// Clock returns the time.
type Clock interface {
	Now() time.Time
}

// Attempts limits how often an action is tried. Errors: rate_limit_exceeded.
type Attempts interface {
	Take(ctx context.Context, name string, rate mission.Rate) error
}

// Callers looks up who calls.
type Callers interface {
	// AwaitRevocation returns once no process takes a credential that was withdrawn before the call.
	AwaitRevocation(ctx context.Context)
}

// Service has the operations on agents. It is safe for concurrent use.
type Service struct {
	store   *store.DB
	db      idempotency.DB // the store for changes that callers make
	options Options
}

// Options are what New needs.
type Options struct {
	// Clock is the domain's clock, Real the real one, by which agents and their tokens expire.
	Clock, Real Clock
	// Issuer is the authorization server's address, without a trailing slash; "" if there is none.
	Issuer    string
	Documents Documents
	Attempts  Attempts // nil is no limit
	Callers   Callers
	// MaxUnused is how many registered clients there are that nobody lets act; 0 is the default.
	MaxUnused int
}

func (o Options) maxUnused() int {
	if o.MaxUnused > 0 {
		return o.MaxUnused
	}
	return maxUnusedClients
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	return &Service{store: db, db: idempotency.Of(db), options: o}
}

// Issuer returns the authorization server's address, which begins those of its endpoints; "" if there is none.
func (s *Service) Issuer() string { return s.options.Issuer }

// resourcePath is that of what tokens are for: the tools.
const resourcePath = "/mcp"

// Resource returns the address of what tokens are for.
func (s *Service) Resource() string { return s.options.Issuer + resourcePath }

// Agents returns a page of the caller's agents or, with the scope admin, of all of the tenant's, newest first. Errors:
// invalid_request.
func (s *Service) Agents(ctx context.Context, p mission.Principal, page store.Page) (listed store.Listed[mission.Agent], err error) {
	if err := page.Check(mission.PrefixAgent, agentNoun); err != nil {
		return listed, err
	}
	return s.db.Agents(ctx, p.TenantID, ownersOf(p), page)
}

// CountAgents returns how many agents Agents lists.
func (s *Service) CountAgents(ctx context.Context, p mission.Principal) (int, error) {
	return s.db.CountAgents(ctx, p.TenantID, ownersOf(p))
}

// ownersOf returns whose agents the principal may see: a user, or everybody for "".
func ownersOf(p mission.Principal) string {
	if p.Has(mission.ScopeAdmin) {
		return ""
	}
	return p.UserID
}

// Agent returns an agent that the caller may see. Errors: not_found.
func (s *Service) Agent(ctx context.Context, p mission.Principal, id string) (a mission.Agent, err error) {
	if mission.HasIDForm(mission.PrefixAgent, id) {
		a, err = s.db.Agent(ctx, p.TenantID, id)
	}
	if err == nil && (a.ID == "" || ownersOf(p) != "" && a.UserID != p.UserID) {
		err = mission.NotFound(agentNoun, id)
	}
	return a, err
}

// AgentsByID returns those of the agents with the given ids that the caller may see.
func (s *Service) AgentsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Agent, error) {
	found, err := s.db.AgentsByID(ctx, p.TenantID, ids)
	for id, a := range found {
		if owner := ownersOf(p); owner != "" && a.UserID != owner {
			delete(found, id)
		}
	}
	return found, err
}

// Seen is an agent as it is now, with what it did today (UTC).
type Seen struct {
	mission.Agent

	Today mission.AgentUse
	// Working reports whether it may act and its client has tokens; Pending, whether its client may still get them for its code.
	Working, Pending bool
}

// See returns agents of the tenant as they are now. It takes two statements.
func (s *Service) See(ctx context.Context, p mission.Principal, agents ...mission.Agent) ([]Seen, error) {
	if len(agents) == 0 {
		return nil, nil
	}
	ids := make([]string, len(agents))
	for i, a := range agents {
		ids[i] = a.ID
	}
	days, err := s.db.AgentDaysOn(ctx, p.TenantID, ids, s.options.Real.Now())
	if err != nil {
		return nil, err
	}
	codes, err := s.db.UnusedAgentCodes(ctx, p.TenantID, ids)
	now, seen := s.options.Real.Now(), make([]Seen, len(agents))
	for i, a := range agents {
		until, unused := codes[a.ID]
		seen[i] = Seen{a, a.Leash.Use(days[a.ID]), a.Works(now) && !unused, a.Works(now) && unused && now.Before(until)}
	}
	return seen, err
}

// Revoke ends an agent of the caller's or, with the scope admin, of any member. One that has ended stays as it is. When it
// returns, no process accepts the agent's tokens any more. Errors: not_found.
func (s *Service) Revoke(ctx context.Context, p mission.Principal, id string) (mission.Agent, error) {
	if !mission.HasIDForm(mission.PrefixAgent, id) {
		return mission.Agent{}, mission.NotFound(agentNoun, id)
	}
	a, err := idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Agent, error) {
		a, err := tx.LockAgent(ctx, p.TenantID, id)
		if err != nil {
			return a, err
		}
		if owner := ownersOf(p); owner != "" && a.UserID != owner {
			return a, mission.NotFound(agentNoun, id)
		}
		return s.ended(ctx, tx, p, a, whyRevoked)
	})
	if err == nil {
		s.options.Callers.AwaitRevocation(ctx)
	}
	return a, err
}

// end ends an agent, with an audit log entry that says why; one that has ended stays as it is.
func (s *Service) end(ctx context.Context, tx store.Tx, p mission.Principal, a mission.Agent, why string) error {
	_, err := s.ended(ctx, tx, p, a, why)
	return err
}

func (s *Service) ended(ctx context.Context, tx store.Tx, p mission.Principal, a mission.Agent, why string) (mission.Agent, error) {
	ended, changed := a.Revoke(s.options.Real.Now())
	if !changed {
		return a, nil
	}
	details := ended.AuditDetails()
	details["why"] = why
	return ended, tx.RevokeAgent(ctx, ended, tx.AuditEntry(p, mission.AuditAgentRevoked, a.ID, details, s.options.Clock.Now()))
}

// EndUnused ends the agents whose code has expired without their client having exchanged it for tokens. Several processes may
// call it concurrently.
func (s *Service) EndUnused(ctx context.Context) error {
	for n := dropBatch; n == dropBatch; {
		codes, err := s.store.ExpiredAgentCodes(ctx, s.options.Real.Now(), dropBatch)
		if err != nil {
			return err
		}
		n = len(codes)
		for _, code := range codes {
			if err := s.store.Tx(ctx, func(tx store.Tx) error { return s.endUnused(ctx, tx, code) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// endUnused ends the agent of a code that has expired, unless the code was used meanwhile, and deletes the code.
func (s *Service) endUnused(ctx context.Context, tx store.Tx, known mission.AgentToken) error {
	a, code, ok, err := lockToken(ctx, tx, known)
	if mission.CodeOf(err) == mission.CodeNotFound { // the agent is gone
		return tx.DropAgentToken(ctx, known.Hash)
	}
	if err != nil || !ok || code.UsedAt != nil {
		return err
	}
	if err := s.end(ctx, tx, mission.Principal{TenantID: a.TenantID, UserID: a.UserID}, a, whyUnused); err != nil {
		return err
	}
	return tx.DropAgentToken(ctx, code.Hash)
}

// dropBatch is how many rows are deleted in one transaction.
const dropBatch = 500

// dayLife is how long it is stored what agents did on a day.
const dayLife = 400 * 24 * time.Hour

// DropOld deletes the clients that have expired, the tokens that did a day ago (until then, the use of an old one says
// that somebody has it), and what agents did on days long past. Several processes may call it concurrently.
func (s *Service) DropOld(ctx context.Context) error {
	now := s.options.Real.Now()
	for _, drop := range []func(tx store.Tx) (int, error){
		func(tx store.Tx) (int, error) { return tx.DropOAuthClients(ctx, now, dropBatch) },
		func(tx store.Tx) (int, error) { return tx.DropAgentTokens(ctx, now.Add(-24*time.Hour), dropBatch) },
		func(tx store.Tx) (int, error) {
			return tx.DropAgentDays(ctx, s.options.Real.Now().Add(-dayLife), dropBatch)
		},
	} {
		for n := dropBatch; n == dropBatch; {
			err := s.store.Tx(ctx, func(tx store.Tx) (err error) { n, err = drop(tx); return err })
			if err != nil {
				return err
			}
		}
	}
	return nil
}
