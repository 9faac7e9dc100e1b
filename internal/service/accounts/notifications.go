package accounts

import (
	"context"
	"fmt"

	"missiond/internal/mail"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const notificationNoun = "notification"

// maxRecipients is how many admins one notification is e-mailed to at most.
const maxRecipients = 50

// Mailer sends e-mail.
type Mailer interface {
	Send(ctx context.Context, m mail.Message) error
}

// Notifications returns a page of the tenant's notifications, newest first, of all or
// only of the unread ones. Errors: invalid_request.
func (a *Service) Notifications(
	ctx context.Context, p mission.Principal, unread bool, page store.Page,
) (listed store.Listed[mission.Notification], err error) {
	if err := page.Check(mission.PrefixNotification, notificationNoun); err != nil {
		return listed, err
	}
	return a.db.Notifications(ctx, p.TenantID, unread, page)
}

// CountNotifications returns how many notifications the tenant has, or how many
// unread ones.
func (a *Service) CountNotifications(ctx context.Context, p mission.Principal, unread bool) (int, error) {
	return a.db.CountNotifications(ctx, p.TenantID, unread)
}

// Notification returns a notification of the tenant's. Errors: not_found.
func (a *Service) Notification(ctx context.Context, p mission.Principal, id string) (mission.Notification, error) {
	if !mission.HasIDForm(mission.PrefixNotification, id) {
		return mission.Notification{}, mission.NotFound(notificationNoun, id)
	}
	return a.db.Notification(ctx, p.TenantID, id)
}

// MarkNotificationsRead marks notifications as read, all or none, and returns them in
// the order of ids. Errors: invalid_request on ids; not_found.
func (a *Service) MarkNotificationsRead(ctx context.Context, p mission.Principal, ids []string) ([]mission.Notification, error) {
	if len(ids) == 0 || len(ids) > mission.MaxNotifications {
		return nil, mission.Invalid("ids", "Name 1 to %d notifications.", mission.MaxNotifications)
	}
	for _, id := range ids {
		if !mission.HasIDForm(mission.PrefixNotification, id) {
			return nil, mission.NotFound(notificationNoun, id)
		}
	}
	return idempotency.Once(ctx, a.db, func(tx store.Tx) ([]mission.Notification, error) {
		return tx.MarkRead(ctx, p.TenantID, ids, a.clock.Now())
	})
}

// MarkAllNotificationsRead marks the unread notifications as read, from the oldest to
// the one with the id upTo or, if that is "", to the newest, and returns how many there
// were. Errors: invalid_request on up_to; not_found for it.
func (a *Service) MarkAllNotificationsRead(ctx context.Context, p mission.Principal, upTo string) (int, error) {
	if upTo != "" && !mission.HasIDForm(mission.PrefixNotification, upTo) {
		return 0, mission.Invalid("up_to", "A notification's id begins with %s.", mission.PrefixNotification)
	}
	return idempotency.Once(ctx, a.db, func(tx store.Tx) (int, error) {
		return tx.MarkAllRead(ctx, p.TenantID, upTo, a.clock.Now())
	})
}

// EmailNotification e-mails a notification to the tenant's admins, if there is a
// mailer. After a crash it may be sent twice, with the same Message-ID.
func (a *Service) EmailNotification(ctx context.Context, t mission.Task) error {
	if a.mailer != nil {
		if err := a.email(ctx, t); err != nil {
			return err
		}
	}
	return a.store.Tx(ctx, func(tx store.Tx) error { return tx.FinishTask(ctx, t) })
}

func (a *Service) email(ctx context.Context, t mission.Task) error {
	n, err := a.db.Notification(ctx, t.TenantID, t.Subject)
	if err != nil {
		return err
	}
	tenant, err := a.db.Tenant(ctx, t.TenantID)
	if err != nil {
		return err
	}
	to, err := a.recipients(ctx, n)
	if err != nil {
		return err
	}
	text := fmt.Sprintf(
		"%s\n\nTenant: %s (%s)\nAbout: %s\nTime: %s\n", n.Message, tenant.Name, tenant.ID, n.SubjectID,
		n.CreatedAt.Format("2006-01-02 15:04:05 UTC"),
	)
	if n.Kind == mission.NotifyReviewWaiting && a.publicURL != "" {
		text += fmt.Sprintf("\nReview: %s/console/inbox\nSwitch these e-mails off: %[1]s/console/settings/sessions\n", a.publicURL)
	}
	return a.mailer.Send(ctx, mail.Message{ID: n.ID, To: to, Subject: fmt.Sprintf("%s: %s", tenant.Name, n.Kind.Subject()), Text: text})
}

// recipients returns the addresses to which a notification is e-mailed: those of the tenant's
// admins, but for posts that wait for review those of the mission's reviewers and who created it
// or, without reviewers, of all who may approve posts.
func (a *Service) recipients(ctx context.Context, n mission.Notification) ([]string, error) {
	if n.Kind != mission.NotifyReviewWaiting {
		return a.db.AdminEmails(ctx, n.TenantID, maxRecipients)
	}
	m, err := a.db.Mission(ctx, n.TenantID, n.SubjectID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil, nil // it was deleted
	}
	if err != nil {
		return nil, err
	}
	return a.db.ReviewerEmails(ctx, n.TenantID, m.Reviewers, m.CreatedBy, maxRecipients)
}

// NotificationsByID returns the tenant's notifications with the given ids.
func (a *Service) NotificationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Notification, error) {
	return a.db.NotificationsByID(ctx, p.TenantID, ids)
}
