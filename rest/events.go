package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagEvents = "Events"

// events registers the routes of the event log (decisions, "Webhooks").
func (a *API) events() {
	handle(a, route{operation: mission.OpEventsList, method: http.MethodGet, path: "/v1/events", status: http.StatusOK, summary: "List events of the last 30 days", tag: tagEvents}, a.listEvents)
	handle(a, route{operation: mission.OpEventTypes, method: http.MethodGet, path: "/v1/event-types", status: http.StatusOK, summary: "List the event types with their JSON Schemas", tag: tagEvents}, a.eventTypes)
	handle(a, route{operation: mission.OpEventsRead, method: http.MethodGet, path: "/v1/events/{id}", status: http.StatusOK, summary: "Read an event", tag: tagEvents}, a.readEvent)
}

type eventListParams struct {
	Paging

	Type      string `query:"type" doc:"Only events of this type, or of several types separated by commas"`
	MissionID string `query:"mission_id" doc:"Only events of this mission, which may have been deleted"`
}

// shownEvent is the envelope (interface, section 2, "Event envelope").
type shownEvent struct {
	ID        string            `json:"id"`
	Type      mission.EventType `json:"type"`
	CreatedAt time.Time         `json:"created_at"`
	Data      json.RawMessage   `json:"data"`
}

func showEvent(e mission.Event) shownEvent {
	data, _ := e.Data.(json.RawMessage) // events that were read have it
	return shownEvent{ID: e.ID, Type: e.Type, CreatedAt: e.CreatedAt, Data: data}
}

func (a *API) listEvents(ctx context.Context, p mission.Principal, in *eventListParams) (page[shownEvent], error) {
	filter := store.EventFilter{MissionID: in.MissionID}
	if in.Type != "" {
		// More names than there are types are too many, however many follow.
		for _, name := range strings.SplitN(in.Type, ",", len(mission.AllEventTypes())+2) {
			t := mission.EventType(name)
			if !slices.Contains(mission.AllEventTypes(), t) {
				return page[shownEvent]{}, mission.Invalid("type", "Unknown event type %q.", name)
			}
			filter.Types = append(filter.Types, t)
		}
	}
	list, more, err := a.service.Events(ctx, p, filter, in.page())
	if err != nil {
		return page[shownEvent]{}, namingCursor(err)
	}
	total, err := a.service.CountEvents(ctx, p, filter)
	return pageOf(list, more, total, showEvent), err
}

// EventPath holds the parameters of an event's routes.
type EventPath struct {
	ID string `path:"id" doc:"The event's id" example:"evt_01jd0000000000000000000000"`
}

func (a *API) readEvent(ctx context.Context, p mission.Principal, in *EventPath) (shownEvent, error) {
	e, err := a.service.Event(ctx, p, in.ID)
	return showEvent(e), err
}

type shownEventType struct {
	Type        mission.EventType `json:"type"`
	Description string            `json:"description"`
	Schema      json.RawMessage   `json:"schema" doc:"The JSON Schema of the envelope, with an example"`
}

func (a *API) eventTypes(context.Context, mission.Principal, *struct{}) (page[shownEventType], error) {
	kinds := mission.EventKinds()
	return pageOf(kinds, false, len(kinds), func(k mission.EventKind) shownEventType {
		return shownEventType{Type: k.Type, Description: k.Description, Schema: k.Schema}
	}), nil
}
