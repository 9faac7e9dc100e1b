package mcpserver

import (
	"context"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// named is a record's id with its name.
type named struct {
	ID   string `json:"id"`
	Name Text   `json:"name"`
}

type health struct {
	State   mission.HealthState `json:"state"`
	Message Text                `json:"message"`
}

func showHealth(h map[string]mission.Health, id string) *health {
	of, ok := h[id]
	if !ok {
		return nil
	}
	return &health{of.State, cutTo(of.Message, fromService, reasonBytes)}
}

// reason is why something is where it is, and what can be done about it.
type reason struct {
	Code    mission.ReasonCode `json:"code"`
	Message Text               `json:"message"`
	Until   *time.Time         `json:"until,omitempty"`
	Failure *failure           `json:"failure,omitempty"`
	Actions []mission.Remedy   `json:"actions,omitempty" doc:"What helps, whatever the caller's scopes"`
}

type failure struct {
	Code    string `json:"code"`
	Message Text   `json:"message"`
}

func showFailure(f *mission.Failure) *failure {
	if f == nil {
		return nil
	}
	return &failure{f.Code, cutTo(f.Message, fromPlatform, reasonBytes)}
}

// maxReasons is how many reasons are shown.
const maxReasons = 4

func showReasons(w mission.Why) []reason {
	list := make([]reason, min(len(w.Reasons), maxReasons))
	for i := range list {
		r := w.Reasons[i]
		list[i] = reason{Code: r.Code, Message: cutTo(r.Message, fromService, reasonBytes), Until: r.Until, Failure: showFailure(r.Failure)}
		for _, action := range r.Actions {
			list[i].Actions = append(list[i].Actions, action.Code)
		}
	}
	return list
}

type missionRow struct {
	ID        string                `json:"id"`
	Name      Text                  `json:"name"`
	Status    mission.Status        `json:"status"`
	Platforms []mission.Platform    `json:"platforms"`
	Health    *health               `json:"health,omitempty"`
	Posts     mission.ContentCounts `json:"posts"`
	EndsAt    *time.Time            `json:"ends_at,omitempty"`
}

type missionsListIn struct {
	paging

	Status   mission.Status   `json:"status,omitempty"`
	Platform mission.Platform `json:"platform,omitempty" enum:"-"`
}

type missionIn struct {
	MissionID string `json:"mission_id"`
}

type missionGetIn struct {
	missionIn
	detailed
}

type kpi struct {
	Metric   mission.Metric   `json:"metric"`
	Platform mission.Platform `json:"platform"`
	Target   float64          `json:"target"`
	Current  *float64         `json:"current,omitempty"`
	Trend    mission.Trend    `json:"trend"`
}

func showKPIs(list []mission.KPIProgress, most int) []kpi {
	shown := make([]kpi, min(len(list), most))
	for i := range shown {
		k := list[i]
		shown[i] = kpi{k.Metric, k.Platform, k.Target, k.Current, k.Trend}
	}
	return shown
}

// money is in US cents, rounded up.
type money struct {
	BudgetCents   *int64 `json:"budget_cents,omitempty" doc:"absent: no bound"`
	SpentCents    int64  `json:"spent_cents"`
	ReservedCents int64  `json:"reserved_cents"`
}

type missionOut struct {
	missionRow

	Summary       Text       `json:"summary" doc:"The first of reasons"`
	Reasons       []reason   `json:"reasons" doc:"Why posts don't go out, or what is waited for"`
	NextPublishAt *time.Time `json:"next_publish_at,omitempty"`
	KPIs          []kpi      `json:"kpis"`
	Money         money      `json:"money"`
	StartsAt      *time.Time `json:"starts_at,omitempty"`

	Brief     *brief      `json:"brief,omitempty" doc:"With detail full, as are those that follow"`
	Pipeline  *pipeline   `json:"pipeline,omitempty"`
	Autonomy  *autonomy   `json:"autonomy,omitempty"`
	FreeSlots []time.Time `json:"free_slots,omitempty"`
}

// brief is what a mission was told.
type brief struct {
	Description     Text            `json:"description"`
	Objectives      []Text          `json:"objectives"`
	Accounts        []string        `json:"integration_ids"`
	Files           []string        `json:"media_ids"`
	Tone            *Text           `json:"tone,omitempty"`
	Cadence         mission.Cadence `json:"cadence"`
	PostsPerDay     int             `json:"posts_per_day"`
	PostingTimes    []string        `json:"posting_times"`
	Timezone        string          `json:"timezone"`
	RequireApproval bool            `json:"require_approval"`
	ExcludedTopics  []Text          `json:"excluded_topics"`
	Language        *string         `json:"language,omitempty"`
	Editor          *Text           `json:"editor,omitempty"`
	DurationDays    int             `json:"duration_days"`
}

type pipeline struct {
	JobID           *string           `json:"job_id,omitempty"`
	Status          mission.RunStatus `json:"status"`
	Stage           mission.StageName `json:"stage"`
	ProgressPercent int               `json:"progress_percent"`
}

type autonomy struct {
	State   mission.AutonomyState `json:"state"`
	Missing int                   `json:"approvals_missing"`
}

// Bounds of a brief's lists.
const (
	maxItems   = 20
	maxIDs     = 50
	conciseKPI = 5
)

func showBrief(m mission.Mission) *brief {
	c := m.Constraints
	b := &brief{
		Description: cutTo(m.Description, fromTenant, longBytes), Objectives: cutAll(m.Objectives, fromTenant, maxItems, itemBytes),
		Accounts: m.IntegrationIDs[:min(len(m.IntegrationIDs), maxIDs)], Files: m.MediaIDs[:min(len(m.MediaIDs), maxIDs)],
		Cadence: c.Cadence, PostsPerDay: c.PostsPerDay, PostingTimes: c.PostingTimes, Timezone: c.Timezone, RequireApproval: c.RequireApproval,
		ExcludedTopics: cutAll(c.ExcludedTopics, fromTenant, maxItems, itemBytes), Language: c.Language, DurationDays: m.DurationDays,
	}
	if c.Tone != nil {
		b.Tone = some(*c.Tone, fromTenant, itemBytes)
	}
	if m.Editor != nil {
		b.Editor = some(m.Editor.Name, fromTenant, nameBytes)
	}
	return b
}

func missionTools() []*tool {
	return []*tool{
		doing(tool{
			name: "missions_list", title: "List missions", op: mission.OpMissionsList, reads: true,
			description: "Lists missions, newest first, with their state, their health and the number of their posts by state.",
		}, listMissions),
		doing(tool{
			name: "mission_get", title: "Read a mission", op: mission.OpMissionsRead, reads: true,
			also: []mission.Operation{
				mission.OpMissionsStatus, mission.OpMissionsWhy, mission.OpMissionsAutonomy, mission.OpContentFreeSlots,
			},
			description: "Returns a mission: its state, what keeps its posts from going out and which actions help, progress of its KPIs, money spent. With detail full also its brief, its pipeline, its earned autonomy and its free slots.",
		}, getMission),
		doing(tool{
			name: "mission_estimate", title: "Estimate a mission", op: mission.OpMissionsEstimate, reads: true, terse: true,
			description: "Returns what mission_create with the same arguments would make: the number of posts, their cost, the first slots, and all that is wrong with the arguments. Stores nothing.",
		}, estimateMission),
	}
}

func listMissions(ctx context.Context, c *call, in missionsListIn) (paged[missionRow], error) {
	none := paged[missionRow]{}
	if in.Platform != "" {
		if err := mission.CheckPlatform("platform", in.Platform); err != nil {
			return none, err
		}
	}
	page, err := in.page()
	if err != nil {
		return none, err
	}
	list, err := c.missionsOf(ctx, store.MissionFilter{Status: in.Status, Platform: in.Platform}, page)
	if err != nil {
		return none, namingCursor(err)
	}
	healths, err := c.missions.HealthsOf(ctx, c.p, list.List)
	if err != nil {
		return none, err
	}
	rows := make([]missionRow, len(list.List))
	for i, m := range list.List {
		rows[i] = showMission(m, healths)
	}
	return pageOf(list, rows, detailed{}, func(m mission.Mission) string { return m.ID }), nil
}

func showMission(m mission.Mission, healths map[string]mission.Health) missionRow {
	return missionRow{
		ID: m.ID, Name: cutTo(m.Name, fromTenant, nameBytes), Status: m.Status, Platforms: m.Platforms, Health: showHealth(healths, m.ID),
		Posts: m.Counts, EndsAt: m.EndsAt,
	}
}

func getMission(ctx context.Context, c *call, in missionGetIn) (missionOut, error) {
	none := missionOut{}
	m, err := c.mission(ctx, in.MissionID)
	if err != nil {
		return none, err
	}
	if err := c.may(ctx, mission.OpMissionsStatus, mission.OpMissionsWhy); err != nil {
		return none, err
	}
	status, err := c.missions.Status(ctx, c.p, m.ID)
	if err != nil {
		return none, err
	}
	healths, err := c.missions.HealthsOf(ctx, c.p, []mission.Mission{m})
	if err != nil {
		return none, err
	}
	why, err := c.missions.MissionWhy(ctx, c.p, m.ID)
	if err != nil {
		return none, err
	}
	kpis := conciseKPI
	if in.full() {
		kpis = maxIDs
	}
	out := missionOut{
		missionRow: showMission(m, healths), Summary: cutTo(why.Summary, fromService, reasonBytes), Reasons: showReasons(why),
		NextPublishAt: status.NextPublishAt, KPIs: showKPIs(status.KPIProgress, kpis), StartsAt: m.StartsAt,
		Money: money{BudgetCents: m.Constraints.BudgetCents, SpentCents: m.Spent.Cents(), ReservedCents: m.Reserved.Cents()},
	}
	if !in.full() {
		return out, nil
	}
	err = c.addToMission(ctx, &out, m, status)
	return out, err
}

// freeSlots is how many free slots are shown.
const freeSlots = 5

// addToMission adds what detail full has.
func (c *call) addToMission(ctx context.Context, out *missionOut, m mission.Mission, status mission.StatusView) error {
	out.Brief = showBrief(m)
	p := status.Pipeline
	out.Pipeline = &pipeline{p.JobID, p.Status, p.CurrentStage, p.ProgressPercent}
	if err := c.may(ctx, mission.OpMissionsAutonomy); err != nil {
		return err
	}
	standing, err := c.missions.Autonomy(ctx, c.p, m.ID)
	if err != nil {
		return err
	}
	out.Autonomy = &autonomy{standing.State, standing.Missing}
	running := slices.Contains([]mission.Status{mission.StatusActive, mission.StatusPaused}, m.Status)
	if !running || !c.adds(ctx, mission.OpContentFreeSlots) {
		return nil
	}
	out.FreeSlots, err = c.missions.FreeSlots(ctx, c.p, m.ID, nil, freeSlots)
	if mission.CodeOf(err) == mission.CodeConflict {
		err = nil // it has no slot left
	}
	return err
}
