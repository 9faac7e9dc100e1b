package rest

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// routeCalendar registers the calendar of posts.
func (a *API) routeCalendar() {
	handle(a, tagContent.get(mission.OpCalendar, "/v1/calendar", "Read the calendar"), a.readCalendar)
}

type calendarParams struct {
	From          string           `query:"from" required:"true" doc:"The first day" example:"2025-03-01"`
	To            string           `query:"to" required:"true" doc:"The last day: a calendar has at most 62 days" example:"2025-03-31"`
	TimeZone      string           `query:"time_zone" doc:"The IANA time zone of the days. Defaults to the mission's or, without mission_id, to UTC" example:"Europe/Berlin"`
	MissionID     string           `query:"mission_id" doc:"Only posts of this mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Platform      mission.Platform `query:"platform" doc:"Only posts on this platform" example:"twitter"`
	IntegrationID string           `query:"integration_id" doc:"Only posts of this account" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Status        string           `query:"status" doc:"Only posts in this state, or in one of several states separated by commas; the calendar then has no planned slots" example:"scheduled,published"`
	StartingAfter string           `query:"starting_after" doc:"The last id of the day's previous page, in a calendar of one day" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
}

type shownCalendar struct {
	From             string             `json:"from" doc:"The first day" example:"2025-03-01"`
	To               string             `json:"to" doc:"The last day" example:"2025-03-31"`
	TimeZone         string             `json:"time_zone" doc:"The time zone of the days" example:"Europe/Berlin"`
	Days             []calendarDay      `json:"days" doc:"Every day, in order"`
	Events           []calendarEvent    `json:"events" doc:"The events of the missions whose slots are planned that are on one of the days, by the missions' own days; empty where planned is"`
	Blackouts        []calendarBlackout `json:"blackouts" doc:"The blackouts of those missions that are within the days"`
	PlannedTruncated bool               `json:"planned_truncated" doc:"Whether there are more planned slots: they are the earliest 2,000 of the 100 newest active missions" example:"false"`
}

type calendarEvent struct {
	MissionID string `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	mission.Occasion
}

type calendarBlackout struct {
	MissionID string `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	mission.Blackout
}

type calendarDay struct {
	Date     string           `json:"date" format:"date" doc:"The day" example:"2025-03-03"`
	StartsAt time.Time        `json:"starts_at" doc:"When the day begins in the time zone"`
	EndsAt   time.Time        `json:"ends_at" doc:"When the next day begins"`
	Counts   []calendarCount  `json:"counts" doc:"How many posts there are in each state that there are posts in"`
	Posts    []shownContent   `json:"posts" doc:"The first 20 posts: by their publication, or by their slots until then"`
	HasMore  bool             `json:"has_more" doc:"Whether there are more posts: those after the last are in the calendar of this day with starting_after" example:"false"`
	Planned  []calendarVacant `json:"planned" doc:"The slots whose posts aren't written yet, of active missions; empty without the scope missions:read, and with a filter by state"`
}

type calendarCount struct {
	Status mission.ContentStatus `json:"status" doc:"The state" example:"scheduled"`
	Count  int                   `json:"count" doc:"How many posts are in it, at most 100" example:"3"`
	Capped bool                  `json:"capped" doc:"Whether there are more than 100" example:"false"`
}

type calendarVacant struct {
	MissionID     string            `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	JobID         *string           `json:"job_id" doc:"The job that will write the post; null if its cycle hasn't begun" example:"job_01jnd2x6k8e4rvt0m7y3bqz5cj"`
	At            time.Time         `json:"at" doc:"When the post is to go out. The plan of a cycle that hasn't begun may choose another time of its day"`
	Platform      *mission.Platform `json:"platform" doc:"The platform; null if it isn't decided yet" example:"twitter"`
	IntegrationID *string           `json:"integration_id" doc:"The account; null if it isn't decided yet, and for the platform's default" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	AccountHandle *string           `json:"account_handle" doc:"The account's handle, without a leading @; null if it isn't known or has none" example:"acme@mastodon.example"`
}

func (a *API) readCalendar(ctx context.Context, p mission.Principal, in *calendarParams) (shownCalendar, error) {
	c, err := a.missions.Calendar(database.AllowReplica(ctx), p, mission.CalendarInput{
		From: in.From, To: in.To, TimeZone: in.TimeZone, MissionID: in.MissionID, Platform: in.Platform, IntegrationID: in.IntegrationID,
		Statuses: statesOf(in.Status),
	}, in.StartingAfter)
	if err != nil {
		return shownCalendar{}, namingCursor(err)
	}
	var posts []mission.Content
	for _, d := range c.Days {
		posts = append(posts, d.Posts...)
	}
	show, err := a.showing(ctx, p, posts...)
	if err != nil {
		return shownCalendar{}, err
	}
	shown := shownCalendar{
		From: c.From, To: c.To, TimeZone: c.TimeZone, Days: make([]calendarDay, len(c.Days)),
		Events: make([]calendarEvent, len(c.Occasions)), Blackouts: make([]calendarBlackout, len(c.Blackouts)), PlannedTruncated: c.PlannedTruncated,
	}
	for i, o := range c.Occasions {
		shown.Events[i] = calendarEvent(o)
	}
	for i, b := range c.Blackouts {
		shown.Blackouts[i] = calendarBlackout(b)
	}
	for i, d := range c.Days {
		day := calendarDay{
			Date: d.Date, StartsAt: d.StartsAt, EndsAt: d.EndsAt, HasMore: d.HasMore,
			Counts: make([]calendarCount, len(d.Counts)), Posts: make([]shownContent, len(d.Posts)), Planned: make([]calendarVacant, len(d.Planned)),
		}
		for k, n := range d.Counts {
			day.Counts[k] = calendarCount(n)
		}
		for k, post := range d.Posts {
			day.Posts[k] = show(post)
		}
		for k, slot := range d.Planned {
			day.Planned[k] = calendarVacant(slot)
		}
		shown.Days[i] = day
	}
	return shown, nil
}
