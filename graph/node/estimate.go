package node

import (
	"time"

	"missiond/mission"
)

// MissionEstimate is what is expected to come of a new mission.
type MissionEstimate struct {
	EstimatedPosts     *int
	EndsAt             *time.Time
	EstimatedCostCents *int64
	FirstSlots         []EstimatedSlot
	Notices            []mission.Notice
	Problems           []InputProblem
}

// EstimatedSlot is a slot of an estimate.
type EstimatedSlot struct {
	At                           time.Time
	Platform                     mission.Platform
	IntegrationID, AccountHandle *string
	Type                         mission.Format
}

// InputProblem is a problem of an input.
type InputProblem struct {
	// Path is the field's, in the schema's names.
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// NewMissionEstimate returns an estimate as shown, with its problems.
func NewMissionEstimate(e mission.Estimate, problems []InputProblem) *MissionEstimate {
	shown := &MissionEstimate{EstimatedPosts: e.Posts, EndsAt: e.EndsAt, FirstSlots: []EstimatedSlot{}, Notices: e.Notices, Problems: problems}
	if e.Cost != nil {
		cents := e.Cost.Cents()
		shown.EstimatedCostCents = &cents
	}
	for _, s := range e.FirstSlots {
		slot := EstimatedSlot{At: s.At, Platform: s.Platform, Type: s.Format}
		if s.IntegrationID != "" {
			slot.IntegrationID = &s.IntegrationID
		}
		if s.AccountHandle != "" {
			slot.AccountHandle = &s.AccountHandle
		}
		shown.FirstSlots = append(shown.FirstSlots, slot)
	}
	if shown.Notices == nil {
		shown.Notices = []mission.Notice{}
	}
	return shown
}
