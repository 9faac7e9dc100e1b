package node

import "missiond/mission"

// PageInfo is a page's position in its list.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Edge is a record in a list.
type Edge[N any] struct {
	Cursor string
	Node   N
}

// Page is what all connections have.
type Page[E any] struct {
	Edges    []E
	PageInfo PageInfo
}

// Counted is a page whose total is known with it.
type Counted[E any] struct {
	Page[E]

	TotalCount int
}

// The edges of the connections.
type (
	// APIKeyEdge is a key in a list.
	APIKeyEdge Edge[APIKey]
	// AuditEntryEdge is an entry in the audit log.
	AuditEntryEdge Edge[mission.AuditEntry]
	// ContentEdge is a post in a list.
	ContentEdge Edge[mission.Content]
	// DeliveryEdge is a delivery in a list.
	DeliveryEdge Edge[mission.Delivery]
	// EventEdge is an event in a list.
	EventEdge Edge[*Event]
	// IntegrationEdge is an integration in a list.
	IntegrationEdge Edge[mission.Integration]
	// JobEdge is a job in a list.
	JobEdge Edge[Job]
	// MeasuredPostEdge is a measured post in a list.
	MeasuredPostEdge Edge[MeasuredPost]
	// MediaEdge is a file in a list.
	MediaEdge Edge[Media]
	// MissionEdge is a mission in a list.
	MissionEdge Edge[mission.Mission]
	// NotificationEdge is a notification in a list.
	NotificationEdge Edge[mission.Notification]
	// ReviewCommentEdge is a comment in a list.
	ReviewCommentEdge Edge[mission.ReviewComment]
	// ReviewLinkEdge is a review link in a list.
	ReviewLinkEdge Edge[mission.ReviewLink]
	// SessionEdge is a session in a list.
	SessionEdge Edge[Session]
	// UserEdge is a user in a list.
	UserEdge Edge[mission.User]
	// WebhookEdge is an endpoint in a list.
	WebhookEdge Edge[mission.Webhook]
)

// The connections without a filter, or whose total is known.
type (
	// APIKeyConnection is a page of keys.
	APIKeyConnection Page[APIKeyEdge]
	// IntegrationConnection is a page of integrations.
	IntegrationConnection Counted[IntegrationEdge]
	// JobConnection is a page of a mission's jobs.
	JobConnection Counted[JobEdge]
	// MeasuredPostConnection is a page of measured posts.
	MeasuredPostConnection Counted[MeasuredPostEdge]
	// SessionConnection is a page of sessions.
	SessionConnection Page[SessionEdge]
	// UserConnection is a page of users.
	UserConnection Page[UserEdge]
	// WebhookConnection is a page of endpoints.
	WebhookConnection Counted[WebhookEdge]
)

// The connections whose filter is remembered for the total, which is computed only if
// it is requested.
type (
	// AuditEntryConnection is a page of the audit log.
	AuditEntryConnection struct {
		Page[AuditEntryEdge]

		Filter mission.AuditFilter
	}
	// ContentConnection is a page of posts.
	ContentConnection struct {
		Page[ContentEdge]

		// Query is what a list of its own selects; nil for a mission's posts, which
		// are those of the mission Of and picked by Picked.
		Query  *mission.ContentQuery
		Of     string
		Picked *MissionContentFilter
	}
	// DeliveryConnection is a page of an endpoint's deliveries.
	DeliveryConnection struct {
		Page[DeliveryEdge]

		WebhookID string
		Filter    mission.DeliveryFilter
	}
	// EventConnection is a page of events.
	EventConnection struct {
		Page[EventEdge]

		Filter *EventFilter
	}
	// MediaConnection is a page of files.
	MediaConnection struct {
		Page[MediaEdge]

		// Total is the total count or store.Uncounted.
		Total int
	}
	// MissionConnection is a page of missions.
	MissionConnection struct {
		Page[MissionEdge]

		Filter *MissionFilter
		Order  *MissionOrder
		// Total is the total count or store.Uncounted, if it was read with the
		// page; else 0.
		Total int
	}
	// NotificationConnection is a page of notifications.
	NotificationConnection struct {
		Page[NotificationEdge]

		Unread bool
	}
	// ReviewCommentConnection is a page of a post's comments.
	ReviewCommentConnection struct {
		Page[ReviewCommentEdge]

		ContentID string
	}
	// ReviewLinkConnection is a page of a mission's review links.
	ReviewLinkConnection struct {
		Page[ReviewLinkEdge]

		MissionID string
	}
)
