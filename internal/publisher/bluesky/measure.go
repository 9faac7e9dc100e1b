package bluesky

import (
	"context"
	"net/url"

	"missiond/mission"
)

// view is a post in the network's index.
type view struct {
	URI    string `json:"uri"`
	Record *struct {
		Text string `json:"text"`
	} `json:"record"`
	Likes   *float64 `json:"likeCount"`
	Replies *float64 `json:"replyCount"`
	Reposts *float64 `json:"repostCount"`
	Quotes  *float64 `json:"quoteCount"`
}

// Measure reads the posts' counters, which the account's server requests from the
// network's index.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	requested := map[string]mission.Content{}
	var uris []string
	for _, post := range posts {
		if id := post.PlatformPostID; id != nil && *id != "" {
			requested[*id], uris = post, append(uris, *id)
		}
	}
	measured := map[string]mission.Metrics{}
	if len(uris) == 0 {
		return measured, nil
	}
	views, err := a.views(ctx, c, uris)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if post, ok := requested[v.URI]; ok {
			measured[post.ID] = v.metrics(post.Format == mission.FormatThread)
		}
	}
	return measured, nil
}

// views returns those of the posts that the network's index has.
func (a *Adapter) views(ctx context.Context, c mission.Credentials, uris []string) ([]view, error) {
	response, err := a.do(ctx, call{method: "app.bsky.feed.getPosts", query: url.Values{"uris": uris}}.with(c))
	if err != nil {
		return nil, err
	}
	var found struct {
		Posts []view `json:"posts"`
	}
	if err := response.JSON(&found); err != nil {
		return nil, err
	}
	if found.Posts == nil {
		return nil, response.Malformed()
	}
	return found.Posts, nil
}

// metrics returns the figures of a post; a thread's own second part is one of the
// replies to its first.
func (v view) metrics(thread bool) mission.Metrics {
	m := mission.Metrics{}
	if v.Likes != nil {
		m[mission.Likes] = *v.Likes
	}
	if v.Replies != nil {
		m[mission.Comments] = *v.Replies
		if thread {
			m[mission.Comments] = max(*v.Replies-1, 0)
		}
	}
	if v.Reposts != nil {
		m[mission.Shares] = *v.Reposts
		if v.Quotes != nil {
			m[mission.Shares] += *v.Quotes
		}
	}
	return m
}
