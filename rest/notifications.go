package rest

import (
	"context"
	"time"

	"missiond/mission"
)

const tagNotifications tag = "Notifications"

// routeNotifications registers the routes of the notifications to the tenant's admins.
func (a *API) routeNotifications() {
	handle(a, tagNotifications.get(mission.OpNotificationsList, "/v1/notifications", "List notifications"), a.listNotifications)
	handle(a, tagNotifications.get(mission.OpNotificationsRead, "/v1/notifications/{id}", "Read a notification"), a.readNotification)
	handleBody(a, tagNotifications.post(mission.OpNotificationsMark, "/v1/notifications/read", "Mark notifications as read").
		withExample(`{"ids":["ntf_01jnd2x6k8e4rvt0m7y3bqz5cn"]}`), a.markNotifications)
}

type notificationListParams struct {
	Paging

	Unread bool `query:"unread" doc:"Only notifications that nobody has read" example:"true"`
}

type shownNotification struct {
	ID        string                   `json:"id" doc:"Its id" example:"ntf_01jnd2x6k8e4rvt0m7y3bqz5cn"`
	Kind      mission.NotificationKind `json:"kind" doc:"What kind of message it is" example:"webhook_failing"`
	Message   string                   `json:"message" doc:"What happened, for people" example:"The webhook https://example.com/hooks fails: its last event was given up."`
	SubjectID string                   `json:"subject_id" doc:"The record that it concerns" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	CreatedAt time.Time                `json:"created_at" doc:"When it was made"`
	ReadAt    *time.Time               `json:"read_at" doc:"null if nobody has read it"`
}

func showNotification(n mission.Notification) shownNotification {
	return shownNotification{ID: n.ID, Kind: n.Kind, Message: n.Message, SubjectID: n.SubjectID, CreatedAt: n.CreatedAt, ReadAt: n.ReadAt}
}

func (a *API) listNotifications(ctx context.Context, p mission.Principal, in *notificationListParams) (page[shownNotification], error) {
	list, err := a.accounts.Notifications(ctx, p, in.Unread, in.page())
	return counted(list, err, func() (int, error) { return a.accounts.CountNotifications(ctx, p, in.Unread) }, showNotification)
}

// NotificationPath has the parameters of a notification's routes.
type NotificationPath struct {
	ID string `path:"id" doc:"The notification's id" example:"ntf_01jd0000000000000000000000"`
}

func (a *API) readNotification(ctx context.Context, p mission.Principal, in *NotificationPath) (shownNotification, error) {
	n, err := a.accounts.Notification(ctx, p, in.ID)
	return showNotification(n), err
}

type markBody struct {
	IDs []string `json:"ids" doc:"The ids of 1 to 100 notifications" example:"ntf_01jnd2x6k8e4rvt0m7y3bqz5cn"`
}

type markedNotifications struct {
	Data []shownNotification `json:"data"`
}

func (a *API) markNotifications(ctx context.Context, p mission.Principal, _ *RawText, in markBody) (markedNotifications, error) {
	list, err := a.accounts.MarkNotificationsRead(ctx, p, in.IDs)
	return markedNotifications{Data: whole(list, showNotification).Data}, err
}
