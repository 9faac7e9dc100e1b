package store

import (
	"context"
	"slices"
	"strings"
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

// stageLists are a job's stages in the job's row: a list for each column that was
// read, the first two always.
type stageLists struct {
	Names       []string           `bun:",scanonly"`
	Statuses    []string           `bun:",scanonly"`
	Attempts    []int64            `bun:",scanonly"`
	StartedAt   []*time.Time       `bun:",scanonly"`
	CompletedAt []*time.Time       `bun:",scanonly"`
	Errors      []*mission.Failure `bun:",scanonly"`
}

// stageColumns are the columns of stages and what their lists are called.
var stageColumns = [][2]string{
	{"name", "names"}, {"status", "statuses"}, {"attempts", "attempts"},
	{"started_at", "started_at"}, {"completed_at", "completed_at"}, {"error", "errors"},
}

// joinStages makes a query of jobs, with the alias j, read columns of their stages
// into stageLists, whose columns get a prefix. Postgres only: on SQLite addStages
// reads them.
func joinStages(b *prepared, q *bun.SelectQuery, prefix string, columns [][2]string) *bun.SelectQuery {
	if !b.lateral {
		return q
	}
	lists := make([]string, len(columns))
	for i, c := range columns {
		q.ColumnExpr("sl.? AS ?", bun.Safe(c[1]), bun.Safe(prefix+c[1]))
		lists[i] = "array_agg(s." + c[0] + ") AS " + c[1]
	}
	return q.Join("LEFT JOIN LATERAL (SELECT " + strings.Join(lists, ", ") + " FROM stages AS s WHERE s.job_id = j.id) AS sl ON true")
}

// of returns the stages of the job with an id.
func (l stageLists) of(jobID string) []mission.Stage {
	if len(l.Names) == 0 {
		return nil
	}
	stages := make([]mission.Stage, len(l.Names))
	for i, name := range l.Names {
		stages[i] = mission.Stage{JobID: jobID, Name: mission.StageName(name), Status: mission.RunStatus(l.Statuses[i])}
		if s := &stages[i]; l.Attempts != nil {
			s.Attempts, s.StartedAt, s.CompletedAt, s.Error = int(l.Attempts[i]), utc(l.StartedAt[i]), utc(l.CompletedAt[i]), l.Errors[i]
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
