package meta

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	"missiond/internal/publisher"
	"missiond/mission"
)

// replyPage is how many replies one call lists.
const replyPage = 100

// Answers is what lists what people said of a post on a platform.
type Answers[T any] struct {
	// Edge is that of a post which lists them, with Fields.
	Edge, Fields string
	// Filter says which of them are listed, where that can be chosen.
	Filter string
	// Read returns the replies that an item of the list is; whole is false if it may have more.
	Read func(item T, post string) (found []mission.FoundReply, whole bool)
}

// Replies returns a page of the replies to a post.
func Replies[T any](ctx context.Context, a API, c mission.Credentials, q mission.ReplyQuery, of Answers[T]) (mission.ReplyPage, error) {
	if q.Post.PlatformPostID == nil || !IsID(*q.Post.PlatformPostID) {
		return mission.ReplyPage{}, nil
	}
	post := *q.Post.PlatformPostID
	query := url.Values{"fields": {of.Fields}, "limit": {strconv.Itoa(replyPage)}}
	if of.Filter != "" {
		query.Set("filter", of.Filter)
	}
	if q.Cursor != "" {
		query.Set("after", q.Cursor)
	}
	var list List[T]
	err := a.Get(ctx, c, "/"+post+"/"+of.Edge, query, &list)
	switch {
	case Missing(err):
		return mission.ReplyPage{}, nil
	case Permission(err): // other calls may still be allowed
		e, _ := ErrorOf(err)
		return mission.ReplyPage{}, publisher.Response{}.Refused(publisher.CodeRefused, "The platform doesn't show the account the replies", e.words())
	case err != nil:
		return mission.ReplyPage{}, err
	}
	page := mission.ReplyPage{Whole: true}
	for _, each := range list.Data {
		found, whole := of.Read(each, post)
		page.Replies, page.Whole = append(page.Replies, found...), page.Whole && whole
	}
	if list.Paging.Next != "" {
		page.Cursor = list.Paging.Cursors.After
		page.Whole = page.Whole && page.Cursor != ""
	}
	return page, nil
}

// Answered reports whether a part is an answer to a comment, and returns the comment that it is added to:
// the one above it, which the platform says has replies, or the comment itself.
func Answered(p mission.Part) (comment string, ok bool) {
	if p.Root == nil || p.Parent == nil || p.Parent.PostID == p.Root.PostID {
		return "", false
	}
	comment = cmp.Or(p.Parent.Hash, p.Parent.PostID)
	return comment, IsID(comment)
}

// Hide hides a reply by a field that is sent to a path below it; one that is gone is hidden. Errors: as
// [publisher.Hider]'s.
func (a API) Hide(ctx context.Context, c mission.Credentials, id, path, field string) error {
	if !IsID(id) {
		return publisher.Response{}.Refused(publisher.CodeRefused, "The platform has no such reply", "")
	}
	var done struct {
		Success bool `json:"success"`
	}
	err := a.Post(ctx, c, "/"+id+path, url.Values{field: {"true"}}, &done)
	switch {
	case Missing(err):
		return nil
	case Permission(err):
		e, _ := ErrorOf(err)
		return publisher.Response{}.Refused(publisher.CodeRefused, "The platform doesn't let the account hide the reply", e.words())
	case err != nil:
		return err
	case !done.Success:
		return publisher.Response{}.Malformed()
	}
	return nil
}
