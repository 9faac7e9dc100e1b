package service

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// The methods below read what belongs to several records in one go: the number of
// statements doesn't grow with the records. Ids of other tenants find nothing.

// ContentsByID returns the tenant's posts with the given ids, by id. Ids that don't
// exist are absent, here and below.
func (s *Service) ContentsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Content, error) {
	return s.db.ContentsByID(ctx, p.TenantID, ids)
}

// NextPublishAtOf returns when the next post of each mission is due, by mission id.
func (s *Service) NextPublishAtOf(ctx context.Context, _ mission.Principal, missionIDs []string) (map[string]time.Time, error) {
	return s.db.NextPublishAt(ctx, missionIDs...)
}

// ContentsOf returns a page of the posts of each mission, by mission id. Errors:
// invalid_request.
func (s *Service) ContentsOf(ctx context.Context, p mission.Principal, missionIDs []string, f store.ContentFilter, page store.Page) (map[string]store.Part[mission.Content], error) {
	if err := checkPage(page, mission.PrefixContent, contentNoun); err != nil {
		return nil, err
	}
	return s.db.ContentsOf(ctx, p.TenantID, missionIDs, f, page)
}

// CountContentsOf returns how many posts of each mission match a filter, by mission
// id.
func (s *Service) CountContentsOf(ctx context.Context, p mission.Principal, missionIDs []string, f store.ContentFilter) (map[string]int, error) {
	return s.db.CountContentsOf(ctx, p.TenantID, missionIDs, f)
}

// RevisionsOf returns the earlier texts of posts, latest first, by post id.
func (s *Service) RevisionsOf(ctx context.Context, p mission.Principal, contentIDs []string) (map[string][]mission.Revision, error) {
	return s.db.RevisionsOf(ctx, p.TenantID, contentIDs)
}

// JobsByID returns the tenant's jobs with the given ids, with some of their columns.
func (s *Service) JobsByID(ctx context.Context, p mission.Principal, ids []string, c store.Columns) (map[string]mission.Job, error) {
	return s.db.JobsByID(ctx, p.TenantID, ids, c)
}

// JobsOf returns a page of the jobs of each mission, newest first, by mission id.
// Errors: invalid_request.
func (s *Service) JobsOf(ctx context.Context, p mission.Principal, missionIDs []string, page store.Page) (map[string]store.Part[mission.Job], error) {
	if err := checkPage(page, mission.PrefixJob, "job"); err != nil {
		return nil, err
	}
	return s.db.JobsOf(ctx, p.TenantID, missionIDs, page)
}

// EventsOf returns a page of the events of the last 30 days of each mission, newest
// first, by mission id. Errors: invalid_request.
func (s *Service) EventsOf(ctx context.Context, p mission.Principal, missionIDs []string, f store.EventFilter, page store.Page) (map[string]store.Part[mission.Event], error) {
	if err := checkPage(page, mission.PrefixEvent, "event"); err != nil {
		return nil, err
	}
	if err := CheckEventFilter(f); err != nil {
		return nil, err
	}
	return s.db.EventsOf(ctx, p.TenantID, missionIDs, f, s.clock.Now().Add(-mission.EventRetention), page)
}

// CountEventsOf returns how many events of each mission are of the given types, or of
// any type if there are none, by mission id.
func (s *Service) CountEventsOf(ctx context.Context, p mission.Principal, missionIDs []string, types []mission.EventType) (map[string]int, error) {
	return s.db.CountEventsOf(ctx, p.TenantID, missionIDs, types)
}

// DeliveriesOf returns a page of the deliveries of each endpoint, newest first, by
// endpoint id. Errors: invalid_request.
func (h *Webhooks) DeliveriesOf(ctx context.Context, p mission.Principal, webhookIDs []string, status mission.DeliveryStatus, page store.Page) (map[string]store.Part[mission.Delivery], error) {
	if err := checkPage(page, mission.PrefixDelivery, "delivery"); err != nil {
		return nil, err
	}
	return h.db.DeliveriesOf(ctx, p.TenantID, webhookIDs, status, page)
}

// CountDeliveriesOf returns how many deliveries each endpoint has in a status, or in
// any if it is "", by endpoint id.
func (h *Webhooks) CountDeliveriesOf(ctx context.Context, p mission.Principal, webhookIDs []string, status mission.DeliveryStatus) (map[string]int, error) {
	return h.db.CountDeliveriesOf(ctx, p.TenantID, webhookIDs, status)
}

// WebhooksByID returns the tenant's endpoints with the given ids.
func (h *Webhooks) WebhooksByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Webhook, error) {
	return h.db.WebhooksByID(ctx, p.TenantID, ids)
}

// DeliveriesByID returns the tenant's deliveries with the given ids.
func (h *Webhooks) DeliveriesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Delivery, error) {
	return h.db.DeliveriesByID(ctx, p.TenantID, ids)
}

// NotificationsByID returns the tenant's notifications with the given ids.
func (a *Accounts) NotificationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Notification, error) {
	return a.db.NotificationsByID(ctx, p.TenantID, ids)
}

// MembersByID returns the tenant's users with the given ids.
func (a *Accounts) MembersByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.User, error) {
	return a.db.UsersByID(ctx, p.TenantID, ids)
}

// KeysByID returns the tenant's keys with the given ids.
func (a *Accounts) KeysByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.APIKey, error) {
	return a.db.KeysByID(ctx, p.TenantID, ids)
}

// AuditEntriesByID returns the entries of the tenant's audit log with the given ids.
func (a *Accounts) AuditEntriesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.AuditEntry, error) {
	return a.db.AuditEntriesByID(ctx, p.TenantID, ids)
}
