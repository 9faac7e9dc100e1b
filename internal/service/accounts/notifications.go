package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"missiond/internal/mail"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const notificationNoun = "notification"

// maxRecipients is how many members one notification is e-mailed to at most.
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

// EmailNotification e-mails a notification, if there is a mailer: it adds a task for each who
// gets it, and each of those sends one e-mail, so that nobody's mail server holds up another's
// e-mail or has it sent again. After a crash an e-mail may be sent twice, with the same Message-ID.
// The admins are notified of an e-mail that is refused for good.
func (a *Service) EmailNotification(ctx context.Context, t mission.Task) error {
	id, to, single := strings.Cut(t.Subject, " ")
	n, users, err := a.recipients(ctx, t.TenantID, id)
	if err != nil {
		return err
	}
	if !single {
		return a.emailEach(ctx, t, users)
	}
	var refused *mail.RefusedError
	if i := slices.IndexFunc(users, func(u mission.User) bool { return u.ID == to }); i >= 0 {
		if err := a.email(ctx, n, users[i]); err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	return a.store.Tx(ctx, func(tx store.Tx) error {
		if refused != nil {
			if err := a.tellRefused(ctx, tx, t.TenantID, to, refused.Reply); err != nil {
				return err
			}
		}
		return tx.FinishTask(ctx, t)
	})
}

// emailEach ends the task of a notification with one for each of its e-mails.
func (a *Service) emailEach(ctx context.Context, t mission.Task, users []mission.User) error {
	return a.store.Tx(ctx, func(tx store.Tx) error {
		now := a.clock.Now()
		tasks := make([]mission.Task, len(users))
		for i, u := range users {
			tasks[i] = mission.NewTenantTask(t.TenantID, t.Type, mission.EmailSubject(t.Subject, u.ID), now)
		}
		if err := tx.AddTasks(ctx, now, tasks...); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// email sends an e-mail about a notification to a user. Errors: mail.RefusedError.
func (a *Service) email(ctx context.Context, n mission.Notification, to mission.User) error {
	tenant, err := a.db.Tenant(ctx, n.TenantID)
	if err != nil {
		return err
	}
	m := mail.Message{ID: n.ID, To: to.Email, Subject: fmt.Sprintf("%s: %s", tenant.Name, n.Kind.Subject())}
	m.Text = fmt.Sprintf(
		"%s\n\nTenant: %s (%s)\nAbout: %s\nTime: %s\n", n.Message, tenant.Name, tenant.ID, n.SubjectID,
		n.CreatedAt.Format("2006-01-02 15:04:05 UTC"),
	)
	if n.Kind == mission.NotifyReviewWaiting && a.publicURL != "" {
		m.Unsubscribe = a.publicURL + "/console/settings/sessions"
		m.Text += fmt.Sprintf("\nReview: %s/console/inbox\nSwitch these e-mails off: %s\n", a.publicURL, m.Unsubscribe)
	}
	return a.mailer.Send(ctx, m)
}

// tellRefused notifies the admins of a user whose e-mail was refused, unless an unread notification
// says so, or the user was removed.
func (a *Service) tellRefused(ctx context.Context, tx store.Tx, tenantID, userID, reply string) error {
	u, err := tx.LockUser(ctx, tenantID, userID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	now := a.clock.Now()
	return tx.AddNotificationOnce(ctx, u.NotifyRefused(tx.NewID(mission.PrefixNotification, now), reply, now))
}

// recipients returns a notification as it is to be told now, and who gets an e-mail: the tenant's
// admins, except one whose e-mails are refused; and for posts that wait for review, as long as some
// do and no newer notification says so, the mission's reviewers and who created it or, without
// reviewers, all who may approve posts. Without a mailer nobody does.
func (a *Service) recipients(ctx context.Context, tenantID, id string) (n mission.Notification, users []mission.User, err error) {
	if a.mailer == nil {
		return n, nil, nil
	}
	if n, err = a.db.Notification(ctx, tenantID, id); err == nil {
		switch n.Kind {
		case mission.NotifyReviewWaiting:
			n, users, err = a.reviewers(ctx, n)
		default:
			users, err = a.db.EmailedAdmins(ctx, tenantID, maxRecipients)
		}
	}
	if mission.CodeOf(err) == mission.CodeNotFound {
		return n, nil, nil // it, or its mission, was deleted
	}
	if n.Kind == mission.NotifyEmailRefused {
		users = slices.DeleteFunc(users, func(u mission.User) bool { return u.ID == n.SubjectID })
	}
	return n, users, err
}

func (a *Service) reviewers(ctx context.Context, n mission.Notification) (mission.Notification, []mission.User, error) {
	m, err := a.db.Mission(ctx, n.TenantID, n.SubjectID)
	if err != nil {
		return n, nil, err
	}
	w, err := a.db.Waiting(ctx, m.ID)
	if err != nil || w.Posts == 0 {
		return n, nil, err
	}
	replaced, err := a.db.Replaced(ctx, n)
	if err != nil || replaced {
		return n, nil, err
	}
	users, err := a.db.EmailedReviewers(ctx, n.TenantID, m.Reviewers, m.CreatedBy, maxRecipients)
	return m.NotifyWaiting(n.ID, w, n.CreatedAt), users, err
}

// NotificationsByID returns the tenant's notifications with the given ids.
func (a *Service) NotificationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Notification, error) {
	return a.db.NotificationsByID(ctx, p.TenantID, ids)
}
