package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type jobRow struct {
	bun.BaseModel `bun:"table:jobs,alias:j"`
	mission.Job

	StageList stageList `bun:"stages,scanonly"`
}

func (r jobRow) job() mission.Job {
	r.Stages = r.StageList.of(r.ID)
	return r.Job
}

// CreateJob inserts a job with its stages. A mission has one job a day.
func (tx Tx) CreateJob(ctx context.Context, j mission.Job) error {
	row := jobRow{Job: j}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	stages := make([]stageRow, len(j.Stages))
	for i, s := range j.Stages {
		stages[i] = stageRow{Stage: s}
	}
	return tx.write(ctx, tx.NewInsert().Model(&stages))
}

// Job returns a tenant's job with its stages. Errors: not_found.
func (db *DB) Job(ctx context.Context, tenantID, id string) (mission.Job, error) {
	return db.readJob(ctx, db.read, db.NewSelect(), tenantID, id)
}

// LockJob returns a tenant's job with its stages and locks it until the
// transaction ends. The caller holds its mission's lock, so that nobody changes
// the stages while LockJob waits. Errors: not_found.
func (tx Tx) LockJob(ctx context.Context, tenantID, id string) (mission.Job, error) {
	return tx.db.readJob(ctx, tx.on, tx.lockOf("j", tx.NewSelect()), tenantID, id)
}

func (db *DB) readJob(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) (mission.Job, error) {
	jobs, err := db.readJobs(ctx, on, q.Where("j.id = ?", id).Where("j.tenant_id = ?", tenantID), "")
	if err == nil && len(jobs) == 0 {
		err = mission.NotFound("job", id)
	}
	if err != nil {
		return mission.Job{}, err
	}
	return *jobs[0], nil
}

// readJobs returns the jobs that q selects, with their stages unless the columns
// leave them out.
func (db *DB) readJobs(ctx context.Context, on database.Reader, q *bun.SelectQuery, c Columns) ([]*mission.Job, error) {
	c, stages := c.without(JobStages)
	c, states := c.without(JobStageStates)
	switch c.of("j", q.Model((*jobRow)(nil)), "tenant_id", "created_at"); {
	case stages, states:
		db.withStages(q, "stages", stages)
	}
	rows, err := database.Rows[jobRow](ctx, on, q)
	if err != nil {
		return nil, err
	}
	jobs := make([]*mission.Job, len(rows))
	for i, r := range rows {
		j := r.job()
		jobs[i] = &j
	}
	return jobs, nil
}

// RunningJobs returns a mission's running jobs with their stages, locked: one,
// or a few if a cycle outlasted its window. The caller holds the mission's lock.
func (tx Tx) RunningJobs(ctx context.Context, missionID string) ([]mission.Job, error) {
	found, err := tx.db.readJobs(ctx, tx.on, tx.lockOf("j", tx.NewSelect()).Where("j.mission_id = ?", missionID).
		Where("j.status = 'running'").OrderExpr("j.id"), "")
	jobs := make([]mission.Job, len(found))
	for i, j := range found {
		jobs[i] = *j
	}
	return jobs, err
}

// JobStages stands for a job's stages among its columns.
const JobStages = "stages"

// JobStageStates stands for the names and statuses of a job's stages among its
// columns.
const JobStageStates = "stage_states"

// JobsByID returns those of a tenant's jobs that exist, with their stages, by
// id.
func (db *DB) JobsByID(ctx context.Context, tenantID string, ids []string, c Columns) (map[string]mission.Job, error) {
	jobs, err := db.readJobs(ctx, db.read, db.NewSelect().Where("j.tenant_id = ?", tenantID).Where("?", database.In("j.id", ids)), c)
	found := make(map[string]mission.Job, len(jobs))
	for _, j := range jobs {
		found[j.ID] = *j
	}
	return found, err
}

// FailedJob returns a mission's latest failed job with its stages, locked. ok
// is false if there is none.
func (tx Tx) FailedJob(ctx context.Context, tenantID, missionID string) (j mission.Job, ok bool, err error) {
	var id string
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model((*jobRow)(nil)).Column("id").Where("j.mission_id = ?", missionID).
		Where("j.status = 'failed'").OrderExpr("j.id DESC").Limit(1), &id)
	if errors.Is(err, sql.ErrNoRows) {
		return j, false, nil
	}
	if err != nil {
		return j, false, err
	}
	j, err = tx.LockJob(ctx, tenantID, id)
	return j, err == nil, err
}

// FailedJob is a job that has failed.
type FailedJob struct{ ID, TenantID, MissionID string }

// FailedJobs returns jobs that failed in a time span, of a tenant or, with "", of all, in
// the order of their ids, after the one with the id after.
func (db *DB) FailedJobs(ctx context.Context, tenantID string, since, until time.Time, after string, limit int) ([]FailedJob, error) {
	q := db.NewSelect().Column("id", "tenant_id", "mission_id").Where("j.status = 'failed'").
		Where("j.completed_at >= ?", since).Where("j.completed_at <= ?", until).Where("j.id > ?", after)
	if tenantID != "" {
		q.Where("j.tenant_id = ?", tenantID)
	}
	return findAll(ctx, db.read, q.OrderExpr("j.id").Limit(int64(limit)), func(r jobRow) FailedJob {
		return FailedJob{ID: r.ID, TenantID: r.TenantID, MissionID: r.MissionID}
	})
}

// LastDay returns the latest posting day that a mission has a job for, or -1.
func (tx Tx) LastDay(ctx context.Context, missionID string) (day int, err error) {
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model((*jobRow)(nil)).ColumnExpr("COALESCE(MAX(j.day), -1)").Where("j.mission_id = ?", missionID), &day)
	return day, err
}

// ChangeJob writes a change of a job and its stage with its events. The caller
// holds the job's lock. The counters of posts are not part of it.
func (tx Tx) ChangeJob(ctx context.Context, c mission.JobChange) error {
	row, stage := jobRow{Job: c.To}, stageRow{Stage: c.Stage}
	job := tx.NewUpdate().Model(&row).
		Column("status", "current_stage", "window_end", "error", "updated_at", "completed_at").WherePK()
	if err := tx.together(ctx, tx.NewUpdate().Model(&stage).WherePK(), job); err != nil {
		return err
	}
	return tx.addEvents(ctx, c.Events)
}

// SetPlan stores the plan that a job's strategy stage made.
func (tx Tx) SetPlan(ctx context.Context, jobID string, p mission.Plan) error {
	return tx.write(ctx, tx.NewUpdate().Model(&jobRow{Job: mission.Job{ID: jobID, Plan: p, Planned: len(p.Slots)}}).
		Column("plan", "planned").WherePK())
}

// SetWindows stores the ends of the windows of a mission's running jobs.
func (tx Tx) SetWindows(ctx context.Context, jobs []mission.Job) error {
	for _, j := range jobs { // one, seldom two
		err := tx.write(ctx, tx.NewUpdate().Model(&jobRow{Job: j}).Column("window_end").WherePK())
		if err != nil {
			return err
		}
	}
	return nil
}

// addToJob returns the write that adds to a job's counters of posts and to its
// cost, if there is anything to add. A post by a person has no job, "".
func (tx Tx) addToJob(jobID string, written, settled int, cost mission.Micros) []database.Query {
	if jobID == "" || written == 0 && settled == 0 && cost == 0 {
		return nil
	}
	return []database.Query{tx.NewUpdate().Model((*jobRow)(nil)).Set("written = written + ?", database.Int(written)).
		Set("settled = settled + ?", database.Int(settled)).Set("cost_micros = cost_micros + ?", database.Int(cost)).Where("id = ?", jobID)}
}

var jobsNewest = keyset{table: "jobs", noun: "job", at: "j.created_at", id: "j.id"}

// JobsOf returns a page of the jobs of each of a tenant's missions, newest
// first, by the missions' ids. Errors: invalid_request without a param for a
// foreign cursor.
func (db *DB) JobsOf(ctx context.Context, tenantID string, missionIDs []string, p Page) (map[string]Listed[mission.Job], error) {
	return partsOf(ctx, db, jobsNewest, tenantID, p, missionIDs, func(id any) *bun.SelectQuery {
		q := db.NewSelect().Model((*jobRow)(nil)).ColumnExpr("j.*")
		return db.withStages(q, "stages", true).Where("j.tenant_id = ?", tenantID).Where("j.mission_id = ?", id)
	}, func(r jobRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, jobRow.job)
}

// PostsOfJobs returns how many posts of each of a tenant's jobs came how far, by the jobs' ids, in one
// statement.
func (db *DB) PostsOfJobs(ctx context.Context, tenantID string, jobIDs []string) (map[string]mission.JobPosts, error) {
	type countedRow struct {
		JobID  string
		Status mission.ContentStatus
		N      int
	}
	rows, err := database.Rows[countedRow](ctx, db.read, db.NewSelect().TableExpr("contents AS c").Column("c.job_id", "c.status").ColumnExpr("count(*) AS n").
		Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.job_id", jobIDs)).GroupExpr("c.job_id, c.status"))
	posts := make(map[string]mission.JobPosts, len(jobIDs))
	for _, r := range rows {
		p := posts[r.JobID]
		p.Add(r.Status, r.N)
		posts[r.JobID] = p
	}
	return posts, err
}
