package xtest

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/mission"
)

// timeline shows the latest posts. The caller holds the lock.
func (s *Stub) timeline(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("max_results"))
	if err != nil || limit < 5 || limit > 100 || q.Get("exclude") != "retweets" {
		invalid(w, "The `max_results` query parameter value is not between 5 and 100")
		return
	}
	var start time.Time
	if text := q.Get("start_time"); text != "" {
		if start, err = time.Parse("2006-01-02T15:04:05Z", text); err != nil || start.After(s.Now()) {
			invalid(w, "Invalid 'start_time'")
			return
		}
	}
	data, more := []any{}, false
	for _, p := range slices.Backward(s.posts) {
		if p.unseen > 0 && s.Now().Sub(p.at) < 30*time.Minute {
			p.unseen--
			continue
		}
		if p.deleted || s.Hidden || p.at.Before(start) || p.by != "" {
			continue
		}
		if more = len(data) == limit; more {
			break
		}
		shown := s.written(p)
		shown["id"], shown["edit_history_tweet_ids"] = p.ID, []string{p.ID}
		if p.Parent != "" {
			shown["referenced_tweets"] = []any{map[string]string{"type": "replied_to", "id": p.Parent}}
		}
		data = append(data, shown)
	}
	meta := map[string]any{"result_count": len(data)}
	if more {
		meta["next_token"] = "7140dibdnow9c7btw4827c3yb0pfg7mg4qq14d7hk"
	}
	response := map[string]any{"meta": meta}
	if len(data) > 0 {
		response["data"] = data
	}
	send(w, http.StatusOK, response)
}

// lookup shows posts with their figures. The caller holds the lock.
func (s *Stub) lookup(w http.ResponseWriter, r *http.Request) {
	requested := strings.Split(r.URL.Query().Get("ids"), ",")
	fields := strings.Split(r.URL.Query().Get("tweet.fields"), ",")
	if len(requested) > 100 || slices.ContainsFunc(requested, func(id string) bool { return !regexp.MustCompile(`^[0-9]{1,19}$`).MatchString(id) }) {
		invalid(w, "The `ids` query parameter is invalid")
		return
	}
	var data, errs []any
	for _, id := range requested {
		i := slices.IndexFunc(s.posts, func(p *stored) bool { return p.ID == id && !p.deleted })
		if i < 0 {
			errs = append(errs, map[string]any{
				"value": id, "detail": "Could not find tweet with ids: [" + id + "].", "title": "Not Found Error",
				"resource_type": "tweet", "parameter": "ids", "resource_id": id,
				"type": "https://api.twitter.com/2/problems/resource-not-found",
			})
			continue
		}
		p := s.posts[i]
		private := slices.Contains(fields, "non_public_metrics")
		if private && s.Now().Sub(p.at) > 30*24*time.Hour {
			errs = append(errs, map[string]any{
				"resource_id": id, "parameter": "non_public_metrics", "title": "Field Authorization Error",
				"type": "https://api.twitter.com/2/problems/not-authorized-for-field",
			})
			private = false
		}
		shown := shownFigures(p, private)
		if slices.Contains(fields, "entities") {
			maps.Copy(shown, s.written(p))
		}
		shown["edit_history_tweet_ids"] = append([]string{p.ID}, p.later...)
		data = append(data, shown)
	}
	response := map[string]any{}
	if data != nil {
		response["data"] = data
	}
	if errs != nil {
		response["errors"] = errs
	}
	send(w, http.StatusOK, response)
}

func shownFigures(p *stored, private bool) map[string]any {
	f := p.figures
	shown := map[string]any{"id": p.ID, "text": "…", "public_metrics": map[string]any{
		"impression_count": f[mission.Impressions], "like_count": f[mission.Likes], "reply_count": f[mission.Comments],
		"retweet_count": f[mission.Shares] - min(f[mission.Shares], 1), "quote_count": min(f[mission.Shares], 1), "bookmark_count": 5,
	}}
	if private {
		shown["non_public_metrics"] = map[string]any{
			"url_link_clicks": f[mission.LinkClicks], "user_profile_clicks": f[mission.Clicks] - f[mission.LinkClicks], "engagements": 1,
		}
	}
	return shown
}
