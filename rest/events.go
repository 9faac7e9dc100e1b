package rest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagEvents tag = "Events"

// routeEvents registers the routes of the event log (decisions, "Webhooks").
func (a *API) routeEvents() {
	handle(a, tagEvents.get(mission.OpEventsList, "/v1/events", "List events of the last 30 days"), a.listEvents)
	handle(a, tagEvents.get(mission.OpEventTypes, "/v1/event-types", "List the event types with their JSON Schemas"), a.eventTypes)
	handle(a, tagEvents.get(mission.OpEventsRead, "/v1/events/{id}", "Read an event"), a.readEvent)
}

type eventListParams struct {
	Paging

	Type      string `query:"type" doc:"Only events of this type, or of several types separated by commas" example:"content.published"`
	MissionID string `query:"mission_id" doc:"Only events of this mission, which may have been deleted" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
}

// shownEvent is the envelope (interface, section 2, "Event envelope").
type shownEvent struct {
	ID        string          `json:"id" doc:"Its id" example:"evt_01jnd2x6k8e4rvt0m7y3bqz5cf"`
	Type      string          `json:"type" doc:"The type's name" example:"content.published"`
	CreatedAt time.Time       `json:"created_at" doc:"When it was made"`
	Data      json.RawMessage `json:"data" doc:"As the type's schema has it" example:"{\"mission_id\":\"msn_01jnd2x6k8e4rvt0m7y3bqz5ca\"}"`
}

func showEvent(e mission.Event) shownEvent {
	data, _ := e.Data.(json.RawMessage) // events that were read have it
	return shownEvent{ID: e.ID, Type: string(e.Type), CreatedAt: e.CreatedAt, Data: data}
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
	list, err := a.webhooks.Events(ctx, p, filter, in.page())
	return counted(list, err, func() (int, error) { return a.webhooks.CountEvents(ctx, p, filter) }, showEvent)
}

// EventPath has the parameters of an event's routes.
type EventPath struct {
	ID string `path:"id" doc:"The event's id" example:"evt_01jd0000000000000000000000"`
}

func (a *API) readEvent(ctx context.Context, p mission.Principal, in *EventPath) (shownEvent, error) {
	e, err := a.webhooks.Event(ctx, p, in.ID)
	return showEvent(e), err
}

type shownEventType struct {
	Type        mission.EventType `json:"type" doc:"The type's name" example:"content.published"`
	Description string            `json:"description" doc:"When it is sent" example:"A post was published on its platform."`
	Schema      json.RawMessage   `json:"schema" doc:"The JSON Schema of the envelope, with an example" example:"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\"}"`
}

func (a *API) eventTypes(context.Context, mission.Principal, *struct{}) (page[shownEventType], error) {
	kinds := mission.EventKinds()
	return whole(kinds, func(k mission.EventKind) shownEventType {
		return shownEventType{Type: k.Type, Description: k.Description, Schema: k.Schema}
	}), nil
}
