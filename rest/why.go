package rest

import (
	"context"
	"time"

	"missiond/mission"
)

type contentWhy struct {
	Status  mission.ContentStatus `json:"status" doc:"The post's state" example:"pending_review"`
	Summary string                `json:"summary" doc:"The first reason, for people" example:"It waits for review until 2025-03-03 18:00 CET."`
	Reasons []shownReason         `json:"reasons" doc:"All reasons: what a person has to do first, then what is waited for"`
}

type missionWhy struct {
	Status  mission.Status `json:"status" doc:"The mission's state" example:"active"`
	Summary string         `json:"summary" doc:"The first reason, for people" example:"2 posts wait for review."`
	Reasons []shownReason  `json:"reasons" doc:"All reasons: what a person has to do first, then what is waited for"`
}

type replyWhy struct {
	Status  mission.ReplyStatus `json:"status" doc:"The reply's state" example:"answered"`
	Summary string              `json:"summary" doc:"The first reason why its answer hasn't gone out, for people" example:"The mission is paused."`
	Reasons []shownReason       `json:"reasons" doc:"All reasons: what a person has to do first, then what is waited for; none if it has no answer"`
}

type shownReason struct {
	Code    mission.ReasonCode        `json:"code" doc:"The reason" example:"waits_for_review"`
	Message string                    `json:"message" doc:"The same for people" example:"It waits for review until 2025-03-03 18:00 CET."`
	Since   *time.Time                `json:"since" doc:"Since when it holds; null where that isn't known"`
	Until   *time.Time                `json:"until" doc:"Until when it holds by itself; null where that isn't known, and while a mission is paused"`
	Failure nullable[mission.Failure] `json:"failure" doc:"What went wrong; null if nothing did"`
	Actions []mission.RemedyAction    `json:"actions" doc:"What can be done about it, whatever the caller's scopes"`
}

func showReasons(list []mission.Reason) []shownReason {
	shown := make([]shownReason, len(list))
	for i, r := range list {
		shown[i] = shownReason{
			Code: r.Code, Message: r.Message, Since: r.Since, Until: r.Until, Failure: nullable[mission.Failure]{r.Failure}, Actions: r.Actions,
		}
	}
	return shown
}

func (a *API) contentWhy(ctx context.Context, p mission.Principal, in *ContentPath) (contentWhy, error) {
	w, err := a.missions.ContentWhy(ctx, p, in.ID)
	return contentWhy{Status: mission.ContentStatus(w.Status), Summary: w.Summary, Reasons: showReasons(w.Reasons)}, err
}

func (a *API) replyWhy(ctx context.Context, p mission.Principal, in *ReplyPath) (replyWhy, error) {
	w, err := a.missions.ReplyWhy(ctx, p, in.ID)
	return replyWhy{Status: mission.ReplyStatus(w.Status), Summary: w.Summary, Reasons: showReasons(w.Reasons)}, err
}

func (a *API) missionWhy(ctx context.Context, p mission.Principal, in *MissionPath) (missionWhy, error) {
	w, err := a.missions.MissionWhy(ctx, p, in.ID)
	return missionWhy{Status: mission.Status(w.Status), Summary: w.Summary, Reasons: showReasons(w.Reasons)}, err
}
