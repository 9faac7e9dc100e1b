package x

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/mission"
)

// privateFor is how long X shows a post's author its private figures.
const privateFor = 30 * 24 * time.Hour

// figures are X's figures of a post.
type figures struct {
	ID     string `json:"id"`
	Public *struct {
		Impressions *float64 `json:"impression_count"`
		Likes       *float64 `json:"like_count"`
		Replies     *float64 `json:"reply_count"`
		Retweets    *float64 `json:"retweet_count"`
		Quotes      *float64 `json:"quote_count"`
	} `json:"public_metrics"`
	Private *struct {
		Links    *float64 `json:"url_link_clicks"`
		Profiles *float64 `json:"user_profile_clicks"`
	} `json:"non_public_metrics"`
}

// Measure implements [publisher.Adapter]. Posts older than 30 days are requested
// separately: X returns an error for each whose private figures are requested.
// Their clicks are absent.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	var recent, old []mission.Content
	for _, p := range posts {
		switch {
		case p.PlatformPostID == nil || !isID(*p.PlatformPostID):
			// A single invalid id would make X reject the whole call.
		case p.PublishedAt != nil && a.client.Now().Sub(*p.PublishedAt) <= privateFor:
			recent = append(recent, p)
		default:
			old = append(old, p)
		}
	}
	measured := map[string]mission.Metrics{}
	if err := a.measure(ctx, c, recent, "public_metrics,non_public_metrics,created_at", measured); err != nil {
		return nil, err
	}
	return measured, a.measure(ctx, c, old, "public_metrics,created_at", measured)
}

// measure adds posts' metrics. Posts that X no longer has are among the response's
// errors, beside the others' data.
func (a *Adapter) measure(
	ctx context.Context, c mission.Credentials, posts []mission.Content, fields string,
	into map[string]mission.Metrics,
) error {
	if len(posts) == 0 {
		return nil
	}
	requested := map[string]mission.Content{}
	names := make([]string, len(posts))
	for i, p := range posts {
		names[i] = *p.PlatformPostID
		requested[names[i]] = p
	}
	query := url.Values{"ids": {strings.Join(names, ",")}, "tweet.fields": {fields}}
	response, err := a.call(ctx, c, http.MethodGet, "/2/tweets", query, nil)
	if err != nil {
		return err
	}
	var found struct {
		Data []figures `json:"data"`
	}
	if err := response.JSON(&found); err != nil {
		return err
	}
	for _, f := range found.Data {
		if p, ok := requested[f.ID]; ok {
			into[p.ID] = f.metrics(p)
		}
	}
	return nil
}

// metrics returns the figures of a content's first part. Its own second part is a
// reply too, but not a reader's.
func (f figures) metrics(c mission.Content) mission.Metrics {
	m := mission.Metrics{}
	if p := f.Public; p != nil {
		set(m, mission.Impressions, p.Impressions)
		set(m, mission.Likes, p.Likes)
		set(m, mission.Comments, p.Replies)
		set(m, mission.Shares, p.Retweets, p.Quotes)
	}
	if replies, ok := m[mission.Comments]; ok && c.Format == mission.FormatThread {
		m[mission.Comments] = max(0, replies-1)
	}
	if p := f.Private; p != nil {
		set(m, mission.LinkClicks, p.Links)
		set(m, mission.Clicks, p.Links, p.Profiles)
	}
	return m
}

// set sets a metric to a sum, unless one of its figures is missing.
func set(m mission.Metrics, metric mission.Metric, figures ...*float64) {
	sum := 0.0
	for _, f := range figures {
		if f == nil {
			return
		}
		sum += *f
	}
	m[metric] = sum
}
