package rest

import (
	"context"

	"missiond/mission"
)

type missionAutonomy struct {
	State     mission.AutonomyState         `json:"state" doc:"off: the mission has no autonomy; earning: approvals are missing; earned: the share of its writer's posts goes out without review, none of them with a platform, link, file or fact that no post in approvals has" example:"earning"`
	Missing   int                           `json:"missing" doc:"How many approvals are missing" example:"3"`
	Approvals []mission.Approval            `json:"approvals" doc:"The approvals in a row, latest first; at most 50"`
	Ended     nullable[mission.AutonomyEnd] `json:"ended" doc:"What ended the row before it; null if nothing did"`
}

func (a *API) readAutonomy(ctx context.Context, p mission.Principal, in *MissionPath) (missionAutonomy, error) {
	s, err := a.missions.Autonomy(ctx, p, in.ID)
	return missionAutonomy{
		State: s.State, Missing: s.Missing, Approvals: append([]mission.Approval{}, s.Approvals...), Ended: nullable[mission.AutonomyEnd]{s.Ended},
	}, err
}
