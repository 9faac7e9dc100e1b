package graph

import (
	"cmp"
	"context"
	"errors"

	"missiond/graph/node"
	"missiond/internal/admission"
	"missiond/mission"
	"missiond/store"
)

// pageOf reads a connection's arguments. Lists are newest first; a cursor is the id
// of a record.
func pageOf(first *int, after *string, last *int, before *string) (store.Page, error) {
	p := store.Page{Limit: store.DefaultPage, Backward: last != nil}
	if after != nil {
		p.After = *after
	}
	if before != nil {
		p.Before = *before
	}
	param, n := "first", first
	if last != nil {
		param, n = "last", last
	}
	switch {
	case first != nil && last != nil:
		return p, mission.Invalid("last", "Give first or last, not both.")
	case n == nil:
		return p, nil
	case *n < 0 || *n > store.MaxPage:
		return p, mission.Invalid(param, "%s must be 0 to %d.", param, store.MaxPage)
	}
	p.Limit = max(*n, 1) // an empty page reads whether there are records; see emptied
	return p, nil
}

// namingCursor adds the name of the argument to the error for an invalid cursor.
func namingCursor(err error, p store.Page) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Code != mission.CodeInvalidRequest || m.Param != "" || admission.IsFull(err) {
		return err
	}
	named := *m
	named.Param = "after"
	if p.After == "" {
		named.Param = "before"
	}
	return &named
}

func storeFilter(f *node.MissionFilter, order *node.MissionOrder) (filter store.MissionFilter, err error) {
	if order != nil && *order != node.NewestFirst && *order != node.OldestFirst {
		filter.Order = store.MissionOrder(*order)
	}
	if f != nil && f.Status != nil {
		filter.Status = *f.Status
	}
	if f != nil && f.Platform != nil {
		filter.Platform = *f.Platform
	}
	if f != nil && f.Search != nil {
		filter.Words, err = mission.SearchWords(*f.Search)
	}
	return filter, err
}

// readPage reads the page that a connection's arguments select, of records with
// the given ids. total is the list's, where read counts it.
func readPage[E ~struct {
	Cursor string
	Node   N
}, N any](
	first *int, after *string, last *int, before *string, id func(N) string,
	read func(store.Page) (store.Listed[N], error),
) (list node.Page[E], total int, err error) {
	p, err := pageOf(first, after, last, before)
	if err != nil {
		return list, 0, err
	}
	part, err := read(p)
	if err != nil {
		return list, 0, namingCursor(err, p)
	}
	if size := cmp.Or(first, last); size != nil && *size == 0 {
		part = emptied(part)
	}
	list.Edges = make([]E, len(part.List))
	for i, n := range part.List {
		list.Edges[i] = E{Cursor: id(n), Node: n}
	}
	// More is about the far end of the page; records lie beyond the other end if
	// there is a cursor there.
	list.PageInfo = node.PageInfo{HasNextPage: part.More, HasPreviousPage: p.After != ""}
	if p.Backward {
		list.PageInfo.HasNextPage, list.PageInfo.HasPreviousPage = p.Before != "", part.More
	}
	if n := len(part.List); n > 0 {
		start, end := id(part.List[0]), id(part.List[n-1])
		list.PageInfo.StartCursor, list.PageInfo.EndCursor = &start, &end
	}
	switch {
	case part.Next != "" && p.Backward:
		list.PageInfo.StartCursor = &part.Next
	case part.Next != "":
		list.PageInfo.EndCursor = &part.Next
	}
	return list, part.Total, nil
}

// emptied returns a page of no records, where one of a single record was read: whether
// there are more, and how many.
func emptied[N any](listed store.Listed[N]) store.Listed[N] {
	return store.Listed[N]{More: listed.More || len(listed.List) > 0, Total: listed.Total}
}

// result returns a resolver's result, or nil and the error.
func result[T any](v T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &v, nil
}

// shownPart returns a page of the records as the schema has them.
func shownPart[T, N any](listed store.Listed[T], show func(T) N) store.Listed[N] {
	shown := store.Listed[N]{List: make([]N, len(listed.List)), More: listed.More, Total: listed.Total}
	for i, each := range listed.List {
		shown.List[i] = show(each)
	}
	return shown
}

// pickedOf returns the filter of a mission's posts, without the mission.
func pickedOf(f *node.MissionContentFilter) (filter store.ContentFilter) {
	if f != nil && f.Status != nil {
		filter.Status = *f.Status
	}
	if f != nil && f.Platform != nil {
		filter.Platform = *f.Platform
	}
	return filter
}

// reportInput reads the arguments of a report, which is grouped by day by default.
func reportInput(from, to *string, by *mission.Grouping) mission.ReportInput {
	in := mission.ReportInput{From: orEmpty(from), To: orEmpty(to), GroupBy: mission.GroupByDay}
	if by != nil {
		in.GroupBy = *by
	}
	return in
}

// showReport returns a report as shown; picked selects the posts that are listed.
func (r *Resolver) showReport(ctx context.Context, report mission.Report, picked mission.FiguresFilter) *node.Analytics {
	ids := make([]string, len(report.ByAccount))
	for i, f := range report.ByAccount {
		ids[i] = f.IntegrationID
	}
	loading(ctx).met(ids)
	return node.NewAnalytics(report, picked, r.clock.Now())
}

// measuredPosts returns a page of the posts of a report: a mission's, or the whole tenant's,
// which is no record's relation and has no siblings.
func (r *Resolver) measuredPosts(ctx context.Context, a *node.Analytics, page store.Page) (store.Listed[mission.Content], error) {
	if a.MissionID == nil {
		part, err := r.missions.MeasuredPosts(ctx, caller(ctx), a.Picked, page)
		loading(ctx).metContents(part.List)
		return part, err
	}
	part, _, err := loading(ctx).measuredOf.load(ctx, *a.MissionID, paged[mission.FiguresFilter]{a.Picked, page})
	return part, err
}

func eventFilter(f *node.EventFilter) store.EventFilter {
	if f == nil {
		return store.EventFilter{}
	}
	return store.EventFilter{Types: f.Types, MissionID: orEmpty(f.MissionID), Until: f.CreatedTo}
}

func eventID(e *node.Event) string { return e.ID }

// shownEvents returns a page of events, or the error of reading it, as the schema
// has them.
func shownEvents(listed store.Listed[mission.Event], err error) (store.Listed[*node.Event], error) {
	shown := store.Listed[*node.Event]{More: listed.More}
	for i := 0; i < len(listed.List) && err == nil; i++ {
		var n *node.Event
		n, err = node.NewEvent(listed.List[i])
		shown.List = append(shown.List, n)
	}
	return shown, err
}
