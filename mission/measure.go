package mission

import (
	"math"
	"slices"
	"time"
)

// Measurement is what measuring posts makes of their mission.
type Measurement struct {
	Totals PlatformTotals
	// Days are the changes of the figures of days.
	Days []DayFigures
	// Achieved lists the mission's KPIs that have reached their target, now or
	// before.
	Achieved []KPI
	// Metrics are the posts' figures, by content id; Unusual the ids of the
	// posts that are now found to be unusual.
	Metrics map[string]Metrics
	Unusual []string
	Events  []Event
}

// KPIAchievedData is the data of analytics.kpi_achieved.
type KPIAchievedData struct {
	MissionID string   `json:"mission_id"`
	Metric    Metric   `json:"metric"`
	Platform  Platform `json:"platform"`
	Target    float64  `json:"target"`
	Current   float64  `json:"current"`
}

// AnomalyDetectedData is the data of analytics.anomaly_detected. The usual range is of
// the mission's posts on the platform.
type AnomalyDetectedData struct {
	ContentID string   `json:"content_id"`
	MissionID string   `json:"mission_id"`
	Platform  Platform `json:"platform"`
	Metric    Metric   `json:"metric"`
	Value     float64  `json:"value"`
	UsualLow  float64  `json:"usual_low"`
	UsualHigh float64  `json:"usual_high"`
}

// Measure answers what new figures of posts, by content id, make of m. The
// posts' own Metrics are the old figures. A KPI is told of once, as is a post
// that is unusual.
func (m Mission) Measure(posts []Content, measured map[string]Metrics, now time.Time) Measurement {
	r := Measurement{
		Totals: m.Totals.Measured(posts, measured), Days: DayChanges(posts, measured), Metrics: measured,
		Achieved: slices.DeleteFunc(slices.Clone(m.Achieved), func(k KPI) bool { return !slices.Contains(m.KPIs, k) }),
	}
	for _, k := range m.KPIs {
		current, ok := r.Totals.Of(k.Platform)[k.Metric]
		if !ok || current < k.Target || slices.Contains(r.Achieved, k) {
			continue
		}
		r.Achieved = append(r.Achieved, k)
		r.Events = append(r.Events, m.event(EventKPIAchieved, now, KPIAchievedData{
			MissionID: m.ID, Metric: k.Metric, Platform: k.Platform, Target: k.Target, Current: current,
		}))
	}
	for _, u := range unusual(posts, measured) {
		r.Unusual = append(r.Unusual, u.ContentID)
		u.MissionID = m.ID
		r.Events = append(r.Events, m.event(EventAnomalyDetected, now, u))
	}
	return r
}

// The rule of what is unusual: an engagement rate whose logarithm lies further
// from the median of the mission's posts on the platform than usualSpread
// times their median absolute deviation (scaled to a normal distribution's
// sigma: Rousseeuw, Croux, "Alternatives to the Median Absolute Deviation",
// 1993), which is taken to be leastSpread at least. Rates compare posts of
// different ages, as impressions and engagements grow together. Posts that
// hardly anybody has seen say nothing.
const (
	usualSpread     = 5.0
	leastSpread     = 0.25
	leastPosts      = 12
	leastEngagement = 10.0
	normalMAD       = 1.4826
)

// unusual answers the posts, of those that weren't found to be so before, whose
// engagement rate is out of the usual range.
func unusual(posts []Content, measured map[string]Metrics) []AnomalyDetectedData {
	logs := map[Platform][]float64{}
	for _, c := range posts {
		if rate, ok := telling(measured[c.ID]); ok {
			logs[c.Platform] = append(logs[c.Platform], math.Log(rate))
		}
	}
	var found []AnomalyDetectedData
	for _, c := range posts {
		rate, ok := telling(measured[c.ID])
		all := logs[c.Platform]
		if !ok || c.Unusual || len(all) < leastPosts {
			continue
		}
		middle := median(all)
		away := make([]float64, len(all))
		for i, x := range all {
			away[i] = math.Abs(x - middle)
		}
		reach := usualSpread * max(normalMAD*median(away), leastSpread)
		if math.Abs(math.Log(rate)-middle) > reach {
			found = append(found, AnomalyDetectedData{
				ContentID: c.ID, Platform: c.Platform, Metric: EngagementRate, Value: rate,
				UsualLow: math.Exp(middle - reach), UsualHigh: math.Exp(middle + reach),
			})
		}
	}
	return found
}

// telling answers an engagement rate that is more than chance. None at all is
// told by what would have been usual: it counts as half an engagement.
func telling(m Metrics) (percent float64, ok bool) {
	seen, engaged := m[Impressions], max(m.Engagements(), 0.5)
	const usualShare = 0.04 // of impressions
	if seen <= 0 || max(engaged, usualShare*seen) < leastEngagement {
		return 0, false
	}
	return 100 * engaged / seen, true
}

func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
