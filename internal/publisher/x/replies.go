package x

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

var (
	_ publisher.Replier = (*Adapter)(nil)
	_ publisher.Hider   = (*Adapter)(nil)
)

const (
	// mostFound is how many posts a search may ask for; the least is LeastRead of the capabilities.
	mostFound = 100
	// searched is how far back the recent search goes, less a margin.
	searched = 7*24*time.Hour - time.Hour
)

// foundPost is a post that a search found.
type foundPost struct {
	post

	AuthorID  string    `json:"author_id"`
	CreatedAt time.Time `json:"created_at"`
}

// Replies implements [publisher.Replier] by a search of the post's conversation
// (docs.x.com, "Search recent Posts"), which has what was written in the last seven days. X charges
// for each post that is found.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	if q.Post.PlatformPostID == nil || !isID(*q.Post.PlatformPostID) {
		return mission.ReplyPage{}, nil
	}
	query := url.Values{
		"query":        {"conversation_id:" + *q.Post.PlatformPostID + " is:reply -from:" + c.AccountID},
		"max_results":  {strconv.Itoa(min(q.Limit, mostFound))},
		"tweet.fields": {"author_id,created_at,entities,note_tweet,referenced_tweets"},
		"expansions":   {"author_id"}, "user.fields": {"name,username"},
	}
	if at, ok := madeAt(q.Since); ok && a.client.Now().Sub(at) < searched {
		query.Set("since_id", q.Since)
	}
	if q.Cursor != "" {
		query.Set("next_token", q.Cursor)
	}
	response, err := a.call(ctx, c, http.MethodGet, "/2/tweets/search/recent", query, nil)
	if err != nil {
		return mission.ReplyPage{}, err
	}
	var found struct {
		Data     []foundPost `json:"data"`
		Includes struct {
			Users []struct {
				ID       string `json:"id"`
				Name     string `json:"name"`
				Username string `json:"username"`
			} `json:"users"`
		} `json:"includes"`
		Meta *struct {
			Newest string `json:"newest_id"`
			Next   string `json:"next_token"`
		} `json:"meta"`
	}
	if err := response.JSON(&found); err != nil {
		return mission.ReplyPage{}, err
	}
	if found.Meta == nil {
		return mission.ReplyPage{}, response.Malformed()
	}
	authors := map[string]mission.ReplyAuthor{}
	for _, u := range found.Includes.Users {
		authors[u.ID] = mission.ReplyAuthor{ID: u.ID, Handle: u.Username, Name: u.Name, URL: "https://x.com/" + url.PathEscape(u.Username)}
	}
	page := mission.ReplyPage{Cursor: found.Meta.Next, Mark: found.Meta.Newest, Charged: len(found.Data)}
	for _, p := range found.Data {
		if isID(p.ID) {
			page.Replies = append(page.Replies, mission.FoundReply{
				ID: p.ID, ParentID: p.parent(), Author: cmp.Or(authors[p.AuthorID], mission.ReplyAuthor{ID: p.AuthorID}), Text: p.shown(),
				URL: "https://x.com/i/status/" + p.ID, PublishedAt: p.CreatedAt.UTC(),
			})
		}
	}
	return page, nil
}

// madeAt returns when a post was made, by its id; ok is false if it has none.
func madeAt(id string) (at time.Time, ok bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return time.UnixMilli(n>>epochShift + epoch), err == nil && isID(id)
}

// Hide implements [publisher.Hider] (docs.x.com, "Hide reply"), with the scope tweet.moderate.write.
func (a *Adapter) Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error {
	if !isID(r.Found.ID) {
		return publisher.Response{}.Refused(publisher.CodeRefused, "The reply has no id", "")
	}
	response, err := a.do(ctx, c, http.MethodPut, "/2/tweets/"+r.Found.ID+"/hidden", nil, map[string]bool{"hidden": true})
	if err != nil {
		return err
	}
	switch {
	case response.Status == http.StatusNotFound: // it is gone
		return nil
	case !response.OK():
		return fail(response)
	}
	var done struct {
		Data struct {
			Hidden bool `json:"hidden"`
		} `json:"data"`
	}
	if err := response.JSON(&done); err != nil {
		return err
	}
	if !done.Data.Hidden {
		return emptyHanded(response)
	}
	return nil
}
