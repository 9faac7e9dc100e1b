package rest

import (
	"context"
	"time"

	"missiond/internal/service/agents"
	"missiond/mission"
	"missiond/store"
)

const tagAgents tag = "Agents"

// routeAgents registers the routes of agents. People let them act on the console's page: no key can.
func (a *API) routeAgents() {
	handle(a, tagAgents.get(mission.OpAgentsList, "/v1/agents", "List the caller's agents; an admin's, those of all"), a.listAgents)
	handle(a, tagAgents.get(mission.OpAgentsRead, "/v1/agents/{id}", "Read an agent"), a.readAgent)
	handle(a, tagAgents.delete(mission.OpAgentsRevoke, "/v1/agents/{id}", "Revoke an agent"), a.revokeAgent)
}

// AgentPath has the parameters of an agent's routes.
type AgentPath struct {
	ID string `path:"id" doc:"The agent's id" example:"agt_01jd0000000000000000000000"`
}

type shownLeash struct {
	CentsPerDay *int64    `json:"cents_per_day" doc:"What it may spend a day (UTC), in US cents; null for no limit" example:"500"`
	PostsPerDay *int      `json:"posts_per_day" doc:"How many posts it may write and approve a day; null for no limit" example:"10"`
	MissionIDs  *[]string `json:"mission_ids" nullable:"true" doc:"The missions that it reaches; null for all, and new ones" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
}

type agentUse struct {
	Calls     int64  `json:"calls" doc:"How many of its calls changed something" example:"4"`
	Posts     int    `json:"posts" doc:"How many posts it wrote and approved" example:"3"`
	Cents     int64  `json:"cents" doc:"What it spent, in US cents, rounded up" example:"120"`
	PostsLeft *int   `json:"posts_left" doc:"How many more posts it may write and approve; null for no limit" example:"7"`
	CentsLeft *int64 `json:"cents_left" doc:"What it may still spend, in US cents, rounded down; null for no limit" example:"380"`
}

// ShownAgent is a program that acts for a person.
type ShownAgent struct {
	ID           string          `json:"id" doc:"Its id" example:"agt_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	Name         string          `json:"name" doc:"What the program calls itself" example:"Assistant"`
	ClientID     string          `json:"client_id" doc:"The program's id: that of its registration, or the address of the document that describes it" example:"https://assistant.example/client.json"`
	DescribedBy  *string         `json:"described_by" doc:"The host of that document; null if it registered itself, so that nothing proves whose it is" example:"assistant.example"`
	RedirectHost string          `json:"redirect_host" doc:"Where the person was sent back to" example:"assistant.example"`
	UserID       string          `json:"user_id" doc:"The person for whom it acts" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	Scopes       []mission.Scope `json:"scopes" doc:"What it may do, as far as the person still may" example:"content:read,content:write"`
	Leash        shownLeash      `json:"leash"`
	Today        agentUse        `json:"today"`
	Working      bool            `json:"working" doc:"Whether it may act now" example:"true"`
	Pending      bool            `json:"pending" doc:"Whether the person has allowed it and the program hasn't fetched its tokens, for which it has a minute" example:"false"`
	ExpiresAt    time.Time       `json:"expires_at" doc:"Until when it may act"`
	RevokedAt    *time.Time      `json:"revoked_at" doc:"When it was revoked; null if it wasn't"`
	LastUsedAt   *time.Time      `json:"last_used_at" doc:"When it last changed something; null if it never did"`
	CreatedAt    time.Time       `json:"created_at" doc:"When the person allowed it"`
}

func showAgent(a agents.Seen) ShownAgent {
	var missions *[]string // an empty list would be none
	if a.Leash.Missions != nil {
		missions = &a.Leash.Missions
	}
	return ShownAgent{
		ID: a.ID, Name: a.Name, ClientID: a.ClientID, DescribedBy: orNull(a.Client().Described()), RedirectHost: mission.RedirectHost(a.RedirectURI),
		UserID: a.UserID, Scopes: a.Scopes, Leash: shownLeash{CentsPerDay: a.Leash.Cents(), PostsPerDay: a.Leash.Posts, MissionIDs: missions},
		Today: agentUse(a.Today), Working: a.Working, Pending: a.Pending, ExpiresAt: a.ExpiresAt, RevokedAt: a.RevokedAt, LastUsedAt: a.LastUsedAt, CreatedAt: a.CreatedAt,
	}
}

func (a *API) listAgents(ctx context.Context, p mission.Principal, in *Paging) (page[ShownAgent], error) {
	list, err := a.agents.Agents(ctx, p, in.page())
	seen := store.Listed[agents.Seen]{More: list.More}
	if err == nil {
		seen.List, err = a.agents.See(ctx, p, list.List...)
	}
	return counted(seen, err, func() (int, error) { return a.agents.CountAgents(ctx, p) }, showAgent)
}

func (a *API) readAgent(ctx context.Context, p mission.Principal, in *AgentPath) (ShownAgent, error) {
	found, err := a.agents.Agent(ctx, p, in.ID)
	return a.seen(ctx, p, found, err)
}

func (a *API) revokeAgent(ctx context.Context, p mission.Principal, in *AgentPath) (ShownAgent, error) {
	revoked, err := a.agents.Revoke(ctx, p, in.ID)
	return a.seen(ctx, p, revoked, err)
}

// seen returns an agent as shown, or the error of reading it.
func (a *API) seen(ctx context.Context, p mission.Principal, found mission.Agent, err error) (ShownAgent, error) {
	if err != nil {
		return ShownAgent{}, err
	}
	seen, err := a.agents.See(ctx, p, found)
	if err != nil {
		return ShownAgent{}, err
	}
	return showAgent(seen[0]), nil
}
