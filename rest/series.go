package rest

import (
	"context"

	"missiond/mission"
)

type seriesParams struct {
	IntegrationPath

	From string `query:"from" doc:"The first day (UTC): at most 400 days before to. Defaults to the 30 days up to to" example:"2025-03-01"`
	To   string `query:"to" doc:"The last day (UTC). Defaults to today" example:"2025-03-31"`
}

// shownSeries is an account's figures by day.
type shownSeries struct {
	IntegrationID string           `json:"integration_id" doc:"The integration" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Platform      mission.Platform `json:"platform" doc:"Its platform" example:"mastodon"`
	From          string           `json:"from" format:"date" doc:"The first day (UTC)" example:"2025-03-01"`
	To            string           `json:"to" format:"date" doc:"The last day (UTC)" example:"2025-03-31"`
	KeptDays      int              `json:"kept_days" doc:"For how many days figures are kept, as the platform's terms allow" example:"400"`
	Data          []shownDay       `json:"data" doc:"One for each day of the range, oldest first"`
}

// shownDay is a day of an account.
type shownDay struct {
	Date      string `json:"date" format:"date" doc:"The day, in UTC" example:"2025-03-03"`
	Followers *int64 `json:"followers" doc:"How many followed the account; null if it isn't known" example:"1204"`
	Reach     *int64 `json:"reach" doc:"How many people saw something of it on the day; null if it isn't known" example:"310"`
	Views     *int64 `json:"views" doc:"How often something of it was seen on the day; null if it isn't known" example:"862"`
}

func (a *API) readSeries(ctx context.Context, p mission.Principal, in *seriesParams) (shownSeries, error) {
	s, err := a.integrations.Series(ctx, p, in.ID, in.From, in.To)
	shown := shownSeries{
		IntegrationID: s.Integration.ID, Platform: s.Integration.Platform, From: s.Of.From, To: s.Of.To,
		KeptDays: mission.AudienceRuleOf(s.Integration.Platform).KeptDays, Data: make([]shownDay, len(s.Days)),
	}
	for n, d := range s.Days {
		shown.Data[n] = shownDay{Date: d.Date, Followers: d.Followers, Reach: d.Reach, Views: d.Views}
	}
	return shown, err
}
