package node

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"missiond/mission"
)

// DeliveryAttempt is an attempt to deliver an event.
type DeliveryAttempt struct {
	At         time.Time
	StatusCode *int
	DurationMs int64
	Error      *string
	Response   string
}

// NewAttempts returns attempts as shown.
func NewAttempts(list []mission.Attempt) []DeliveryAttempt {
	shown := make([]DeliveryAttempt, len(list))
	for i, a := range list {
		shown[i] = DeliveryAttempt{At: a.At, DurationMs: a.DurationMS, Response: a.Response}
		if a.StatusCode != 0 {
			shown[i].StatusCode = &a.StatusCode
		}
		if a.Error != "" {
			shown[i].Error = &a.Error
		}
	}
	return shown
}

// DeliveryRequest is what is sent to deliver an event.
type DeliveryRequest struct {
	Headers []DeliveryHeader
	Body    string
}

// DeliveryHeader is a header of a DeliveryRequest.
type DeliveryHeader struct{ Name, Value string }

// NewDeliveryRequest returns what is sent as shown.
func NewDeliveryRequest(h http.Header, body []byte) *DeliveryRequest {
	r := &DeliveryRequest{Body: string(body)}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		r.Headers = append(r.Headers, DeliveryHeader{Name: name, Value: h.Get(name)})
	}
	return r
}

// WebhookError is a failed attempt to deliver to an endpoint.
type WebhookError struct {
	DeliveryID string
	DeliveryAttempt
}

// EventKind is a type of events.
type EventKind struct {
	Type        mission.EventType
	Description string
	Schema      map[string]any
	Example     map[string]any
}

// NewEventKind returns a type of events as shown. Errors: a schema without an example.
func NewEventKind(k mission.EventKind) (EventKind, error) {
	shown := EventKind{Type: k.Type, Description: k.Description}
	if err := json.Unmarshal(k.Schema, &shown.Schema); err != nil {
		return shown, err
	}
	examples, _ := shown.Schema["examples"].([]any)
	if len(examples) > 0 {
		shown.Example, _ = examples[0].(map[string]any)
	}
	if shown.Example == nil {
		return shown, fmt.Errorf("bug: the schema of %s has no example", k.Type)
	}
	return shown, nil
}

// Event is an event with its data as an object.
type Event struct {
	ID        string
	Type      mission.EventType
	CreatedAt time.Time
	MissionID string
	Data      map[string]any
	// ContentID and JobID are the post and the job that it is about; "" if it is about
	// none.
	ContentID, JobID string
}

// NewEvent returns an event as shown.
func NewEvent(e mission.Event) (*Event, error) {
	n := &Event{ID: e.ID, Type: e.Type, CreatedAt: e.CreatedAt, MissionID: e.MissionID}
	text, _ := e.Data.(json.RawMessage)
	n.ContentID, n.JobID = SubjectsOf(e)
	return n, json.Unmarshal(text, &n.Data)
}

// SubjectsOf returns the ids of the post and of the job that an event read from the log
// is about; "" if it is about none.
func SubjectsOf(e mission.Event) (contentID, jobID string) {
	var data struct {
		ContentID string `json:"content_id"`
		JobID     string `json:"job_id"`
	}
	text, _ := e.Data.(json.RawMessage)
	_ = json.Unmarshal(text, &data) // NewEvent returns the error
	return data.ContentID, data.JobID
}

// EventFilter filters events.
type EventFilter struct {
	Types     []mission.EventType
	MissionID *string
	CreatedTo *time.Time
}

// CreateWebhookPayload is the result of createWebhook.
type CreateWebhookPayload struct {
	Webhook mission.Webhook
	Secret  string
}

// TestWebhookPayload is the result of testWebhook.
type TestWebhookPayload struct {
	Webhook    mission.Webhook
	EventID    string
	Delivered  bool
	StatusCode *int
	DurationMs int64
	Error      *string
}

// RotateWebhookSecretPayload is the result of rotateWebhookSecret.
type RotateWebhookSecretPayload struct {
	Webhook            mission.Webhook
	Secret             string
	PreviousValidUntil time.Time
}

// ReplayWebhookPayload is the result of replayWebhook.
type ReplayWebhookPayload struct {
	Webhook mission.Webhook
	Events  int
}
