package mcpserver

import (
	"context"

	"missiond/internal/service/idempotency"
	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

// charging returns a context in which the call's first change is charged to the agent's leash, and
// recorded in the audit log under its name, in the transaction of the change.
func (c *call) charging(ctx context.Context) context.Context {
	return idempotency.WithCharge(ctx, func(ctx context.Context, tx store.Tx, result any) error {
		act := c.act(result)
		now := c.real.Now()
		if c.p.AgentID != "" {
			if err := tx.ChargeAgent(ctx, c.p.TenantID, c.p.AgentID, act, now); err != nil {
				return err
			}
		}
		details := map[string]any{"tool": act.Tool}
		if act.Posts > 0 {
			details["posts"] = act.Posts
		}
		if act.Micros > 0 {
			details["micros"] = int64(act.Micros)
		}
		at := c.clock.Now()
		return tx.AddAgentAct(ctx, mission.NewAuditEntry(tx.NewID(mission.PrefixAudit, at), c.p, mission.AuditAgentActed, act.TargetID, details, at))
	})
}

// act returns what a call does whose first change has a result.
func (c *call) act(result any) mission.AgentAct {
	act := mission.AgentAct{Tool: c.tool.name, TargetID: c.target, Micros: c.spends}
	switch r := result.(type) {
	case mission.Mission:
		act.TargetID = r.ID
	case mission.Media:
		act.TargetID = r.ID
	case mission.Content:
		act.TargetID = r.ID
		if c.tool.posts {
			act.Posts, act.Micros = 1, missions.PublishingPrice(r)
		}
	}
	return act
}

// leash returns what an agent may do in a day, and what of it is used; nil for a key.
func (c *call) leash(ctx context.Context) (*leash, error) {
	if c.p.AgentID == "" {
		return nil, nil //nolint:nilnil // a key has none
	}
	days, err := c.db.AgentDaysOn(ctx, c.p.TenantID, []string{c.p.AgentID}, c.real.Now())
	day := days[c.p.AgentID]
	l := &leash{PostsPerDay: c.p.Leash.Posts, PostsUsed: day.Posts, CentsUsed: day.Micros.Cents(), MissionIDs: c.p.Leash.Missions, ChangingCalls: day.Calls}
	if m := c.p.Leash.Micros; m != nil {
		cents := int64(*m / mission.MicrosPerCent) // rounded down: what is left is never more
		l.CentsPerDay = &cents
	}
	return l, err
}
