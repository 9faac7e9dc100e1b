package mission

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A KPI has its event once, when it reaches its target; new KPIs have it again.
func TestKPIAchievedOnce(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	m := Mission{ID: "msn_1", KPIs: []KPI{{Likes, 100, EveryPlatform}, {Likes, 30, Mastodon}, {EngagementRate, 5, EveryPlatform}}}
	posts := []Content{{ID: "a", Platform: Twitter, PublishedAt: &now}, {ID: "b", Platform: Mastodon, PublishedAt: &now}}
	measure := func(a, b Metrics) []KPIAchievedData {
		r := m.Assess(posts, Measurements(posts, map[string]Metrics{"a": a, "b": b}, now), nil, now)
		m.Totals, m.Achieved = r.Totals, r.Achieved
		posts[0].Metrics, posts[1].Metrics = a, b
		var events []KPIAchievedData
		for _, e := range r.Events {
			events = append(events, e.Data.(KPIAchievedData))
		}
		return events
	}
	for i, step := range []struct {
		a, b Metrics
		want []KPIAchievedData
	}{
		{Metrics{Likes: 20, Impressions: 1000}, Metrics{Likes: 10}, nil},
		{Metrics{Likes: 60, Impressions: 1000}, Metrics{Likes: 30}, []KPIAchievedData{
			{"msn_1", Likes, Mastodon, 30, 30}, {"msn_1", EngagementRate, EveryPlatform, 5, 6},
		}},
		{Metrics{Likes: 80, Impressions: 9000}, Metrics{Likes: 30}, []KPIAchievedData{{"msn_1", Likes, EveryPlatform, 100, 110}}},
		{Metrics{Likes: 900, Impressions: 9000}, Metrics{Likes: 40}, nil},
	} {
		if events := measure(step.a, step.b); !slices.Equal(events, step.want) {
			t.Errorf("step %d: got %+v, want %+v", i, events, step.want)
		}
	}
	m.KPIs = []KPI{{Likes, 500, EveryPlatform}}
	if events := measure(posts[0].Metrics, posts[1].Metrics); len(events) != 1 || len(m.Achieved) != 1 {
		t.Errorf("got %d events of a new KPI; %v are stored", len(events), m.Achieved)
	}
}

// A rate reaches its target only with enough impressions.
func TestRatesNeedImpressions(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	m := Mission{ID: "msn_1", KPIs: []KPI{{EngagementRate, 5, EveryPlatform}, {EngagementRate, 5, Twitter}, {Likes, 1, Twitter}}}
	posts := []Content{{ID: "a", Platform: Twitter, PublishedAt: &now}, {ID: "b", Platform: LinkedIn, PublishedAt: &now}}
	for _, tt := range []struct {
		a, b Metrics
		want []KPI
	}{
		{Metrics{Likes: 1, Impressions: 12}, Metrics{}, []KPI{m.KPIs[2]}},
		{Metrics{Likes: 60, Impressions: RateFloor - 1}, Metrics{}, []KPI{m.KPIs[2]}},
		{Metrics{Likes: 60, Impressions: RateFloor}, Metrics{}, m.KPIs},
		{Metrics{Likes: 60, Impressions: RateFloor - 1}, Metrics{Likes: 0, Impressions: 1}, []KPI{m.KPIs[0], m.KPIs[2]}},
	} {
		r := m.Assess(posts, Measurements(posts, map[string]Metrics{"a": tt.a, "b": tt.b}, now), nil, now)
		if !slices.Equal(r.Achieved, tt.want) || len(r.Events) != len(tt.want) {
			t.Errorf("%v and %v: got achieved %v, want %v", tt.a, tt.b, r.Achieved, tt.want)
		}
	}
}

// A post is measured at ever longer intervals, at the ages of the schedule, until the
// last; each measurement is of one step.
func TestMeasuringThinsOut(t *testing.T) {
	published := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	c := Content{PublishedAt: &published}
	now, last, steps := published, time.Duration(0), 0
	for at := c.MeasureAgain(true, 0, now); at != nil; at = c.MeasureAgain(true, 0, now) {
		if wait := at.Sub(now); wait < last/2 || !at.After(now) {
			t.Errorf("after %s the next measurement is in %s", now.Sub(published), wait)
		} else {
			last = wait
		}
		now = *at
		steps++
		if step := MeasureStep(now.Sub(published)); step != steps {
			t.Errorf("at %s: got the step %d, want %d", now.Sub(published), step, steps)
		}
	}
	if steps != MeasureSteps-1 || now.Sub(published) != 90*day {
		t.Errorf("got %d measurements, the last at %s", steps, now.Sub(published))
	}
	if MeasureStep(RipeAge) != RipeStep || MeasureStep(RipeAge-1) != RipeStep-1 || MeasureStep(-time.Hour) != 0 {
		t.Errorf("got the ripe step %d", RipeStep)
	}
	if (Content{}).MeasureAgain(true, 0, now) != nil {
		t.Error("an unpublished post is measured")
	}
}

// A post that couldn't be measured is measured again before its next age, when its
// platform allows it.
func TestMeasuringIsRetried(t *testing.T) {
	published := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	c := Content{PublishedAt: &published}
	for _, tt := range []struct{ age, quiet, want time.Duration }{
		{time.Minute, 0, 15 * time.Minute},
		{time.Hour, 0, 75 * time.Minute},
		{40 * day, 0, 44 * day},
		{59 * day, 0, 60 * day},
		{time.Hour, 20 * time.Minute, 80 * time.Minute},
		{time.Hour, 9 * time.Hour, 10 * time.Hour},
	} {
		if at := c.MeasureAgain(false, tt.quiet, published.Add(tt.age)); at == nil || at.Sub(published) != tt.want {
			t.Errorf("at %s, with a pause of %s: got the next measurement at %s, want %s", tt.age, tt.quiet, at.Sub(published), tt.want)
		}
	}
	if c.MeasureAgain(false, 0, published.Add(91*day)) != nil {
		t.Error("a post is measured after its last age")
	}
}

// crowd returns posts of a platform with an engagement rate around 4 %, all at one
// step.
func crowd(r *rand.Rand, n, step int) ([]Content, []Measurement) {
	var posts []Content
	measured := map[string]Metrics{}
	published := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for i := range n {
		c := Content{ID: fmt.Sprintf("cnt_%d", i), MissionID: "msn_1", Platform: Twitter, PublishedAt: &published}
		seen := math.Floor(2000 * math.Exp(0.25*r.NormFloat64()))
		posts = append(posts, c)
		measured[c.ID] = Metrics{Impressions: seen, Likes: math.Floor(0.04 * math.Exp(0.25*r.NormFloat64()) * seen)}
	}
	return posts, Measurements(posts, measured, published.Add(measureAges[step-1]))
}

func peersOf(points []Measurement) Peers {
	peers := Peers{}
	for _, p := range points {
		k := p.peers()
		peers[k] = append(peers[k], p)
	}
	return peers
}

func assess(posts []Content, points []Measurement) Assessment {
	return Mission{ID: "msn_1"}.Assess(posts, points, peersOf(points), points[0].At)
}

// A post that performs far better or worse than its mission's others is reported once;
// the ordinary spread, few posts, and posts without impressions aren't.
func TestUnusualPosts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alarms := 0
	const missions, size = 2000, 50
	for range missions {
		alarms += len(assess(crowd(r, size, 4)).Unusual)
	}
	if alarms > missions*size/1000 {
		t.Errorf("%d false alarms in %d posts", alarms, missions*size)
	}
	for name, factor := range map[string]float64{"far better": 9, "far worse": 1.0 / 9} {
		posts, points := crowd(r, 20, 4)
		points[7].Metrics = Metrics{Impressions: 2000, Likes: math.Floor(80 * factor)}
		got := assess(posts, points)
		if !slices.Equal(got.Unusual, []string{"cnt_7"}) || len(got.Events) != 1 || got.AutonomyEnded == nil || *got.AutonomyEnded.ContentID != "cnt_7" {
			t.Errorf("%s: got the unusual posts %v", name, got.Unusual)
			continue
		}
		d := got.Events[0].Data.(AnomalyDetectedData)
		if d.ContentID != "cnt_7" || d.MissionID != "msn_1" || d.Metric != EngagementRate ||
			d.Value >= d.UsualLow && d.Value <= d.UsualHigh || d.UsualLow > 4 || d.UsualHigh < 4 {
			t.Errorf("%s: %+v", name, d)
		}
		posts[7].Unusual = true
		if again := assess(posts, points); len(again.Unusual) != 0 {
			t.Errorf("%s: it is reported again", name)
		}
	}
	posts, points := crowd(r, leastPosts-1, 4)
	points[7].Metrics = Metrics{Impressions: 2000, Likes: 1900}
	if got := assess(posts, points); len(got.Unusual) != 0 {
		t.Error("got an unusual one of few posts")
	}
	posts, points = crowd(r, 20, 4)
	points[7].Metrics = Metrics{Impressions: 3, Likes: 3}
	points[8].Metrics = Metrics{Likes: 4000}
	if got := assess(posts, points); len(got.Unusual) != 0 {
		t.Errorf("got the unusual posts %v", got.Unusual)
	}
}

// Posts are compared with others at the same age, and by their likes if no impressions
// are reported; late measurements don't count.
func TestUnusualAtItsAge(t *testing.T) {
	published := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	likes := func(step int, n float64, late time.Duration) (list []Measurement) {
		for i := range 15 {
			list = append(list, Measurement{
				ContentID: fmt.Sprint("cnt_", step, "_", i), Platform: Mastodon, Step: step, PublishedAt: published,
				At: published.Add(measureAges[step-1] + late), Metrics: Metrics{Likes: n + float64(i%3)},
			})
		}
		return list
	}
	young, old := likes(2, 20, 0), likes(8, 400, 0)
	probe := func(step int, n float64, late time.Duration) []AnomalyDetectedData {
		p := likes(step, n, late)[:1]
		p[0].ContentID = "cnt_probe"
		return unusual([]Content{{ID: "cnt_probe"}}, p, peersOf(slices.Concat(young, old)))
	}
	for _, tt := range []struct {
		step int
		n    float64
		late time.Duration
		want int
	}{
		{2, 400, 0, 1}, {8, 400, 0, 0}, {8, 20, 0, 1}, {2, 20, 0, 0}, {2, 400, 2 * time.Hour, 0},
	} {
		got := probe(tt.step, tt.n, tt.late)
		if len(got) != tt.want {
			t.Errorf("%v likes at step %d, %s late: %+v", tt.n, tt.step, tt.late, got)
		}
		if len(got) == 1 && (got[0].Metric != Likes || got[0].Value != tt.n) {
			t.Errorf("got the event %+v", got[0])
		}
	}
}

// Each event type has a schema with a description and an example of its own.
func TestEveryEventTypeHasASchema(t *testing.T) {
	const interfaces, others = 16, 14
	kinds := EventKinds()
	if len(kinds) != interfaces+others {
		t.Errorf("got %d event types, want the interface's %d and %d others", len(kinds), interfaces, others)
	}
	for _, k := range append(kinds, EventWebhookTest.Kind()) {
		if k.Description == "" || len(k.Schema) == 0 {
			t.Errorf("%s: %q", k.Type, k.Description)
		}
	}
}
