package rest

import (
	"context"
	"net/http"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagMissions = "Missions"

// missions registers the routes of missions (interface, section 4).
func (a *API) missions() {
	handle(a, route{operation: mission.OpMissionsList, method: http.MethodGet, path: "/v1/missions", status: http.StatusOK, summary: "List missions", tag: tagMissions}, a.listMissions)
	handleBody(a, route{operation: mission.OpMissionsCreate, method: http.MethodPost, path: "/v1/missions", status: http.StatusCreated, summary: "Create a mission", tag: tagMissions}, a.createMission)
	handle(a, route{operation: mission.OpMissionsRead, method: http.MethodGet, path: "/v1/missions/{id}", status: http.StatusOK, summary: "Read a mission", tag: tagMissions}, a.readMission)
	handleBody(a, route{operation: mission.OpMissionsUpdate, method: http.MethodPut, path: "/v1/missions/{id}", status: http.StatusOK, summary: "Update a mission", tag: tagMissions, explain: explainFixed}, a.updateMission)
	handle(a, route{operation: mission.OpMissionsStart, method: http.MethodPost, path: "/v1/missions/{id}/start", status: http.StatusOK, summary: "Start a draft mission", tag: tagMissions}, a.startMission)
	handle(a, route{operation: mission.OpMissionsComplete, method: http.MethodPost, path: "/v1/missions/{id}/complete", status: http.StatusOK, summary: "End a mission early", tag: tagMissions}, a.completeMission)
	handle(a, route{operation: mission.OpMissionsRetry, method: http.MethodPost, path: "/v1/missions/{id}/retry", status: http.StatusOK, summary: "Retry a failed job from the stage that failed", tag: tagMissions}, a.retryMission)
	handle(a, route{operation: mission.OpMissionsDelete, method: http.MethodDelete, path: "/v1/missions/{id}", status: http.StatusOK, summary: "Delete a mission", tag: tagMissions}, a.deleteMission)
	handle(a, route{operation: mission.OpMissionsStatus, method: http.MethodGet, path: "/v1/missions/{id}/status", status: http.StatusOK, summary: "Read a mission's status", tag: tagMissions}, a.missionStatus)
	handle(a, route{operation: mission.OpMissionsPause, method: http.MethodPost, path: "/v1/missions/{id}/pause", status: http.StatusOK, summary: "Pause a mission", tag: tagMissions}, a.pauseMission)
	handle(a, route{operation: mission.OpMissionsResume, method: http.MethodPost, path: "/v1/missions/{id}/resume", status: http.StatusOK, summary: "Resume a mission", tag: tagMissions}, a.resumeMission)
}

// MissionPath holds the parameters of a mission's routes.
type MissionPath struct {
	ID string `path:"id" doc:"The mission's id" example:"msn_01jd0000000000000000000000"`
}

type missionListParams struct {
	Paging

	Status   mission.Status   `query:"status" enum:"draft,active,paused,completed" doc:"Only missions in this state"`
	Platform mission.Platform `query:"platform" doc:"Only missions that publish on this platform"`
}

type missionSummary struct {
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Status    mission.Status     `json:"status"`
	Platforms []mission.Platform `json:"platforms"`
	StartsAt  *time.Time         `json:"starts_at"`
	EndsAt    *time.Time         `json:"ends_at"`
	CreatedAt time.Time          `json:"created_at"`
}

// summaryColumns are the columns that a summary needs.
const summaryColumns store.Columns = "name,status,platforms,starts_at,ends_at"

func (a *API) listMissions(ctx context.Context, p mission.Principal, in *missionListParams) (page[missionSummary], error) {
	none := page[missionSummary]{}
	if in.Platform != "" && !in.Platform.Known() {
		return none, mission.Invalid("platform", "Unknown platform %q.", in.Platform)
	}
	filter := store.MissionFilter{Status: in.Status, Platform: in.Platform}
	wanted := in.page()
	wanted.Total, wanted.Columns = true, summaryColumns
	list, err := a.service.Missions(ctx, p, filter, wanted)
	if err != nil {
		return none, namingCursor(err)
	}
	return pageOf(list.List, list.More, list.Total, func(m mission.Mission) missionSummary {
		return missionSummary{
			ID: m.ID, Name: m.Name, Status: m.Status, Platforms: m.Platforms,
			StartsAt: m.StartsAt, EndsAt: m.EndsAt, CreatedAt: m.CreatedAt,
		}
	}), nil
}

type createdMission struct {
	ID             string             `json:"id"`
	Name           string             `json:"name"`
	Status         mission.Status     `json:"status"`
	PipelineJobID  *string            `json:"pipeline_job_id"`
	Platforms      []mission.Platform `json:"platforms"`
	StartsAt       *time.Time         `json:"starts_at"`
	EndsAt         *time.Time         `json:"ends_at"`
	EstimatedPosts int                `json:"estimated_posts"`
	CreatedAt      time.Time          `json:"created_at"`
	Notices        []mission.Notice   `json:"notices" doc:"Notices for its owner about how it is set up"`
}

func (a *API) createMission(ctx context.Context, p mission.Principal, _ *RawText, in mission.CreateInput) (createdMission, error) {
	m, err := a.service.CreateMission(ctx, p, in)
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
	return a.service.StartMissionNow(ctx, p, in.ID)
}

func (a *API) completeMission(ctx context.Context, p mission.Principal, in *MissionPath) (mission.Mission, error) {
	return a.service.CompleteMission(ctx, p, in.ID)
}

func (a *API) retryMission(ctx context.Context, p mission.Principal, in *MissionPath) (mission.Mission, error) {
	return a.service.RetryMission(ctx, p, in.ID)
}

type deletedMission struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

func (a *API) deleteMission(ctx context.Context, p mission.Principal, in *MissionPath) (deletedMission, error) {
	if err := a.service.DeleteMission(ctx, p, in.ID); err != nil {
		return deletedMission{}, err
	}
	return deletedMission{ID: in.ID, Deleted: true}, nil
}

func (a *API) missionStatus(ctx context.Context, p mission.Principal, in *MissionPath) (mission.StatusView, error) {
	return a.service.Status(ctx, p, in.ID)
}

type pausedMission struct {
	ID       string         `json:"id"`
	Status   mission.Status `json:"status"`
	PausedAt *time.Time     `json:"paused_at"`
}

func (a *API) pauseMission(ctx context.Context, p mission.Principal, in *MissionPath) (pausedMission, error) {
	m, err := a.service.PauseMission(ctx, p, in.ID)
	if err != nil {
		return pausedMission{}, err
	}
	return pausedMission{ID: m.ID, Status: m.Status, PausedAt: m.PausedAt}, nil
}

type resumedMission struct {
	ID             string         `json:"id"`
	Status         mission.Status `json:"status"`
	ResumedAt      time.Time      `json:"resumed_at"`
	AdjustedEndsAt *time.Time     `json:"adjusted_ends_at"`
}

func (a *API) resumeMission(ctx context.Context, p mission.Principal, in *MissionPath) (resumedMission, error) {
	m, err := a.service.ResumeMission(ctx, p, in.ID)
	if err != nil {
		return resumedMission{}, err
	}
	return resumedMission{ID: m.ID, Status: m.Status, ResumedAt: m.UpdatedAt, AdjustedEndsAt: m.EndsAt}, nil
}
