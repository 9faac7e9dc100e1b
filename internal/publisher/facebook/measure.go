package facebook

import (
	"context"
	"net/url"
	"strings"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// figures are the names of the insights of a post. Those about impressions ended in 2025.
var figures = meta.Figures{
	mission.Views: {"post_media_view"}, mission.Reach: {"post_total_media_view_unique"}, mission.Clicks: {"post_clicks"},
}

// countFields are the fields of a post that count what it got.
const countFields = "reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count),shares"

// Measure implements [publisher.Adapter]. A video has figures as the post that shows it, once Facebook
// has processed it.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	measured := map[string]mission.Metrics{}
	for _, p := range posts {
		if p.PlatformPostID == nil || !meta.IsID(*p.PlatformPostID) {
			continue
		}
		id := *p.PlatformPostID
		if !strings.Contains(id, "_") {
			post, err := a.postOf(ctx, c, id)
			switch {
			case meta.Missing(err):
				continue
			case meta.Invalid(err) || err == nil && post == "":
				measured[p.ID] = mission.Metrics{}
				continue
			case err != nil:
				return measured, err
			}
			id = c.AccountID + "_" + post
		}
		p.PlatformPostID = &id
		got, err := a.api.Measure(ctx, c, []mission.Content{p}, figures, func(ctx context.Context, id string, m mission.Metrics) error {
			return a.count(ctx, c, id, m)
		})
		if err != nil {
			return measured, err
		}
		if m, ok := got[p.ID]; ok {
			measured[p.ID] = m
		}
	}
	return measured, nil
}

// postOf returns the number of the post that shows a video; "" while there is none.
func (a *Adapter) postOf(ctx context.Context, c mission.Credentials, video string) (string, error) {
	var v struct {
		PostID string `json:"post_id"`
	}
	err := a.api.Get(ctx, c, "/"+video, url.Values{"fields": {"post_id"}}, &v)
	if err == nil && v.PostID != "" && !meta.IsID(v.PostID) {
		err = publisher.Response{}.Malformed()
	}
	return v.PostID, err
}

// total is a list of which only the length is asked for.
type total struct {
	Summary struct {
		Count *float64 `json:"total_count"`
	} `json:"summary"`
}

// count adds to metrics what a post got. A post that nobody shared has no shares in the response.
func (a *Adapter) count(ctx context.Context, c mission.Credentials, id string, m mission.Metrics) error {
	var post struct {
		Reactions total `json:"reactions"`
		Comments  total `json:"comments"`
		Shares    *struct {
			Count *float64 `json:"count"`
		} `json:"shares"`
	}
	if err := a.api.Get(ctx, c, "/"+id, url.Values{"fields": {countFields}}, &post); err != nil {
		return err
	}
	for metric, number := range map[mission.Metric]*float64{mission.Likes: post.Reactions.Summary.Count, mission.Comments: post.Comments.Summary.Count} {
		if n := publisher.Whole(number); n != nil {
			m[metric] = float64(*n)
		}
	}
	if post.Shares != nil {
		if n := publisher.Whole(post.Shares.Count); n != nil {
			m[mission.Shares] = float64(*n)
		}
	}
	return nil
}
