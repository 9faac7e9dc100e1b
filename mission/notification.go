package mission

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// NotificationKind is what a notification is about.
type NotificationKind string

// The kinds of notifications.
const (
	NotifyWebhookFailing  NotificationKind = "webhook_failing"
	NotifyWebhookDisabled NotificationKind = "webhook_disabled"
	NotifyNeedsReconnect  NotificationKind = "integration_needs_reconnect"
	NotifyReviewWaiting   NotificationKind = "review_waiting"
	NotifyContentExpired  NotificationKind = "content_expired"
	NotifyTenantDeletion  NotificationKind = "tenant_deletion"
	NotifyWriterRejected  NotificationKind = "writer_rejected"
	NotifyEmailRefused    NotificationKind = "email_refused"
)

// AllNotificationKinds lists them.
func AllNotificationKinds() []NotificationKind {
	return []NotificationKind{NotifyWebhookFailing, NotifyWebhookDisabled, NotifyNeedsReconnect, NotifyReviewWaiting, NotifyContentExpired, NotifyTenantDeletion, NotifyWriterRejected, NotifyEmailRefused}
}

// Subject returns the kind in a few words, for the subject of an e-mail.
func (k NotificationKind) Subject() string {
	switch k {
	case NotifyWebhookFailing:
		return "A webhook endpoint is failing"
	case NotifyWebhookDisabled:
		return "A webhook endpoint was disabled"
	case NotifyNeedsReconnect:
		return "A platform must be connected again"
	case NotifyReviewWaiting:
		return "Posts wait for review"
	case NotifyContentExpired:
		return "Posts expired without a review"
	case NotifyTenantDeletion:
		return "The tenant will be deleted"
	case NotifyWriterRejected:
		return "Your language model rejects calls"
	case NotifyEmailRefused:
		return "E-mails to a member are refused"
	default:
		return "A notification"
	}
}

// MaxNotifications bounds how many notifications are marked as read at once.
const MaxNotifications = 100

// Notification is a message to a tenant's admins.
type Notification struct {
	ID       string `bun:",pk"`
	TenantID string
	Kind     NotificationKind
	Message  string
	// SubjectID is the id of the record that it is about.
	SubjectID string
	CreatedAt time.Time
	ReadAt    *time.Time
}

// Notify returns the notification about a change of the endpoint; ok is false
// if there is none.
func (w Webhook) Notify(id string, before Webhook, now time.Time) (n Notification, ok bool) {
	n = Notification{ID: id, TenantID: w.TenantID, SubjectID: w.ID, CreatedAt: now}
	switch {
	case before.Status == WebhookActive && w.Status == WebhookFailing:
		n.Kind = NotifyWebhookFailing
		n.Message = fmt.Sprintf(
			"The webhook endpoint %s has not accepted an event in %d attempts. It still gets new events.", w.URL,
			webhookPlan.MaxAttempts(),
		)
	case before.Enabled && !w.Enabled:
		n.Kind = NotifyWebhookDisabled
		n.Message = fmt.Sprintf("The webhook endpoint %s responded with 410 (Gone) and was disabled.", w.URL)
	default:
		return n, false
	}
	return n, true
}

// Notify returns the notification about an integration that its platform
// refused.
func (i Integration) Notify(id string, now time.Time) Notification {
	words := ""
	if i.Error != nil {
		words = " " + i.Error.Message
	}
	return Notification{
		ID: id, TenantID: i.TenantID, SubjectID: i.ID, CreatedAt: now, Kind: NotifyNeedsReconnect,
		Message: fmt.Sprintf("The integration with %s must be connected again; its posts wait until then.%s", i.Platform.Name(), words),
	}
}

// NotifyExpired returns the notification about posts that expired together.
func (m Mission) NotifyExpired(id string, posts int, now time.Time) Notification {
	what := Counted(posts, "post")
	return Notification{
		ID: id, TenantID: m.TenantID, SubjectID: m.ID, CreatedAt: now, Kind: NotifyContentExpired,
		Message: fmt.Sprintf("%s of the mission %q expired: nobody approved or rejected them in time.", what, m.Name),
	}
}

// maxReply bounds how much of a mail server's words a notification repeats, in characters.
const maxReply = 300

// NotifyRefused returns the notification about a user whose e-mail a mail server refused for good,
// in the server's words.
func (u User) NotifyRefused(id, reply string, now time.Time) Notification {
	words := []rune(CleanLine(strings.Join(strings.Fields(reply[:min(len(reply), utf8.UTFMax*maxReply)]), " ")))
	return Notification{
		ID: id, TenantID: u.TenantID, SubjectID: u.ID, CreatedAt: now, Kind: NotifyEmailRefused,
		Message: fmt.Sprintf("An e-mail to %s was refused for good: %s", u.Email, string(words[:min(len(words), maxReply)])),
	}
}

// Counted returns a number of things for people, as in "1 post" and "2 posts".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
