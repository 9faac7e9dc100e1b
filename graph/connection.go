package graph

import (
	"errors"

	"missiond/graph/node"
	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

// pageOf reads a connection's arguments. Lists are newest first; a cursor is
// the id of a record.
func pageOf(first *int, after *string, last *int, before *string) (store.Page, error) {
	p := store.Page{Limit: service.DefaultPage, Backward: last != nil}
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
	case *n < 1 || *n > service.MaxPage:
		return p, mission.Invalid(param, "%s must be 1 to %d.", param, service.MaxPage)
	}
	p.Limit = *n
	return p, nil
}

// namingCursor names the argument of a cursor that is none of the list.
func namingCursor(err error, p store.Page) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Code != mission.CodeInvalidRequest || m.Param != "" {
		return err
	}
	named := *m
	named.Param = "after"
	if p.After == "" {
		named.Param = "before"
	}
	return &named
}

func storeFilter(f *node.MissionFilter) store.MissionFilter {
	var filter store.MissionFilter
	if f != nil && f.Status != nil {
		filter.Status = *f.Status
	}
	if f != nil && f.Platform != nil {
		filter.Platform = *f.Platform
	}
	return filter
}

func missionConnection(f *node.MissionFilter, list []mission.Mission, p store.Page, more bool) *node.MissionConnection {
	c := &node.MissionConnection{Filter: f, Edges: make([]node.MissionEdge, len(list))}
	for i, m := range list {
		c.Edges[i] = node.MissionEdge{Cursor: m.ID, Node: m}
	}
	// What lies behind the end that the page was taken from is known, ahead of
	// the other one lies what the cursor marks.
	c.PageInfo = node.PageInfo{HasNextPage: more, HasPreviousPage: p.After != ""}
	if p.Backward {
		c.PageInfo.HasNextPage, c.PageInfo.HasPreviousPage = p.Before != "", more
	}
	if len(list) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &list[0].ID, &list[len(list)-1].ID
	}
	return c
}
