package rest

import (
	"context"
	"net/http"
	"time"

	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

const tagContent = "Content"

// contents registers the routes of posts (decisions, "Content").
func (a *API) contents() {
	handle(a, route{operation: mission.OpContentList, method: http.MethodGet, path: "/v1/content", status: http.StatusOK, summary: "List posts", tag: tagContent}, a.listContents)
	handle(a, route{operation: mission.OpContentRead, method: http.MethodGet, path: "/v1/content/{id}", status: http.StatusOK, summary: "Read a post", tag: tagContent}, a.readContent)
	handleBody(a, route{operation: mission.OpContentEdit, method: http.MethodPut, path: "/v1/content/{id}", status: http.StatusOK, summary: "Edit a post's text", tag: tagContent}, a.editContent)
	handle(a, route{operation: mission.OpContentRevisions, method: http.MethodGet, path: "/v1/content/{id}/revisions", status: http.StatusOK, summary: "List a post's revisions", tag: tagContent}, a.listRevisions)
	handleBody(a, route{operation: mission.OpContentApprove, method: http.MethodPost, path: "/v1/content/{id}/approve", status: http.StatusOK, summary: "Approve a post", tag: tagContent, bodyOptional: true}, a.approveContent)
	handleBody(a, route{operation: mission.OpContentReject, method: http.MethodPost, path: "/v1/content/{id}/reject", status: http.StatusOK, summary: "Reject a post", tag: tagContent, bodyOptional: true}, a.rejectContent)
	handleBody(a, route{operation: mission.OpContentRegenerate, method: http.MethodPost, path: "/v1/content/{id}/regenerate", status: http.StatusOK, summary: "Have a post rewritten", tag: tagContent, bodyOptional: true}, a.regenerateContent)
}

// ContentPath holds the parameters of a post's routes.
type ContentPath struct {
	ID string `path:"id" doc:"The post's id" example:"cnt_01jd0000000000000000000000"`
}

type contentListParams struct {
	Paging

	MissionID string                `query:"mission_id" doc:"Only posts of this mission"`
	Status    mission.ContentStatus `query:"status" enum:"pending_review,approved,scheduled,publishing,published,unknown,rejected,failed,expired,canceled" doc:"Only posts in this state"`
	Platform  mission.Platform      `query:"platform" doc:"Only posts on this platform"`
}

type shownContent struct {
	ID              string                    `json:"id"`
	MissionID       string                    `json:"mission_id"`
	JobID           string                    `json:"job_id"`
	Platform        mission.Platform          `json:"platform"`
	Type            mission.Format            `json:"type"`
	Status          mission.ContentStatus     `json:"status"`
	Text            string                    `json:"text" doc:"For a thread, its parts joined by blank lines"`
	Parts           []string                  `json:"parts" doc:"The parts of a thread, in order; otherwise empty"`
	Angle           mission.Angle             `json:"angle"`
	Revision        int                       `json:"revision"`
	ScheduledAt     *time.Time                `json:"scheduled_at"`
	PublishedAt     *time.Time                `json:"published_at"`
	PlatformPostID  *string                   `json:"platform_post_id"`
	PlatformURL     *string                   `json:"platform_url"`
	RejectionReason *string                   `json:"rejection_reason"`
	Error           nullable[mission.Failure] `json:"error" doc:"Why publishing failed, why its outcome is unknown, or why the post was canceled; otherwise null"`
	ExpiresAt       *time.Time                `json:"expires_at" doc:"When the post expires if nobody reviews it; null unless it is waiting for review"`
	CostCents       int64                     `json:"cost_cents" doc:"Rounded up"`
	Metrics         nullable[mission.Metrics] `json:"metrics" doc:"The latest figures; null before the first measurement"`
	CreatedAt       time.Time                 `json:"created_at"`
	UpdatedAt       time.Time                 `json:"updated_at"`
}

func showContent(c mission.Content) shownContent {
	var metrics *mission.Metrics
	if c.MeasuredAt != nil {
		metrics = &c.Metrics
	}
	return shownContent{
		ID: c.ID, MissionID: c.MissionID, JobID: c.JobID, Platform: c.Platform, Type: c.Format, Status: c.Status,
		Text: c.Text, Parts: c.Parts, Angle: c.Angle, Revision: c.Revision, ScheduledAt: c.ScheduledAt, PublishedAt: c.PublishedAt,
		PlatformPostID: c.PlatformPostID, PlatformURL: c.PlatformURL, RejectionReason: c.RejectionReason, Error: nullable[mission.Failure]{c.Error}, ExpiresAt: c.ExpiresAt,
		CostCents: c.Cost.Cents(), Metrics: nullable[mission.Metrics]{metrics}, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}

// shown returns a post as shown, or passes an error on.
func shown(c mission.Content, err error) (shownContent, error) { return showContent(c), err }

func (a *API) listContents(ctx context.Context, p mission.Principal, in *contentListParams) (page[shownContent], error) {
	none := page[shownContent]{}
	filter := store.ContentFilter{MissionID: in.MissionID, Status: in.Status, Platform: in.Platform}
	if err := a.service.CheckContentFilter(ctx, p, filter); err != nil {
		return none, err
	}
	list, more, err := a.service.Contents(ctx, p, filter, in.page())
	if err != nil {
		return none, namingCursor(err)
	}
	total, err := a.service.CountContents(ctx, p, filter)
	return pageOf(list, more, total, showContent), err
}

func (a *API) readContent(ctx context.Context, p mission.Principal, in *ContentPath) (shownContent, error) {
	return shown(a.service.Content(ctx, p, in.ID))
}

type contentParams struct {
	ContentPath
	RawText
}

type editBody struct {
	Text  *string  `json:"text,omitempty" doc:"The text; for a thread, it is split into parts at the ends of sentences"`
	Parts []string `json:"parts,omitempty" doc:"The parts of a thread, instead of a text"`
}

func (a *API) editContent(ctx context.Context, p mission.Principal, in *contentParams, body editBody) (shownContent, error) {
	return shown(a.service.EditContent(ctx, p, in.ID, service.EditInput{Text: body.Text, Parts: body.Parts}))
}

type approveBody struct {
	Revision *int `json:"revision,omitempty" doc:"The revision that was reviewed; if the post has another one now, the error is conflict"`
}

func (a *API) approveContent(ctx context.Context, p mission.Principal, in *contentParams, body approveBody) (shownContent, error) {
	return shown(a.service.ApproveContent(ctx, p, in.ID, body.Revision))
}

type rejectBody struct {
	Reason   *string `json:"reason,omitempty" doc:"The reason, for whoever rewrites it"`
	Revision *int    `json:"revision,omitempty" doc:"The revision that was reviewed; if the post has another one now, the error is conflict"`
}

func (a *API) rejectContent(ctx context.Context, p mission.Principal, in *contentParams, body rejectBody) (shownContent, error) {
	return shown(a.service.RejectContent(ctx, p, in.ID, text(body.Reason), body.Revision))
}

// text returns "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type regenerateBody struct {
	Instructions *string `json:"instructions,omitempty" doc:"Instructions for the writer"`
}

func (a *API) regenerateContent(ctx context.Context, p mission.Principal, in *contentParams, body regenerateBody) (shownContent, error) {
	return shown(a.service.RegenerateContent(ctx, p, in.ID, text(body.Instructions)))
}

type shownVerdict struct {
	Passed        bool    `json:"passed"`
	ExcludedTopic *string `json:"excluded_topic" doc:"The first excluded topic that the text mentions"`
	TopicsChecked int     `json:"topics_checked"`
}

type shownRevision struct {
	Revision        int                   `json:"revision"`
	Type            mission.Format        `json:"type"`
	Text            string                `json:"text"`
	Parts           []string              `json:"parts"`
	AuthorID        *string               `json:"author_id" doc:"The user who wrote it; null if the service's writer did"`
	Instructions    *string               `json:"instructions" doc:"The instructions given to the writer"`
	Verdict         shownVerdict          `json:"verdict"`
	Status          mission.ContentStatus `json:"status" doc:"Its outcome; for the current revision, the post's state"`
	RejectionReason *string               `json:"rejection_reason"`
	ReviewedBy      *string               `json:"reviewed_by"`
	ReviewedAt      *time.Time            `json:"reviewed_at"`
}

func showRevision(r mission.Revision) shownRevision {
	return shownRevision{
		Revision: r.Revision, Type: r.Format, Text: r.Text, Parts: r.Parts, AuthorID: orNull(r.AuthorID), Instructions: orNull(r.Instructions),
		Verdict: shownVerdict{Passed: r.Verdict.Passed(), ExcludedTopic: orNull(r.Verdict.ExcludedTopic), TopicsChecked: r.Verdict.TopicsChecked},
		Status:  r.Status, RejectionReason: r.RejectionReason, ReviewedBy: orNull(r.ReviewedBy), ReviewedAt: r.ReviewedAt,
	}
}

func (a *API) listRevisions(ctx context.Context, p mission.Principal, in *ContentPath) (page[shownRevision], error) {
	list, err := a.service.Revisions(ctx, p, in.ID)
	return pageOf(list, false, len(list), showRevision), err
}
