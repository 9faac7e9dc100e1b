// Package node has the types that only the GraphQL API has: connections,
// payloads and the interface that records share.
package node

import (
	"time"

	"missiond/mission"
)

// Node is a record with an id.
type Node any

// PageInfo is where a page lies in its list.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// MissionFilter picks missions.
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
)

// MissionConnection is a page of missions. Filter is kept for the total, which
// is computed only where it is asked for.
type MissionConnection struct {
	Filter   *MissionFilter
	Edges    []MissionEdge
	PageInfo PageInfo
}

// MissionEdge is a mission in a list.
type MissionEdge struct {
	Cursor string
	Node   mission.Mission
}

// CreateMissionPayload is what createMission answers.
type CreateMissionPayload struct {
	Mission mission.Mission
}

// PauseMissionPayload is what pauseMission answers.
type PauseMissionPayload struct {
	Mission  mission.Mission
	PausedAt time.Time
}

// ResumeMissionPayload is what resumeMission answers.
type ResumeMissionPayload struct {
	Mission        mission.Mission
	ResumedAt      time.Time
	AdjustedEndsAt time.Time
}
