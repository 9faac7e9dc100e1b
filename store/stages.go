package store

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type stageRow struct {
	bun.BaseModel `bun:"table:stages,alias:s"`

	JobID       string            `bun:",pk"`
	Name        mission.StageName `bun:",pk"`
	Status      mission.RunStatus
	Attempts    int
	StartedAt   *time.Time
	CompletedAt *time.Time
	Error       *mission.Failure
}

func newStageRow(s mission.Stage) stageRow {
	return stageRow{
		JobID: s.JobID, Name: s.Name, Status: s.Status, Attempts: s.Attempts,
		StartedAt: s.StartedAt, CompletedAt: s.CompletedAt, Error: s.Error,
	}
}

func (r stageRow) stage() mission.Stage {
	return mission.Stage{
		JobID: r.JobID, Name: r.Name, Status: r.Status, Attempts: r.Attempts,
		StartedAt: utc(r.StartedAt), CompletedAt: utc(r.CompletedAt), Error: r.Error,
	}
}

// stageLists are a job's stages in the job's row: a list for each column.
type stageLists struct {
	Names       []string           `bun:",scanonly"`
	Statuses    []string           `bun:",scanonly"`
	Attempts    []int64            `bun:",scanonly"`
	StartedAt   []*time.Time       `bun:",scanonly"`
	CompletedAt []*time.Time       `bun:",scanonly"`
	Errors      []*mission.Failure `bun:",scanonly"`
}

// joinStages makes a query of jobs, with the alias j, read their stages into
// stageLists, whose columns get a prefix. Postgres only: on SQLite addStages
// reads them.
func joinStages(b *prepared, q *bun.SelectQuery, prefix string) *bun.SelectQuery {
	if !b.lateral {
		return q
	}
	for _, list := range []string{"names", "statuses", "attempts", "started_at", "completed_at", "errors"} {
		q.ColumnExpr("sl.? AS ?", bun.Safe(list), bun.Safe(prefix+list))
	}
	return q.Join("LEFT JOIN LATERAL (SELECT array_agg(s.name) AS names, array_agg(s.status) AS statuses, array_agg(s.attempts) AS attempts," +
		" array_agg(s.started_at) AS started_at, array_agg(s.completed_at) AS completed_at, array_agg(s.error) AS errors" +
		" FROM stages AS s WHERE s.job_id = j.id) AS sl ON true")
}

// of returns the stages of the job with an id.
func (l stageLists) of(jobID string) []mission.Stage {
	if len(l.Names) == 0 {
		return nil
	}
	stages := make([]mission.Stage, len(l.Names))
	for i, name := range l.Names {
		stages[i] = mission.Stage{
			JobID: jobID, Name: mission.StageName(name), Status: mission.RunStatus(l.Statuses[i]), Attempts: int(l.Attempts[i]),
			StartedAt: utc(l.StartedAt[i]), CompletedAt: utc(l.CompletedAt[i]), Error: l.Errors[i],
		}
	}
	inOrder(stages)
	return stages
}

func inOrder(stages []mission.Stage) {
	slices.SortFunc(stages, func(a, b mission.Stage) int { return a.Name.Index() - b.Name.Index() })
}

// addStages reads the stages of jobs that joinStages could not.
func addStages(ctx context.Context, b *prepared, jobs []*mission.Job) error {
	if b.lateral || len(jobs) == 0 {
		return nil
	}
	byID := make(map[string]*mission.Job, len(jobs))
	ids := make([]string, len(jobs))
	for i, j := range jobs {
		ids[i], byID[j.ID] = j.ID, j
	}
	rows, err := scanRows[stageRow](ctx, b.NewSelect().Model((*stageRow)(nil)).Where(b.among("s.job_id", ids)))
	for _, r := range rows {
		byID[r.JobID].Stages = append(byID[r.JobID].Stages, r.stage())
	}
	for _, j := range jobs {
		inOrder(j.Stages)
	}
	return err
}
