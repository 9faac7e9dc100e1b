package rest

import (
	"context"
	"strings"

	"missiond/mission"
	"missiond/store"
)

type contentListParams struct {
	Paging

	MissionID     string               `query:"mission_id" doc:"Only posts of this mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Status        string               `query:"status" doc:"Only posts in this state, or in one of several states separated by commas: pending_review, approved, scheduled, publishing, published, unknown, rejected, failed, expired, canceled" example:"pending_review,approved"`
	Platform      mission.Platform     `query:"platform" doc:"Only posts on this platform" example:"twitter"`
	IntegrationID string               `query:"integration_id" doc:"Only posts of this account" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	ScheduledFrom string               `query:"scheduled_from" format:"date-time" doc:"Only posts whose slot is at this time or later" example:"2025-03-01T00:00:00Z"`
	ScheduledTo   string               `query:"scheduled_to" format:"date-time" doc:"Only posts whose slot is before this time" example:"2025-04-01T00:00:00Z"`
	PublishedFrom string               `query:"published_from" format:"date-time" doc:"Only posts that were published at this time or later" example:"2025-03-01T00:00:00Z"`
	PublishedTo   string               `query:"published_to" format:"date-time" doc:"Only posts that were published before this time" example:"2025-04-01T00:00:00Z"`
	Search        string               `query:"search" doc:"Only posts whose text, or first comment, contains each of these words, also within words, whatever their case: 1 to 100 characters, at most 8 words" example:"summer sale"`
	Order         mission.ContentOrder `query:"order" default:"created" enum:"created,scheduled,published,deadline,impressions,clicks,likes,comments,shares,engagement_rate" doc:"created: newest first; scheduled: the earliest slot first; published: the latest publication first; deadline: of the posts that wait for review, the first to expire first; a figure: of published posts, the highest first, those for which the platform hasn't reported it last. Posts without a slot, not published, or not waiting aren't in the other orders. A range of slots or publications in which there are more than 10,000 posts needs its own order, and an account's posts are ordered by a figure if they are at most as many" example:"scheduled"`
}

// query returns the parameters as a query. Errors: invalid_request, naming the
// parameter.
func (in *contentListParams) query() (q mission.ContentQuery, err error) {
	q = mission.ContentQuery{MissionID: in.MissionID, Platform: in.Platform, IntegrationID: in.IntegrationID, Search: in.Search, Order: in.Order}
	q.Statuses = statesOf(in.Status)
	err = readTimes([]timeParam{
		{"scheduled_from", in.ScheduledFrom, &q.Scheduled.From}, {"scheduled_to", in.ScheduledTo, &q.Scheduled.Until},
		{"published_from", in.PublishedFrom, &q.Published.From}, {"published_to", in.PublishedTo, &q.Published.Until},
	})
	return q, err
}

// statesOf returns the states that a parameter names, separated by commas; none for "".
func statesOf(text string) (list []mission.ContentStatus) {
	if text == "" {
		return nil
	}
	// More names than there are states are too many, however many follow.
	for _, name := range strings.SplitN(text, ",", len(mission.AllContentStatuses())+2) {
		list = append(list, mission.ContentStatus(name))
	}
	return list
}

// countedPageShownContent is a page of a list of posts. Clients that were generated know its
// component in the description by this name, from before it had next.
type countedPageShownContent struct {
	Data    []shownContent `json:"data"`
	HasMore bool           `json:"has_more" doc:"Whether there are more" example:"false"`
	Total   *int           `json:"total" doc:"How many records match the filter; null if they are more than 10,000 of an account or in a range, or if many may match a search; others are always counted" example:"1"`
	Next    *string        `json:"next" doc:"Only with search: the starting_after of the next page if that isn't the last id, because a page of a search may end before it is full, or have no posts at all; otherwise null" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
}

// countedPage is a page of a list that may be too long to be counted.
type countedPage[T any] struct {
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more" doc:"Whether there are more" example:"false"`
	Total   *int `json:"total" doc:"How many records match the filter; null if they are more than 10,000 of an account or in a range; others are always counted" example:"1"`
}

func (a *API) listContents(ctx context.Context, p mission.Principal, in *contentListParams) (countedPageShownContent, error) {
	none := countedPageShownContent{}
	q, err := in.query()
	if err != nil {
		return none, err
	}
	list, err := a.missions.ListContents(ctx, p, q, in.page())
	if err != nil {
		return none, namingCursor(err)
	}
	show, err := a.showing(ctx, p, list.List...)
	if err != nil {
		return none, err
	}
	total, err := a.missions.CountListed(ctx, p, q)
	shown := pageOf(list, total, show)
	result := countedPageShownContent{Data: shown.Data, HasMore: shown.HasMore, Total: &total}
	if list.Next != "" {
		result.Next = &list.Next
	}
	if total == store.Uncounted {
		result.Total = nil
	}
	return result, err
}
