package facebooktest

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"missiond/internal/publisher/meta/metatest"
)

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return r.URL.Query().Get("fields") == "followers_count"
}

// longestRange is the longest time that a Page's insights may be of.
const longestRange = 90 * 24 * time.Hour

// pageInsights shows an insight of a Page by day. Days end at eight o'clock (UTC). The caller holds the
// lock.
func (s *Stub) pageInsights(w http.ResponseWriter, r *http.Request, page string) {
	q := r.URL.Query()
	if !metatest.Only(w, q, "metric", "period", "since", "until") {
		return
	}
	name := q.Get("metric")
	on := map[string]func(date string) (any, bool){
		"page_total_media_view_unique": func(date string) (any, bool) { return s.ReachOn(date) },
		"page_media_view":              func(date string) (any, bool) { n, ok := s.Views[date]; return n, ok },
	}[name]
	since, err1 := strconv.ParseInt(q.Get("since"), 10, 64)
	until, err2 := strconv.ParseInt(q.Get("until"), 10, 64)
	switch {
	case on == nil || slices.Contains(s.Ended, name):
		metatest.Invalid(w, "The value must be a valid insights metric")
		return
	case q.Get("period") != "day" || err1 != nil || err2 != nil || until <= since || until-since > int64(longestRange.Seconds()):
		metatest.Invalid(w, "period, since or until is invalid")
		return
	}
	values := []any{}
	for at := time.Unix(since, 0).UTC().Truncate(24 * time.Hour); at.Unix() < until; at = at.AddDate(0, 0, 1) {
		if n, ok := on(at.Format(time.DateOnly)); ok {
			values = append(values, map[string]any{"value": n, "end_time": at.Add(32 * time.Hour).Format(timeForm)})
		}
	}
	data := []any{}
	if len(values) > 0 {
		data = append(data, map[string]any{"name": name, "period": "day", "values": values, "id": page + "/insights/" + name + "/day"})
	}
	metatest.Send(w, http.StatusOK, map[string]any{"data": data, "paging": map[string]any{}})
}
