package missions

import (
	"context"
	"slices"

	"missiond/internal/admission"
	"missiond/mission"
	"missiond/mission/learning"
)

// EstimateMission returns what is expected to come of a new mission, and all that is wrong
// with it, by the rules of CreateMission. It stores nothing. Errors: rate_limit_exceeded.
func (s *API) EstimateMission(ctx context.Context, p mission.Principal, in mission.CreateInput) (e mission.Estimate, err error) {
	now := s.clock.Now()
	found, err := problems(ctx, s.db, p.TenantID, in, now)
	if err != nil {
		return e, err
	}
	tenant, err := s.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return e, err
	}
	of := mission.Estimating{TenantID: p.TenantID, Brand: tenant.Brand, Now: now, Plan: unlearned}
	of.Weigh = func(posts int) error { return admission.Weigh(ctx, mission.OpMissionsEstimate, posts) }
	if !found.About("platforms", "integration_ids") {
		if of.Accounts, err = s.accountsFor(ctx, p, in.Platforms); err != nil {
			return e, err
		}
	}
	pen, err := s.penOf(ctx, s.store, p.TenantID)
	if err != nil {
		return e, err
	}
	of.Price, of.Supply = prices(pen, of.Accounts), pen.Supply
	return in.Estimate(found, of)
}

// unlearned plans a job of a mission that has learned nothing.
func unlearned(j mission.Job, to []mission.Destination) mission.Plan {
	return learning.NewPlan(j, to, nil)
}

// accountsFor returns the tenant's integrations with platforms.
func (s *API) accountsFor(ctx context.Context, p mission.Principal, platforms []mission.Platform) (all []mission.Integration, err error) {
	names := make([]string, len(platforms))
	for i, each := range platforms {
		names[i] = string(each)
	}
	on, err := s.db.AccountsOn(ctx, p.TenantID, names)
	for _, each := range platforms {
		all = append(all, on[each]...)
	}
	return all, err
}

// fewestParts is how many parts a thread has at least.
const fewestParts = 2

// prices returns a function that returns what a post is expected to cost: the most that
// writing it may, and what its platform charges for a post without a link or for the
// shortest thread. Posts that differ only in their angle have one price.
func prices(writer Writer, accounts []mission.Integration) func(j mission.Job, slot mission.Slot) mission.Micros {
	known := map[mission.Slot]mission.Micros{}
	return func(j mission.Job, slot mission.Slot) mission.Micros {
		kind := mission.Slot{Platform: slot.Platform, IntegrationID: slot.IntegrationID, Format: slot.Format, Objective: slot.Objective}
		if price, ok := known[kind]; ok {
			return price
		}
		a := mission.NewAssignment(j, slot)
		if i := slices.IndexFunc(accounts, func(i mission.Integration) bool { return i.ID == slot.IntegrationID && i.Account != nil }); i >= 0 {
			a.Limits = accounts[i].Account.Limits
		}
		parts := mission.Micros(1)
		if slot.Format == mission.FormatThread {
			parts = fewestParts
		}
		fees := feesOf(mission.Content{Platform: slot.Platform, IntegrationID: slot.IntegrationID})
		known[kind] = writer.Price(a) + parts*fees.Post
		return known[kind]
	}
}
