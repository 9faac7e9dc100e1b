package mission

import (
	"slices"
	"time"
)

// EventType is the type of an event (interface, section 6).
type EventType string

// The interface's sixteen event types, and those that the service adds.
const (
	EventContentCreated   EventType = "content.created"
	EventReviewRequested  EventType = "content.review_requested"
	EventContentApproved  EventType = "content.approved"
	EventContentRejected  EventType = "content.rejected"
	EventContentHeld      EventType = "content.held"
	EventContentReopened  EventType = "content.reopened"
	EventContentScheduled EventType = "content.scheduled"
	EventContentPublished EventType = "content.published"
	EventContentFailed    EventType = "content.failed"
	EventContentExpiring  EventType = "content.expiring"
	EventContentExpired   EventType = "content.expired"
	EventContentCanceled  EventType = "content.canceled"
	EventContentCommented EventType = "content.commented"
	EventMissionCreated   EventType = "mission.created"
	EventMissionStarted   EventType = "mission.started"
	EventMissionPaused    EventType = "mission.paused"
	EventMissionResumed   EventType = "mission.resumed"
	EventMissionCompleted EventType = "mission.completed"
	EventStageCompleted   EventType = "pipeline.stage_completed"
	EventJobCompleted     EventType = "pipeline.job_completed"
	EventJobFailed        EventType = "pipeline.job_failed"
	EventKPIAchieved      EventType = "analytics.kpi_achieved"
	EventAnomalyDetected  EventType = "analytics.anomaly_detected"
	EventMediaReady       EventType = "media.ready"
	EventMediaFailed      EventType = "media.failed"
	EventTenantHeld       EventType = "tenant.held"
	EventTenantReleased   EventType = "tenant.released"

	EventReplyReceived     EventType = "reply.received"
	EventReplyAnswered     EventType = "reply.answered"
	EventReplyAnswerFailed EventType = "reply.answer_failed"
)

// AllEventTypes lists the event types.
func AllEventTypes() []EventType {
	return []EventType{
		EventContentCreated, EventReviewRequested, EventContentApproved, EventContentRejected, EventContentHeld, EventContentReopened, EventContentScheduled,
		EventContentPublished, EventContentFailed, EventContentExpiring, EventContentExpired, EventContentCanceled, EventContentCommented,
		EventMissionCreated, EventMissionStarted,
		EventMissionPaused, EventMissionResumed, EventMissionCompleted, EventStageCompleted,
		EventJobCompleted, EventJobFailed, EventKPIAchieved, EventAnomalyDetected, EventMediaReady, EventMediaFailed,
		EventTenantHeld, EventTenantReleased, EventReplyReceived, EventReplyAnswered, EventReplyAnswerFailed,
	}
}

// Event is an entry of the event log. The store assigns its ID and Seq.
type Event struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	Type      EventType
	CreatedAt time.Time
	// Data is one of the …Data types; in an event read from the log, its JSON.
	Data any `bun:"-"`
	// Seq is the event's sequence number in its tenant's log, from 1; 0 before
	// it is written.
	Seq int64
}

func (m Mission) event(t EventType, now time.Time, data any) Event {
	return Event{TenantID: m.TenantID, MissionID: m.ID, Type: t, CreatedAt: now, Data: data}
}

func (j Job) event(t EventType, now time.Time, data any) Event {
	return Event{TenantID: j.TenantID, MissionID: j.MissionID, Type: t, CreatedAt: now, Data: data}
}

// MissionEventData is the data of mission.created, started, paused and resumed.
type MissionEventData struct {
	MissionID string     `json:"mission_id"`
	Name      string     `json:"name"`
	Status    Status     `json:"status"`
	StartsAt  *time.Time `json:"starts_at"`
	EndsAt    *time.Time `json:"ends_at"`
}

// MissionData returns the data that describes m after a change.
func MissionData(m Mission) MissionEventData {
	return MissionEventData{MissionID: m.ID, Name: m.Name, Status: m.Status, StartsAt: m.StartsAt, EndsAt: m.EndsAt}
}

// MissionCompletedData is the data of mission.completed (interface, section 6).
type MissionCompletedData struct {
	MissionID    string         `json:"mission_id"`
	Name         string         `json:"name"`
	DurationDays int            `json:"duration_days"`
	Summary      MissionSummary `json:"summary"`
}

// MissionSummary is the result of a mission.
type MissionSummary struct {
	ContentPublished int `json:"content_published"`
	TotalImpressions int `json:"total_impressions"`
	TotalEngagements int `json:"total_engagements"`
	KPIsAchieved     int `json:"kpis_achieved"`
	KPIsTotal        int `json:"kpis_total"`
}

// PlatformTotals are the metrics of a mission's published posts, by platform.
type PlatformTotals map[Platform]Metrics

// Of returns the sum over the platforms that a KPI counts.
func (t PlatformTotals) Of(platform Platform) Metrics {
	var parts []Metrics
	for p, m := range t {
		if platform == EveryPlatform || platform == p {
			parts = append(parts, m)
		}
	}
	return Together(parts...)
}

// Measured returns the totals after posts, whose Metrics are the previous
// figures, were measured again.
func (t PlatformTotals) Measured(posts []Content, points []Measurement) PlatformTotals {
	totals := PlatformTotals{}
	for p, m := range t {
		totals[p] = m.Plus(nil)
	}
	before := byID(posts)
	for _, p := range points {
		totals[p.Platform] = totals[p.Platform].Plus(p.Metrics).Plus(before[p.ContentID].Metrics.negated())
	}
	return totals
}

func byID(posts []Content) map[string]Content {
	m := make(map[string]Content, len(posts))
	for _, c := range posts {
		m[c.ID] = c
	}
	return m
}

func completedData(m Mission) MissionCompletedData {
	all := m.Totals.Of(EveryPlatform)
	d := MissionCompletedData{MissionID: m.ID, Name: m.Name, DurationDays: m.DurationDays, Summary: MissionSummary{
		ContentPublished: m.Counts.Published,
		TotalImpressions: int(all[Impressions]),
		TotalEngagements: int(all.Engagements()),
		KPIsTotal:        len(m.KPIs),
	}}
	for _, k := range m.KPIs {
		if current, ok := m.Totals.Of(k.Platform)[k.Metric]; ok && current >= k.Target || slices.Contains(m.Achieved, k) {
			d.Summary.KPIsAchieved++
		}
	}
	return d
}

// ContentFields are what the data of events about a post has in common, except of
// content.published.
type ContentFields struct {
	ContentID   string     `json:"content_id"`
	MissionID   string     `json:"mission_id"`
	JobID       *string    `json:"job_id"` // null for a post by a person
	Platform    Platform   `json:"platform"`
	Type        Format     `json:"type"`
	Revision    int        `json:"revision"`
	ScheduledAt *time.Time `json:"scheduled_at"`
}

// ContentEventData is the data of the content events without data of their own.
type ContentEventData struct {
	ContentFields
	Error *Failure `json:"error"`
	// SettledBy is the user or API key that decided to send a post again whose outcome was
	// unknown.
	SettledBy string `json:"settled_by,omitempty"`
	// ReviewedBy is the user or review link that approved or rejected the post; "" if nobody
	// did.
	ReviewedBy string `json:"reviewed_by,omitempty"`
}

// ContentPublishedData is the data of content.published (interface, section 6).
type ContentPublishedData struct {
	ContentID      string     `json:"content_id"`
	MissionID      string     `json:"mission_id"`
	Platform       Platform   `json:"platform"`
	Type           Format     `json:"type"`
	PlatformPostID *string    `json:"platform_post_id"`
	PlatformURL    *string    `json:"platform_url"`
	PublishedAt    *time.Time `json:"published_at"`
	// SettledBy is the user or API key that said where a post is whose outcome was unknown.
	SettledBy string `json:"settled_by,omitempty"`
}

// ContentWaitingData is the data of content.review_requested, content.expiring,
// content.expired and content.reopened.
type ContentWaitingData struct {
	ContentFields
	// ExpiresAt is when the post expires or expired.
	ExpiresAt *time.Time `json:"expires_at"`
}

// ContentCanceledData is the data of content.canceled.
type ContentCanceledData struct {
	ContentFields
	Reason *Failure `json:"reason"`
}

// ContentCommentedData is the data of content.commented.
type ContentCommentedData struct {
	ContentFields

	CommentID string `json:"comment_id"`
	Text      string `json:"text"`
	// Part, Start and End are as those of a ReviewComment.
	Part  *int `json:"part"`
	Start *int `json:"start"`
	End   *int `json:"end"`
	// Author is the user, the API key or the review link.
	Author string `json:"author"`
}

func (c Content) event(t EventType, now time.Time) Event {
	e := Event{TenantID: c.TenantID, MissionID: c.MissionID, Type: t, CreatedAt: now}
	switch t {
	case EventContentPublished:
		e.Data = ContentPublishedData{
			ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, Type: c.Format,
			PlatformPostID: c.PlatformPostID, PlatformURL: c.PlatformURL, PublishedAt: c.PublishedAt,
		}
	case EventReviewRequested, EventContentExpiring, EventContentExpired, EventContentReopened:
		e.Data = ContentWaitingData{ContentFields: c.eventFields(), ExpiresAt: c.ExpiresAt}
	case EventContentCanceled:
		e.Data = ContentCanceledData{ContentFields: c.eventFields(), Reason: c.Error}
	case EventContentApproved, EventContentRejected:
		e.Data = ContentEventData{ContentFields: c.eventFields(), Error: c.Error, ReviewedBy: c.ReviewedBy}
	default:
		e.Data = ContentEventData{ContentFields: c.eventFields(), Error: c.Error}
	}
	return e
}

func (c Content) eventFields() ContentFields {
	var jobID *string
	if c.JobID != "" {
		jobID = &c.JobID
	}
	return ContentFields{
		ContentID: c.ID, MissionID: c.MissionID, JobID: jobID, Platform: c.Platform, Type: c.Format,
		Revision: c.Revision, ScheduledAt: c.ScheduledAt,
	}
}

// StageCompletedData is the data of pipeline.stage_completed.
type StageCompletedData struct {
	JobID      string    `json:"job_id"`
	MissionID  string    `json:"mission_id"`
	Cycle      int       `json:"cycle"`
	Stage      StageName `json:"stage"`
	DurationMS int64     `json:"duration_ms"`
	// Note says why a stage ended before it was complete, or is a remark on how
	// it was done; null otherwise.
	Note *Failure `json:"note"`
}

// JobCompletedData is the data of pipeline.job_completed.
type JobCompletedData struct {
	JobID          string `json:"job_id"`
	MissionID      string `json:"mission_id"`
	Cycle          int    `json:"cycle"`
	ContentPlanned int    `json:"content_planned"`
	ContentWritten int    `json:"content_written"`
	CostCents      int64  `json:"cost_cents"`
}

// JobFailedData is the data of pipeline.job_failed (interface, section 6).
type JobFailedData struct {
	JobID       string    `json:"job_id"`
	MissionID   string    `json:"mission_id"`
	FailedStage StageName `json:"failed_stage"`
	Error       Failure   `json:"error"`
	Attempts    int       `json:"attempts"`
}
