package rest

import (
	"context"
	"time"

	"missiond/mission"
)

// routeUsage registers the usage view (interface, sections 2 and 4).
func (a *API) routeUsage() {
	handle(a, tagTenant.get(mission.OpUsage, "/v1/usage", "Read the tenant's usage"), a.readUsage)
}

type shownUsage struct {
	CurrentPeriod struct {
		Requests int64     `json:"requests" doc:"Requests of the calendar month (UTC)" example:"312"`
		Limit    int64     `json:"limit" doc:"How many requests the tenant's rate limit allows in it" example:"20"`
		ResetAt  time.Time `json:"reset_at" doc:"When the next month begins"`
	} `json:"current_period"`
	Media struct {
		Bytes int64 `json:"bytes" doc:"How many bytes the tenant's pictures and videos take, with what is made of them and what is on its way" example:"2411724"`
		Limit int64 `json:"limit" doc:"How many they may take, by the plan" example:"1073741824"`
	} `json:"media"`
	Texts struct {
		Bytes int64 `json:"bytes" doc:"How many bytes the texts of the tenant's posts take, with earlier ones, comments, reviewers' reasons and the records of deleted posts" example:"482304"`
		Limit int64 `json:"limit" doc:"How many they may take, by the plan" example:"536870912"`
	} `json:"texts"`
	DailyUsage []dayUsage `json:"daily_usage" doc:"The last 30 days, oldest first"`
}

type dayUsage struct {
	Date     string `json:"date" format:"date" doc:"The day, in UTC" example:"2025-03-03"`
	Requests int64  `json:"requests" doc:"How many requests there were" example:"312"`
}

func (a *API) readUsage(ctx context.Context, p mission.Principal, _ *struct{}) (shownUsage, error) {
	u, err := a.accounts.Usage(ctx, p)
	shown := shownUsage{DailyUsage: make([]dayUsage, len(u.Daily))}
	shown.CurrentPeriod.Requests, shown.CurrentPeriod.Limit, shown.CurrentPeriod.ResetAt = u.Requests, u.Limit, u.ResetAt
	shown.Media.Bytes, shown.Media.Limit = u.MediaBytes, u.MediaQuota
	shown.Texts.Bytes, shown.Texts.Limit = u.TextBytes, u.TextQuota
	for i, d := range u.Daily {
		shown.DailyUsage[i] = dayUsage(d)
	}
	return shown, err
}
