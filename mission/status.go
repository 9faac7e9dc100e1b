package mission

import "time"

// StatusView is the response of GET /missions/:id/status (interface, section 2,
// "Mission status view").
type StatusView struct {
	MissionID     string        `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Status        Status        `json:"status" doc:"The mission's state" example:"active"`
	Pipeline      PipelineView  `json:"pipeline"`
	Content       ContentCounts `json:"content"`
	KPIProgress   []KPIProgress `json:"kpi_progress"`
	NextPublishAt *time.Time    `json:"next_publish_at" doc:"When the next post is due; null where none is"`
}

// PipelineView is the current job, or else the latest. A mission without jobs
// has a pending pipeline.
type PipelineView struct {
	JobID           *string    `json:"job_id" doc:"The pipeline's job" example:"job_01jnd2x6k8e4rvt0m7y3bqz5cj"`
	Status          RunStatus  `json:"status" doc:"The current job's state" example:"running"`
	CurrentStage    StageName  `json:"current_stage" doc:"The stage it is in" example:"publish"`
	ProgressPercent int        `json:"progress_percent" doc:"0 to 100" example:"64"`
	Stages          StageViews `json:"stages"`
}

// StageViews are the six stages by name, in their order.
type StageViews struct {
	Intake    StageView `json:"intake"`
	Strategy  StageView `json:"strategy"`
	Content   StageView `json:"content"`
	Publish   StageView `json:"publish"`
	Analytics StageView `json:"analytics"`
	Optimize  StageView `json:"optimize"`
}

// newStageViews returns show of each stage.
func newStageViews(show func(StageName) StageView) StageViews {
	return StageViews{
		Intake: show(StageIntake), Strategy: show(StageStrategy), Content: show(StageContent),
		Publish: show(StagePublish), Analytics: show(StageAnalytics), Optimize: show(StageOptimize),
	}
}

// StageView is one stage. A finished stage has DurationMS, a running or paused
// one ProgressPercent.
type StageView struct {
	Status          RunStatus `json:"status" doc:"The stage's state" example:"completed"`
	DurationMS      *int64    `json:"duration_ms,omitempty" doc:"How long it ran, while it ran" example:"340"`
	ProgressPercent *int      `json:"progress_percent,omitempty" doc:"0 to 100" example:"100"`
}

// NewStatusView returns the view at now of a mission and its current job, which
// is nil before the first.
func NewStatusView(m Mission, j *Job, nextPublishAt *time.Time, now time.Time) StatusView {
	v := StatusView{
		MissionID: m.ID, Status: m.Status, Content: m.Counts, KPIProgress: m.KPIProgress(now),
		NextPublishAt: nextPublishAt,
		Pipeline: PipelineView{
			Status: RunPending, CurrentStage: StageIntake,
			Stages: newStageViews(func(StageName) StageView { return StageView{Status: RunPending} }),
		},
	}
	if m.Status == StatusPaused {
		v.NextPublishAt = nil // nothing is published before it resumes
	}
	if j == nil {
		return v
	}
	v.Pipeline.JobID = &j.ID
	v.Pipeline.Status = m.Shown(j.Status)
	v.Pipeline.CurrentStage = j.CurrentStage
	v.Pipeline.ProgressPercent = j.Progress()
	v.Pipeline.Stages = newStageViews(func(name StageName) StageView { return j.stageView(m, j.stage(name)) })
	return v
}

func (j Job) stageView(m Mission, s Stage) StageView {
	v := StageView{Status: m.Shown(s.Status)}
	if s.Status == RunRunning {
		progress := j.StageProgress(s)
		v.ProgressPercent = &progress
	}
	if ms, ok := s.DurationMS(); ok {
		v.DurationMS = &ms
	}
	return v
}

// Shown returns a run's state as users see it.
func (m Mission) Shown(s RunStatus) RunStatus {
	if s == RunRunning && m.Status == StatusPaused {
		return RunPaused
	}
	return s
}
