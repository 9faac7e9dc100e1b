package mcpserver

import (
	"context"
	"time"

	"missiond/mission"
)

// missionFields are what mission_create and mission_estimate take.
type missionFields struct {
	Name             string             `json:"name" doc:"1 to 200 characters"`
	Description      *string            `json:"description,omitempty"`
	Objectives       []string           `json:"objectives" doc:"1 to 50, each up to 500 characters"`
	Platforms        []mission.Platform `json:"platforms"`
	IntegrationIDs   []string           `json:"integration_ids,omitempty" doc:"Accounts of accounts_and_limits; the platforms' default ones if omitted"`
	MediaIDs         []string           `json:"media_ids,omitempty" doc:"Pictures of media_add that its writer may give to posts; instagram needs some"`
	DurationDays     *int               `json:"duration_days" minimum:"1" maximum:"366"`
	PostsPerDay      *int               `json:"posts_per_day,omitempty" doc:"On all platforms together; 1 if omitted" minimum:"1" maximum:"50"`
	PostingTimes     []string           `json:"posting_times,omitempty" doc:"HH:MM in timezone"`
	Timezone         *string            `json:"timezone,omitempty" doc:"IANA name; UTC if omitted"`
	Cadence          *mission.Cadence   `json:"cadence,omitempty"`
	Tone             *string            `json:"tone,omitempty"`
	Language         *string            `json:"language,omitempty" doc:"BCP 47"`
	BudgetCents      *int64             `json:"budget_cents,omitempty" doc:"US cents for writing and publishing; no bound if omitted"`
	ExcludedTopics   []string           `json:"excluded_topics,omitempty"`
	KPIs             []kpiIn            `json:"kpis,omitempty"`
	StartImmediately *bool              `json:"start_immediately,omitempty" doc:"false, if omitted: a draft, which mission_resume starts"`
	StartsAt         *time.Time         `json:"starts_at,omitempty"`
}

type kpiIn struct {
	Metric   mission.Metric `json:"metric"`
	Target   *float64       `json:"target"`
	Platform *string        `json:"platform,omitempty" doc:"A platform; all if omitted"`
}

func kpisOf(list []kpiIn) []mission.KPIInput {
	if list == nil {
		return nil
	}
	in := make([]mission.KPIInput, len(list))
	for i, k := range list {
		in[i] = mission.KPIInput{Metric: k.Metric, Target: k.Target, Platform: (*mission.Platform)(k.Platform)}
	}
	return in
}

// input returns the mission that is asked for. Its posts wait for approval: only a person can have
// them go out without.
func (f missionFields) input() mission.CreateInput {
	review := true
	return mission.CreateInput{
		Name: f.Name, Description: f.Description, Objectives: f.Objectives, Platforms: f.Platforms, IntegrationIDs: f.IntegrationIDs, MediaIDs: f.MediaIDs,
		Constraints: &mission.ConstraintsInput{
			Tone: f.Tone, Cadence: f.Cadence, PostsPerDay: f.PostsPerDay, PostingTimes: f.PostingTimes, Timezone: f.Timezone, RequireApproval: &review,
			BudgetCents: f.BudgetCents, ExcludedTopics: f.ExcludedTopics, Language: f.Language,
		},
		KPIs: kpisOf(f.KPIs), DurationDays: f.DurationDays, StartImmediately: f.StartImmediately, StartsAt: f.StartsAt,
	}
}

// flat returns an error that names the fields of missionFields.
func flat(err error) error { return renamed(err, "constraints.", "") }

type missionCreateIn struct {
	missionFields
	once
}

type missionUpdateIn struct {
	missionIn
	once

	Name           *string          `json:"name,omitempty"`
	Description    *string          `json:"description,omitempty"`
	Objectives     []string         `json:"objectives,omitempty" doc:"Replaces the list from the next cycle on"`
	IntegrationIDs []string         `json:"integration_ids,omitempty" doc:"Replaces the list from the next cycle on"`
	MediaIDs       []string         `json:"media_ids,omitempty" doc:"Replaces the list of pictures"`
	DurationDays   *int             `json:"duration_days,omitempty" doc:"Moves its end" minimum:"1" maximum:"366"`
	PostsPerDay    *int             `json:"posts_per_day,omitempty" minimum:"1" maximum:"50"`
	PostingTimes   []string         `json:"posting_times,omitempty" doc:"HH:MM"`
	Timezone       *string          `json:"timezone,omitempty"`
	Cadence        *mission.Cadence `json:"cadence,omitempty"`
	Tone           *string          `json:"tone,omitempty"`
	Language       *string          `json:"language,omitempty"`
	BudgetCents    *int64           `json:"budget_cents,omitempty"`
	ExcludedTopics []string         `json:"excluded_topics,omitempty" doc:"Replaces the list at once"`
	KPIs           []kpiIn          `json:"kpis,omitempty" doc:"Replaces the list"`
}

func given[T any](v *T) mission.Optional[T] { return mission.Optional[T]{Given: v != nil, Value: v} }

func (in missionUpdateIn) input() mission.UpdateInput {
	return mission.UpdateInput{
		Name: given(in.Name), Description: given(in.Description), Objectives: in.Objectives, IntegrationIDs: in.IntegrationIDs, MediaIDs: in.MediaIDs,
		DurationDays: given(in.DurationDays), KPIs: kpisOf(in.KPIs),
		Constraints: mission.ConstraintsUpdate{
			Tone: given(in.Tone), Cadence: given(in.Cadence), PostsPerDay: given(in.PostsPerDay), PostingTimes: in.PostingTimes, Timezone: given(in.Timezone),
			BudgetCents: given(in.BudgetCents), ExcludedTopics: in.ExcludedTopics, Language: given(in.Language),
		},
	}
}

type missionDoIn struct {
	missionIn
	once
}

// changedMission is a mission that was changed.
type changedMission struct {
	ID       string         `json:"id"`
	Name     Text           `json:"name"`
	Status   mission.Status `json:"status"`
	StartsAt *time.Time     `json:"starts_at,omitempty"`
	EndsAt   *time.Time     `json:"ends_at,omitempty"`
	Posts    int            `json:"estimated_posts"`
	Notices  []notice       `json:"notices,omitempty"`
}

type notice struct {
	Field   string `json:"field"`
	Message Text   `json:"message"`
}

func showNotices(list []mission.Notice) []notice {
	shown := make([]notice, min(len(list), maxReasons))
	for i := range shown {
		shown[i] = notice{list[i].Param, cutTo(list[i].Message, fromService, reasonBytes)}
	}
	return shown
}

func (c *call) changed(m mission.Mission) changedMission {
	return changedMission{
		ID: m.ID, Name: cutTo(m.Name, fromTenant, nameBytes), Status: m.Status, StartsAt: m.StartsAt, EndsAt: m.EndsAt, Posts: m.EstimatedPosts(c.clock.Now()),
		Notices: showNotices(m.Notices()),
	}
}

func missionWrites() []*tool {
	return []*tool{
		doing(tool{
			name: "mission_create", title: "Create a mission", op: mission.OpMissionsCreate,
			description: "Creates a mission, as a draft or started. Its posts wait for approval before they go out.",
		}, createMission),
		doing(tool{
			name: "mission_update", title: "Change a mission", op: mission.OpMissionsUpdate, destroys: true, repeats: true,
			description: "Changes the fields of a mission that are given; the others stay. Approval, editor, reviewers and autonomy are changed by people alone.",
		}, updateMission),
		doing(tool{
			name: "mission_pause", title: "Pause a mission", op: mission.OpMissionsPause,
			description: "Pauses a running mission: nothing of it is written or published until it is resumed, and its end moves by as much.",
		}, changing(func(ctx context.Context, c *call, id string) (mission.Mission, error) {
			return c.missions.PauseMission(ctx, c.p, id)
		})),
		doing(tool{
			name: "mission_resume", title: "Start, resume or retry a mission", op: mission.OpMissionsResume, world: true,
			also:        []mission.Operation{mission.OpMissionsStart, mission.OpMissionsRetry},
			description: "Sets a mission going: starts a draft, resumes a paused mission, or runs the failed job of an active one again.",
		}, changing(resumeMission)),
		doing(tool{
			name: "mission_complete", title: "End a mission", op: mission.OpMissionsComplete, destroys: true,
			description: "Ends a mission for good and cancels its posts that aren't published. This can't be undone.",
		}, changing(func(ctx context.Context, c *call, id string) (mission.Mission, error) {
			return c.missions.CompleteMission(ctx, c.p, id)
		})),
	}
}

// changing returns a tool's function that does something with a mission.
func changing(do func(ctx context.Context, c *call, id string) (mission.Mission, error)) func(context.Context, *call, missionDoIn) (changedMission, error) {
	return func(ctx context.Context, c *call, in missionDoIn) (changedMission, error) {
		if err := c.reaches(in.MissionID); err != nil {
			return changedMission{}, err
		}
		m, err := do(ctx, c, in.MissionID)
		if err != nil {
			return changedMission{}, naming(err, mission.CodeNotFound, "mission_id")
		}
		return c.changed(m), nil
	}
}

// centsOf returns an amount in US cents; 0 for none.
func centsOf(cents *int64) mission.Micros {
	if cents == nil {
		return 0
	}
	return mission.Micros(*cents) * mission.MicrosPerCent
}

func createMission(ctx context.Context, c *call, in missionCreateIn) (changedMission, error) {
	c.spends = centsOf(in.BudgetCents)
	m, err := c.missions.CreateMission(ctx, c.p, in.input())
	if err != nil {
		return changedMission{}, flat(err)
	}
	return c.changed(m), nil
}

func updateMission(ctx context.Context, c *call, in missionUpdateIn) (changedMission, error) {
	update := func(ctx context.Context, c *call, id string) (mission.Mission, error) {
		if in.BudgetCents != nil {
			m, err := c.mission(ctx, id)
			if err != nil {
				return m, err
			}
			c.spends = max(0, centsOf(in.BudgetCents)-centsOf(m.Constraints.BudgetCents))
		}
		return c.missions.UpdateMission(ctx, c.p, id, in.input())
	}
	out, err := changing(update)(ctx, c, missionDoIn{missionIn: in.missionIn})
	return out, flat(err)
}

func resumeMission(ctx context.Context, c *call, id string) (mission.Mission, error) {
	m, err := c.mission(ctx, id)
	if err != nil {
		return m, err
	}
	switch m.Status {
	case mission.StatusDraft:
		if err := c.may(ctx, mission.OpMissionsStart); err != nil {
			return m, err
		}
		return c.missions.StartMissionNow(ctx, c.p, id)
	case mission.StatusActive:
		if err := c.may(ctx, mission.OpMissionsRetry); err != nil {
			return m, err
		}
		return c.missions.RetryMission(ctx, c.p, id)
	case mission.StatusPaused, mission.StatusCompleted:
	}
	return c.missions.ResumeMission(ctx, c.p, id)
}

type estimateOut struct {
	Posts      *int           `json:"posts,omitempty"`
	CostCents  *int64         `json:"cost_cents,omitempty" doc:"absent: nothing is charged, or it can't be told yet"`
	EndsAt     *time.Time     `json:"ends_at,omitempty"`
	FirstSlots []slot         `json:"first_slots"`
	Notices    []notice       `json:"notices"`
	Problems   []shownProblem `json:"problems" doc:"What mission_create would refuse"`
}

type slot struct {
	At       time.Time        `json:"at"`
	Platform mission.Platform `json:"platform"`
}

func estimateMission(ctx context.Context, c *call, in missionFields) (estimateOut, error) {
	e, err := c.missions.EstimateMission(ctx, c.p, in.input())
	if err != nil {
		return estimateOut{}, flat(err)
	}
	out := estimateOut{Posts: e.Posts, EndsAt: e.EndsAt, FirstSlots: []slot{}, Notices: showNotices(e.Notices), Problems: []shownProblem{}}
	if e.Cost != nil {
		cents := e.Cost.Cents()
		out.CostCents = &cents
	}
	for _, s := range e.FirstSlots {
		out.FirstSlots = append(out.FirstSlots, slot{s.At, s.Platform})
	}
	for _, problem := range e.Problems[:min(len(e.Problems), maxOthers)] {
		out.Problems = append(out.Problems, shownProblem{without(problem.Param, "constraints."), problem.Message})
	}
	return out, nil
}
