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

// DeliveryConnection is a page of an endpoint's deliveries. WebhookID and Status
// are kept for the total, which is computed only if it is requested.
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

// Event is an event with its data as an object.
type Event struct {
	ID        string
	Type      mission.EventType
	CreatedAt time.Time
	MissionID string
	Data      map[string]any
}

// NewEvent returns an event as shown.
func NewEvent(e mission.Event) (*Event, error) {
	n := &Event{ID: e.ID, Type: e.Type, CreatedAt: e.CreatedAt, MissionID: e.MissionID}
	text, _ := e.Data.(json.RawMessage)
	return n, json.Unmarshal(text, &n.Data)
}

// EventFilter filters events.
type EventFilter struct {
	Types     []mission.EventType
	MissionID *string
}

// EventConnection is a page of events. Filter is kept for the total, which is
// computed only if it is requested.
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

// NotificationConnection is a page of notifications. Unread is kept for the total,
// which is computed only if it is requested.
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

// CreateWebhookPayload is the result of createWebhook.
type CreateWebhookPayload struct {
	Webhook mission.Webhook
	Secret  string
}

// UpdateWebhookPayload is the result of updateWebhook.
type UpdateWebhookPayload struct {
	Webhook mission.Webhook
}

// DeleteWebhookPayload is the result of deleteWebhook.
type DeleteWebhookPayload struct {
	DeletedID string
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

// RedeliverPayload is the result of redeliver.
type RedeliverPayload struct {
	Delivery mission.Delivery
}

// ReplayWebhookPayload is the result of replayWebhook.
type ReplayWebhookPayload struct {
	Webhook mission.Webhook
	Events  int
}

// MarkNotificationsReadPayload is the result of markNotificationsRead.
type MarkNotificationsReadPayload struct {
	Notifications []mission.Notification
}
