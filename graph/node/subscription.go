package node

import (
	"time"

	"missiond/mission"
)

// MissionStatusView is a mission's state at a glance.
type MissionStatusView struct {
	MissionID     string
	Status        mission.Status
	Pipeline      PipelineView
	Content       mission.ContentCounts
	KpiProgress   []mission.KPIProgress
	NextPublishAt *time.Time
}

// PipelineView is a job at a glance.
type PipelineView struct {
	JobID           *string
	Status          mission.RunStatus
	CurrentStage    mission.StageName
	ProgressPercent int
	Stages          []StageView
}

// StageView is a stage at a glance.
type StageView struct {
	Name            mission.StageName
	Status          mission.RunStatus
	ProgressPercent *int
	DurationMs      *int64
}

// Changes are changes of a tenant's records.
type Changes struct{ Kinds []mission.ChangeKind }

// NewMissionStatusView returns a status view as shown.
func NewMissionStatusView(v mission.StatusView) *MissionStatusView {
	s := v.Pipeline.Stages
	n := &MissionStatusView{
		MissionID: v.MissionID, Status: v.Status, Content: v.Content, KpiProgress: v.KPIProgress, NextPublishAt: v.NextPublishAt,
		Pipeline: PipelineView{
			JobID: v.Pipeline.JobID, Status: v.Pipeline.Status, CurrentStage: v.Pipeline.CurrentStage, ProgressPercent: v.Pipeline.ProgressPercent,
		},
	}
	for i, stage := range []mission.StageView{s.Intake, s.Strategy, s.Content, s.Publish, s.Analytics, s.Optimize} {
		n.Pipeline.Stages = append(n.Pipeline.Stages, StageView{
			Name: mission.AllStages()[i], Status: stage.Status, ProgressPercent: stage.ProgressPercent, DurationMs: stage.DurationMS,
		})
	}
	return n
}
