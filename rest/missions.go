package rest

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagMissions tag = "Missions"

// exampleMission is a brief that can be sent at any time.
const exampleMission = `{"name":"Autumn launch","objectives":["Announce the 2.0 release"],"platforms":["twitter","linkedin"],` +
	`"kpis":[{"metric":"likes","target":100}],"constraints":{"posts_per_day":2,"posting_times":["09:00","17:30"],` +
	`"timezone":"Europe/Helsinki","tone":"friendly"},"duration_days":21,"start_immediately":true}`

// routeMissions registers the routes of missions (interface, section 4).
func (a *API) routeMissions() {
	handle(a, tagMissions.get(mission.OpMissionsList, "/v1/missions", "List missions"), a.listMissions)
	handleBody(a, tagMissions.post(mission.OpMissionsCreate, "/v1/missions", "Create a mission").created().
		withExample(exampleMission), a.createMission)
	handle(a, tagMissions.get(mission.OpMissionsRead, "/v1/missions/{id}", "Read a mission"), a.readMission)
	handleBody(a, tagMissions.put(mission.OpMissionsUpdate, "/v1/missions/{id}", "Update a mission").explained(explainFixed).
		withExample(`{"constraints":{"posts_per_day":3,"posting_times":["09:00","12:30","17:30"]},"duration_days":28}`), a.updateMission)
	handle(a, tagMissions.post(mission.OpMissionsStart, "/v1/missions/{id}/start", "Start a draft mission"), a.startMission)
	handle(a, tagMissions.post(mission.OpMissionsComplete, "/v1/missions/{id}/complete", "End a mission early"), a.completeMission)
	handle(a, tagMissions.post(mission.OpMissionsRetry, "/v1/missions/{id}/retry",
		"Retry a failed job from the stage that failed"), a.retryMission)
	handle(a, tagMissions.post(mission.OpMissionsCopy, "/v1/missions/{id}/duplicate",
		"Make a draft like a mission").created(), a.duplicateMission)
	handle(a, tagMissions.delete(mission.OpMissionsDelete, "/v1/missions/{id}", "Delete a mission"), a.deleteMission)
	handle(a, tagMissions.get(mission.OpMissionsStatus, "/v1/missions/{id}/status", "Read a mission's status"), a.missionStatus)
	handle(a, tagMissions.get(mission.OpMissionsWhy, "/v1/missions/{id}/why", "Read what keeps a mission's posts from going out"), a.missionWhy)
	handle(a, tagMissions.get(mission.OpMissionsAutonomy, "/v1/missions/{id}/autonomy", "Read how far a mission has come with earning its autonomy"), a.readAutonomy)
	handle(a, tagMissions.post(mission.OpMissionsPause, "/v1/missions/{id}/pause", "Pause a mission"), a.pauseMission)
	handle(a, tagMissions.post(mission.OpMissionsResume, "/v1/missions/{id}/resume", "Resume a mission"), a.resumeMission)
}

// MissionPath has the parameters of a mission's routes.
type MissionPath struct {
	ID string `path:"id" doc:"The mission's id" example:"msn_01jd0000000000000000000000"`
}

type missionListParams struct {
	Paging

	Status   mission.Status   `query:"status" enum:"draft,active,paused,completed" doc:"Only missions in this state" example:"active"`
	Platform mission.Platform `query:"platform" doc:"Only missions that publish on this platform" example:"twitter"`
	Expand   string           `query:"expand" doc:"What else to return: health" example:"health"`
}

type missionSummary struct {
	ID        string             `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Name      string             `json:"name" doc:"What people call it: 1 to 200 characters" example:"Autumn launch"`
	Status    mission.Status     `json:"status" doc:"The mission's state" example:"active"`
	Platforms []mission.Platform `json:"platforms" doc:"Where it posts" example:"twitter,linkedin"`
	StartsAt  *time.Time         `json:"starts_at" doc:"When it starts, or started"`
	EndsAt    *time.Time         `json:"ends_at" doc:"When it ends; null before its start is known"`
	CreatedAt time.Time          `json:"created_at" doc:"When it was made"`

	Health *nullable[mission.Health] `json:"health,omitzero" doc:"How it is doing, null for a draft and for a completed mission; only with expand=health"`
}

// summaryColumns are the columns that a summary needs.
const summaryColumns store.Columns = "name,status,platforms,starts_at,ends_at"

func (a *API) listMissions(ctx context.Context, p mission.Principal, in *missionListParams) (page[missionSummary], error) {
	none := page[missionSummary]{}
	if err := mission.CheckPlatform("platform", in.Platform); in.Platform != "" && err != nil {
		return none, err
	}
	expand, err := expansions(p, in.Expand, "health")
	if err != nil {
		return none, err
	}
	wanted := in.page()
	wanted.Total, wanted.Columns = true, summaryColumns
	if expand["health"] {
		wanted.Columns = "" // it follows from most of them
	}
	list, err := a.missions.Missions(ctx, p, store.MissionFilter{Status: in.Status, Platform: in.Platform}, wanted)
	if err != nil {
		return none, namingCursor(err)
	}
	var healths map[string]mission.Health
	if expand["health"] {
		if healths, err = a.missions.HealthsOf(ctx, p, list.List); err != nil {
			return none, err
		}
	}
	return pageOf(list, list.Total, func(m mission.Mission) missionSummary {
		summary := missionSummary{
			ID: m.ID, Name: m.Name, Status: m.Status, Platforms: m.Platforms,
			StartsAt: m.StartsAt, EndsAt: m.EndsAt, CreatedAt: m.CreatedAt,
		}
		if expand["health"] {
			summary.Health = showHealth(healths, m.ID)
		}
		return summary
	}), nil
}

type createdMission struct {
	ID             string             `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Name           string             `json:"name" doc:"What people call it: 1 to 200 characters" example:"Autumn launch"`
	Status         mission.Status     `json:"status" doc:"The mission's state" example:"active"`
	PipelineJobID  *string            `json:"pipeline_job_id" doc:"The current job; null in a draft" example:"job_01jnd2x6k8e4rvt0m7y3bqz5cj"`
	Platforms      []mission.Platform `json:"platforms" doc:"Where it posts" example:"twitter,linkedin"`
	StartsAt       *time.Time         `json:"starts_at" doc:"When it starts, or started"`
	EndsAt         *time.Time         `json:"ends_at" doc:"When it ends; null before its start is known"`
	EstimatedPosts int                `json:"estimated_posts" doc:"How many posts it will write, budget permitting" example:"42"`
	CreatedAt      time.Time          `json:"created_at" doc:"When it was made"`
	Notices        []mission.Notice   `json:"notices" doc:"Notices for its owner about how it is set up"`
}

func (a *API) createMission(ctx context.Context, p mission.Principal, _ *RawText, in mission.CreateInput) (createdMission, error) {
	m, err := a.missions.CreateMission(ctx, p, in)
	if err != nil {
		return createdMission{}, err
	}
	return a.showCreated(m), nil
}

func (a *API) duplicateMission(ctx context.Context, p mission.Principal, in *MissionPath) (createdMission, error) {
	m, err := a.missions.DuplicateMission(ctx, p, in.ID)
	if err != nil {
		return createdMission{}, err
	}
	return a.showCreated(m), nil
}

func (a *API) showCreated(m mission.Mission) createdMission {
	return createdMission{
		ID: m.ID, Name: m.Name, Status: m.Status, PipelineJobID: m.PipelineJobID, Platforms: m.Platforms,
		StartsAt: m.StartsAt, EndsAt: m.EndsAt, EstimatedPosts: m.EstimatedPosts(a.clock.Now()), CreatedAt: m.CreatedAt,
		Notices: m.Notices(),
	}
}

func (a *API) startMission(ctx context.Context, p mission.Principal, in *MissionPath) (mission.Mission, error) {
	return a.missions.StartMissionNow(ctx, p, in.ID)
}

func (a *API) completeMission(ctx context.Context, p mission.Principal, in *MissionPath) (mission.Mission, error) {
	return a.missions.CompleteMission(ctx, p, in.ID)
}

func (a *API) retryMission(ctx context.Context, p mission.Principal, in *MissionPath) (mission.Mission, error) {
	return a.missions.RetryMission(ctx, p, in.ID)
}

type deletedMission struct {
	ID      string `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Deleted bool   `json:"deleted" doc:"That it was deleted: always true" example:"true"`
}

func (a *API) deleteMission(ctx context.Context, p mission.Principal, in *MissionPath) (deletedMission, error) {
	if err := a.missions.DeleteMission(ctx, p, in.ID); err != nil {
		return deletedMission{}, err
	}
	return deletedMission{ID: in.ID, Deleted: true}, nil
}

type missionStatusParams struct {
	MissionPath

	Expand string `query:"expand" doc:"What else to return: health" example:"health"`
}

// statusView is the status view with its requested expansion.
type statusView struct {
	mission.StatusView

	Health *nullable[mission.Health] `json:"health,omitzero" doc:"How it is doing, null for a draft and for a completed mission; only with expand=health"`
}

func (a *API) missionStatus(ctx context.Context, p mission.Principal, in *missionStatusParams) (statusView, error) {
	expand, err := expansions(p, in.Expand, "health")
	if err != nil {
		return statusView{}, err
	}
	v, err := a.missions.Status(ctx, p, in.ID)
	if err != nil || !expand["health"] {
		return statusView{StatusView: v}, err
	}
	healths, err := a.missions.Healths(ctx, p, []string{in.ID})
	return statusView{v, showHealth(healths, in.ID)}, err
}

type pausedMission struct {
	ID       string         `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Status   mission.Status `json:"status" doc:"The mission's state" example:"active"`
	PausedAt *time.Time     `json:"paused_at" nullable:"false" doc:"Since when it is paused"`
}

func (a *API) pauseMission(ctx context.Context, p mission.Principal, in *MissionPath) (pausedMission, error) {
	m, err := a.missions.PauseMission(ctx, p, in.ID)
	if err != nil {
		return pausedMission{}, err
	}
	return pausedMission{ID: m.ID, Status: m.Status, PausedAt: m.PausedAt}, nil
}

type resumedMission struct {
	ID             string         `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Status         mission.Status `json:"status" doc:"The mission's state" example:"active"`
	ResumedAt      time.Time      `json:"resumed_at" doc:"When it was resumed"`
	AdjustedEndsAt *time.Time     `json:"adjusted_ends_at" nullable:"false" doc:"The end, moved by the pause"`
}

func (a *API) resumeMission(ctx context.Context, p mission.Principal, in *MissionPath) (resumedMission, error) {
	m, err := a.missions.ResumeMission(ctx, p, in.ID)
	if err != nil {
		return resumedMission{}, err
	}
	return resumedMission{ID: m.ID, Status: m.Status, ResumedAt: m.UpdatedAt, AdjustedEndsAt: m.EndsAt}, nil
}
