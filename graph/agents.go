package graph

import (
	"context"
	"maps"
	"slices"

	"missiond/graph/node"
	"missiond/internal/service/agents"
	"missiond/mission"
)

// showAgents returns agents as they are shown now, with what they did today.
func (r *Resolver) showAgents(ctx context.Context, list ...mission.Agent) ([]node.Agent, error) {
	seen, err := r.agents.See(ctx, caller(ctx), list...)
	if err != nil {
		return nil, err
	}
	loading(ctx).met(idsOf([][]mission.Agent{list}, func(a *mission.Agent) string { return a.UserID }))
	shown := make([]node.Agent, len(seen))
	for i, a := range seen {
		shown[i] = node.NewAgent(a)
	}
	return shown, nil
}

func (r *Resolver) showAgent(ctx context.Context, a mission.Agent) (node.Agent, error) {
	shown, err := r.showAgents(ctx, a)
	if err != nil {
		return node.Agent{}, err
	}
	return shown[0], nil
}

// showAgentRequest returns what an application asks for.
func (r *Resolver) showAgentRequest(ctx context.Context, asked agents.Asked) (node.AgentRequest, error) {
	shown := node.AgentRequest{
		Name: asked.Client.Name, DescribedBy: orNull(asked.Client.Described()), RedirectHost: mission.RedirectHost(asked.Request.RedirectURI),
		TenantName: asked.Tenant.Name, Scopes: asked.Scopes, DenyURL: asked.DenyURL,
	}
	if asked.Replaces == nil {
		return shown, nil
	}
	old, err := r.showAgent(ctx, *asked.Replaces)
	shown.Replaces = &old
	return shown, err
}

// agentNodes returns agents.
func (r *Resolver) agentNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	found, err := r.agents.AgentsByID(ctx, p, ids)
	if err != nil {
		return nil, err
	}
	shown, err := r.showAgents(ctx, slices.Collect(maps.Values(found))...)
	nodes := make(map[string]node.Node, len(shown))
	for _, a := range shown {
		nodes[a.ID] = &a
	}
	return nodes, err
}
