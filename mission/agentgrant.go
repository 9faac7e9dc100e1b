package mission

import (
	"fmt"
	"slices"
	"time"
)

// NewAgent returns the agent that a person lets a client be: with some of the scopes that it may have, on a leash, for a
// number of days, or DefaultAgentDays for nil. Errors: invalid_request, naming the field.
func NewAgent(p Principal, c OAuthClient, redirect string, scopes, may []Scope, l Leash, days *int, now time.Time) (a Agent, err error) {
	if len(scopes) > MaxListItems {
		return a, Invalid("scopes", "Too many scopes: there are only %d.", len(AgentScopes()))
	}
	for i, s := range scopes {
		if !slices.Contains(may, s) {
			return a, Invalid(fmt.Sprintf("scopes[%d]", i), "The agent may not have the scope %q: the application doesn't ask for it, or you don't have it.", s)
		}
	}
	if len(scopes) == 0 {
		return a, Invalid("scopes", "The agent needs at least one scope.")
	}
	if l.Missions != nil && len(l.Missions) == 0 { // stored, it would be as if all were allowed
		return a, Invalid("leash.mission_ids", "Name at least one mission (API: or leave the field out for all).")
	}
	if err := l.Check(); err != nil {
		return a, err
	}
	life := deref(days, DefaultAgentDays)
	if life < 1 || life > MaxAgentDays {
		return a, Invalid("expires_in_days", "The agent may act for 1 to %d days.", MaxAgentDays)
	}
	return Agent{
		TenantID: p.TenantID, UserID: p.UserID, Name: c.Name, ClientID: c.ID, RedirectURI: redirect,
		Scopes: slices.DeleteFunc(AgentScopes(), func(s Scope) bool { return !slices.Contains(scopes, s) }),
		Leash:  l, ExpiresAt: now.Add(time.Duration(life) * 24 * time.Hour), CreatedAt: now,
	}, nil
}

// Same reports whether the agent is one of a name that redirects to an address, whatever its port on loopback is: a client
// may register anew each time that it asks.
func (a Agent) Same(name, redirect string) bool {
	return SameText(a.Name, name) && (a.RedirectURI == redirect || withoutPort(redirect) != "" && withoutPort(a.RedirectURI) == withoutPort(redirect))
}

// CheckAgentsOf returns an error unless the principal may see and revoke a user's agents: its own in a session, and with
// the scope admin everybody's. Errors: forbidden.
func (p Principal) CheckAgentsOf(userID string) error {
	if p.Has(ScopeAdmin) || p.SessionID != "" && userID == p.UserID {
		return nil
	}
	return Forbidden(ScopeAdmin)
}

// NewLeash returns a leash with the money of a day in cents.
func NewLeash(cents *int64, posts *int, missions []string) Leash {
	l := Leash{Posts: posts, Missions: missions}
	if cents != nil {
		bounded := min(max(*cents, -1), MaxBudgetCents+1) // so that it doesn't overflow: Check refuses both
		micros := Micros(bounded) * MicrosPerCent
		l.Micros = &micros
	}
	return l
}

// Cents returns the money of a day in cents, rounded down; nil for no limit.
func (l Leash) Cents() *int64 {
	if l.Micros == nil {
		return nil
	}
	cents := int64(*l.Micros / MicrosPerCent)
	return &cents
}

// Client returns the agent's client, as far as it is stored.
func (a Agent) Client() OAuthClient { return OAuthClient{ID: a.ClientID, Name: a.Name} }

// AgentUse is what an agent did on a day, and what its leash leaves; nil for no limit.
type AgentUse struct {
	Calls     int64
	Posts     int
	Cents     int64
	PostsLeft *int
	CentsLeft *int64
}

// Use returns what an agent on the leash did on a day, and may still do.
func (l Leash) Use(day AgentDay) AgentUse {
	u := AgentUse{Calls: day.Calls, Posts: day.Posts, Cents: day.Micros.Cents()}
	if l.Posts != nil {
		left := max(0, *l.Posts-day.Posts)
		u.PostsLeft = &left
	}
	if l.Micros != nil {
		left := max(0, int64((*l.Micros-day.Micros)/MicrosPerCent))
		u.CentsLeft = &left
	}
	return u
}
