package mission

import (
	"embed"
	"encoding/json"
	"fmt"
)

// schemas are the JSON Schemas (2020-12) of events as they are sent, one file
// per type.
//
//go:embed events/*.json
var schemas embed.FS

// EventKind is an event type with the schema of its events.
type EventKind struct {
	Type        EventType
	Description string
	// Schema is the JSON Schema of the envelope, with an example.
	Schema json.RawMessage
}

// Kind returns the type with its schema. It panics for a type without a schema.
func (t EventType) Kind() EventKind {
	text, err := schemas.ReadFile("events/" + string(t) + ".json")
	if err != nil {
		panic(fmt.Sprintf("bug: the event type %s has no schema: %v", t, err))
	}
	var about struct {
		Description string `json:"description"`
	}
	if err := json.Unmarshal(text, &about); err != nil {
		panic(fmt.Sprintf("bug: the schema of %s: %v", t, err))
	}
	return EventKind{Type: t, Description: about.Description, Schema: text}
}

// EventKinds lists the event types that can be subscribed to.
func EventKinds() []EventKind {
	var kinds []EventKind
	for _, t := range AllEventTypes() {
		kinds = append(kinds, t.Kind())
	}
	return kinds
}
