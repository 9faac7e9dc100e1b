package rest

import (
	"context"
	"time"

	"missiond/mission"
)

// routeComments registers the routes of what reviewers say about posts.
func (a *API) routeComments() {
	handleBody(a, tagContent.post(mission.OpContentComment, "/v1/content/{id}/comments", "Comment on a post").created().
		withExample(`{"text":"Can we name the price?"}`), a.commentContent)
	handle(a, tagContent.get(mission.OpContentComments, "/v1/content/{id}/comments", "List a post's comments"), a.listComments)
}

type shownReviewComment struct {
	ID         string    `json:"id" doc:"Its id" example:"cmt_01jnd2x6k8e4rvt0m7y3bqz5cm"`
	ContentID  string    `json:"content_id" doc:"The post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	Revision   int       `json:"revision" doc:"The post's revision when the comment was made" example:"1"`
	Text       string    `json:"text" doc:"What it says" example:"Can we name the price?"`
	Part       *int      `json:"part" doc:"The index of the part that it is about, from 0; null for the whole post" example:"0"`
	Start      *int      `json:"start" doc:"The first character that it is about, counted from 0, of the part or of the post's text; null for all" example:"0"`
	End        *int      `json:"end" doc:"The character before which that ends; null for all" example:"11"`
	Author     string    `json:"author" doc:"The user, the API key or the review link that made it" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	AuthorName *string   `json:"author_name" doc:"What the author is called now; null if that isn't known, or the user was removed" example:"Ada Example"`
	CreatedAt  time.Time `json:"created_at" doc:"When it was made"`
}

func showReviewComment(c mission.ReviewComment) shownReviewComment {
	return shownReviewComment{
		ID: c.ID, ContentID: c.ContentID, Revision: c.Revision, Text: c.Text, Part: c.Part, Start: c.Start, End: c.End,
		Author: c.AuthorID, AuthorName: orNull(c.AuthorName), CreatedAt: c.CreatedAt,
	}
}

func (a *API) commentContent(ctx context.Context, p mission.Principal, in *contentParams, body mission.ReviewCommentInput) (shownReviewComment, error) {
	c, err := a.missions.CommentContent(ctx, p, in.ID, body)
	return showReviewComment(c), err
}

type commentListParams struct {
	ContentPath
	Paging
}

func (a *API) listComments(ctx context.Context, p mission.Principal, in *commentListParams) (page[shownReviewComment], error) {
	list, err := a.missions.ReviewComments(ctx, p, in.ID, in.page())
	return pageOf(list, list.Total, showReviewComment), namingCursor(err)
}
