package mastodon

import (
	"context"
	"net/http"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Measure reads the statuses' counters in one call or, from a server older than
// Mastodon 4.3, with a call for each.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	requested := map[string]mission.Content{}
	var ids []string
	for _, post := range posts {
		if id := post.PlatformPostID; id != nil && *id != "" {
			requested[*id], ids = post, append(ids, *id)
		}
	}
	measured := map[string]mission.Metrics{}
	if len(ids) == 0 {
		return measured, nil
	}
	statuses, err := a.statuses(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	for _, s := range statuses {
		if post, ok := requested[s.ID]; ok {
			measured[post.ID] = s.metrics(post.Format == mission.FormatThread)
		}
	}
	return measured, nil
}

// statuses returns those statuses of the ids that the server has.
func (a *Adapter) statuses(ctx context.Context, c mission.Credentials, ids []string) ([]status, error) {
	response, err := a.do(ctx, c, call{method: http.MethodGet, path: "/api/v1/statuses", query: url.Values{"id[]": ids}})
	switch response.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusBadRequest:
		return a.oneByOne(ctx, c, ids)
	}
	if err != nil {
		return nil, err
	}
	var found []status
	if err := response.JSON(&found); err != nil {
		return nil, err
	}
	return found, nil
}

// oneByOne returns the same with a call for each.
func (a *Adapter) oneByOne(ctx context.Context, c mission.Credentials, ids []string) ([]status, error) {
	var found []status
	for _, id := range ids {
		response, err := a.do(ctx, c, call{method: http.MethodGet, path: "/api/v1/statuses/" + url.PathEscape(id)})
		if gone(response) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var s status
		if err := response.JSON(&s); err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	return found, nil
}

// gone reports whether the server says that it has no such status; the page of
// somebody else who took over its address doesn't count.
func gone(a publisher.Response) bool {
	return (a.Status == http.StatusNotFound || a.Status == http.StatusGone) && serverMessage(a) != ""
}

// metrics returns the figures of a status; a thread's own second part is one of the
// replies to its first.
func (s status) metrics(thread bool) mission.Metrics {
	m := mission.Metrics{}
	if s.Favourites != nil {
		m[mission.Likes] = *s.Favourites
	}
	if s.Replies != nil {
		m[mission.Comments] = *s.Replies
		if thread {
			m[mission.Comments] = max(*s.Replies-1, 0)
		}
	}
	if s.Reblogs != nil {
		m[mission.Shares] = *s.Reblogs
		if s.Quotes != nil {
			m[mission.Shares] += *s.Quotes
		}
	}
	return m
}
