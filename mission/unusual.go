package mission

import (
	"math"
	"slices"
)

// AnomalyDetectedData is the data of analytics.anomaly_detected. The usual
// range is that of the mission's posts through the same account at that age.
type AnomalyDetectedData struct {
	ContentID string   `json:"content_id"`
	MissionID string   `json:"mission_id"`
	Platform  Platform `json:"platform"`
	Metric    Metric   `json:"metric"`
	Value     float64  `json:"value"`
	UsualLow  float64  `json:"usual_low"`
	UsualHigh float64  `json:"usual_high"`
}

// The rule of what is unusual: an engagement that, among the mission's posts
// through the account at the same age, lies further from the median of its logarithm
// than usualSpread times the median absolute deviation (scaled to a normal
// distribution's sigma: Rousseeuw, Croux, "Alternatives to the Median Absolute
// Deviation", 1993), which is at least leastSpread. Engagement is the
// engagement rate, or likes where the platform reports no impressions. Few
// engagements are mostly chance and are ignored.
const (
	usualSpread     = 5.0
	leastSpread     = 0.25
	leastPosts      = 12
	leastEngagement = 10.0
	normalMAD       = 1.4826
)

// engagement is what a post is compared with others by.
type engagement struct {
	metric Metric
	value  float64
	// weight is the number of engagements, seen that of impressions.
	weight, seen float64
}

// engagementOf returns a post's engagement; ok is false if it isn't reported.
// Zero counts as half, so that it has a logarithm.
func engagementOf(m Metrics) (e engagement, ok bool) {
	if seen, reported := m[Impressions]; reported {
		n := m.Engagements()
		return engagement{EngagementRate, 100 * max(n, 0.5) / seen, n, seen}, seen > 0
	}
	likes, reported := m[Likes]
	return engagement{Likes, max(likes, 0.5), likes, 1}, reported
}

// telling reports whether e, or the usual value in its place, has more
// engagements than chance explains.
func (e engagement) telling(usual float64) bool {
	expected := usual * e.seen
	if e.metric == EngagementRate {
		expected /= 100
	}
	return max(e.weight, expected) >= leastEngagement
}

// unusual returns what is outside the usual range, for posts that weren't found
// to be unusual before.
func unusual(posts []Content, points []Measurement, peers Peers) []AnomalyDetectedData {
	known := map[string]bool{}
	for _, c := range posts {
		known[c.ID] = c.Unusual
	}
	usual := map[PeerKey]usualRange{}
	var found []AnomalyDetectedData
	for _, p := range points {
		e, ok := engagementOf(p.Metrics)
		if !ok || known[p.ContentID] || !p.onTime() {
			continue
		}
		key := p.peers()
		r, computed := usual[key]
		if !computed {
			r = rangeOf(peers[key], e.metric)
			usual[key] = r
		}
		if r.posts >= leastPosts && r.metric == e.metric && e.telling(r.middle) && (e.value < r.low || e.value > r.high) {
			found = append(found, AnomalyDetectedData{
				ContentID: p.ContentID, Platform: p.Platform, Metric: e.metric, Value: e.value, UsualLow: r.low, UsualHigh: r.high,
			})
		}
	}
	return found
}

type usualRange struct {
	metric            Metric
	posts             int
	low, middle, high float64
}

// rangeOf returns the usual range of a metric among posts of one age.
func rangeOf(peers []Measurement, of Metric) usualRange {
	var logs []float64
	for _, p := range peers {
		if e, ok := engagementOf(p.Metrics); ok && e.metric == of && p.onTime() {
			logs = append(logs, math.Log(e.value))
		}
	}
	r := usualRange{metric: of, posts: len(logs)}
	if len(logs) == 0 {
		return r
	}
	middle := median(logs)
	away := make([]float64, len(logs))
	for i, x := range logs {
		away[i] = math.Abs(x - middle)
	}
	reach := usualSpread * max(normalMAD*median(away), leastSpread)
	r.low, r.middle, r.high = math.Exp(middle-reach), math.Exp(middle), math.Exp(middle+reach)
	return r
}

func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
