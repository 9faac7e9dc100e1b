package graph

import (
	"errors"

	"missiond/graph/node"
	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

// pageOf reads a connection's arguments. Lists are newest first; a cursor is the id
// of a record.
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

// namingCursor adds the name of the argument to the error for an invalid cursor.
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

func storeFilter(f *node.MissionFilter) (filter store.MissionFilter, err error) {
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

// edges returns a page's edges and its page info.
func edges[N, E any](list []N, p store.Page, more bool, id func(N) string, edge func(cursor string, n N) E) ([]E, node.PageInfo) {
	made := make([]E, len(list))
	for i, n := range list {
		made[i] = edge(id(n), n)
	}
	// more is about the far end of the page; records lie beyond the other end if
	// there is a cursor there.
	info := node.PageInfo{HasNextPage: more, HasPreviousPage: p.After != ""}
	if p.Backward {
		info.HasNextPage, info.HasPreviousPage = p.Before != "", more
	}
	if len(list) > 0 {
		first, last := id(list[0]), id(list[len(list)-1])
		info.StartCursor, info.EndCursor = &first, &last
	}
	return made, info
}

func missionConnection(f *node.MissionFilter, list []mission.Mission, p store.Page, more bool) *node.MissionConnection {
	c := &node.MissionConnection{Filter: f}
	c.Edges, c.PageInfo = edges(list, p, more, func(m mission.Mission) string { return m.ID },
		func(cursor string, m mission.Mission) node.MissionEdge {
			return node.MissionEdge{Cursor: cursor, Node: m}
		})
	return c
}

func contentFilter(f *node.ContentFilter) store.ContentFilter {
	var filter store.ContentFilter
	if f == nil {
		return filter
	}
	filter.MissionID = orEmpty(f.MissionID)
	if f.Status != nil {
		filter.Status = *f.Status
	}
	if f.Platform != nil {
		filter.Platform = *f.Platform
	}
	return filter
}

// pickedOf returns the filter of a mission's posts without the mission.
func pickedOf(f *node.ContentFilter) store.ContentFilter {
	filter := contentFilter(f)
	filter.MissionID = ""
	return filter
}

func jobConnection(m mission.Mission, part store.Part[mission.Job], p store.Page) *node.JobConnection {
	c := &node.JobConnection{TotalCount: m.NextCycle}
	c.Edges, c.PageInfo = edges(part.List, p, part.More, func(j mission.Job) string { return j.ID },
		func(cursor string, j mission.Job) node.JobEdge {
			return node.JobEdge{Cursor: cursor, Node: *node.NewJob(m, j)}
		})
	return c
}

func contentConnection(f *node.ContentFilter, list []mission.Content, p store.Page, more bool) *node.ContentConnection {
	c := &node.ContentConnection{Filter: f}
	c.Edges, c.PageInfo = edges(list, p, more, func(c mission.Content) string { return c.ID },
		func(cursor string, c mission.Content) node.ContentEdge {
			return node.ContentEdge{Cursor: cursor, Node: c}
		})
	return c
}

func measuredConnection(total int, part store.Part[mission.Content], p store.Page) *node.MeasuredPostConnection {
	c := &node.MeasuredPostConnection{TotalCount: total}
	c.Edges, c.PageInfo = edges(part.List, p, part.More, func(c mission.Content) string { return c.ID },
		func(cursor string, c mission.Content) node.MeasuredPostEdge {
			return node.MeasuredPostEdge{Cursor: cursor, Node: node.NewMeasuredPost(c)}
		})
	return c
}

// reportInput reads the arguments of a report, which is grouped by day by default.
func reportInput(from, to *string, by *mission.Grouping) mission.ReportInput {
	in := mission.ReportInput{From: orEmpty(from), To: orEmpty(to), GroupBy: mission.GroupByDay}
	if by != nil {
		in.GroupBy = *by
	}
	return in
}

func eventFilter(f *node.EventFilter) store.EventFilter {
	if f == nil {
		return store.EventFilter{}
	}
	return store.EventFilter{Types: f.Types, MissionID: orEmpty(f.MissionID)}
}

func eventConnection(f *node.EventFilter, list []mission.Event, p store.Page, more bool) (*node.EventConnection, error) {
	shown := make([]*node.Event, len(list))
	for i, e := range list {
		var err error
		if shown[i], err = node.NewEvent(e); err != nil {
			return nil, err
		}
	}
	c := &node.EventConnection{Filter: f}
	c.Edges, c.PageInfo = edges(shown, p, more, func(e *node.Event) string { return e.ID },
		func(cursor string, e *node.Event) node.EventEdge { return node.EventEdge{Cursor: cursor, Node: e} })
	return c, nil
}

func webhookConnection(list []mission.Webhook, p store.Page, more bool, total int) *node.WebhookConnection {
	c := &node.WebhookConnection{TotalCount: total}
	c.Edges, c.PageInfo = edges(list, p, more, func(w mission.Webhook) string { return w.ID },
		func(cursor string, w mission.Webhook) node.WebhookEdge {
			return node.WebhookEdge{Cursor: cursor, Node: w}
		})
	return c
}

func integrationConnection(list []mission.Integration, p store.Page, more bool, total int) *node.IntegrationConnection {
	c := &node.IntegrationConnection{TotalCount: total}
	c.Edges, c.PageInfo = edges(list, p, more, func(i mission.Integration) string { return i.ID },
		func(cursor string, i mission.Integration) node.IntegrationEdge {
			return node.IntegrationEdge{Cursor: cursor, Node: i}
		})
	return c
}

func deliveryConnection(webhookID string, s mission.DeliveryStatus, list []mission.Delivery, p store.Page, more bool) *node.DeliveryConnection {
	c := &node.DeliveryConnection{WebhookID: webhookID, Status: s}
	c.Edges, c.PageInfo = edges(list, p, more, func(d mission.Delivery) string { return d.ID },
		func(cursor string, d mission.Delivery) node.DeliveryEdge {
			return node.DeliveryEdge{Cursor: cursor, Node: d}
		})
	return c
}

func notificationConnection(unread bool, list []mission.Notification, p store.Page, more bool) *node.NotificationConnection {
	c := &node.NotificationConnection{Unread: unread}
	c.Edges, c.PageInfo = edges(list, p, more, func(n mission.Notification) string { return n.ID },
		func(cursor string, n mission.Notification) node.NotificationEdge {
			return node.NotificationEdge{Cursor: cursor, Node: n}
		})
	return c
}

func userConnection(list []mission.User, p store.Page, more bool) *node.UserConnection {
	c := &node.UserConnection{}
	c.Edges, c.PageInfo = edges(list, p, more, func(u mission.User) string { return u.ID },
		func(cursor string, u mission.User) node.UserEdge { return node.UserEdge{Cursor: cursor, Node: u} })
	return c
}

func auditConnection(list []mission.AuditEntry, p store.Page, more bool) *node.AuditEntryConnection {
	c := &node.AuditEntryConnection{}
	c.Edges, c.PageInfo = edges(list, p, more, func(e mission.AuditEntry) string { return e.ID },
		func(cursor string, e mission.AuditEntry) node.AuditEntryEdge {
			return node.AuditEntryEdge{Cursor: cursor, Node: e}
		})
	return c
}

func keyConnection(list []node.APIKey, p store.Page, more bool) *node.APIKeyConnection {
	c := &node.APIKeyConnection{}
	c.Edges, c.PageInfo = edges(list, p, more, func(k node.APIKey) string { return k.ID },
		func(cursor string, k node.APIKey) node.APIKeyEdge { return node.APIKeyEdge{Cursor: cursor, Node: k} })
	return c
}
