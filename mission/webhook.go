package mission

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Bounds of webhook endpoints (decisions, "Webhooks"; interface, section 6).
const (
	MaxWebhooks      = 20
	MinSecret        = 16
	MaxSecret        = 200
	SecretGrace      = 24 * time.Hour
	EventRetention   = 30 * 24 * time.Hour
	EventWebhookTest = EventType("webhook.test")
)

// WebhookStatus is the state of an endpoint (interface, section 3).
type WebhookStatus string

// The states. A failing endpoint still gets events; the first one that it
// accepts makes it active.
const (
	WebhookActive  WebhookStatus = "active"
	WebhookFailing WebhookStatus = "failing"
)

// AllWebhookStatuses lists them.
func AllWebhookStatuses() []WebhookStatus { return []WebhookStatus{WebhookActive, WebhookFailing} }

// Webhook is a tenant's endpoint for events.
type Webhook struct {
	ID       string `bun:",pk"`
	TenantID string
	URL      string `bun:"url"`
	Events   []EventType
	Status   WebhookStatus
	Enabled  bool
	// Sealed is the sealed signing secret; SealedOld is the one that it
	// replaced, which is also used for signing until OldUntil.
	Sealed    string
	SealedOld string `bun:",nullzero"`
	OldUntil  *time.Time
	// OldAccepted reports that the receiver accepted the replaced secret last, or nothing
	// since it was replaced.
	OldAccepted bool
	// Code distinguishes the tenant's endpoints, in two characters.
	Code string
	// ProvenAt is when it first accepted an event or a test at its URL; nil if
	// it hasn't.
	ProvenAt  *time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// CheckProven returns an error unless the endpoint has accepted an event or a
// test. Past events aren't sent to others, since their URL may belong to
// a receiver that never subscribed. Errors: conflict.
func (w Webhook) CheckProven() error {
	if w.ProvenAt == nil {
		return Conflict("The endpoint hasn't accepted an event or a test at this URL yet; send it a test first.")
	}
	return nil
}

// MarkProven returns the endpoint after it accepted an event or a test.
func (w Webhook) MarkProven(now time.Time) Webhook {
	if w.ProvenAt == nil {
		w.ProvenAt = &now
	}
	return w
}

// WebhookInput is a new endpoint that a caller sends (interface, section 4,
// "Webhooks"). If Secret is nil, one is generated.
type WebhookInput struct {
	URL     string      `json:"url" doc:"Where events are posted" example:"https://example.com/hooks"`
	Events  []EventType `json:"events" doc:"What it is to be sent" example:"content.published,mission.completed"`
	Secret  *string     `json:"secret,omitempty" nullable:"true" doc:"The signing secret" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
	Enabled *bool       `json:"enabled,omitempty" nullable:"true" doc:"Whether it is sent to" example:"true"`
}

// NewWebhook returns the endpoint described by in; the caller has checked the
// target of its URL, and seals its secret. Errors: invalid_request, naming the
// field.
func NewWebhook(id, tenantID string, in WebhookInput, now time.Time) (Webhook, error) {
	if err := in.Check(); err != nil {
		return Webhook{}, err
	}
	return Webhook{
		ID: id, TenantID: tenantID, URL: in.URL, Events: once(in.Events), Status: WebhookActive,
		Enabled: deref(in.Enabled, true), CreatedAt: now, UpdatedAt: now,
	}, nil
}

// Check checks the rules of in, except the target of its URL. Errors:
// invalid_request, naming the field.
func (in WebhookInput) Check() error {
	if err := checkEvents(in.Events); err != nil {
		return err
	}
	if in.Secret == nil {
		return nil
	}
	if err := checkText("secret", *in.Secret, 1, MaxSecret); err != nil {
		return err
	}
	if len(*in.Secret) < MinSecret {
		return Invalid("secret", "The secret must have at least %d characters (API: leave it out to have one generated).", MinSecret)
	}
	if !isPrintable(*in.Secret) {
		return Invalid("secret", "The secret must be letters, digits and signs of ASCII, with spaces only between them.")
	}
	return checkStandard(*in.Secret)
}

// isPrintable reports whether a secret is one that people and programs copy as it is.
func isPrintable(secret string) bool {
	return strings.TrimSpace(secret) == secret && !strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r >= unicode.MaxASCII })
}

// checkStandard rejects secrets that claim the Standard Webhooks form and don't have it:
// its libraries couldn't verify what they sign.
func checkStandard(secret string) error {
	const form = "whsec_"
	text, ok := strings.CutPrefix(secret, form)
	if !ok && !strings.HasPrefix(secret, "v1,") {
		return nil
	}
	if _, err := base64.StdEncoding.DecodeString(text); err != nil || strings.ContainsAny(text, "\r\n") {
		return Invalid("secret", "After %s the secret must be base64 with + and / and padding (=), and nothing else; "+
			"v1, must not begin it. A secret without %s may be any text of ASCII.", form, form)
	}
	return nil
}

func checkEvents(events []EventType) error {
	if len(events) == 0 {
		return Invalid("events", "At least one event type is required.")
	}
	if len(events) > 2*len(AllEventTypes()) {
		return Invalid("events", "Too many event types: there are only %d.", len(AllEventTypes()))
	}
	for i, e := range events {
		if !slices.Contains(AllEventTypes(), e) {
			return Invalid(fmt.Sprintf("events[%d]", i), "Unknown event type %q: must be one of %s.", e, list(AllEventTypes()))
		}
	}
	return nil
}

// once returns each type once, in the order in which the caller named them.
func once(events []EventType) []EventType {
	var list []EventType
	for _, e := range events {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// WebhookUpdate is a change of an endpoint; nil fields stay unchanged.
type WebhookUpdate struct {
	URL     *string     `json:"url,omitempty" doc:"Where events are posted" example:"https://example.com/hooks"`
	Events  []EventType `json:"events,omitempty" doc:"What it is to be sent" example:"content.published,mission.completed"`
	Enabled *bool       `json:"enabled,omitempty" doc:"Whether it is sent to" example:"true"`
}

// Check checks the rules of in, except the target of its URL. Errors:
// invalid_request, naming the field.
func (in WebhookUpdate) Check() error {
	if in.Events == nil {
		return nil
	}
	return checkEvents(in.Events)
}

// Sends reports whether the update may cause events to be sent where they
// weren't before.
func (in WebhookUpdate) Sends() bool {
	return in.URL != nil || in.Events != nil || deref(in.Enabled, false)
}

// Update returns the endpoint changed by in. Enabling it makes it active.
// Errors: invalid_request, naming the field.
func (w Webhook) Update(in WebhookUpdate, now time.Time) (Webhook, error) {
	if err := in.Check(); err != nil {
		return w, err
	}
	if in.Events != nil {
		w.Events = once(in.Events)
	}
	if url := deref(in.URL, w.URL); url != w.URL {
		w.URL, w.ProvenAt = url, nil
	}
	if w.Enabled = deref(in.Enabled, w.Enabled); deref(in.Enabled, false) {
		w.Status = WebhookActive
	}
	w.UpdatedAt = now
	return w, nil
}

// RotateSecret replaces the secret; the old one is also used for signing for a
// day. Errors: conflict within that day: the receiver may know either of the two.
func (w Webhook) RotateSecret(sealed string, now time.Time) (Webhook, error) {
	if w.replacing(now) {
		return w, Conflict(
			"The secret is being replaced, and both hold until %s; only then it can be replaced again.",
			w.OldUntil.Format(time.RFC3339),
		)
	}
	until := now.Add(SecretGrace)
	w.SealedOld, w.OldUntil, w.OldAccepted = w.Sealed, &until, true
	w.Sealed, w.UpdatedAt = sealed, now
	return w, nil
}

// replacing reports whether the secret that was replaced is valid too.
func (w Webhook) replacing(now time.Time) bool { return w.OldUntil != nil && now.Before(*w.OldUntil) }

// Secrets returns the sealed secrets used for signing at now, the newest first, and the
// index of the one that the receiver accepted last.
func (w Webhook) Secrets(now time.Time) (secrets []string, first int) {
	if !w.replacing(now) {
		return []string{w.Sealed}, 0
	}
	if w.OldAccepted {
		first = 1
	}
	return []string{w.Sealed, w.SealedOld}, first
}

// Accepted returns the endpoint after it accepted a message signed with a sealed secret.
func (w Webhook) Accepted(sealed string) Webhook {
	switch sealed {
	case w.Sealed:
		w.OldAccepted = false
	case w.SealedOld:
		w.OldAccepted = true
	}
	return w
}

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The states of a delivery: one event to one endpoint.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliveryCanceled  DeliveryStatus = "canceled" // its endpoint was disabled first
)

// AllDeliveryStatuses lists them.
func AllDeliveryStatuses() []DeliveryStatus {
	return []DeliveryStatus{DeliveryPending, DeliveryDelivered, DeliveryFailed, DeliveryCanceled}
}

// DeliveryFilter selects deliveries of an endpoint; a zero field doesn't filter.
type DeliveryFilter struct {
	Status DeliveryStatus
	Type   EventType
	// From is the earliest time of creation, Until the time before which it is.
	From, Until time.Time
}

// Check returns an error unless the filter's range ends after its beginning. Errors:
// invalid_request on created_from.
func (f DeliveryFilter) Check() error {
	if !f.From.IsZero() && !f.Until.IsZero() && f.From.After(f.Until) {
		return Invalid("created_from", "The range must not begin after its end.")
	}
	return nil
}

// Delivery is the delivery of an event to an endpoint.
type Delivery struct {
	ID        string `bun:",pk"`
	TenantID  string
	WebhookID string
	EventID   string
	EventType EventType
	MissionID string // "" if the event has none
	Status    DeliveryStatus
	// Attempts counts the attempts made.
	Attempts      int
	NextAttemptAt *time.Time // nil if there is none
	CreatedAt     time.Time
	CompletedAt   *time.Time
}

// Attempt is one try to deliver.
type Attempt struct {
	DeliveryID string `bun:",pk"`
	Number     int    `bun:",pk"` // from 1
	At         time.Time
	StatusCode int    // 0 if there was no response
	DurationMS int64  `bun:"duration_ms"`
	Error      string // why there was no response; "" if there was one
	Response   string // the first KiB of the response body
}

// OK reports whether the receiver accepted the event.
func (a Attempt) OK() bool { return a.StatusCode/100 == 2 }

// webhookPlan is how often a delivery is tried (interface, section 6). Its
// delays start at the end of the failed attempt.
var webhookPlan = TaskPlan{Delays: []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}}

// gone is the HTTP status of a receiver that wants no more events.
const gone = 410

// Tried returns the delivery and its endpoint after an attempt that ended at
// now. retryAfter may lengthen the wait, but not shorten it. The fifth failure
// makes the endpoint failing, a 410 disables it, a success makes it active.
func (d Delivery) Tried(w Webhook, a Attempt, retryAfter time.Duration, now time.Time) (Delivery, Webhook) {
	d.Attempts = a.Number
	if d.Status != DeliveryPending && !a.OK() {
		return d, w // it was canceled in the meantime
	}
	d.NextAttemptAt = nil
	delay, more := webhookPlan.Delay(a.Number)
	switch {
	case a.OK():
		d.Status, d.CompletedAt = DeliveryDelivered, &now
		w = w.MarkProven(now)
		if w.Status != WebhookActive {
			w.Status, w.UpdatedAt = WebhookActive, now
		}
	case a.StatusCode == gone:
		d.Status, d.CompletedAt = DeliveryFailed, &now
		w.Enabled, w.UpdatedAt = false, now
	case more:
		at := now.Add(max(delay, retryAfter))
		d.NextAttemptAt = &at
	default:
		d.Status, d.CompletedAt = DeliveryFailed, &now
		if w.Status != WebhookFailing {
			w.Status, w.UpdatedAt = WebhookFailing, now
		}
	}
	return d, w
}

// NeedsPerson returns what a person is told of an endpoint that is failing, or that its receiver's
// 410 has disabled; ok is false for others, also for one that a person has disabled or has changed
// since. latest are its latest deliveries, at most AttentionDeliveries; of a disabled one, those that
// failed.
func (w Webhook) NeedsPerson(latest []Delivery) (item AttentionItem, ok bool) {
	item = AttentionItem{Webhook: &w, Since: &w.UpdatedAt}
	if w.Enabled {
		failed, of := 0, len(latest)
		for _, d := range latest {
			if d.Status == DeliveryFailed || d.Status == DeliveryPending && d.Attempts > 0 {
				failed++
			}
		}
		item.Count, item.Of = &failed, &of
		return item, w.Status == WebhookFailing
	}
	return item, slices.ContainsFunc(latest, func(d Delivery) bool {
		return d.Status == DeliveryFailed && d.CompletedAt != nil && d.CompletedAt.Equal(w.UpdatedAt)
	})
}

// Cancel ends a delivery whose endpoint is disabled.
func (d Delivery) Cancel(now time.Time) Delivery {
	d.Status, d.NextAttemptAt, d.CompletedAt = DeliveryCanceled, nil, &now
	return d
}
