// Package webhooks has the operations on endpoints, their deliveries and the events that
// they deliver.
package webhooks

import (
	"context"
	"fmt"
	"time"

	"missiond/internal/admission"
	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/internal/webhook"
	"missiond/mission"
	"missiond/store"
)

const webhookNoun = "webhook endpoint"

// Clock is the domain's clock.
type Clock interface {
	Now() time.Time
}

// Sender sends webhooks.
type Sender interface {
	Send(ctx context.Context, m webhook.Message) webhook.Result
}

// Service has the operations on endpoints and deliveries. It is safe for concurrent use.
type Service struct {
	store   *store.DB
	db      idempotency.DB // the store for changes that callers make
	clock   Clock
	secrets *seal.Keyring
	rules   outbound.Rules
	sender  Sender
}

// Options are what New needs.
type Options struct {
	Clock   Clock
	Secrets *seal.Keyring
	Rules   outbound.Rules
	Sender  Sender
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	return &Service{
		store: db, db: idempotency.Of(db), clock: o.Clock,
		secrets: o.Secrets, rules: o.Rules, sender: o.Sender,
	}
}

func webhookContext(id string) string { return "webhooks/" + id }

// Create creates an endpoint and returns its secret, which can't be read again. Errors:
// invalid_request, naming the field; conflict if the tenant has as many endpoints as it
// may have.
func (h *Service) Create(ctx context.Context, p mission.Principal, in mission.WebhookInput) (w mission.Webhook, secret string, err error) {
	if err := in.Check(); err != nil {
		return w, "", err
	}
	if made, ok, err := idempotency.Earlier[madeWebhook](ctx, h.db); ok || err != nil {
		return made.Webhook, made.Secret, err // the name may lead elsewhere by now
	}
	if err := h.rules.Check(ctx, "url", in.URL); err != nil {
		return w, "", err
	}
	made, err := idempotency.Once(ctx, h.db, func(tx store.Tx) (madeWebhook, error) {
		now := h.clock.Now()
		w, err := mission.NewWebhook(tx.NewID(mission.PrefixWebhook, now), p.TenantID, in, now)
		if err != nil {
			return madeWebhook{}, err
		}
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return madeWebhook{}, err
		}
		secret := webhook.NewSecret()
		if in.Secret != nil {
			secret = *in.Secret
		}
		w.Sealed = h.secrets.Seal(webhookContext(w.ID), []byte(secret))
		entry := tx.AuditEntry(p, mission.AuditWebhookCreated, w.ID, map[string]any{"url": w.URL, "events": w.Events}, now)
		return madeWebhook{Webhook: w, Secret: secret}, tx.AddWebhook(ctx, w, entry)
	})
	return made.Webhook, made.Secret, err
}

// madeWebhook is an endpoint with a new secret.
type madeWebhook struct {
	Webhook mission.Webhook
	Secret  string
}

// Webhooks returns a page of the tenant's endpoints, newest first, with the
// number of all. Errors: invalid_request.
func (h *Service) Webhooks(ctx context.Context, p mission.Principal, page store.Page) (listed store.Listed[mission.Webhook], err error) {
	if err := page.Check(mission.PrefixWebhook, webhookNoun); err != nil {
		return listed, err
	}
	return h.db.Webhooks(ctx, p.TenantID, page)
}

// Webhook returns an endpoint of the tenant's. Errors: not_found.
func (h *Service) Webhook(ctx context.Context, p mission.Principal, id string) (mission.Webhook, error) {
	if !mission.HasIDForm(mission.PrefixWebhook, id) {
		return mission.Webhook{}, mission.NotFound(webhookNoun, id)
	}
	return h.db.Webhook(ctx, p.TenantID, id)
}

// change changes an endpoint of the tenant's in a transaction that locks it.
func (h *Service) change(
	ctx context.Context, p mission.Principal, id string,
	fn func(tx store.Tx, w mission.Webhook, now time.Time) (mission.Webhook, error),
) (w mission.Webhook, err error) {
	return changing(ctx, h, p, id, fn)
}

// changing is change with a result of any type.
func changing[T any](
	ctx context.Context, h *Service, p mission.Principal, id string,
	fn func(tx store.Tx, w mission.Webhook, now time.Time) (T, error),
) (result T, err error) {
	if !mission.HasIDForm(mission.PrefixWebhook, id) {
		return result, mission.NotFound(webhookNoun, id)
	}
	return idempotency.Once(ctx, h.db, func(tx store.Tx) (T, error) {
		locked, err := tx.LockWebhook(ctx, p.TenantID, id)
		if err != nil {
			return result, err
		}
		return fn(tx, locked, h.clock.Now())
	})
}

// Update changes an endpoint. Disabling it cancels its pending deliveries. Errors:
// invalid_request, naming the field; forbidden if in has events sent and the caller may
// not read events; not_found.
func (h *Service) Update(ctx context.Context, p mission.Principal, id string, in mission.WebhookUpdate) (mission.Webhook, error) {
	if err := in.Check(); err != nil {
		return mission.Webhook{}, err
	}
	if in.Sends() {
		if err := p.ReadsEvents(); err != nil {
			return mission.Webhook{}, err
		}
	}
	if in.URL != nil {
		if w, ok, err := idempotency.Earlier[mission.Webhook](ctx, h.db); ok || err != nil {
			return w, err
		}
		if err := h.rules.Check(ctx, "url", *in.URL); err != nil {
			return mission.Webhook{}, err
		}
	}
	return h.change(ctx, p, id, func(tx store.Tx, w mission.Webhook, now time.Time) (mission.Webhook, error) {
		w, err := w.Update(in, now)
		if err != nil {
			return w, err
		}
		if !w.Enabled {
			if err := tx.CancelDeliveries(ctx, w, now); err != nil {
				return w, err
			}
		}
		details := map[string]any{"url": w.URL, "events": w.Events, "enabled": w.Enabled}
		return w, tx.SetWebhook(ctx, w, tx.AuditEntry(p, mission.AuditWebhookUpdated, w.ID, details, now))
	})
}

// Delete deletes an endpoint with its deliveries. Errors: not_found.
func (h *Service) Delete(ctx context.Context, p mission.Principal, id string) error {
	_, err := h.change(ctx, p, id, func(tx store.Tx, w mission.Webhook, now time.Time) (mission.Webhook, error) {
		return w, tx.DeleteWebhook(ctx, w, tx.AuditEntry(p, mission.AuditWebhookDeleted, w.ID, map[string]any{"url": w.URL}, now))
	})
	return err
}

// RotateSecret replaces an endpoint's secret and returns the new one, which can't be read
// again. For a day the old secret is valid too. Errors: not_found; conflict within that day.
func (h *Service) RotateSecret(ctx context.Context, p mission.Principal, id string) (w mission.Webhook, secret string, err error) {
	made, err := changing(ctx, h, p, id, func(tx store.Tx, w mission.Webhook, now time.Time) (madeWebhook, error) {
		secret := webhook.NewSecret()
		w, err := w.RotateSecret(h.secrets.Seal(webhookContext(w.ID), []byte(secret)), now)
		if err != nil {
			return madeWebhook{}, err
		}
		return madeWebhook{Webhook: w, Secret: secret}, tx.SetWebhook(ctx, w, tx.AuditEntry(p, mission.AuditWebhookRotated, w.ID, nil, now))
	})
	return made.Webhook, made.Secret, err
}

// signing are the secrets that sign an endpoint's messages, the newest first, sealed and
// open, and the index of the one that its receiver accepted last.
type signing struct {
	sealed, secrets []string
	first           int
}

// signing returns what signs an endpoint's messages at now.
func (h *Service) signing(w mission.Webhook, now time.Time) (s signing, err error) {
	s.sealed, s.first = w.Secrets(now)
	for _, sealed := range s.sealed {
		plain, err := h.secrets.Open(webhookContext(w.ID), sealed)
		if err != nil {
			return s, fmt.Errorf("open the secret of %s: %w", w.ID, err)
		}
		s.secrets = append(s.secrets, string(plain))
	}
	return s, nil
}

// message returns a message to an endpoint.
func (s signing) message(w mission.Webhook, p store.DueDelivery) webhook.Message {
	return webhook.Message{URL: w.URL, EventID: p.EventID, Body: p.Body, Secrets: s.secrets, First: s.first}
}

// Tested is the result of a test.
type Tested struct {
	Webhook    mission.Webhook
	EventID    string
	StatusCode *int // nil if no response came
	Delivered  bool
	Duration   time.Duration
	Error      *string // nil if the receiver accepted the event
}

// Test sends one webhook.test to an endpoint at once, whatever its state, without
// retries. Errors: not_found.
func (h *Service) Test(ctx context.Context, p mission.Principal, id string) (Tested, error) {
	w, err := h.Webhook(ctx, p, id)
	if err != nil {
		return Tested{}, err
	}
	now := h.clock.Now()
	signs, err := h.signing(w, now)
	if err != nil {
		return Tested{}, err
	}
	var message store.DueDelivery
	if err := h.store.Tx(ctx, func(tx store.Tx) (err error) {
		message, err = tx.AddTestEvent(w, now)
		return err
	}); err != nil {
		return Tested{}, err
	}
	admission.Leave(ctx)
	r := h.sender.Send(ctx, signs.message(w, message))
	if r.OK() && (w.ProvenAt == nil || r.Secret != signs.first) {
		if w, err = h.accepted(ctx, w, signs.sealed[r.Secret]); err != nil {
			return Tested{}, err
		}
	}
	t := Tested{Webhook: w, EventID: message.EventID, Delivered: r.OK(), Duration: r.Duration}
	if r.StatusCode != 0 {
		t.StatusCode = &r.StatusCode
	}
	if words := r.Error; !r.OK() {
		if words == "" {
			words = fmt.Sprintf("The receiver returned %d.", r.StatusCode)
		}
		t.Error = &words
	}
	return t, nil
}

// accepted records that an endpoint accepted a test, signed with a sealed secret, unless
// its URL has changed or it was deleted meanwhile.
func (h *Service) accepted(ctx context.Context, tested mission.Webhook, sealed string) (mission.Webhook, error) {
	err := h.store.Tx(ctx, func(tx store.Tx) error {
		w, err := tx.LockWebhook(ctx, tested.TenantID, tested.ID)
		if mission.CodeOf(err) == mission.CodeNotFound || err == nil && w.URL != tested.URL {
			return nil
		}
		if err != nil {
			return err
		}
		tested = w.MarkProven(h.clock.Now()).Accepted(sealed)
		return tx.SetWebhookState(ctx, tested)
	})
	return tested, err
}

// WebhooksByID returns the tenant's endpoints with the given ids.
func (h *Service) WebhooksByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Webhook, error) {
	return h.db.WebhooksByID(ctx, p.TenantID, ids)
}
