package mission

import (
	"fmt"
	"iter"
	"time"
)

// Estimate is what is expected to come of a new mission. A field that the input's
// problems leave open is nil.
type Estimate struct {
	// Posts is the number of posting days times the posts per day; a draft without a date is
	// treated as if it started now.
	Posts *int
	// EndsAt is when the mission ends; nil for a draft without a date.
	EndsAt *time.Time
	// Cost is what the posts cost together; nil if nothing is charged.
	Cost *Micros
	// FirstSlots are the first slots, at most EstimatedSlots, in their order; none of a draft
	// without a date.
	FirstSlots []Slot
	// Notices are about values that are allowed but have another effect than they seem to.
	Notices []Notice
	// Problems is all that is wrong with the input, at most MaxProblems.
	Problems Problems
}

// EstimatedSlots is how many slots an estimate has.
const EstimatedSlots = 10

// Estimating is what an estimate follows from, besides its input.
type Estimating struct {
	TenantID string
	Brand    Brand
	// Accounts are the tenant's integrations with the input's platforms.
	Accounts []Integration
	// Price returns what the post in a slot of a job is expected to cost.
	Price func(j Job, s Slot) Micros
	// Supply returns how many different posts on a platform a brief and the brand's facts are expected to give.
	Supply func(b Brief, facts []Fact) int
	// Weigh takes what so many posts weigh from the caller's allowance, before they are planned.
	Weigh func(posts int) error
	// Plan plans a job of a mission that has learned nothing.
	Plan func(j Job, to []Destination) Plan
	Now  time.Time
}

// Estimate returns what is expected to come of the mission, as if nothing were learned from
// its posts. problems is all that is wrong with in.
func (in CreateInput) Estimate(problems Problems, of Estimating) (Estimate, error) {
	e := Estimate{Problems: problems[:min(len(problems), MaxProblems)]}
	if problems.About("duration_days", "starts_at", "constraints.timezone") {
		return e, nil
	}
	m, _, err := in.without(problems).describe("", of.TenantID, of.Now)
	if err != nil {
		return e, err
	}
	e.EndsAt, e.Notices = m.EndsAt, m.Notices()
	if problems.About("constraints.cadence", "constraints.posts_per_day") {
		return e, nil
	}
	posts := m.EstimatedPosts(of.Now)
	e.Posts = &posts
	if problems.About("platforms", "integration_ids") {
		return e, nil
	}
	if err := of.Weigh(posts); err != nil {
		return e, err
	}
	on := e.plan(m, of)
	if !problems.About("objectives", "description") {
		e.supply(NewBrief(m, of.Brand), on, of)
	}
	if problems.About("constraints.posting_times") {
		e.FirstSlots = nil
	}
	return e, nil
}

// without returns in without the fields that have problems and that an estimate can do
// without.
func (in CreateInput) without(problems Problems) CreateInput {
	if len(in.Objectives) == 0 || problems.About("objectives") {
		in.Objectives = []string{""}
	}
	if problems.About("kpis") {
		in.KPIs = nil
	}
	if problems.About("events") {
		in.Occasions = nil
	}
	if problems.About("blackouts") {
		in.Blackouts = nil
	}
	if in.Constraints == nil {
		return in
	}
	c := *in.Constraints
	if problems.About("constraints.posting_times") {
		c.PostingTimes = nil
	}
	if problems.About("constraints.budget_cents") {
		c.BudgetCents = nil
	}
	in.Constraints = &c
	return in
}

// plan adds what follows from the mission's plans, and returns the number of posts on each platform.
func (e *Estimate) plan(m Mission, of Estimating) map[Platform]int {
	var cost Micros
	paid, on := 0, map[Platform]int{}
	for j, s := range m.plans(of) {
		on[s.Platform]++
		if m.StartsAt != nil && len(e.FirstSlots) < EstimatedSlots {
			e.FirstSlots = append(e.FirstSlots, s)
		}
		if cost += of.Price(j, s); m.Affords(cost) {
			paid++
		}
	}
	if cost > 0 {
		e.Cost = &cost
	}
	if paid < *e.Posts {
		e.Notices = append(e.Notices, Notice{
			Param: "constraints.budget_cents", Message: fmt.Sprintf("The budget is expected to pay for %d of the %d posts.", paid, *e.Posts),
		})
	}
	return on
}

// supply adds a notice if the brief is expected to give fewer posts than are planned on a platform.
func (e *Estimate) supply(b Brief, on map[Platform]int, of Estimating) {
	gives := of.Supply(b, of.Brand.Facts)
	for _, p := range b.Platforms {
		if on[p] > gives {
			e.Notices = append(e.Notices, Notice{Param: "description", Message: fmt.Sprintf(
				"The built-in writer quotes the description, the events and the brand's facts. They are expected to be enough for %d of the %d posts on %s: "+
					"add whole sentences to the description, or use a language model.", gives, on[p], p.Name())})
			return
		}
	}
}

// plans goes through the slots of all cycles of a mission that hasn't begun, in their
// order, each with its job, as if nothing were learned.
func (m Mission) plans(of Estimating) iter.Seq2[Job, Slot] {
	now := of.Now
	if m.StartsAt == nil {
		m.StartsAt = &now
	}
	return func(yield func(Job, Slot) bool) {
		brief := NewBrief(m, of.Brand)
		brief.Blackouts = m.Blackouts
		to := brief.Destinations(of.Accounts)
		for w, ok := m.NextWindow(0, now); ok; w, ok = m.NextWindow(w.Day+1, now) {
			j := Job{TenantID: m.TenantID, MissionID: m.ID, Cycle: m.NextCycle + 1, Window: w, Brief: brief}
			for _, s := range of.Plan(j, to).Slots {
				if !yield(j, s) {
					return
				}
			}
			m.NextCycle = j.Cycle
		}
	}
}
