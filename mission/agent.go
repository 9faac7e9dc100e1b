package mission

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of agents.
const (
	// MaxAgents is how many agents a person may let act for them at a time.
	MaxAgents = 20
	// MaxAgentDays is how long an agent may act at most, and DefaultAgentDays how long it does.
	MaxAgentDays     = 365
	DefaultAgentDays = 90
	// MaxLeashMissions is how many missions a leash names at most, and MaxLeashPosts how many posts a
	// day it allows.
	MaxLeashMissions = 50
	MaxLeashPosts    = 10_000
)

// Agent is a program that acts for a person, within the rights that the person gave it: a grant of
// the authorization server.
type Agent struct {
	ID       string `bun:",pk"`
	TenantID string
	// UserID is the person, whose rights the agent's never exceed.
	UserID string
	// Name is what the client calls itself; ClientID and RedirectURI are what it is known by.
	Name        string
	ClientID    string
	RedirectURI string
	Scopes      []Scope
	Leash       Leash
	// ExpiresAt is until when it may act.
	ExpiresAt time.Time
	RevokedAt *time.Time
	// LastUsedAt lags by a few seconds.
	LastUsedAt *time.Time
	CreatedAt  time.Time
}

// Works reports whether the agent may act at a time.
func (a Agent) Works(now time.Time) bool { return a.RevokedAt == nil && now.Before(a.ExpiresAt) }

// Revoke ends the agent at once. changed is false if it has ended already.
func (a Agent) Revoke(now time.Time) (revoked Agent, changed bool) {
	if !a.Works(now) {
		return a, false
	}
	a.RevokedAt = &now
	return a, true
}

// AuditDetails returns what the audit log says of the agent.
func (a Agent) AuditDetails() map[string]any {
	return map[string]any{"name": a.Name, "client_id": a.ClientID, "scopes": a.Scopes, "leash": a.Leash, "expires_at": a.ExpiresAt}
}

// Leash is what an agent may do in a day (UTC) and where. A nil field doesn't bound.
type Leash struct {
	// Micros is what it may spend a day: the budgets that it sets, and the fees of the posts that it
	// writes and approves.
	Micros *Micros `json:"micros,omitempty"`
	// Posts is how many posts it may write and approve a day.
	Posts *int `json:"posts,omitempty"`
	// Missions are those that it reaches; nil is all, and new ones.
	Missions []string `json:"missions,omitempty"`
}

// Check checks the form of a leash. Errors: invalid_request, naming the field.
func (l Leash) Check() error {
	var found Problems
	if l.Micros != nil && (*l.Micros < 0 || *l.Micros > MaxBudgetCents*MicrosPerCent) {
		found.add(Invalid("leash.cents_per_day", "The money of a day must be 0 to %d cents.", MaxBudgetCents))
	}
	if l.Posts != nil && (*l.Posts < 0 || *l.Posts > MaxLeashPosts) {
		found.add(Invalid("leash.posts_per_day", "The posts of a day must be 0 to %d.", MaxLeashPosts))
	}
	if len(l.Missions) > MaxLeashMissions {
		found.add(Invalid("leash.mission_ids", "At most %d missions are allowed.", MaxLeashMissions))
	}
	for i, id := range l.Missions {
		param := fmt.Sprintf("leash.mission_ids[%d]", i)
		switch {
		case !HasIDForm(PrefixMission, id):
			found.add(Invalid(param, "Invalid id %q: it must begin with %s.", id, PrefixMission))
		case slices.Contains(l.Missions[:i], id):
			found.add(Invalid(param, "%s is named twice.", id))
		}
	}
	return found.Err()
}

// Reaches reports whether an agent on the leash reaches a mission.
func (l Leash) Reaches(missionID string) bool {
	return l.Missions == nil || slices.Contains(l.Missions, missionID)
}

// AgentDay is what an agent did on a day (UTC).
type AgentDay struct {
	AgentID string `bun:",pk"`
	// Date is the day, as YYYY-MM-DD.
	Date   string `bun:"day,pk"`
	Calls  int64  // that changed something
	Posts  int
	Micros Micros
}

// AgentAct is something that an agent does, as its leash and the audit log have it.
type AgentAct struct {
	// Tool is the tool that it calls.
	Tool string
	// TargetID is what it changes.
	TargetID string
	Posts    int
	Micros   Micros
}

// CheckAct returns an error unless an agent that did day so far may do act too. Errors:
// rate_limit_exceeded until the next day, naming the part of the leash.
func (l Leash) CheckAct(day AgentDay, act AgentAct, now time.Time) error {
	tomorrow := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	refuse := func(param, format string, args ...any) error {
		return &Error{
			Code: CodeRateLimitExceeded, Param: param, RetryAfter: int(tomorrow.Sub(now).Seconds()) + 1,
			Message: fmt.Sprintf(format, args...) + " Ask the person whom you act for, or go on after 00:00 UTC.",
		}
	}
	if l.Posts != nil && act.Posts > 0 && day.Posts+act.Posts > *l.Posts {
		return refuse("leash.posts_per_day", "This agent may write and approve %s a day; it has %d left, and this takes %d.", Counted(*l.Posts, "post"), max(*l.Posts-day.Posts, 0), act.Posts)
	}
	if l.Micros != nil && act.Micros > 0 && day.Micros+act.Micros > *l.Micros {
		return refuse("leash.cents_per_day", "This agent may spend %s a day: %s are used, and this takes %s.", *l.Micros, day.Micros, act.Micros)
	}
	return nil
}

// String returns the amount in dollars, such as "$1.25": budgets are in US cents.
func (m Micros) String() string {
	text := fmt.Sprintf("%d.%06d", m/1_000_000, m%1_000_000)
	return "$" + text[:len(text)-4] + strings.TrimRight(text[len(text)-4:], "0")
}

// agentsMayNot returns the error for what only people change.
func agentsMayNot(param, format string, args ...any) *Error {
	return &Error{Code: CodeForbidden, Param: param, Message: fmt.Sprintf(format, args...)}
}

// CheckNew returns an error if a caller may not create a mission of such an input: agents make those
// whose posts people approve, and no others. Errors: forbidden, naming the field; invalid_request for
// a budget that its leash requires.
func (in CreateInput) CheckNew(p Principal) error {
	switch c := in.Constraints; {
	case !p.Agent:
		return nil
	case p.Leash.Missions != nil:
		return agentsMayNot("", "This agent reaches certain missions only, and creates none.")
	case c == nil || !deref(c.RequireApproval, false):
		return agentsMayNot("constraints.require_approval", "A mission that an agent creates has its posts approved: set it to true.")
	case in.Autonomy != nil:
		return agentsMayNot("autonomy", "Only people let a mission publish without approval: leave it out.")
	case p.Leash.Micros != nil && c.BudgetCents == nil:
		return Invalid("constraints.budget_cents", "This agent may spend %s a day, so a mission that it creates has a budget.", *p.Leash.Micros)
	}
	return nil
}

// CheckChange returns an error if a caller may not change a mission so. Errors: as CheckNew.
func (in UpdateInput) CheckChange(p Principal) error {
	if !p.Agent {
		return nil
	}
	for _, f := range []struct {
		param string
		given bool
	}{
		{"constraints.require_approval", in.Constraints.RequireApproval.Given}, {"autonomy", in.Autonomy.Given},
		{"reviewers", in.Reviewers != nil}, {"reviewers_only", in.ReviewersOnly.Given}, {"editor", in.Editor.Given},
		{"public_interest", in.PublicInterest.Given},
	} {
		if f.given {
			return agentsMayNot(f.param, "Only people change who approves posts, and whether they are approved: leave %s out.", f.param)
		}
	}
	if b := in.Constraints.BudgetCents; b.Given && b.Value == nil && p.Leash.Micros != nil {
		return agentsMayNot("constraints.budget_cents", "This agent may spend %s a day, so it takes no budget away.", *p.Leash.Micros)
	}
	return nil
}

// CheckApprover returns an error unless a caller may approve the mission's post: CheckReviewer's
// rule and, for agents, that the tenant lets them, that the mission names no editor, and that no agent
// wrote the post. Errors: forbidden.
func (m Mission) CheckApprover(p Principal, c Content) error {
	if err := m.CheckReviewer(p); err != nil || !p.Agent {
		return err
	}
	switch {
	case !p.AgentsMayApprove:
		return agentsMayNot("", "Agents don't approve posts here: an admin may allow it in the tenant's settings (agents_may_approve).")
	case m.Editor != nil:
		return agentsMayNot("", "The mission names an editor, so only people approve its posts.")
	case c.Writer.Kind == AuthorAgent:
		return agentsMayNot("", "An agent wrote this revision, so a person approves it.")
	}
	return nil
}

// byAgent reports whether the id of a reviewer is that of an agent, or of an agent's key.
func byAgent(reviewer string) bool {
	return strings.HasPrefix(reviewer, PrefixAgent) || strings.HasPrefix(reviewer, PrefixKey)
}
