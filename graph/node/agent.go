package node

import (
	"time"

	"missiond/internal/service/agents"
	"missiond/mission"
)

// Agent is an agent as it is at a time, with its day.
type Agent struct {
	ID           string
	Name         string
	ClientID     string
	DescribedBy  *string
	RedirectHost string
	Scopes       []mission.Scope
	Leash        AgentLeash
	Today        mission.AgentUse
	Working      bool
	Pending      bool
	UserID       string
	ExpiresAt    time.Time
	RevokedAt    *time.Time
	LastUsedAt   *time.Time
	CreatedAt    time.Time
}

// NewAgent returns an agent with what it did today.
func NewAgent(a agents.Seen) Agent {
	shown := Agent{
		ID: a.ID, Name: a.Name, ClientID: a.ClientID, RedirectHost: mission.RedirectHost(a.RedirectURI), Scopes: a.Scopes,
		Leash: NewAgentLeash(a.Leash), Today: a.Today, Working: a.Working, Pending: a.Pending, UserID: a.UserID,
		ExpiresAt: a.ExpiresAt, RevokedAt: a.RevokedAt, LastUsedAt: a.LastUsedAt, CreatedAt: a.CreatedAt,
	}
	if by := a.Client().Described(); by != "" {
		shown.DescribedBy = &by
	}
	return shown
}

// AgentLeash is a leash, with its money in cents.
type AgentLeash struct {
	CentsPerDay *int64
	PostsPerDay *int
	MissionIDs  []string
}

// NewAgentLeash returns a leash as shown.
func NewAgentLeash(l mission.Leash) AgentLeash {
	return AgentLeash{CentsPerDay: l.Cents(), PostsPerDay: l.Posts, MissionIDs: l.Missions}
}

// AgentRequest is what an application asks for.
type AgentRequest struct {
	Name         string
	DescribedBy  *string
	RedirectHost string
	TenantName   string
	Scopes       []mission.Scope
	Replaces     *Agent
	DenyURL      string
}

// AgentRequestInput is an application's request.
type AgentRequestInput struct {
	ClientID, RedirectURI, CodeChallenge string
	Scope, State                         *string
}

// Request returns the request as the authorization server checked it.
func (in AgentRequestInput) Request() mission.AgentRequest {
	return mission.AgentRequest{
		ClientID: in.ClientID, RedirectURI: in.RedirectURI, CodeChallenge: in.CodeChallenge, Scope: deref(in.Scope), State: deref(in.State),
		ResponseType: "code", CodeChallengeMethod: "S256",
	}
}

// AgentLeashInput is a leash, with its money in cents.
type AgentLeashInput struct {
	CentsPerDay *int64
	PostsPerDay *int
	MissionIDs  []string
}

// AllowAgentInput is what a person allows an application.
type AllowAgentInput struct {
	Request       AgentRequestInput
	Scopes        []mission.Scope
	Leash         *AgentLeashInput
	ExpiresInDays *int
	Replace       *bool
}

// Allowed returns the input as the service takes it.
func (in AllowAgentInput) Allowed() agents.Allowed {
	allowed := agents.Allowed{
		Request: in.Request.Request(), Scopes: in.Scopes, Days: in.ExpiresInDays, Keep: in.Replace != nil && !*in.Replace,
	}
	if l := in.Leash; l != nil {
		allowed.Leash = mission.NewLeash(l.CentsPerDay, l.PostsPerDay, l.MissionIDs)
	}
	return allowed
}

// AllowAgentPayload is the result of allowAgent.
type AllowAgentPayload struct {
	Agent       Agent
	RedirectURL string
}

// RevokeAgentPayload is the result of revokeAgent.
type RevokeAgentPayload struct{ Agent Agent }

// The list of agents.
type (
	// AgentEdge is an agent in a list.
	AgentEdge Edge[Agent]
	// AgentConnection is a page of agents.
	AgentConnection Page[AgentEdge]
)
