package missiond

import (
	"context"
	"errors"
	"iter"
)

// Page is a page of a list.
type Page[T any] struct {
	Data []T
	Next string // the StartingAfter of the next page; or "" if there is none
}

// All yields the records of a list, page by page as they are asked for. It ends with the first
// error. fetch returns the page after a record's id, nil for the first. Missions, Contents and
// the others below are made of it.
func All[T any](fetch func(after *string) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var after *string
		for {
			page, err := fetch(after)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, one := range page.Data {
				if !yield(one, nil) {
					return
				}
			}
			if page.Next == "" || after != nil && page.Next == *after {
				return
			}
			after = &page.Next
		}
	}
}

var errNoJSON = errors.New("missiond: the response isn't JSON")

// pageOf returns a page. next is where a search goes on; otherwise that is the last record's id.
func pageOf[T any](data []T, more bool, next *string, id func(T) string) Page[T] {
	page := Page[T]{Data: data}
	switch {
	case !more:
	case next != nil:
		page.Next = *next
	case len(data) > 0:
		page.Next = id(data[len(data)-1])
	}
	return page
}

// Missions yields the missions of a list.
func Missions(ctx context.Context, c ClientWithResponsesInterface, params MissionsListParams) iter.Seq2[MissionSummary, error] {
	return All(func(after *string) (Page[MissionSummary], error) {
		p := params
		if after != nil {
			p.StartingAfter = after
		}
		r, err := c.MissionsListWithResponse(ctx, &p)
		if err != nil {
			return Page[MissionSummary]{}, err
		}
		if r.JSON200 == nil {
			return Page[MissionSummary]{}, errNoJSON
		}
		return pageOf(r.JSON200.Data, r.JSON200.HasMore, nil, func(m MissionSummary) string { return m.ID }), nil
	})
}

// Contents yields the posts of a list or a search.
func Contents(ctx context.Context, c ClientWithResponsesInterface, params ContentListParams) iter.Seq2[ShownContent, error] {
	return All(func(after *string) (Page[ShownContent], error) {
		p := params
		if after != nil {
			p.StartingAfter = after
		}
		r, err := c.ContentListWithResponse(ctx, &p)
		if err != nil {
			return Page[ShownContent]{}, err
		}
		if r.JSON200 == nil {
			return Page[ShownContent]{}, errNoJSON
		}
		return pageOf(r.JSON200.Data, r.JSON200.HasMore, r.JSON200.Next, func(p ShownContent) string { return p.ID }), nil
	})
}

// Events yields the events of the last 30 days, the newest first.
func Events(ctx context.Context, c ClientWithResponsesInterface, params EventsListParams) iter.Seq2[ShownEvent, error] {
	return All(func(after *string) (Page[ShownEvent], error) {
		p := params
		if after != nil {
			p.StartingAfter = after
		}
		r, err := c.EventsListWithResponse(ctx, &p)
		if err != nil {
			return Page[ShownEvent]{}, err
		}
		if r.JSON200 == nil {
			return Page[ShownEvent]{}, errNoJSON
		}
		return pageOf(r.JSON200.Data, r.JSON200.HasMore, nil, func(e ShownEvent) string { return e.ID }), nil
	})
}

// Replies yields the replies to posts.
func Replies(ctx context.Context, c ClientWithResponsesInterface, params RepliesListParams) iter.Seq2[ShownReply, error] {
	return All(func(after *string) (Page[ShownReply], error) {
		p := params
		if after != nil {
			p.StartingAfter = after
		}
		r, err := c.RepliesListWithResponse(ctx, &p)
		if err != nil {
			return Page[ShownReply]{}, err
		}
		if r.JSON200 == nil {
			return Page[ShownReply]{}, errNoJSON
		}
		return pageOf(r.JSON200.Data, r.JSON200.HasMore, nil, func(r ShownReply) string { return r.ID }), nil
	})
}
