package mission

import (
	"fmt"
	"time"
)

// MissionSituation is what the reasons of a mission follow from.
type MissionSituation struct {
	Mission Mission
	// Job is the current job, or else the latest, with its stages; nil before the first.
	Job *Job
	// Task is the one that runs the job's current stage; nil if there is none.
	Task  *Task
	Stops Stops
	// Accounts are those that the mission posts to.
	Accounts []AccountState
	// Unknown is how many of its posts have an unknown outcome.
	Unknown int
	// NextPublishAt is when its next post is due; nil if none is scheduled.
	NextPublishAt *time.Time
	// Late is LateTask in domain time; 0 if no task is late.
	Late time.Duration
	Now  time.Time
}

// missionChecks find the reasons of a mission, in the order in which they are listed.
var missionChecks = []func(MissionSituation) []Reason{
	MissionSituation.stopped,
	MissionSituation.silent,
	MissionSituation.failedJob,
	MissionSituation.troubled,
	MissionSituation.throughAccounts,
	MissionSituation.paid,
	MissionSituation.missing,
	MissionSituation.unknown,
	MissionSituation.reviewed,
	MissionSituation.writing,
	MissionSituation.scheduled,
	MissionSituation.cycle,
}

// WhyMission returns why nothing of a mission goes out, or what it waits for, and what can be done.
// Every mission has a reason; a completed one has no other.
func WhyMission(s MissionSituation) Why {
	var reasons []Reason
	for _, check := range missionChecks {
		reasons = append(reasons, check(s)...)
		if s.Mission.Status == StatusCompleted {
			break
		}
	}
	return newWhy(string(s.Mission.Status), reasons)
}

func (s MissionSituation) stopped() []Reason {
	if s.Mission.Status == StatusCompleted {
		return s.Mission.stateReasons()
	}
	return append(s.Stops.reasons(s.Mission), s.Mission.stateReasons()...)
}

// silent returns the reason of an active mission that is in a blackout.
func (s MissionSituation) silent() []Reason {
	b, in := s.Mission.BlackoutAt(s.Now)
	if !in || s.Mission.Status != StatusActive {
		return nil
	}
	message := "The mission has a blackout until " + s.Mission.said(b.EndsAt) + "."
	if b.Reason != "" {
		message += " " + b.Reason
	}
	return []Reason{because(ReasonBlackout, message, RemedyWait, RemedyUpdate).since(&b.StartsAt).until(&b.EndsAt)}
}

// failedJob returns the reason of the latest job if it failed, or an attempt of its stage did.
func (s MissionSituation) failedJob() []Reason {
	j := s.Job
	if j == nil {
		return nil
	}
	remedies := func(f *Failure, first Remedy) []Remedy {
		if f == nil {
			return []Remedy{first}
		}
		return append([]Remedy{first}, cures[f.Code]...)
	}
	if j.Status == RunFailed {
		message := fmt.Sprintf("The latest job failed at its stage %s.", j.CurrentStage)
		return []Reason{because(ReasonJobFailed, message, remedies(j.Error, RemedyRetry)...).since(j.CompletedAt).failing(j.Error)}
	}
	f := j.stage(j.CurrentStage).Error
	if j.Status != RunRunning || f == nil {
		return nil
	}
	r := because(ReasonRetry, fmt.Sprintf("The stage %s of the job failed and is tried again.", j.CurrentStage), remedies(f, RemedyWait)...).failing(f)
	if t := s.Task; t != nil && t.State == TaskWaiting && t.RunAt.After(s.Now) {
		r.Until = &t.RunAt
	}
	return []Reason{r}
}

// troubled returns the reason of a stage that trouble of the service's own keeps from going on, or from beginning.
func (s MissionSituation) troubled() []Reason {
	if s.Mission.Status != StatusActive || s.Job != nil && s.Job.stage(s.Job.CurrentStage).Error != nil {
		return nil // or it is said already
	}
	switch {
	case !s.Task.inTrouble(s.Now, s.Late):
		return nil
	case s.Task.Trouble == "":
		return s.Task.unclaimed()
	}
	return s.Mission.troubled(s.Task, s.Now, nil)
}

func (s MissionSituation) throughAccounts() (reasons []Reason) {
	for _, a := range s.Accounts {
		reasons = append(reasons, a.reasons(s.Mission, s.Now)...)
	}
	return reasons
}

// paid returns the reason of a budget of which something was spent and nothing is left.
func (s MissionSituation) paid() []Reason {
	if s.Mission.Spent == 0 || s.Mission.Affords(1) {
		return nil
	}
	return []Reason{because(ReasonBudget, "The mission's budget is used up: what costs money is neither written nor published.", RemedyBudget)}
}

// missing returns why the latest job has fewer posts than it planned, once it has written them.
func (s MissionSituation) missing() []Reason {
	j := s.Job
	if j == nil || j.Written >= j.Planned {
		return nil
	}
	note := j.stage(StageContent)
	if note.Status != RunCompleted || note.Error == nil {
		return nil
	}
	message := fmt.Sprintf("The latest job wrote %d of %d posts.", j.Written, j.Planned)
	return []Reason{because(ReasonPostsMissing, message, cures[note.Error.Code]...).since(note.CompletedAt).failing(note.Error)}
}

func (s MissionSituation) unknown() []Reason {
	if s.Unknown == 0 {
		return nil
	}
	message := "A post's outcome is unknown: its platform is asked, or a person has to say what became of it."
	if s.Unknown > 1 {
		message = fmt.Sprintf("The outcomes of %d posts are unknown: their platforms are asked, or a person has to say what became of them.", s.Unknown)
	}
	return []Reason{because(ReasonUnknown, message, RemedySettle, RemedyWait)}
}

func (s MissionSituation) reviewed() []Reason {
	switch n := s.Mission.Counts.PendingReview; n {
	case 0:
		return nil
	case 1:
		return []Reason{because(ReasonReview, "A post waits for review.", RemedyApprove, RemedyReject)}
	default:
		return []Reason{because(ReasonReview, fmt.Sprintf("%d posts wait for review.", n), RemedyApprove, RemedyReject)}
	}
}

// writing returns the reason of a mission whose posts are being planned or written.
func (s MissionSituation) writing() []Reason {
	j := s.Job
	if s.Mission.Status != StatusActive || j == nil || j.Status != RunRunning || j.CurrentStage.Index() > StageContent.Index() {
		return nil
	}
	message := "The posts of the day are being planned."
	if j.CurrentStage == StageContent {
		message = fmt.Sprintf("The posts of the day are being written: %d of %d.", j.Written, j.Planned)
	}
	return []Reason{because(ReasonWriting, message, RemedyWait).since(j.stage(j.CurrentStage).StartedAt)}
}

func (s MissionSituation) scheduled() []Reason {
	if s.Mission.Status != StatusActive || s.NextPublishAt == nil {
		return nil
	}
	if !s.NextPublishAt.After(s.Now) {
		return []Reason{because(ReasonDue, "The time of a post has come.", RemedyWait).since(s.NextPublishAt)}
	}
	return []Reason{because(ReasonSlot, "The next post goes out on "+s.Mission.said(*s.NextPublishAt)+".", RemedyWait).until(s.NextPublishAt)}
}

// cycle returns when the next posting day begins, in an active mission.
func (s MissionSituation) cycle() []Reason {
	if s.Mission.Status != StatusActive {
		return nil
	}
	day := 0
	if s.Job != nil {
		day = s.Job.Window.Day + 1
	}
	if w, ok := s.Mission.NextWindow(day, s.Now); ok {
		return []Reason{because(ReasonCycle, "The next posting day begins on "+s.Mission.said(w.Start)+".", RemedyWait).until(&w.Start)}
	}
	r := because(ReasonNoCycle, "The mission has no posting day left.", RemedyExtend)
	return []Reason{r.until(s.Mission.EndsAt)}
}
