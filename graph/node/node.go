// Package node has the types that only the GraphQL API has: connections,
// payloads and the interface that records share.
package node

import (
	"time"

	"missiond/mission"
)

// Node is a record with an id.
type Node any

// MissionFilter filters missions.
type MissionFilter struct {
	Status   *mission.Status
	Platform *mission.Platform
	Search   *string
}

// MissionOrder is the order of a list of missions.
type MissionOrder string

// The orders.
const (
	NewestFirst MissionOrder = "newest_first"
	OldestFirst MissionOrder = "oldest_first"
	ByName      MissionOrder = "name"
	ByEnd       MissionOrder = "end"
	ByNextPost  MissionOrder = "next_post"
)

// PauseMissionPayload is the result of pauseMission.
type PauseMissionPayload struct {
	Mission  mission.Mission
	PausedAt time.Time
}

// ResumeMissionPayload is the result of resumeMission.
type ResumeMissionPayload struct {
	Mission        mission.Mission
	ResumedAt      time.Time
	AdjustedEndsAt time.Time
}
