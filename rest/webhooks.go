package rest

import (
	"context"
	"net/http"
	"time"

	"missiond/mission"
)

const tagWebhooks = "Webhooks"

// webhooks registers the routes of endpoints and deliveries (interface, section
// 4; decisions, "Webhooks").
func (a *API) webhooks() {
	handleBody(a, route{operation: mission.OpWebhooksCreate, method: http.MethodPost, path: "/v1/webhooks", status: http.StatusCreated, summary: "Create an endpoint", tag: tagWebhooks}, a.createWebhook)
	handle(a, route{operation: mission.OpWebhooksList, method: http.MethodGet, path: "/v1/webhooks", status: http.StatusOK, summary: "List endpoints", tag: tagWebhooks}, a.listWebhooks)
	handle(a, route{operation: mission.OpWebhooksRead, method: http.MethodGet, path: "/v1/webhooks/{id}", status: http.StatusOK, summary: "Read an endpoint", tag: tagWebhooks}, a.readWebhook)
	handleBody(a, route{operation: mission.OpWebhooksUpdate, method: http.MethodPut, path: "/v1/webhooks/{id}", status: http.StatusOK, summary: "Update an endpoint", tag: tagWebhooks}, a.updateWebhook)
	handle(a, route{operation: mission.OpWebhooksDelete, method: http.MethodDelete, path: "/v1/webhooks/{id}", status: http.StatusOK, summary: "Delete an endpoint", tag: tagWebhooks}, a.deleteWebhook)
	handle(a, route{operation: mission.OpWebhooksTest, method: http.MethodPost, path: "/v1/webhooks/{id}/test", status: http.StatusOK, summary: "Send a test event at once", tag: tagWebhooks}, a.testWebhook)
	handle(a, route{operation: mission.OpWebhooksRotate, method: http.MethodPost, path: "/v1/webhooks/{id}/rotate_secret", status: http.StatusOK, summary: "Replace the signing secret", tag: tagWebhooks}, a.rotateWebhook)
	handleBody(a, route{operation: mission.OpWebhooksReplay, method: http.MethodPost, path: "/v1/webhooks/{id}/replay", status: http.StatusOK, summary: "Deliver past events again", tag: tagWebhooks}, a.replayWebhook)
	handle(a, route{operation: mission.OpDeliveriesList, method: http.MethodGet, path: "/v1/webhooks/{id}/deliveries", status: http.StatusOK, summary: "List an endpoint's deliveries", tag: tagWebhooks}, a.listDeliveries)
	handle(a, route{operation: mission.OpDeliveriesRead, method: http.MethodGet, path: "/v1/webhooks/{id}/deliveries/{delivery_id}", status: http.StatusOK, summary: "Read a delivery with its attempts", tag: tagWebhooks}, a.readDelivery)
	handle(a, route{operation: mission.OpDeliveriesRedeliver, method: http.MethodPost, path: "/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver", status: http.StatusCreated, summary: "Deliver an event again", tag: tagWebhooks}, a.redeliver)
}

// WebhookPath holds the parameters of an endpoint's routes.
type WebhookPath struct {
	ID string `path:"id" doc:"The endpoint's id" example:"whk_01jd0000000000000000000000"`
}

type createdWebhook struct {
	ID        string                `json:"id"`
	URL       string                `json:"url"`
	Events    []mission.EventType   `json:"events"`
	Secret    string                `json:"secret" doc:"The signing secret, which is shown only this once"`
	Status    mission.WebhookStatus `json:"status"`
	CreatedAt time.Time             `json:"created_at"`
}

func (a *API) createWebhook(ctx context.Context, p mission.Principal, _ *RawText, in mission.WebhookInput) (createdWebhook, error) {
	w, secret, err := a.hooks.Create(ctx, p, in)
	return createdWebhook{ID: w.ID, URL: w.URL, Events: w.Events, Secret: secret, Status: w.Status, CreatedAt: w.CreatedAt}, err
}

type shownWebhook struct {
	ID        string                `json:"id"`
	URL       string                `json:"url"`
	Events    []mission.EventType   `json:"events"`
	Status    mission.WebhookStatus `json:"status"`
	Enabled   bool                  `json:"enabled"`
	CreatedAt time.Time             `json:"created_at"`
	UpdatedAt time.Time             `json:"updated_at"`
}

func showWebhook(w mission.Webhook) shownWebhook {
	return shownWebhook{
		ID: w.ID, URL: w.URL, Events: w.Events, Status: w.Status, Enabled: w.Enabled, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

func (a *API) listWebhooks(ctx context.Context, p mission.Principal, in *Paging) (page[shownWebhook], error) {
	list, more, total, err := a.hooks.Webhooks(ctx, p, in.page())
	return pageOf(list, more, total, showWebhook), namingCursor(err)
}

func (a *API) readWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (shownWebhook, error) {
	w, err := a.hooks.Webhook(ctx, p, in.ID)
	return showWebhook(w), err
}

type webhookParams struct {
	WebhookPath
	RawText
}

func (a *API) updateWebhook(ctx context.Context, p mission.Principal, in *webhookParams, body mission.WebhookUpdate) (shownWebhook, error) {
	w, err := a.hooks.Update(ctx, p, in.ID, body)
	return showWebhook(w), err
}

type deletedWebhook struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

func (a *API) deleteWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (deletedWebhook, error) {
	err := a.hooks.Delete(ctx, p, in.ID)
	return deletedWebhook{ID: in.ID, Deleted: err == nil}, err
}

type testedWebhook struct {
	EventID    string  `json:"event_id"`
	Delivered  bool    `json:"delivered"`
	StatusCode *int    `json:"status_code" doc:"null if there was no response"`
	DurationMS int64   `json:"duration_ms"`
	Error      *string `json:"error" doc:"null if the receiver accepted the event"`
}

func (a *API) testWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (testedWebhook, error) {
	t, err := a.hooks.Test(ctx, p, in.ID)
	return testedWebhook{
		EventID: t.EventID, Delivered: t.Delivered, StatusCode: t.StatusCode, DurationMS: t.Duration.Milliseconds(), Error: t.Error,
	}, err
}

type rotatedWebhook struct {
	ID                 string     `json:"id"`
	Secret             string     `json:"secret" doc:"The new signing secret, which is shown only this once"`
	PreviousValidUntil *time.Time `json:"previous_valid_until" doc:"Until when deliveries are also signed with the previous secret"`
}

func (a *API) rotateWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (rotatedWebhook, error) {
	w, secret, err := a.hooks.RotateSecret(ctx, p, in.ID)
	return rotatedWebhook{ID: w.ID, Secret: secret, PreviousValidUntil: w.OldUntil}, err
}

type replayBody struct {
	Since       *time.Time `json:"since" doc:"The start time"`
	Undelivered bool       `json:"undelivered,omitempty" doc:"Only events that the endpoint never accepted"`
}

type replayed struct {
	ID     string `json:"id"`
	Events int    `json:"events" doc:"How many events are delivered again, at 20 a second"`
}

func (a *API) replayWebhook(ctx context.Context, p mission.Principal, in *webhookParams, body replayBody) (replayed, error) {
	if body.Since == nil {
		return replayed{}, mission.Invalid("since", "A time is required.")
	}
	_, n, err := a.hooks.Replay(ctx, p, in.ID, *body.Since, body.Undelivered)
	return replayed{ID: in.ID, Events: n}, err
}

type deliveryListParams struct {
	WebhookPath
	Paging

	Status mission.DeliveryStatus `query:"status" enum:"pending,delivered,failed,canceled" doc:"Only deliveries in this state"`
}

// ShownDelivery is the delivery of an event to an endpoint.
type ShownDelivery struct {
	ID            string                 `json:"id"`
	WebhookID     string                 `json:"webhook_id"`
	EventID       string                 `json:"event_id"`
	EventType     mission.EventType      `json:"event_type"`
	Status        mission.DeliveryStatus `json:"status"`
	AttemptCount  int                    `json:"attempt_count"`
	NextAttemptAt *time.Time             `json:"next_attempt_at"`
	CreatedAt     time.Time              `json:"created_at"`
	CompletedAt   *time.Time             `json:"completed_at"`
}

func showDelivery(d mission.Delivery) ShownDelivery {
	return ShownDelivery{
		ID: d.ID, WebhookID: d.WebhookID, EventID: d.EventID, EventType: d.EventType, Status: d.Status, AttemptCount: d.Attempts,
		NextAttemptAt: d.NextAttemptAt, CreatedAt: d.CreatedAt, CompletedAt: d.CompletedAt,
	}
}

func (a *API) listDeliveries(ctx context.Context, p mission.Principal, in *deliveryListParams) (page[ShownDelivery], error) {
	list, more, err := a.hooks.Deliveries(ctx, p, in.ID, in.Status, in.page())
	if err != nil {
		return page[ShownDelivery]{}, namingCursor(err)
	}
	total, err := a.hooks.CountDeliveries(ctx, p, in.ID, in.Status)
	return pageOf(list, more, total, showDelivery), err
}

type deliveryParams struct {
	WebhookPath

	DeliveryID string `path:"delivery_id" doc:"The delivery's id" example:"dlv_01jd0000000000000000000000"`
}

type shownAttempt struct {
	At         time.Time `json:"at"`
	StatusCode *int      `json:"status_code" doc:"null if there was no response"`
	DurationMS int64     `json:"duration_ms"`
	Error      *string   `json:"error" doc:"Why there was no response; null if there was one"`
	Response   string    `json:"response" doc:"The first KiB of the response's body"`
}

type deliveryWithAttempts struct {
	ShownDelivery

	Attempts []shownAttempt `json:"attempts"`
}

func (a *API) readDelivery(ctx context.Context, p mission.Principal, in *deliveryParams) (deliveryWithAttempts, error) {
	d, attempts, err := a.hooks.DeliveryOf(ctx, p, in.ID, in.DeliveryID)
	answer := deliveryWithAttempts{ShownDelivery: showDelivery(d), Attempts: []shownAttempt{}}
	for _, t := range attempts {
		shown := shownAttempt{At: t.At, DurationMS: t.DurationMS, Error: orNull(t.Error), Response: t.Response}
		if t.StatusCode != 0 {
			shown.StatusCode = &t.StatusCode
		}
		answer.Attempts = append(answer.Attempts, shown)
	}
	return answer, err
}

func (a *API) redeliver(ctx context.Context, p mission.Principal, in *deliveryParams) (ShownDelivery, error) {
	if _, _, err := a.hooks.DeliveryOf(ctx, p, in.ID, in.DeliveryID); err != nil {
		return ShownDelivery{}, err
	}
	d, err := a.hooks.Redeliver(ctx, p, in.DeliveryID)
	return showDelivery(d), err
}
