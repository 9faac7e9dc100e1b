// Package simulate runs missions on the sandbox's audience, without a database
// or a clock, to measure what learning gains: one mission that learns and a
// control that doesn't, by the same rules as the service (docs/learning.md).
package simulate

import (
	"fmt"
	"time"

	"missiond/internal/publisher/sandbox"
	"missiond/mission"
	"missiond/mission/learning"
)

// The ages at which posts are measured.
const (
	// learnedAge is the age whose figures are learned from.
	learnedAge = mission.RipeAge
	// finalAge is the age whose figures are compared.
	finalAge = 30 * 24 * time.Hour
)

// MaxSeeds is the maximal number of seeds of a simulation.
const MaxSeeds = 10_000

// Options configure a simulation.
type Options struct {
	Days        int                `json:"days"`
	Seeds       int                `json:"seeds"`
	PostsPerDay int                `json:"posts_per_day"`
	Platforms   []mission.Platform `json:"platforms"`
	// KPI is the metric that the mission aims at, on all its platforms; "" for
	// a mission without KPIs.
	KPI mission.Metric `json:"kpi"`
	// Steady audiences have no preferences, so that nothing can be learned.
	Steady bool `json:"steady"`
	// ChangeDay is the day of the mission, from 1, on which the audience's
	// preferences change; 0 is never.
	ChangeDay int `json:"change_day"`
	// Drawn audiences draw the figures of a post again for each choice, so that
	// a mission and a control that choose differently don't share their random
	// draws.
	Drawn bool `json:"drawn"`
}

// start is when simulated missions start.
var start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// mission returns the mission of a seed. Errors: invalid_request, naming the
// field.
func (o Options) mission(seed int) (mission.Mission, error) {
	in := mission.CreateInput{
		Name: "Simulated", Objectives: []string{"Be read"}, Platforms: o.Platforms,
		Constraints: &mission.ConstraintsInput{PostsPerDay: &o.PostsPerDay}, DurationDays: &o.Days,
	}
	if o.KPI != "" {
		target := float64(mission.MaxKPITarget)
		in.KPIs = []mission.KPIInput{{Metric: o.KPI, Target: &target}}
	}
	now := true
	in.StartImmediately = &now
	m, _, err := mission.New(fmt.Sprintf("msn_simulated_%d", seed), "tnt_simulated", in, start)
	return m, err
}

// audience returns the audience of a seed.
func (o Options) audience(seed int) sandbox.Audience {
	a := sandbox.Audience{Seed: uint64(seed), Steady: o.Steady, Drawn: o.Drawn}
	if o.ChangeDay > 0 {
		a.Changes = start.AddDate(0, 0, o.ChangeDay-1)
	}
	return a
}

// Run simulates the missions of all seeds. The same options yield the same
// report. Errors: invalid_request, naming the field.
func Run(o Options) (Report, error) {
	return o.run(func(sandbox.Audience) planner { return learningPlan })
}

// run simulates the missions with the planner of each audience instead of
// learning.
func (o Options) run(plan func(a sandbox.Audience) planner) (Report, error) {
	switch {
	case o.Seeds < 1 || o.Seeds > MaxSeeds:
		return Report{}, mission.Invalid("seeds", "The seeds must be between 1 and %d.", MaxSeeds)
	case o.ChangeDay < 0 || o.ChangeDay > o.Days:
		return Report{}, mission.Invalid("change_day", "The day of change must be between 1 and %d, or 0 for none.", o.Days)
	}
	var runs []run
	for seed := 1; seed <= o.Seeds; seed++ {
		m, err := o.mission(seed)
		if err != nil {
			return Report{}, err
		}
		a := o.audience(seed)
		r := run{seed: seed, learning: play(m, a, ids, plan(a)), plain: play(m, a, ids, inTurn)}
		for i := range noiseControls {
			r.noise = append(r.noise, play(m, a, fmt.Sprintf("%s_noise%d", ids, i), inTurn))
		}
		runs = append(runs, r)
	}
	return newReport(o, runs), nil
}

// played is a post of a simulated mission.
type played struct {
	content mission.Content
	day     int
	// early are its figures at learnedAge, final those at finalAge.
	early, final mission.Metrics
}

// planner plans a job after the posts published before it; now is the time of
// the latest of them.
type planner func(j mission.Job, before []played, now time.Time) mission.Plan

// learning plans by what was learned from the earlier posts.
func learningPlan(j mission.Job, before []played, now time.Time) mission.Plan {
	return learning.NewPlan(j, j.Brief.Destinations(nil), learning.Fit(measured(before, now), j.Brief.Constraints.Zone()))
}

// inTurn plans like a mission that never learns.
func inTurn(j mission.Job, _ []played, _ time.Time) mission.Plan {
	return learning.NewPlan(j, j.Brief.Destinations(nil), nil)
}

// ids is the prefix of the post ids of a mission that learns and of its
// control, so that both have the same random draws.
const ids = "cnt"

// play runs a mission's cycles to its end. A cycle is planned right after the
// last post of the one before. prefix is the prefix of the ids of its posts.
func play(m mission.Mission, audience sandbox.Audience, prefix string, plan planner) []played {
	var posts []played
	now := *m.StartsAt
	for w, ok := m.NextWindow(0, now); ok; w, ok = m.NextWindow(w.Day+1, now) {
		j := mission.NewJob(fmt.Sprintf("job_%d", m.NextCycle), m, w, mission.Brand{}, w.Start)
		m.NextCycle++
		for _, slot := range plan(j, posts, now).Slots {
			posts = append(posts, publish(j, slot, audience, prefix))
			now = slot.At
		}
	}
	return posts
}

// publish publishes a plan's post at its slot.
func publish(j mission.Job, slot mission.Slot, audience sandbox.Audience, prefix string) played {
	c := mission.Content{
		ID: fmt.Sprintf("%s_%d_%d", prefix, j.Cycle, slot.Position), MissionID: j.MissionID, JobID: j.ID, Position: slot.Position,
		Platform: slot.Platform, Format: slot.Format, Angle: slot.Angle,
		Status: mission.ContentPublished, ScheduledAt: &slot.At, PublishedAt: &slot.At,
	}
	return played{content: c, day: j.Window.Day, early: audience.Metrics(c, learnedAge), final: audience.Metrics(c, finalAge)}
}

// measured returns the latest posts that have been measured by now, with the
// figures of that measurement.
func measured(posts []played, now time.Time) []mission.Content {
	var known []mission.Content
	for _, p := range posts[max(0, len(posts)-learning.LearnedPosts):] {
		if now.Sub(*p.content.PublishedAt) >= learnedAge {
			p.content.Metrics = p.early
			known = append(known, p.content)
		}
	}
	return known
}
