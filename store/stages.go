package store

import (
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type stageRow struct {
	bun.BaseModel `bun:"table:stages,alias:s"`
	mission.Stage
}

// stageList are a job's stages in the job's row, as the database makes JSON of them.
type stageList []struct {
	Name        mission.StageName
	Status      mission.RunStatus
	Attempts    int
	StartedAt   *time.Time       `json:"started_at"`
	CompletedAt *time.Time       `json:"completed_at"`
	Error       *mission.Failure `json:"error"`
}

// withStages makes a query of jobs, with the alias j, read their stages into the column as:
// only names and states, if the rest isn't wanted.
func (db *DB) withStages(q *bun.SelectQuery, as string, whole bool) *bun.SelectQuery {
	return q.ColumnExpr("(SELECT ? FROM stages AS s WHERE s.job_id = j.id) AS ?", bun.Safe(db.dialect.stages(whole)), bun.Ident(as))
}

// stages makes a list of objects of a job's rows. It is json, which is written once: jsonb is
// parsed, sorted and written again, a fifth of what reading them costs.
func (postgresDialect) stages(whole bool) string {
	if !whole {
		return "json_agg(json_build_object('name', s.name, 'status', s.status))"
	}
	return "json_agg(json_build_object('name', s.name, 'status', s.status, 'attempts', s.attempts, 'started_at', s.started_at, 'completed_at', s.completed_at, 'error', s.error))"
}

// stages makes a list of objects of a job's rows. Times are stored with a space where JSON's
// have a T.
func (*sqliteDialect) stages(whole bool) string {
	if !whole {
		return "json_group_array(json_object('name', s.name, 'status', s.status))"
	}
	return "json_group_array(json_object('name', s.name, 'status', s.status, 'attempts', s.attempts, 'started_at', replace(s.started_at, ' ', 'T')," +
		" 'completed_at', replace(s.completed_at, ' ', 'T'), 'error', json(s.error)))"
}

// of returns the stages of the job with an id.
func (l stageList) of(jobID string) []mission.Stage {
	if len(l) == 0 {
		return nil
	}
	stages := make([]mission.Stage, len(l))
	for i, s := range l {
		stages[i] = mission.Stage{
			JobID: jobID, Name: s.Name, Status: s.Status, Attempts: s.Attempts,
			StartedAt: millis(s.StartedAt), CompletedAt: millis(s.CompletedAt), Error: s.Error,
		}
	}
	slices.SortFunc(stages, func(a, b mission.Stage) int { return a.Name.Index() - b.Name.Index() })
	return stages
}

// millis returns a time of a stage, which is JSON, as those of columns are read.
func millis(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := mission.Millis(*t)
	return &u
}
