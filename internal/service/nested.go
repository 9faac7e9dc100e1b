package service

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// What hangs on many records is read for all of them at once: the number of
// statements doesn't grow with them. The records' ids are known to be the
// tenant's, or find nothing.

// ContentsByID returns those of the tenant's posts that are there, by their ids.
func (s *Service) ContentsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Content, error) {
	return s.db.ContentsByID(ctx, p.TenantID, ids)
}

// NextPublishAtOf returns when the next posts of missions of the tenant's are
// due, by the missions' ids.
func (s *Service) NextPublishAtOf(ctx context.Context, _ mission.Principal, missionIDs []string) (map[string]time.Time, error) {
	return s.db.NextPublishAt(ctx, missionIDs...)
}

// ContentsOf returns a page of the posts of each of the missions, by the
// missions' ids. Errors: invalid_request.
func (s *Service) ContentsOf(ctx context.Context, p mission.Principal, missionIDs []string, f store.ContentFilter, page store.Page) (map[string]store.Part[mission.Content], error) {
	if err := checkPage(page, mission.PrefixContent, contentNoun); err != nil {
		return nil, err
	}
	return s.db.ContentsOf(ctx, p.TenantID, missionIDs, f, page)
}

// CountContentsOf returns how many posts of each of the missions a filter
// matches.
func (s *Service) CountContentsOf(ctx context.Context, p mission.Principal, missionIDs []string, f store.ContentFilter) (map[string]int, error) {
	return s.db.CountContentsOf(ctx, p.TenantID, missionIDs, f)
}

// RevisionsOf returns the texts that posts had, the current one of each left
// out, latest first.
func (s *Service) RevisionsOf(ctx context.Context, p mission.Principal, contentIDs []string) (map[string][]mission.Revision, error) {
	return s.db.RevisionsOf(ctx, p.TenantID, contentIDs)
}

// JobsByID returns those of the tenant's jobs that are there, by their ids, with
// some of their columns.
func (s *Service) JobsByID(ctx context.Context, p mission.Principal, ids []string, c store.Columns) (map[string]mission.Job, error) {
	return s.db.JobsByID(ctx, p.TenantID, ids, c)
}

// JobsOf returns a page of the jobs of each of the missions, newest first, by
// the missions' ids. Errors: invalid_request.
func (s *Service) JobsOf(ctx context.Context, p mission.Principal, missionIDs []string, page store.Page) (map[string]store.Part[mission.Job], error) {
	if err := checkPage(page, mission.PrefixJob, "job"); err != nil {
		return nil, err
	}
	return s.db.JobsOf(ctx, p.TenantID, missionIDs, page)
}

// EventsOf returns a page of the events of the last 30 days of each of the
// missions, newest first, by the missions' ids. Errors: invalid_request.
func (s *Service) EventsOf(ctx context.Context, p mission.Principal, missionIDs []string, f store.EventFilter, page store.Page) (map[string]store.Part[mission.Event], error) {
	if err := checkPage(page, mission.PrefixEvent, "event"); err != nil {
		return nil, err
	}
	if err := CheckEventFilter(f); err != nil {
		return nil, err
	}
	return s.db.EventsOf(ctx, p.TenantID, missionIDs, f, s.clock.Now().Add(-mission.EventRetention), page)
}

// CountEventsOf returns how many events of each of the missions are of some
// types, or of any.
func (s *Service) CountEventsOf(ctx context.Context, p mission.Principal, missionIDs []string, types []mission.EventType) (map[string]int, error) {
	return s.db.CountEventsOf(ctx, p.TenantID, missionIDs, types)
}

// DeliveriesOf returns a page of the deliveries of each of the endpoints, newest
// first, by the endpoints' ids. Errors: invalid_request.
func (h *Webhooks) DeliveriesOf(ctx context.Context, p mission.Principal, webhookIDs []string, status mission.DeliveryStatus, page store.Page) (map[string]store.Part[mission.Delivery], error) {
	if err := checkPage(page, mission.PrefixDelivery, "delivery"); err != nil {
		return nil, err
	}
	return h.db.DeliveriesOf(ctx, p.TenantID, webhookIDs, status, page)
}

// CountDeliveriesOf returns how many deliveries each of the endpoints has in a
// state or, if it is "", in any.
func (h *Webhooks) CountDeliveriesOf(ctx context.Context, p mission.Principal, webhookIDs []string, status mission.DeliveryStatus) (map[string]int, error) {
	return h.db.CountDeliveriesOf(ctx, p.TenantID, webhookIDs, status)
}

// WebhooksByID returns those of the tenant's endpoints that are there, by their
// ids.
func (h *Webhooks) WebhooksByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Webhook, error) {
	return h.db.WebhooksByID(ctx, p.TenantID, ids)
}

// DeliveriesByID returns those of the tenant's deliveries that are there, by
// their ids.
func (h *Webhooks) DeliveriesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Delivery, error) {
	return h.db.DeliveriesByID(ctx, p.TenantID, ids)
}

// NotificationsByID returns those of the tenant's notifications that are there,
// by their ids.
func (a *Accounts) NotificationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Notification, error) {
	return a.db.NotificationsByID(ctx, p.TenantID, ids)
}

// MembersByID returns those of the tenant's users that are there, by their ids.
func (a *Accounts) MembersByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.User, error) {
	return a.db.UsersByID(ctx, p.TenantID, ids)
}

// KeysByID returns those of the tenant's keys that are there, by their ids.
func (a *Accounts) KeysByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.APIKey, error) {
	return a.db.KeysByID(ctx, p.TenantID, ids)
}

// AuditEntriesByID returns those of the entries of the tenant's audit log that
// are there, by their ids.
func (a *Accounts) AuditEntriesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.AuditEntry, error) {
	return a.db.AuditEntriesByID(ctx, p.TenantID, ids)
}
