package node

import (
	"encoding/json"
	"time"

	"missiond/mission"
)

// WebhookConnection is a page of endpoints.
type WebhookConnection struct {
	Edges      []WebhookEdge
	PageInfo   PageInfo
	TotalCount int
}

// WebhookEdge is an endpoint in a list.
type WebhookEdge struct {
	Cursor string
	Node   mission.Webhook
}

// DeliveryConnection is a page of an endpoint's deliveries. WebhookID and
// Status are kept for the total, which is computed only where it is asked for.
type DeliveryConnection struct {
	WebhookID string
	Status    mission.DeliveryStatus
	Edges     []DeliveryEdge
	PageInfo  PageInfo
}

// DeliveryEdge is a delivery in a list.
type DeliveryEdge struct {
	Cursor string
	Node   mission.Delivery
}

// DeliveryAttempt is one try to deliver.
type DeliveryAttempt struct {
	At         time.Time
	StatusCode *int
	DurationMs int64
	Error      *string
	Response   string
}

// NewAttempts shows attempts.
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

// Event is an event with its data as an object.
type Event struct {
	ID        string
	Type      mission.EventType
	CreatedAt time.Time
	MissionID string
	Data      map[string]any
}

// NewEvent shows an event that was read.
func NewEvent(e mission.Event) (*Event, error) {
	n := &Event{ID: e.ID, Type: e.Type, CreatedAt: e.CreatedAt, MissionID: e.MissionID}
	text, _ := e.Data.(json.RawMessage)
	return n, json.Unmarshal(text, &n.Data)
}

// EventFilter picks events.
type EventFilter struct {
	Types     []mission.EventType
	MissionID *string
}

// EventConnection is a page of events. Filter is kept for the total, which is
// computed only where it is asked for.
type EventConnection struct {
	Filter   *EventFilter
	Edges    []EventEdge
	PageInfo PageInfo
}

// EventEdge is an event in a list.
type EventEdge struct {
	Cursor string
	Node   *Event
}

// NotificationConnection is a page of notifications. Unread is kept for the
// total, which is computed only where it is asked for.
type NotificationConnection struct {
	Unread   bool
	Edges    []NotificationEdge
	PageInfo PageInfo
}

// NotificationEdge is a notification in a list.
type NotificationEdge struct {
	Cursor string
	Node   mission.Notification
}

// CreateWebhookPayload is what createWebhook answers.
type CreateWebhookPayload struct {
	Webhook mission.Webhook
	Secret  string
}

// UpdateWebhookPayload is what updateWebhook answers.
type UpdateWebhookPayload struct {
	Webhook mission.Webhook
}

// DeleteWebhookPayload is what deleteWebhook answers.
type DeleteWebhookPayload struct {
	DeletedID string
}

// TestWebhookPayload is what testWebhook answers.
type TestWebhookPayload struct {
	Webhook    mission.Webhook
	EventID    string
	Delivered  bool
	StatusCode *int
	DurationMs int64
	Error      *string
}

// RotateWebhookSecretPayload is what rotateWebhookSecret answers.
type RotateWebhookSecretPayload struct {
	Webhook            mission.Webhook
	Secret             string
	PreviousValidUntil time.Time
}

// RedeliverPayload is what redeliver answers.
type RedeliverPayload struct {
	Delivery mission.Delivery
}

// ReplayWebhookPayload is what replayWebhook answers.
type ReplayWebhookPayload struct {
	Webhook mission.Webhook
	Events  int
}

// MarkNotificationsReadPayload is what markNotificationsRead answers.
type MarkNotificationsReadPayload struct {
	Notifications []mission.Notification
}
