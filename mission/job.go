package mission

import (
	"slices"
	"time"
)

// StageName is one of the six stages of a job.
type StageName string

// The stages, in their order (interface, section 1).
const (
	StageIntake    StageName = "intake"
	StageStrategy  StageName = "strategy"
	StageContent   StageName = "content"
	StagePublish   StageName = "publish"
	StageAnalytics StageName = "analytics"
	StageOptimize  StageName = "optimize"
)

// AllStages lists the stages in their order.
func AllStages() []StageName {
	return []StageName{StageIntake, StageStrategy, StageContent, StagePublish, StageAnalytics, StageOptimize}
}

// Index returns the stage's index in the order, from 0.
func (s StageName) Index() int { return slices.Index(AllStages(), s) }

// Next returns the stage after s; ok is false after the last.
func (s StageName) Next() (next StageName, ok bool) {
	i := s.Index() + 1
	if i >= len(AllStages()) {
		return "", false
	}
	return AllStages()[i], true
}

// RunStatus is the state of a job or a stage.
type RunStatus string

// The states of decisions, "Pipeline". RunPaused is never stored: a running
// stage is shown as paused while its mission is paused.
const (
	RunPending   RunStatus = "pending"
	RunRunning   RunStatus = "running"
	RunPaused    RunStatus = "paused"
	RunCompleted RunStatus = "completed"
	RunFailed    RunStatus = "failed"
	RunCanceled  RunStatus = "canceled"
)

// AllRunStatuses lists the states of a job or a stage.
func AllRunStatuses() []RunStatus {
	return []RunStatus{RunPending, RunRunning, RunPaused, RunCompleted, RunFailed, RunCanceled}
}

// Job is one cycle of a mission: six stages over one posting day.
type Job struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	// Cycle counts the mission's jobs from 1.
	Cycle  int
	Window Window `bun:"embed:"`
	// Whole is the calendar day of the window, while a plan is made; zero if that is the window.
	Whole        Window `bun:"-"`
	Status       RunStatus
	CurrentStage StageName
	// Brief is the mission's configuration when the cycle began.
	Brief Brief
	// Plan is what strategy decided; empty before.
	Plan Plan
	// Planned, Written and Settled count the job's posts.
	Planned, Written, Settled int
	Cost                      Micros `bun:"cost_micros"`
	Error                     *Failure
	Stages                    []Stage `bun:"-"` // in order; empty where they weren't read
	CreatedAt                 time.Time
	UpdatedAt                 time.Time
	CompletedAt               *time.Time
}

// Stage is one stage of a job.
type Stage struct {
	JobID       string    `bun:",pk"`
	Name        StageName `bun:",pk"`
	Status      RunStatus
	Attempts    int
	StartedAt   *time.Time
	CompletedAt *time.Time
	Error       *Failure
}

// DurationMS returns how long a finished stage took, in milliseconds; ok is
// false for others.
func (s Stage) DurationMS() (ms int64, ok bool) {
	if s.StartedAt == nil || s.CompletedAt == nil {
		return 0, false
	}
	return s.CompletedAt.Sub(*s.StartedAt).Milliseconds(), true
}

// NewJob returns the job of a mission's cycle, with its stages pending.
func NewJob(id string, m Mission, w Window, brand Brand, now time.Time) Job {
	j := Job{
		ID: id, TenantID: m.TenantID, MissionID: m.ID, Cycle: m.NextCycle + 1, Window: w,
		Status: RunRunning, CurrentStage: StageIntake, Brief: NewBrief(m, brand),
		CreatedAt: now, UpdatedAt: now,
	}
	for _, name := range AllStages() {
		j.Stages = append(j.Stages, Stage{JobID: id, Name: name, Status: RunPending})
	}
	return j
}

// Day returns the calendar day of the job's window, and whether the window is another span: a part
// of it.
func (j Job) Day() (whole Window, part bool) {
	if j.Whole == (Window{}) {
		return j.Window, false
	}
	return j.Whole, j.Whole != j.Window
}

// Slots returns those of a plan's slots that lie in the job's window, by their indexes.
func (j Job) Slots(slots []time.Time) []int {
	_, part := j.Day()
	return slices.DeleteFunc(j.Brief.Blackouts.Outside(slots), func(i int) bool { return part && !j.Window.holds(slots[i]) })
}

// StageProgress returns a stage's progress, in percent: content by posts
// written, publish by posts settled, the others 0 or 100.
func (j Job) StageProgress(s Stage) int {
	if s.Status == RunCompleted {
		return 100
	}
	if j.Planned > 0 && s.Status != RunPending {
		switch s.Name {
		case StageContent:
			return 100 * min(j.Written, j.Planned) / j.Planned
		case StagePublish:
			return 100 * min(j.Settled, j.Planned) / j.Planned
		default:
			return 0
		}
	}
	return 0
}

// Progress returns the job's progress, in percent: each stage is a sixth.
func (j Job) Progress() int {
	sum := 0
	for _, s := range j.Stages {
		sum += j.StageProgress(s)
	}
	return sum / len(AllStages())
}

// PublishDone reports whether the publish stage has nothing left to wait for.
func (j Job) PublishDone() bool {
	return j.Status == RunRunning && j.CurrentStage == StagePublish && j.Settled >= j.Written
}

// Gathers reports whether the job's posts wait until all of them are written,
// to be scheduled together. Those of a job whose writing is delayed or has
// failed don't wait.
func (j Job) Gathers() bool {
	if j.Status != RunRunning || j.CurrentStage.Index() >= StagePublish.Index() {
		return false
	}
	return j.CurrentStage != StageContent || j.stage(StageContent).Attempts < TaskStageContent.Plan().MaxAttempts()
}

// JobChange is what a rule decides about a job.
type JobChange struct {
	To     Job
	Stage  Stage // the stage that changed
	Events []Event
}

// stage returns the job's stage with a name; a Stage with only JobID and Name
// if stages weren't read.
func (j Job) stage(name StageName) Stage {
	for _, s := range j.Stages {
		if s.Name == name {
			return s
		}
	}
	return Stage{JobID: j.ID, Name: name}
}

// started returns the job's current stage, started at now if it wasn't before.
func (j Job) started(now time.Time) Stage {
	s := j.stage(j.CurrentStage)
	if s.StartedAt == nil {
		s.StartedAt = &now
	}
	return s
}

// changed returns the job's change with a changed stage.
func (j Job) changed(to Stage) JobChange {
	j.Stages = slices.Clone(j.Stages)
	for i, s := range j.Stages {
		if s.Name == to.Name {
			j.Stages[i] = to
		}
	}
	return JobChange{To: j, Stage: to}
}

// Begin records that an attempt of the current stage runs.
func (j Job) Begin(attempt int, now time.Time) JobChange {
	s := j.started(now)
	s.Status, s.Attempts, s.Error = RunRunning, attempt, nil
	j.UpdatedAt = now
	return j.changed(s)
}

// Finish completes the current stage: the next becomes current, or the job is
// completed. note says why the stage ended before it was complete, or is a
// remark on how it was done, or is nil.
func (j Job) Finish(note *Failure, now time.Time) JobChange {
	s := j.started(now)
	s.Status, s.CompletedAt, s.Error = RunCompleted, &now, note
	j.UpdatedAt = now
	ch := j.changed(s)
	ch.Events = append(ch.Events, j.event(EventStageCompleted, now, StageCompletedData{
		JobID: j.ID, MissionID: j.MissionID, Cycle: j.Cycle, Stage: s.Name,
		DurationMS: s.CompletedAt.Sub(*s.StartedAt).Milliseconds(), Note: note,
	}))
	if next, ok := j.CurrentStage.Next(); ok {
		ch.To.CurrentStage = next
		return ch
	}
	ch.To.Status, ch.To.CompletedAt = RunCompleted, &now
	ch.Events = append(ch.Events, j.event(EventJobCompleted, now, JobCompletedData{
		JobID: j.ID, MissionID: j.MissionID, Cycle: j.Cycle, ContentPlanned: j.Planned, ContentWritten: j.Written, CostCents: j.Cost.Cents(),
	}))
	return ch
}

// Retry records a failed attempt of the current stage that will be retried.
func (j Job) Retry(f Failure, attempt int, now time.Time) JobChange {
	s := j.started(now)
	s.Status, s.Attempts, s.Error = RunRunning, attempt, &f
	j.UpdatedAt = now
	return j.changed(s)
}

// Fail ends the job at its current stage after the given number of attempts.
func (j Job) Fail(f Failure, attempts int, now time.Time) JobChange {
	s := j.started(now)
	s.Status, s.Attempts, s.Error, s.CompletedAt = RunFailed, attempts, &f, &now
	j.Status, j.Error, j.UpdatedAt, j.CompletedAt = RunFailed, &f, now, &now
	ch := j.changed(s)
	ch.Events = []Event{j.event(EventJobFailed, now, JobFailedData{
		JobID: j.ID, MissionID: j.MissionID, FailedStage: s.Name, Error: f, Attempts: attempts,
	})}
	return ch
}

// retryWindow is the window for the posts of a job that is rerun late.
const retryWindow = 24 * time.Hour

// Rerun lets a failed job continue from the stage that failed. If its window is
// over, or nearly over, it gets another day. Errors: conflict.
func (j Job) Rerun(now time.Time) (JobChange, error) {
	if j.Status != RunFailed {
		return JobChange{}, Conflict("A job that is %s can't be retried.", j.Status)
	}
	s := j.stage(j.CurrentStage)
	s.Status, s.Attempts, s.Error, s.CompletedAt = RunPending, 0, nil, nil
	j.Status, j.Error, j.CompletedAt, j.UpdatedAt = RunRunning, nil, nil, now
	if end := now.Add(retryWindow); j.Window.End.Before(now.Add(minRoom)) {
		j.Window.End = end
	}
	return j.changed(s), nil
}

// Cancel ends a job because its mission ended before its posts were written.
func (j Job) Cancel(now time.Time) JobChange {
	s := j.stage(j.CurrentStage)
	s.Status, s.CompletedAt = RunCanceled, &now
	j.Status, j.UpdatedAt, j.CompletedAt = RunCanceled, now, &now
	return j.changed(s)
}
