package agents

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"missiond/internal/identity"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// asError is errors.As, whose target is a pointer to an error's type.
func asError[E error](err error, target *E) bool { return errors.As(err, target) }

// Asked is what a person is asked for by an application.
type Asked struct {
	Client  mission.OAuthClient
	Request mission.AgentRequest
	Tenant  mission.Tenant
	// Scopes are those that the application asks for and the person has.
	Scopes []mission.Scope
	// Replaces is the agent of the same name, address and person that would end; nil if there is none.
	Replaces *mission.Agent
	// DenyURL tells the application that the person refuses.
	DenyURL string
}

// Asked returns what a request asks the caller for. Errors: invalid_request, naming the field, also for a key;
// not_found without an authorization server.
func (s *Service) Asked(ctx context.Context, p mission.Principal, r mission.AgentRequest) (Asked, error) {
	c, err := s.check(ctx, p, r)
	if err != nil {
		return Asked{}, err
	}
	asked := Asked{
		Client: c, Request: r, Scopes: scopesFor(p, r),
		DenyURL: r.Refused(s.options.Issuer, mission.Refuse(mission.RefusedByPerson, "", "The person refused.")),
	}
	if asked.Tenant, err = s.db.Tenant(ctx, p.TenantID); err != nil {
		return asked, err
	}
	working, err := s.db.WorkingAgentsOf(ctx, p.TenantID, p.UserID, s.options.Real.Now())
	for _, a := range working {
		if a.Same(c.Name, r.RedirectURI) {
			asked.Replaces = &a
		}
	}
	return asked, err
}

// check returns the client of a request, and whether the caller may be asked. Errors: as Asked's.
func (s *Service) check(ctx context.Context, p mission.Principal, r mission.AgentRequest) (c mission.OAuthClient, err error) {
	if err := p.InSession(); err != nil {
		return c, err
	}
	if s.options.Issuer == "" {
		return c, &mission.Error{Code: mission.CodeNotFound, Message: "Agents can't be connected here: the operator has not set the service's public address (--public-url)."}
	}
	c, err = s.Client(ctx, r.ClientID)
	if err == nil && !c.Redirects(r.RedirectURI) {
		err = mission.Refuse(mission.RefusedRedirect, "redirect_uri", "The application didn't register this address.")
	}
	if err == nil {
		if refused := r.Check(s.Resource()); refused != nil {
			err = refused
		}
	}
	var refused *mission.AgentRefusal
	if asError(err, &refused) {
		err = invalid(refused)
	}
	return c, err
}

// invalid returns a refusal as the page of consent is told it.
func invalid(r *mission.AgentRefusal) error { return mission.Invalid("request."+r.Param, "%s", r.Text) }

// scopesFor returns the scopes that a request asks for and its person has.
func scopesFor(p mission.Principal, r mission.AgentRequest) []mission.Scope {
	asked, _ := mission.AskedScopes(r.Scope)
	return slices.DeleteFunc(asked, func(s mission.Scope) bool { return !p.Has(s) })
}

// Allowed is what a person allows an application.
type Allowed struct {
	Request mission.AgentRequest
	// Scopes are some of those that the request asks for; nil is all that the person has.
	Scopes []mission.Scope
	Leash  mission.Leash
	// Days is how long the application may act; nil is mission.DefaultAgentDays.
	Days *int
	// Keep lets the agent of the same name, address and person go on, which ends otherwise.
	Keep bool
}

// consented is an agent that was allowed, with its code.
type consented struct {
	Agent mission.Agent
	Code  string
}

// Allow lets an application act for the caller, and returns the agent with the address that gives the application its
// code. Errors: as Asked's; conflict if the tenant has mission.MaxAgents already.
func (s *Service) Allow(ctx context.Context, p mission.Principal, in Allowed) (a mission.Agent, back string, err error) {
	c, err := s.check(ctx, p, in.Request)
	if err != nil {
		return a, "", err
	}
	now, may := s.options.Real.Now(), scopesFor(p, in.Request)
	if a, err = mission.NewAgent(p, c, in.Request.RedirectURI, pick(in.Scopes, may), may, in.Leash, in.Days, now); err != nil {
		return a, "", err
	}
	if err := s.checkMissions(ctx, p, a.Leash); err != nil {
		return a, "", err
	}
	made, err := idempotency.Once(ctx, s.db, func(tx store.Tx) (consented, error) { return s.consent(ctx, tx, p, a, in) })
	if err != nil {
		return a, "", err
	}
	if !in.Keep {
		s.options.Callers.AwaitRevocation(ctx)
	}
	return made.Agent, in.Request.Answer(s.options.Issuer, url.Values{"code": {made.Code}}), nil
}

// pick returns the chosen scopes, or all that can be chosen for nil.
func pick(chosen, all []mission.Scope) []mission.Scope {
	if chosen == nil {
		return all
	}
	return chosen
}

// consent writes what a person allows, with the code.
func (s *Service) consent(ctx context.Context, tx store.Tx, p mission.Principal, a mission.Agent, in Allowed) (c consented, err error) {
	now := s.options.Real.Now()
	if _, err := tx.LockUser(ctx, p.TenantID, p.UserID); err != nil { // who is removed allows nothing meanwhile
		return c, err
	}
	if err := s.makeRoom(ctx, tx, p, a, in.Keep, now); err != nil {
		return c, err
	}
	a.ID = tx.NewID(mission.PrefixAgent, now)
	if err := tx.AddAgent(ctx, a, tx.AuditEntry(p, mission.AuditAgentAllowed, a.ID, a.AuditDetails(), s.options.Clock.Now())); err != nil {
		return c, err
	}
	if mission.HasIDForm(mission.PrefixClient, a.ClientID) { // one that a document describes isn't stored
		if err := tx.UseOAuthClient(ctx, a.ClientID, now, invalid(unknownClient)); err != nil {
			return c, err
		}
	}
	c = consented{Agent: a, Code: identity.NewAgentCode()}
	return c, tx.AddAgentTokens(ctx, mission.AgentToken{
		Hash: identity.HashKey(c.Code), TenantID: a.TenantID, AgentID: a.ID, Kind: mission.AgentCode, Challenge: in.Request.CodeChallenge,
		RedirectURI: a.RedirectURI, ExpiresAt: now.Add(mission.CodeLife), CreatedAt: now,
	})
}

// makeRoom ends the agents of the same name, address and person, unless they are kept. Errors: conflict if there are
// too many others.
func (s *Service) makeRoom(ctx context.Context, tx store.Tx, p mission.Principal, a mission.Agent, keep bool, now time.Time) error {
	working, err := tx.LockAgentsOf(ctx, p.TenantID, p.UserID, now)
	if err != nil {
		return err
	}
	left := 0
	for _, old := range working {
		if keep || !old.Same(a.Name, a.RedirectURI) {
			left++
		} else if err := s.end(ctx, tx, p, old, whyReplaced); err != nil {
			return err
		}
	}
	if left >= mission.MaxAgents {
		return mission.Conflict("A person lets at most %d agents act; revoke one first.", mission.MaxAgents)
	}
	return nil
}

// checkMissions returns an error unless a leash's missions are the tenant's. Errors: invalid_request, naming the first that
// isn't.
func (s *Service) checkMissions(ctx context.Context, p mission.Principal, l mission.Leash) error {
	if len(l.Missions) == 0 {
		return nil
	}
	found, err := s.db.MissionsByID(ctx, p.TenantID, l.Missions)
	if err != nil {
		return err
	}
	for i, id := range l.Missions {
		if _, ok := found[id]; !ok {
			return mission.Invalid(fmt.Sprintf("leash.mission_ids[%d]", i), "No such mission: %q.", id)
		}
	}
	return nil
}
