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
	n := 0
	err := s.batch(r.Context(), b, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		for ; rows.Next(); n++ {
			if n == pageSize {
				continue
			}
			if body, err = appendSummary(body, rows); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		var total int64
		if err := results.QueryRow().Scan(&total); err != nil {
			return err
		}
		body = append(body, `],"has_more":`...)
		body = strconv.AppendBool(body, n > pageSize)
		body = append(body, `,"total":`...)
		body = strconv.AppendInt(body, total, 10)
		return nil
	})
	return append(body, '}'), err
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
	b = append(b, `{"id":`...)
	b = appendText(b, id)
	b = append(b, `,"name":`...)
	b = appendText(b, name)
	b = append(b, `,"status":`...)
	b = appendText(b, status)
	b = append(b, `,"platforms":`...)
	b = appendCompact(b, platforms)
	b = append(b, `,"starts_at":`...)
	b = appendTimeOrNull(b, starts)
	b = append(b, `,"ends_at":`...)
	b = appendTimeOrNull(b, ends)
	b = append(b, `,"created_at":`...)
	b = appendTime(b, created)
	return append(b, '}'), nil
}

const readStatement = `SELECT id, name, description, status, objectives, platforms, constraints, kpis, duration_days,
	starts_at, ends_at, pipeline_job_id, created_at, updated_at FROM missions WHERE id = $1 AND tenant_id = $2`

func (s *server) read(r *http.Request, tenant string) ([]byte, error) {
	var m mission.Mission
	err := s.db.QueryRow(r.Context(), readStatement, r.PathValue("id"), tenant).Scan(
		&m.ID, &m.Name, &m.Description, (*string)(&m.Status), &m.Objectives, &m.Platforms, &m.Constraints, &m.KPIs, &m.DurationDays,
		&m.StartsAt, &m.EndsAt, &m.PipelineJobID, &m.CreatedAt, &m.UpdatedAt)
	if err != nil {
		return nil, err
	}
	return jsonwire.Marshal(m)
}

const statusStatement = `SELECT m.status, m.kpis, m.totals, m.trends, m.starts_at, m.ends_at, m.paused_at, m.paused_ms,
	m.generated, m.pending_review, m.approved, m.published, m.scheduled,
	j.id, COALESCE(j.status, ''), COALESCE(j.current_stage, ''), COALESCE(j.planned, 0), COALESCE(j.written, 0), COALESCE(j.settled, 0),
	s.names, s.statuses, s.ms,
	(SELECT c.scheduled_at FROM contents c WHERE c.mission_id = m.id AND c.status = 'scheduled' ORDER BY c.scheduled_at LIMIT 1)
	FROM missions m LEFT JOIN jobs j ON j.id = m.pipeline_job_id
	LEFT JOIN LATERAL (SELECT array_agg(name) AS names, array_agg(status) AS statuses,
		array_agg((extract(epoch FROM completed_at - started_at) * 1000)::bigint) AS ms FROM stages WHERE job_id = j.id) s ON true
	WHERE m.id = $1 AND m.tenant_id = $2`

// found is what the statement of a status view answers.
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
		(*string)(&m.Status), &m.KPIs, &m.Totals, &m.Trends, &m.StartsAt, &m.EndsAt, &m.PausedAt, &f.pausedMS,
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
	b = append(b, `{"mission_id":`...)
	b = appendText(b, m.ID)
	b = append(b, `,"status":`...)
	b = appendText(b, string(m.Status))
	b = f.appendPipeline(b)
	b = f.appendCounts(b)
	if b, err = appendProgress(b, m.KPIProgress(time.Now().UTC())); err != nil {
		return nil, err
	}
	b = append(b, `,"next_publish_at":`...)
	b = appendTimeOrNull(b, f.next)
	return append(b, '}'), nil
}

func (f *found) appendPipeline(b []byte) []byte {
	b = append(b, `,"pipeline":{"job_id":`...)
	b = appendTextOrNull(b, f.jobID)
	b = append(b, `,"status":`...)
	b = appendText(b, string(f.m.Shown(f.job.Status)))
	b = append(b, `,"current_stage":`...)
	b = appendText(b, string(f.job.CurrentStage))
	b = append(b, `,"progress_percent":`...)
	b = strconv.AppendInt(b, int64(f.job.Progress()), 10)
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
	b = appendText(b, string(name))
	b = append(b, `:{"status":`...)
	status := mission.RunPending
	for i, s := range f.job.Stages {
		if s.Name != name {
			continue
		}
		status = s.Status
		b = appendText(b, string(f.m.Shown(status)))
		if f.ms[i] != nil {
			b = append(b, `,"duration_ms":`...)
			b = strconv.AppendInt(b, *f.ms[i], 10)
		}
		if status == mission.RunRunning {
			b = append(b, `,"progress_percent":`...)
			b = strconv.AppendInt(b, int64(f.job.StageProgress(s)), 10)
		}
		return append(b, '}')
	}
	b = appendText(b, string(status))
	return append(b, '}')
}

func (f *found) appendCounts(b []byte) []byte {
	c := f.m.Counts
	b = append(b, `,"content":{"generated":`...)
	b = strconv.AppendInt(b, int64(c.Generated), 10)
	b = append(b, `,"pending_review":`...)
	b = strconv.AppendInt(b, int64(c.PendingReview), 10)
	b = append(b, `,"approved":`...)
	b = strconv.AppendInt(b, int64(c.Approved), 10)
	b = append(b, `,"published":`...)
	b = strconv.AppendInt(b, int64(c.Published), 10)
	b = append(b, `,"scheduled":`...)
	b = strconv.AppendInt(b, int64(c.Scheduled), 10)
	return append(b, '}')
}

func appendProgress(b []byte, list []mission.KPIProgress) ([]byte, error) {
	text, err := json.Marshal(list)
	b = append(b, `,"kpi_progress":`...)
	return append(b, text...), err
}
