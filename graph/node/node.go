// Package node has the types that only the GraphQL API has: connections,
// payloads and the interface that records share.
package node

import (
	"time"

	"missiond/mission"
)

// Node is a record with an id.
type Node any

// PageInfo is a page's position in its list.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

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
)

// MissionConnection is a page of missions. Filter is kept for the total, which is
// computed only if it is requested.
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

// CreateMissionPayload is the result of createMission.
type CreateMissionPayload struct {
	Mission mission.Mission
}

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
