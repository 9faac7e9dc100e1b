package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type jobRow struct {
	bun.BaseModel `bun:"table:jobs,alias:j"`

	ID           string `bun:",pk"`
	TenantID     string
	MissionID    string
	Cycle        int
	Day          int
	WindowStart  time.Time
	WindowEnd    time.Time
	Status       mission.RunStatus
	CurrentStage mission.StageName
	Brief        mission.Brief
	Plan         mission.Plan
	Planned      int
	Written      int
	Settled      int
	Cost         mission.Micros `bun:"cost_micros"`
	Error        *mission.Failure
	CreatedAt    time.Time
	UpdatedAt    time.Time
	CompletedAt  *time.Time
}

func newJobRow(j mission.Job) jobRow {
	return jobRow{
		ID: j.ID, TenantID: j.TenantID, MissionID: j.MissionID, Cycle: j.Cycle, Day: j.Window.Day,
		WindowStart: j.Window.Start, WindowEnd: j.Window.End, Status: j.Status, CurrentStage: j.CurrentStage,
		Brief: j.Brief, Plan: j.Plan, Planned: j.Planned, Written: j.Written, Settled: j.Settled,
		Cost: j.Cost, Error: j.Error, CreatedAt: j.CreatedAt, UpdatedAt: j.UpdatedAt, CompletedAt: j.CompletedAt,
	}
}

func (r jobRow) job(stages []*stageRow) mission.Job {
	j := mission.Job{
		ID: r.ID, TenantID: r.TenantID, MissionID: r.MissionID, Cycle: r.Cycle,
		Window: mission.Window{Day: r.Day, Start: mission.Millis(r.WindowStart), End: mission.Millis(r.WindowEnd)},
		Status: r.Status, CurrentStage: r.CurrentStage, Brief: r.Brief, Plan: r.Plan,
		Planned: r.Planned, Written: r.Written, Settled: r.Settled, Cost: r.Cost, Error: r.Error,
		CreatedAt: mission.Millis(r.CreatedAt), UpdatedAt: mission.Millis(r.UpdatedAt), CompletedAt: utc(r.CompletedAt),
	}
	for _, s := range stages {
		j.Stages = append(j.Stages, s.stage())
	}
	slices.SortFunc(j.Stages, func(a, b mission.Stage) int { return a.Name.Index() - b.Name.Index() })
	return j
}

// stageRow is a stage, also as Postgres writes it in JSON.
type stageRow struct {
	bun.BaseModel `bun:"table:stages,alias:s" json:"-"`

	JobID       string            `bun:",pk" json:"job_id"`
	Name        mission.StageName `bun:",pk" json:"name"`
	Status      mission.RunStatus `json:"status"`
	Attempts    int               `json:"attempts"`
	StartedAt   *time.Time        `json:"started_at"`
	CompletedAt *time.Time        `json:"completed_at"`
	Error       *mission.Failure  `json:"error"`
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

// CreateJob inserts a job with its stages. A mission has one job a day.
func (tx Tx) CreateJob(ctx context.Context, j mission.Job) error {
	row := newJobRow(j)
	if _, err := tx.insert().Model(&row).Exec(ctx); err != nil {
		return err
	}
	stages := make([]stageRow, len(j.Stages))
	for i, s := range j.Stages {
		stages[i] = newStageRow(s)
	}
	_, err := tx.insert().Model(&stages).Exec(ctx)
	return err
}

// Job returns a tenant's job with its stages. Errors: not_found.
func (db *DB) Job(ctx context.Context, tenantID, id string) (mission.Job, error) {
	b := db.prepared(db.read)
	return readJob(ctx, b, b.NewSelect(), db.prepared(db.read), tenantID, id)
}

// LockJob returns a tenant's job with its stages and locks it until the
// transaction ends. The caller holds its mission's lock, so that nobody changes
// the stages while LockJob waits. Errors: not_found.
func (tx Tx) LockJob(ctx context.Context, tenantID, id string) (mission.Job, error) {
	b := tx.prepared()
	q := tx.lock(b.NewSelect())
	if !tx.db.dialect.rowLocks() {
		return readJob(ctx, b, q, tx.prepared(), tenantID, id)
	}
	type withStages struct {
		jobRow `bun:",extend"`

		Stages []*stageRow `bun:",scanonly"`
	}
	q.ColumnExpr("j.*").ColumnExpr("(SELECT json_agg(s) FROM stages AS s WHERE s.job_id = j.id) AS stages").
		Where("j.id = ?", b.bind(id)).Where("j.tenant_id = ?", b.bind(tenantID))
	return readOne(ctx, q, func(r withStages) mission.Job { return r.job(r.Stages) }, "job", id)
}

func readJob(ctx context.Context, b *prepared, q *bun.SelectQuery, stages *prepared, tenantID, id string) (mission.Job, error) {
	var row jobRow
	err := q.Model(&row).Where("j.id = ?", b.bind(id)).Where("j.tenant_id = ?", b.bind(tenantID)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Job{}, mission.NotFound("job", id)
	}
	if err != nil {
		return mission.Job{}, err
	}
	var rows []*stageRow
	if err := stages.NewSelect().Model(&rows).Where("s.job_id = ?", stages.bind(id)).Scan(ctx); err != nil {
		return mission.Job{}, err
	}
	return row.job(rows), nil
}

// RunningJobs returns a mission's running jobs with their stages, locked: one,
// or a few if a cycle outlasted its window.
func (tx Tx) RunningJobs(ctx context.Context, missionID string) ([]mission.Job, error) {
	var rows []*jobRow
	err := tx.locking().Model(&rows).Where("j.mission_id = ?", missionID).
		Where("j.status = ?", mission.RunRunning).OrderExpr("j.id").Scan(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return withStages(ctx, tx.prepared(), rows)
}

// withStages returns jobs with their stages, which it reads with b.
func withStages(ctx context.Context, b *prepared, rows []*jobRow) ([]mission.Job, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	stages, err := scanRows[stageRow](ctx, b, b.NewSelect().Model((*stageRow)(nil)).Where(b.among("s.job_id", ids)))
	if err != nil {
		return nil, err
	}
	byJob := make(map[string][]*stageRow, len(rows))
	for _, s := range stages {
		byJob[s.JobID] = append(byJob[s.JobID], s)
	}
	jobs := make([]mission.Job, len(rows))
	for i, r := range rows {
		jobs[i] = r.job(byJob[r.ID])
	}
	return jobs, nil
}

// JobState is the columns of a job except its brief and its plan, which are
// large.
const JobState Columns = "mission_id,cycle,day,window_start,window_end,status,current_stage,planned,written,settled," +
	"cost_micros,error,updated_at,completed_at," + jobStages

// jobStages stands for a job's stages among its columns.
const jobStages = "stages"

// JobsByID returns those of a tenant's jobs that exist, with their stages, by
// id.
func (db *DB) JobsByID(ctx context.Context, tenantID string, ids []string, c Columns) (map[string]mission.Job, error) {
	b := db.prepared(db.read)
	return db.jobsByID(ctx, b, b.NewSelect().Where("j.tenant_id = ?", b.bind(tenantID)), ids, c)
}

func (db *DB) jobsByID(ctx context.Context, b *prepared, q *bun.SelectQuery, ids []string, c Columns) (map[string]mission.Job, error) {
	c, stages := c.without(jobStages)
	rows, err := scanRows[jobRow](ctx, b, c.of("j", q.Model((*jobRow)(nil)).Where(b.among("j.id", ids)), "tenant_id", "created_at"))
	if err != nil {
		return nil, err
	}
	jobs := make([]mission.Job, len(rows))
	for i, r := range rows {
		jobs[i] = r.job(nil)
	}
	if stages {
		jobs, err = withStages(ctx, db.prepared(db.read), rows)
	}
	found := make(map[string]mission.Job, len(jobs))
	for _, j := range jobs {
		found[j.ID] = j
	}
	return found, err
}

// FailedJob returns a mission's latest failed job with its stages, locked. ok
// is false if there is none.
func (tx Tx) FailedJob(ctx context.Context, tenantID, missionID string) (j mission.Job, ok bool, err error) {
	var id string
	err = tx.reading().Model((*jobRow)(nil)).Column("id").Where("j.mission_id = ?", missionID).
		Where("j.status = ?", mission.RunFailed).OrderExpr("j.id DESC").Limit(1).Scan(ctx, &id)
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
	q := db.read.NewSelect().Column("id", "tenant_id", "mission_id").Where("j.status = 'failed'").
		Where("j.completed_at >= ?", since).Where("j.completed_at <= ?", until).Where("j.id > ?", after)
	if tenantID != "" {
		q.Where("j.tenant_id = ?", tenantID)
	}
	return findAll(ctx, q.OrderExpr("j.id").Limit(int64(limit)), func(r jobRow) FailedJob {
		return FailedJob{ID: r.ID, TenantID: r.TenantID, MissionID: r.MissionID}
	})
}

// LastDay returns the latest posting day that a mission has a job for, or -1.
func (tx Tx) LastDay(ctx context.Context, missionID string) (day int, err error) {
	err = tx.reading().Model((*jobRow)(nil)).ColumnExpr("COALESCE(MAX(j.day), -1)").Where("j.mission_id = ?", missionID).Scan(ctx, &day)
	return day, err
}

// ChangeJob writes a change of a job and its stage with its events. The caller
// holds the job's lock. The counters of posts are not part of it.
func (tx Tx) ChangeJob(ctx context.Context, c mission.JobChange) error {
	row := newJobRow(c.To)
	_, err := tx.update().Model(&row).
		Column("status", "current_stage", "window_end", "error", "updated_at", "completed_at").WherePK().Exec(ctx)
	if err != nil {
		return err
	}
	stage := newStageRow(c.Stage)
	if _, err := tx.update().Model(&stage).WherePK().Exec(ctx); err != nil {
		return err
	}
	return tx.addEvents(ctx, c.Events)
}

// SetPlan stores the plan that a job's strategy stage made.
func (tx Tx) SetPlan(ctx context.Context, jobID string, p mission.Plan) error {
	_, err := tx.update().Model(&jobRow{ID: jobID, Plan: p, Planned: len(p.Slots)}).
		Column("plan", "planned").WherePK().Exec(ctx)
	return err
}

// ShiftWindows moves the ends of the windows of a mission's running jobs later.
func (tx Tx) ShiftWindows(ctx context.Context, jobs []mission.Job, by time.Duration) error {
	for _, j := range jobs { // one, seldom two
		_, err := tx.update().Model(&jobRow{ID: j.ID, WindowEnd: j.Window.End.Add(by)}).Column("window_end").WherePK().Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// addToJob adds to a job's counters of posts and to its cost.
func (tx Tx) addToJob(ctx context.Context, jobID string, written, settled int, cost mission.Micros) error {
	if written == 0 && settled == 0 && cost == 0 {
		return nil
	}
	_, err := tx.update().Model((*jobRow)(nil)).Set("written = written + ?", number(written)).
		Set("settled = settled + ?", number(settled)).Set("cost_micros = cost_micros + ?", number(cost)).Where("id = ?", jobID).Exec(ctx)
	return err
}

var jobsNewest = keyset{table: "jobs", noun: "job", at: "j.created_at", id: "j.id"}

// JobsOf returns a page of the jobs of each of a tenant's missions, newest
// first, by the missions' ids. Errors: invalid_request without a param for a
// foreign cursor.
func (db *DB) JobsOf(ctx context.Context, tenantID string, missionIDs []string, p Page) (map[string]Part[mission.Job], error) {
	parts, err := partsOf(ctx, db, jobsNewest, tenantID, p, missionIDs, func(b *prepared, id any) *bun.SelectQuery {
		return b.NewSelect().Model((*jobRow)(nil)).Where("j.tenant_id = ?", b.bind(tenantID)).Where("j.mission_id = ?", id)
	}, func(r jobRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, func(r jobRow) jobRow { return r })
	if err != nil {
		return nil, err
	}
	var all []*jobRow
	for _, part := range parts {
		for i := range part.List {
			all = append(all, &part.List[i])
		}
	}
	jobs, err := withStages(ctx, db.prepared(db.read), all)
	byID := make(map[string]mission.Job, len(jobs))
	for _, j := range jobs {
		byID[j.ID] = j
	}
	shown := make(map[string]Part[mission.Job], len(parts))
	for id, part := range parts {
		list := make([]mission.Job, len(part.List))
		for i, r := range part.List {
			list[i] = byID[r.ID]
		}
		shown[id] = Part[mission.Job]{List: list, More: part.More}
	}
	return shown, err
}

// WatchedJobs returns those of the jobs that exist, with their stages, by id,
// of any tenant.
func (db *DB) WatchedJobs(ctx context.Context, ids []string) (map[string]mission.Job, error) {
	b := db.prepared(db.read)
	return db.jobsByID(ctx, b, b.NewSelect(), ids, JobState)
}
