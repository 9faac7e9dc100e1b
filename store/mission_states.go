package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// MissionState is what a mission's status view shows.
type MissionState struct {
	// Mission has the columns of missionState.
	Mission mission.Mission
	// Job is the current job, or else the latest, with the columns of currentJob
	// and its stages; nil before the first.
	Job *mission.Job
	// NextPublishAt is when the next post is due; nil if none is.
	NextPublishAt *time.Time
}

// missionState and currentJob are the columns of which a status view is made.
const (
	missionState Columns = "status,platforms,kpis,totals,trends,starts_at,ends_at,paused_at,paused_ms,generated,pending_review,approved,published,scheduled"
	currentJob           = "j.id AS job_id, j.status AS job_status, j.current_stage AS job_current_stage," +
		" j.planned AS job_planned, j.written AS job_written, j.settled AS job_settled"
)

// stateRow is a mission with its current job.
type stateRow struct {
	missionRow `bun:",extend"`

	Job           jobRow     `bun:"embed:job_"`
	NextPublishAt *time.Time `bun:",scanonly"`
}

func (r stateRow) state() MissionState {
	s := MissionState{Mission: r.mission(), NextPublishAt: r.NextPublishAt}
	if r.Job.ID != "" {
		j := r.Job.job()
		s.Job = &j
	}
	return s
}

// MissionState returns the state of a tenant's mission. Errors: not_found.
func (db *DB) MissionState(ctx context.Context, tenantID, id string) (MissionState, error) {
	states, err := db.missionStates(ctx, db.NewSelect().Where("m.id = ?", id).Where("m.tenant_id = ?", tenantID))
	if err == nil && len(states) == 0 {
		err = mission.NotFound("mission", id)
	}
	if err != nil {
		return MissionState{}, err
	}
	return states[0], nil
}

// WatchedMissions returns the states of those of the missions that exist, of any
// tenant: it is for subscribers whose access to each was already checked.
func (db *DB) WatchedMissions(ctx context.Context, ids []string) ([]MissionState, error) {
	return db.missionStates(ctx, db.NewSelect().Where("?", database.In("m.id", ids)))
}

// missionStates returns the states of the missions that q selects.
func (db *DB) missionStates(ctx context.Context, q *bun.SelectQuery) ([]MissionState, error) {
	next := db.NewSelect().Table("contents").Column("scheduled_at").Where("mission_id = m.id").Where("status = 'scheduled'").
		OrderExpr("scheduled_at").Limit(1)
	missionState.of("m", q, "tenant_id").ColumnExpr(currentJob).ColumnExpr("(?) AS next_publish_at", next).
		Join("LEFT JOIN jobs AS j ON j.id = m.pipeline_job_id")
	return findAll(ctx, db.read, db.withStages(q, "job_stages", true), stateRow.state)
}
