package metatest

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return r.URL.Query().Get("fields") == "followers_count" || strings.HasSuffix(r.URL.Path, "/threads_insights")
}

// followers shows how many follow a profile of Threads. The caller holds the lock.
func (s *Stub) followers(w http.ResponseWriter, r *http.Request) {
	if !Only(w, r.URL.Query(), "metric") {
		return
	}
	if name := r.URL.Query().Get("metric"); name != "followers_count" {
		Invalid(w, "metric[0] must be one of the following values: …, not %s", name)
		return
	}
	value := map[string]any{}
	s.Tell(value, "value")
	Send(w, http.StatusOK, map[string]any{"data": []any{map[string]any{
		"name": "followers_count", "period": "day", "total_value": value, "id": UserID + "/insights/followers_count/day",
	}}})
}

// longestRange is the longest time that insights of an account may be of.
const longestRange = 30 * 24 * time.Hour

// reached shows how many accounts an Instagram account reached by day. Days end at seven o'clock (UTC).
// The caller holds the lock.
func (s *Stub) reached(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !Only(w, q, "metric", "period", "metric_type", "since", "until") {
		return
	}
	since, err1 := strconv.ParseInt(q.Get("since"), 10, 64)
	until, err2 := strconv.ParseInt(q.Get("until"), 10, 64)
	switch {
	case s.NoReach:
		Refuse(w, Failure{Code: 10, Message: "(#10) Application does not have permission for this action"})
		return
	case q.Get("metric") != "reach" || q.Get("period") != "day" || q.Get("metric_type") != "time_series":
		Invalid(w, "metric reach has the period day and the type time_series here")
		return
	case err1 != nil || err2 != nil || until <= since || until-since > int64(longestRange.Seconds()):
		Invalid(w, "There cannot be more than 30 days (2592000 s) between since and until")
		return
	}
	values := []any{}
	for at := time.Unix(since, 0).UTC().Truncate(24 * time.Hour); at.Unix() < until; at = at.AddDate(0, 0, 1) {
		if n, ok := s.ReachOn(at.Format(time.DateOnly)); ok {
			end := at.Add(31 * time.Hour)
			values = append(values, map[string]any{"value": n, "end_time": end.Format("2006-01-02T15:04:05-0700")})
		}
	}
	Send(w, http.StatusOK, map[string]any{"data": []any{map[string]any{
		"name": "reach", "period": "day", "values": values, "title": "Reach", "id": UserID + "/insights/reach/day",
	}}})
}
