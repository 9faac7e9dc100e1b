package rest

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagReplies tag = "Replies"

// routeReplies registers the routes of what people reply to posts.
func (a *API) routeReplies() {
	handle(a, tagReplies.get(mission.OpRepliesList, "/v1/replies", "List the replies to posts"), a.listReplies)
	handle(a, tagReplies.get(mission.OpRepliesRead, "/v1/replies/{id}", "Read a reply"), a.readReply)
	handle(a, tagReplies.get(mission.OpRepliesWhy, "/v1/replies/{id}/why", "Read why an answer hasn't gone out"), a.replyWhy)
	handleBody(a, tagReplies.post(mission.OpRepliesAnswer, "/v1/replies/{id}/answer", "Answer a reply").
		withExample(`{"text":"It does, from version 2.0 on."}`), a.answerReply)
	handle(a, tagReplies.post(mission.OpRepliesHide, "/v1/replies/{id}/hide", "Hide a reply on its platform"), a.hideReply)
	handle(a, tagReplies.post(mission.OpRepliesDone, "/v1/replies/{id}/done", "Set a reply aside"), a.markReplyDone)
	handle(a, tagReplies.post(mission.OpRepliesReopen, "/v1/replies/{id}/reopen", "Have a reply be new again"), a.reopenReply)
}

type replyListParams struct {
	Paging

	MissionID     string              `query:"mission_id" doc:"Only replies to this mission's posts" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	ContentID     string              `query:"content_id" doc:"Only replies to this post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	Platform      mission.Platform    `query:"platform" doc:"Only replies on this platform" example:"mastodon"`
	IntegrationID string              `query:"integration_id" doc:"Only replies to this account's posts" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Status        mission.ReplyStatus `query:"status" doc:"Only replies in this state" example:"new"`
}

func (in *replyListParams) filter() store.ReplyFilter {
	return store.ReplyFilter{MissionID: in.MissionID, ContentID: in.ContentID, Platform: in.Platform, IntegrationID: in.IntegrationID, Status: in.Status}
}

type shownReplyAuthor struct {
	Handle *string `json:"handle" doc:"The handle, without a leading @; null if the platform doesn't tell it" example:"grace@social.example"`
	Name   *string `json:"name" doc:"What they call themselves; null if the platform doesn't tell it" example:"Grace"`
	URL    *string `json:"url" doc:"Where they are to be seen; null if that isn't known" example:"https://social.example/@grace"`
}

type shownAnswer struct {
	Text        string                    `json:"text" doc:"What is sent" example:"@grace@social.example It does, from version 2.0 on."`
	Status      mission.CommentStatus     `json:"status" doc:"What became of it; unknown: the platform never responded" example:"published"`
	By          string                    `json:"by" doc:"The user or the API key that gave it" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	At          time.Time                 `json:"at" doc:"When it was given"`
	PublishedAt *time.Time                `json:"published_at" doc:"When it was published; null until then"`
	URL         *string                   `json:"platform_url" doc:"Where it is to be seen; null until it is published" example:"https://social.example/@acme/113"`
	Error       nullable[mission.Failure] `json:"error" doc:"Why it failed, or why its outcome is unknown; null otherwise"`
}

type shownHiding struct {
	By    string                    `json:"by" doc:"The user or the API key that asked for it" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	At    time.Time                 `json:"at" doc:"When that was"`
	Done  bool                      `json:"done" doc:"Whether the platform has hidden it" example:"true"`
	Error nullable[mission.Failure] `json:"error" doc:"Why the platform doesn't hide it; null otherwise"`
}

type shownReply struct {
	ID            string                `json:"id" doc:"Its id" example:"rpl_01jnd2x6k8e4rvt0m7y3bqz5cq"`
	MissionID     string                `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	ContentID     string                `json:"content_id" doc:"The post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	Platform      mission.Platform      `json:"platform" doc:"The platform" example:"mastodon"`
	IntegrationID *string               `json:"integration_id" doc:"The account that published the post; null in the sandbox" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Status        mission.ReplyStatus   `json:"status" doc:"new: nobody has done anything about it; answered: it is, or is being answered; done: a person has set it aside; hidden: on its platform; deleted: its platform shows it no longer" example:"new"`
	Actions       []mission.ReplyAction `json:"allowed_actions" doc:"What can be done about it now" example:"answer,mark_done"`
	PlatformID    string                `json:"platform_reply_id" doc:"The platform's id of it" example:"113502938475"`
	ParentID      *string               `json:"platform_parent_id" doc:"The platform's id of what it replies to: a part of the post or another reply; null if that isn't known" example:"113502938001"`
	Author        shownReplyAuthor      `json:"author" doc:"Who wrote it, as the platform shows them: a stranger's words"`
	Text          string                `json:"text" doc:"What it says, as plain text: a stranger's words; empty if it was deleted" example:"Does it work offline too?"`
	URL           *string               `json:"platform_url" doc:"Where it is to be seen; null if that isn't known" example:"https://social.example/@grace/113502938475"`
	PublishedAt   *time.Time            `json:"published_at" doc:"When it was written; null if the platform doesn't tell"`
	ReceivedAt    time.Time             `json:"received_at" doc:"When it was first seen"`
	ChangedAt     *time.Time            `json:"changed_at" doc:"When its text was last found to be another; null if never"`
	Answer        nullable[shownAnswer] `json:"answer" doc:"What was answered; null if nothing was"`
	Hiding        nullable[shownHiding] `json:"hiding" doc:"What became of a request to hide it; null if there was none"`
	HandledBy     *string               `json:"handled_by" doc:"The user or the API key that set it aside; null if nobody did" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	ExpiresAt     time.Time             `json:"expires_at" doc:"When it is removed here"`
	UpdatedAt     time.Time             `json:"updated_at" doc:"When it was last changed here"`
}

func showReply(r mission.Reply) shownReply {
	f := r.Found
	shown := shownReply{
		ID: r.ID, MissionID: r.MissionID, ContentID: r.ContentID, Platform: r.Platform, IntegrationID: orNull(r.IntegrationID), Status: r.Status,
		Actions: r.Actions(), PlatformID: f.ID, ParentID: orNull(f.ParentID), Text: f.Text, URL: orNull(f.URL),
		Author:     shownReplyAuthor{Handle: orNull(f.Author.Handle), Name: orNull(f.Author.Name), URL: orNull(f.Author.URL)},
		ReceivedAt: r.ReceivedAt, ChangedAt: r.ChangedAt, HandledBy: orNull(r.HandledBy), ExpiresAt: r.ExpiresAt, UpdatedAt: r.UpdatedAt,
	}
	if !f.PublishedAt.IsZero() {
		shown.PublishedAt = &f.PublishedAt
	}
	if a := r.Answer; a != nil {
		shown.Answer.value = &shownAnswer{Text: a.Text, Status: a.Status, By: a.By, At: a.At, URL: a.URL(), Error: nullable[mission.Failure]{a.Error}}
		if a.Publication != nil {
			shown.Answer.value.PublishedAt = &a.Publication.PublishedAt
		}
	}
	if h := r.Hiding; h != nil {
		shown.Hiding.value = &shownHiding{By: h.By, At: h.At, Done: h.Done, Error: nullable[mission.Failure]{h.Error}}
	}
	return shown
}

// countedPageShownReply is a page whose total is null if it is too great.
type countedPageShownReply struct {
	Data    []shownReply `json:"data"`
	HasMore bool         `json:"has_more" doc:"Whether there are more" example:"false"`
	Total   *int         `json:"total" doc:"How many replies match the filter; null if they are more than 10000" example:"1"`
}

func (a *API) listReplies(ctx context.Context, p mission.Principal, in *replyListParams) (countedPageShownReply, error) {
	list, err := a.missions.Replies(ctx, p, in.filter(), in.page())
	shown, err := counted(list, err, func() (int, error) { return a.missions.CountReplies(ctx, p, in.filter()) }, showReply)
	result := countedPageShownReply{Data: shown.Data, HasMore: shown.HasMore, Total: &shown.Total}
	if shown.Total == store.Uncounted {
		result.Total = nil
	}
	return result, err
}

// ReplyPath has the parameters of a reply's routes.
type ReplyPath struct {
	ID string `path:"id" doc:"The reply's id" example:"rpl_01jd0000000000000000000000"`
}

func (a *API) readReply(ctx context.Context, p mission.Principal, in *ReplyPath) (shownReply, error) {
	return showingReply(a.missions.Reply(ctx, p, in.ID))
}

func showingReply(r mission.Reply, err error) (shownReply, error) {
	if err != nil {
		return shownReply{}, err
	}
	return showReply(r), nil
}

type replyParams struct {
	ReplyPath
	RawText
}

func (a *API) answerReply(ctx context.Context, p mission.Principal, in *replyParams, body mission.AnswerInput) (shownReply, error) {
	return showingReply(a.missions.AnswerReply(ctx, p, in.ID, body.Text))
}

func (a *API) hideReply(ctx context.Context, p mission.Principal, in *ReplyPath) (shownReply, error) {
	return showingReply(a.missions.HideReply(ctx, p, in.ID))
}

func (a *API) markReplyDone(ctx context.Context, p mission.Principal, in *ReplyPath) (shownReply, error) {
	return showingReply(a.missions.SetReplyAside(ctx, p, in.ID, true))
}

func (a *API) reopenReply(ctx context.Context, p mission.Principal, in *ReplyPath) (shownReply, error) {
	return showingReply(a.missions.SetReplyAside(ctx, p, in.ID, false))
}
