package rest

import (
	"context"
	"time"

	"missiond/mission"
)

const tagWebhooks tag = "Webhooks"

// routeWebhooks registers the routes of endpoints and deliveries (interface, section
// 4; decisions, "Webhooks").
func (a *API) routeWebhooks() {
	// A replay reaches back 30 days at most, so its example can't be a constant.
	yesterday := a.clock.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1).Format(time.RFC3339)
	handleBody(a, tagWebhooks.post(mission.OpWebhooksCreate, "/v1/webhooks", "Create an endpoint").created().
		withExample(`{"url":"https://example.com/hooks","events":["content.published","mission.completed"]}`), a.createWebhook)
	handle(a, tagWebhooks.get(mission.OpWebhooksList, "/v1/webhooks", "List endpoints"), a.listWebhooks)
	handle(a, tagWebhooks.get(mission.OpWebhooksRead, "/v1/webhooks/{id}", "Read an endpoint"), a.readWebhook)
	handleBody(a, tagWebhooks.put(mission.OpWebhooksUpdate, "/v1/webhooks/{id}", "Update an endpoint").
		withExample(`{"events":["content.published","content.failed"]}`), a.updateWebhook)
	handle(a, tagWebhooks.delete(mission.OpWebhooksDelete, "/v1/webhooks/{id}", "Delete an endpoint"), a.deleteWebhook)
	handle(a, tagWebhooks.post(mission.OpWebhooksTest, "/v1/webhooks/{id}/test", "Send a test event at once"), a.testWebhook)
	handle(a, tagWebhooks.post(mission.OpWebhooksRotate, "/v1/webhooks/{id}/rotate_secret", "Replace the signing secret"), a.rotateWebhook)
	handleBody(a, tagWebhooks.post(mission.OpWebhooksReplay, "/v1/webhooks/{id}/replay", "Deliver past events again").
		withExample(`{"since":"`+yesterday+`","undelivered":true}`), a.replayWebhook)
	handle(a, tagWebhooks.get(mission.OpDeliveriesList, "/v1/webhooks/{id}/deliveries", "List an endpoint's deliveries"), a.listDeliveries)
	handle(a, tagWebhooks.get(mission.OpDeliveriesRead, "/v1/webhooks/{id}/deliveries/{delivery_id}",
		"Read a delivery with its attempts"), a.readDelivery)
	handle(a, tagWebhooks.post(mission.OpDeliveriesRedeliver, "/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
		"Deliver an event again").created(), a.redeliver)
}

// WebhookPath has the parameters of an endpoint's routes.
type WebhookPath struct {
	ID string `path:"id" doc:"The endpoint's id" example:"whk_01jd0000000000000000000000"`
}

type createdWebhook struct {
	ID        string                `json:"id" doc:"Its id" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	URL       string                `json:"url" doc:"Where events are posted" example:"https://example.com/hooks"`
	Events    []mission.EventType   `json:"events" doc:"What it is sent" example:"content.published,mission.completed"`
	Secret    string                `json:"secret" doc:"The signing secret, which is shown only this once" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
	Status    mission.WebhookStatus `json:"status" doc:"failing: an event was given up lately; it is still sent to" example:"active"`
	CreatedAt time.Time             `json:"created_at" doc:"When it was made"`
}

func (a *API) createWebhook(ctx context.Context, p mission.Principal, _ *RawText, in mission.WebhookInput) (createdWebhook, error) {
	w, secret, err := a.webhooks.Create(ctx, p, in)
	return createdWebhook{ID: w.ID, URL: w.URL, Events: w.Events, Secret: secret, Status: w.Status, CreatedAt: w.CreatedAt}, err
}

type shownWebhook struct {
	ID        string                `json:"id" doc:"Its id" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	URL       string                `json:"url" doc:"Where events are posted" example:"https://example.com/hooks"`
	Events    []mission.EventType   `json:"events" doc:"What it is sent" example:"content.published,mission.completed"`
	Status    mission.WebhookStatus `json:"status" doc:"failing: an event was given up lately; it is still sent to" example:"active"`
	Enabled   bool                  `json:"enabled" doc:"Whether it is sent to" example:"true"`
	CreatedAt time.Time             `json:"created_at" doc:"When it was made"`
	UpdatedAt time.Time             `json:"updated_at" doc:"When it changed last"`
}

func showWebhook(w mission.Webhook) shownWebhook {
	return shownWebhook{
		ID: w.ID, URL: w.URL, Events: w.Events, Status: w.Status, Enabled: w.Enabled, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

func (a *API) listWebhooks(ctx context.Context, p mission.Principal, in *Paging) (page[shownWebhook], error) {
	list, err := a.webhooks.Webhooks(ctx, p, in.page())
	return pageOf(list, list.Total, showWebhook), namingCursor(err)
}

func (a *API) readWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (shownWebhook, error) {
	w, err := a.webhooks.Webhook(ctx, p, in.ID)
	return showWebhook(w), err
}

type webhookParams struct {
	WebhookPath
	RawText
}

func (a *API) updateWebhook(ctx context.Context, p mission.Principal, in *webhookParams, body mission.WebhookUpdate) (shownWebhook, error) {
	w, err := a.webhooks.Update(ctx, p, in.ID, body)
	return showWebhook(w), err
}

type deletedWebhook struct {
	ID      string `json:"id" doc:"Its id" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Deleted bool   `json:"deleted" doc:"That it was deleted: always true" example:"true"`
}

func (a *API) deleteWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (deletedWebhook, error) {
	err := a.webhooks.Delete(ctx, p, in.ID)
	return deletedWebhook{ID: in.ID, Deleted: err == nil}, err
}

type testedWebhook struct {
	EventID    string  `json:"event_id" doc:"The event" example:"evt_01jnd2x6k8e4rvt0m7y3bqz5cf"`
	Delivered  bool    `json:"delivered" doc:"Whether the receiver took the event" example:"true"`
	StatusCode *int    `json:"status_code" doc:"null if there was no response" example:"200"`
	DurationMS int64   `json:"duration_ms" doc:"How long the response took" example:"84"`
	Error      *string `json:"error" doc:"null if the receiver accepted the event" example:"timeout"`
}

func (a *API) testWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (testedWebhook, error) {
	t, err := a.webhooks.Test(ctx, p, in.ID)
	return testedWebhook{
		EventID: t.EventID, Delivered: t.Delivered, StatusCode: t.StatusCode, DurationMS: t.Duration.Milliseconds(), Error: t.Error,
	}, err
}

type rotatedWebhook struct {
	ID                 string     `json:"id" doc:"Its id" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Secret             string     `json:"secret" doc:"The new signing secret, which is shown only this once" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
	PreviousValidUntil *time.Time `json:"previous_valid_until" nullable:"false" doc:"Until when deliveries are also signed with the previous secret"`
}

func (a *API) rotateWebhook(ctx context.Context, p mission.Principal, in *WebhookPath) (rotatedWebhook, error) {
	w, secret, err := a.webhooks.RotateSecret(ctx, p, in.ID)
	return rotatedWebhook{ID: w.ID, Secret: secret, PreviousValidUntil: w.OldUntil}, err
}

type replayBody struct {
	Since       *time.Time `json:"since" nullable:"false" doc:"The start time"`
	Undelivered bool       `json:"undelivered,omitempty" nullable:"true" doc:"Only events that the endpoint never accepted" example:"false"`
}

type replayed struct {
	ID     string `json:"id" doc:"Its id" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Events int    `json:"events" doc:"How many events are delivered again, at 20 a second" example:"12"`
}

func (a *API) replayWebhook(ctx context.Context, p mission.Principal, in *webhookParams, body replayBody) (replayed, error) {
	if body.Since == nil {
		return replayed{}, mission.Invalid("since", "A time is required.")
	}
	_, n, err := a.webhooks.Replay(ctx, p, in.ID, *body.Since, body.Undelivered)
	return replayed{ID: in.ID, Events: n}, err
}

type deliveryListParams struct {
	WebhookPath
	Paging

	Status mission.DeliveryStatus `query:"status" enum:"pending,delivered,failed,canceled" doc:"Only deliveries in this state" example:"failed"`
}

// ShownDelivery is the delivery of an event to an endpoint.
type ShownDelivery struct {
	ID            string                 `json:"id" doc:"Its id" example:"dlv_01jnd2x6k8e4rvt0m7y3bqz5cm"`
	WebhookID     string                 `json:"webhook_id" doc:"The endpoint" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	EventID       string                 `json:"event_id" doc:"The event" example:"evt_01jnd2x6k8e4rvt0m7y3bqz5cf"`
	EventType     string                 `json:"event_type" doc:"The event's type" example:"content.published"`
	Status        mission.DeliveryStatus `json:"status" doc:"What became of it" example:"delivered"`
	AttemptCount  int                    `json:"attempt_count" doc:"How often it was sent" example:"1"`
	NextAttemptAt *time.Time             `json:"next_attempt_at" doc:"When it is sent next; null where it isn't"`
	CreatedAt     time.Time              `json:"created_at" doc:"When it was made"`
	CompletedAt   *time.Time             `json:"completed_at" doc:"When it was taken or given up"`
}

func showDelivery(d mission.Delivery) ShownDelivery {
	return ShownDelivery{
		ID: d.ID, WebhookID: d.WebhookID, EventID: d.EventID, EventType: string(d.EventType), Status: d.Status, AttemptCount: d.Attempts,
		NextAttemptAt: d.NextAttemptAt, CreatedAt: d.CreatedAt, CompletedAt: d.CompletedAt,
	}
}

func (a *API) listDeliveries(ctx context.Context, p mission.Principal, in *deliveryListParams) (page[ShownDelivery], error) {
	list, err := a.webhooks.Deliveries(ctx, p, in.ID, in.Status, in.page())
	return counted(list, err, func() (int, error) { return a.webhooks.CountDeliveries(ctx, p, in.ID, in.Status) }, showDelivery)
}

type deliveryParams struct {
	WebhookPath

	DeliveryID string `path:"delivery_id" doc:"The delivery's id" example:"dlv_01jd0000000000000000000000"`
}

type shownAttempt struct {
	At         time.Time `json:"at" doc:"When it was sent"`
	StatusCode *int      `json:"status_code" doc:"null if there was no response" example:"200"`
	DurationMS int64     `json:"duration_ms" doc:"How long the response took" example:"84"`
	Error      *string   `json:"error" doc:"Why there was no response; null if there was one" example:"timeout"`
	Response   string    `json:"response" doc:"The first KiB of the response's body" example:"ok"`
}

type deliveryWithAttempts struct {
	ShownDelivery

	Attempts []shownAttempt `json:"attempts"`
}

func (a *API) readDelivery(ctx context.Context, p mission.Principal, in *deliveryParams) (deliveryWithAttempts, error) {
	d, attempts, err := a.webhooks.DeliveryOf(ctx, p, in.ID, in.DeliveryID)
	result := deliveryWithAttempts{ShownDelivery: showDelivery(d), Attempts: []shownAttempt{}}
	for _, t := range attempts {
		shown := shownAttempt{At: t.At, DurationMS: t.DurationMS, Error: orNull(t.Error), Response: t.Response}
		if t.StatusCode != 0 {
			shown.StatusCode = &t.StatusCode
		}
		result.Attempts = append(result.Attempts, shown)
	}
	return result, err
}

func (a *API) redeliver(ctx context.Context, p mission.Principal, in *deliveryParams) (ShownDelivery, error) {
	if _, _, err := a.webhooks.DeliveryOf(ctx, p, in.ID, in.DeliveryID); err != nil {
		return ShownDelivery{}, err
	}
	d, err := a.webhooks.Redeliver(ctx, p, in.DeliveryID)
	return showDelivery(d), err
}
