package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagMissions = "Missions"

// missions registers the routes of missions (interface, section 4).
func (a *API) missions() {
	handle(a, route{mission.OpMissionsList, http.MethodGet, "/v1/missions", http.StatusOK, "List missions", tagMissions}, a.listMissions)
	handleBody(a, route{mission.OpMissionsCreate, http.MethodPost, "/v1/missions", http.StatusCreated, "Create a mission", tagMissions}, a.createMission)
	handle(a, route{mission.OpMissionsRead, http.MethodGet, "/v1/missions/{id}", http.StatusOK, "Read a mission", tagMissions}, a.readMission)
	handle(a, route{mission.OpMissionsDelete, http.MethodDelete, "/v1/missions/{id}", http.StatusOK, "Delete a mission", tagMissions}, a.deleteMission)
	handle(a, route{mission.OpMissionsStatus, http.MethodGet, "/v1/missions/{id}/status", http.StatusOK, "Read a mission's status", tagMissions}, a.missionStatus)
	handle(a, route{mission.OpMissionsPause, http.MethodPost, "/v1/missions/{id}/pause", http.StatusOK, "Pause a mission", tagMissions}, a.pauseMission)
	handle(a, route{mission.OpMissionsResume, http.MethodPost, "/v1/missions/{id}/resume", http.StatusOK, "Resume a mission", tagMissions}, a.resumeMission)
}

type missionID struct {
	ID string `path:"id" doc:"The mission's id" example:"msn_01jd0000000000000000000000"`
}

type listParams struct {
	Status        mission.Status   `query:"status" enum:"draft,active,paused,completed" doc:"Only missions in this state"`
	Platform      mission.Platform `query:"platform" doc:"Only missions that publish on this platform"`
	Limit         int              `query:"limit" default:"20" minimum:"1" maximum:"100" doc:"How many to answer"`
	StartingAfter string           `query:"starting_after" doc:"The last id of the page before"`
}

// page is a list (interface, section 2, "Paged list envelope").
type page[T any] struct {
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more" doc:"Whether more follow"`
	Total   int  `json:"total" doc:"How many match the filter"`
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

func (a *API) listMissions(ctx context.Context, p mission.Principal, in *listParams) (page[missionSummary], error) {
	none := page[missionSummary]{}
	if in.Platform != "" && !in.Platform.Known() {
		return none, mission.Invalid("platform", "Unknown platform %q.", in.Platform)
	}
	filter := store.MissionFilter{Status: in.Status, Platform: in.Platform}
	list, more, err := a.service.Missions(ctx, p, filter, store.Page{After: in.StartingAfter, Limit: in.Limit})
	if err != nil {
		return none, naming("starting_after", err)
	}
	total, err := a.service.CountMissions(ctx, p, filter)
	if err != nil {
		return none, err
	}
	answer := page[missionSummary]{Data: make([]missionSummary, len(list)), HasMore: more, Total: total}
	for i, m := range list {
		answer.Data[i] = missionSummary{
			ID: m.ID, Name: m.Name, Status: m.Status, Platforms: m.Platforms,
			StartsAt: m.StartsAt, EndsAt: m.EndsAt, CreatedAt: m.CreatedAt,
		}
	}
	return answer, nil
}

// naming names the parameter of an error that has none.
func naming(param string, err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param != "" || m.Code != mission.CodeInvalidRequest {
		return err
	}
	named := *m
	named.Param = param
	return &named
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
}

func (a *API) createMission(ctx context.Context, p mission.Principal, in mission.CreateInput) (createdMission, error) {
	m, err := a.service.CreateMission(ctx, p, in)
	if err != nil {
		return createdMission{}, err
	}
	return createdMission{
		ID: m.ID, Name: m.Name, Status: m.Status, PipelineJobID: m.PipelineJobID, Platforms: m.Platforms,
		StartsAt: m.StartsAt, EndsAt: m.EndsAt, EstimatedPosts: m.EstimatedPosts(a.clock.Now()), CreatedAt: m.CreatedAt,
	}, nil
}

func (a *API) readMission(ctx context.Context, p mission.Principal, in *missionID) (mission.Mission, error) {
	return a.service.Mission(ctx, p, in.ID)
}

type deletedMission struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

func (a *API) deleteMission(ctx context.Context, p mission.Principal, in *missionID) (deletedMission, error) {
	if err := a.service.DeleteMission(ctx, p, in.ID); err != nil {
		return deletedMission{}, err
	}
	return deletedMission{ID: in.ID, Deleted: true}, nil
}

func (a *API) missionStatus(ctx context.Context, p mission.Principal, in *missionID) (mission.StatusView, error) {
	return a.service.Status(ctx, p, in.ID)
}

type pausedMission struct {
	ID       string         `json:"id"`
	Status   mission.Status `json:"status"`
	PausedAt *time.Time     `json:"paused_at"`
}

func (a *API) pauseMission(ctx context.Context, p mission.Principal, in *missionID) (pausedMission, error) {
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

func (a *API) resumeMission(ctx context.Context, p mission.Principal, in *missionID) (resumedMission, error) {
	m, err := a.service.ResumeMission(ctx, p, in.ID)
	if err != nil {
		return resumedMission{}, err
	}
	return resumedMission{ID: m.ID, Status: m.Status, ResumedAt: m.UpdatedAt, AdjustedEndsAt: m.EndsAt}, nil
}
