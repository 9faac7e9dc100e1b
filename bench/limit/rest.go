package limit

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

const pageSize = 20

const (
	listStatement = `SELECT id, name, status, platforms, starts_at, ends_at, created_at FROM missions
		WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 21`
	totalStatement = `SELECT COALESCE(SUM(n), 0)::bigint FROM mission_totals WHERE tenant_id = $1 AND platform = ''`
)

func (s *server) list(r *http.Request, tenant string) ([]byte, error) {
	b := &pgx.Batch{}
	b.Queue(listStatement, tenant)
	b.Queue(totalStatement, tenant)
	body := make([]byte, 0, 8<<10)
	body = append(body, `{"data":[`...)
	results := s.db.SendBatch(r.Context(), b)
	defer func() { _ = results.Close() }()
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		if n == pageSize {
			continue
		}
		if body, err = appendSummary(body, rows); err != nil {
			return nil, err
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var total int64
	if err := results.QueryRow().Scan(&total); err != nil {
		return nil, err
	}
	body = strconv.AppendBool(append(body, `],"has_more":`...), n > pageSize)
	return append(appendInt(body, `,"total":`, total), '}'), nil
}

func appendSummary(b []byte, rows pgx.Rows) ([]byte, error) {
	var id, name, status, platforms string
	var starts, ends *time.Time
	var created time.Time
	if err := rows.Scan(&id, &name, &status, &platforms, &starts, &ends, &created); err != nil {
		return b, err
	}
	if b[len(b)-1] == '}' {
		b = append(b, ',')
	}
	b = appendText(b, `{"id":`, id)
	b = appendText(b, `,"name":`, name)
	b = appendText(b, `,"status":`, status)
	b = appendCompact(b, `,"platforms":`, platforms)
	b = appendTimeOrNull(b, `,"starts_at":`, starts)
	b = appendTimeOrNull(b, `,"ends_at":`, ends)
	b = appendTime(b, `,"created_at":`, created)
	return append(b, '}'), nil
}

const readStatement = `SELECT id, name, description, status, objectives, platforms, constraints, kpis, duration_days,
	starts_at, ends_at, pipeline_job_id, created_at, updated_at FROM missions WHERE id = $1 AND tenant_id = $2`

func (s *server) read(r *http.Request, tenant string) ([]byte, error) {
	m := mission.Mission{Disclosure: mission.NewDisclosure()} // what the seeded missions have
	err := s.db.QueryRow(r.Context(), readStatement, r.PathValue("id"), tenant).Scan(
		&m.ID, &m.Name, &m.Description, (*string)(&m.Status), &m.Objectives, &m.Platforms, &m.Constraints, &m.KPIs, &m.DurationDays,
		&m.StartsAt, &m.EndsAt, &m.PipelineJobID, &m.CreatedAt, &m.UpdatedAt)
	if err != nil {
		return nil, err
	}
	return jsonwire.Marshal(struct {
		mission.Mission

		Notices []mission.Notice `json:"notices"`
	}{m, m.Notices()})
}

// found is a row of the statement of a status view.
type found struct {
	m               mission.Mission
	pausedMS        int64
	jobID           *string
	job             mission.Job
	names, statuses []string
	ms              []*int64
	next            *time.Time
}

func (s *server) status(r *http.Request, tenant string) ([]byte, error) {
	f := found{m: mission.Mission{ID: r.PathValue("id")}}
	m, j := &f.m, &f.job
	err := s.db.QueryRow(r.Context(), statusStatement, m.ID, tenant).Scan(
		(*string)(&m.Status), &m.Platforms, &m.KPIs, &m.Totals, &m.Trends, &m.StartsAt, &m.EndsAt, &m.PausedAt, &f.pausedMS,
		&m.Counts.Generated, &m.Counts.PendingReview, &m.Counts.Approved, &m.Counts.Published, &m.Counts.Scheduled,
		&f.jobID, (*string)(&j.Status), (*string)(&j.CurrentStage), &j.Planned, &j.Written, &j.Settled, &f.names, &f.statuses, &f.ms, &f.next)
	if err != nil {
		return nil, err
	}
	m.PausedFor = time.Duration(f.pausedMS) * time.Millisecond
	if m.Status == mission.StatusPaused {
		f.next = nil
	}
	for i, name := range f.names {
		j.Stages = append(j.Stages, mission.Stage{Name: mission.StageName(name), Status: mission.RunStatus(f.statuses[i])})
	}
	if f.jobID == nil {
		j.Status, j.CurrentStage = mission.RunPending, mission.StageIntake
	}
	b := make([]byte, 0, 2<<10)
	b = appendText(b, `{"mission_id":`, m.ID)
	b = appendText(b, `,"status":`, string(m.Status))
	b = f.appendPipeline(b)
	b = f.appendCounts(b)
	if b, err = appendProgress(b, m.KPIProgress(time.Now().UTC())); err != nil {
		return nil, err
	}
	b = appendTimeOrNull(b, `,"next_publish_at":`, f.next)
	return append(b, '}'), nil
}

func (f *found) appendPipeline(b []byte) []byte {
	b = appendTextOrNull(b, `,"pipeline":{"job_id":`, f.jobID)
	b = appendText(b, `,"status":`, string(f.m.Shown(f.job.Status)))
	b = appendText(b, `,"current_stage":`, string(f.job.CurrentStage))
	b = appendInt(b, `,"progress_percent":`, f.job.Progress())
	b = append(b, `,"stages":{`...)
	for _, name := range mission.AllStages() {
		b = f.appendStage(b, name)
	}
	return append(b, '}', '}')
}

func (f *found) appendStage(b []byte, name mission.StageName) []byte {
	if b[len(b)-1] == '}' {
		b = append(b, ',')
	}
	b = appendText(b, "", string(name))
	for i, s := range f.job.Stages {
		if s.Name != name {
			continue
		}
		b = appendText(b, `:{"status":`, string(f.m.Shown(s.Status)))
		if f.ms[i] != nil {
			b = appendInt(b, `,"duration_ms":`, *f.ms[i])
		}
		if s.Status == mission.RunRunning {
			b = appendInt(b, `,"progress_percent":`, f.job.StageProgress(s))
		}
		return append(b, '}')
	}
	b = appendText(b, `:{"status":`, string(mission.RunPending))
	return append(b, '}')
}

func (f *found) appendCounts(b []byte) []byte {
	c := f.m.Counts
	b = appendInt(b, `,"content":{"generated":`, c.Generated)
	b = appendInt(b, `,"pending_review":`, c.PendingReview)
	b = appendInt(b, `,"approved":`, c.Approved)
	b = appendInt(b, `,"published":`, c.Published)
	b = appendInt(b, `,"scheduled":`, c.Scheduled)
	return append(b, '}')
}

func appendProgress(b []byte, list []mission.KPIProgress) ([]byte, error) {
	text, err := json.Marshal(list)
	b = append(b, `,"kpi_progress":`...)
	return append(b, text...), err
}
