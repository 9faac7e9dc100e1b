package simulate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher/sandbox"
	"missiond/internal/testkit"
	"missiond/mission"
)

func defaults() Options {
	return Options{
		Days: 60, Seeds: 20, PostsPerDay: 2, KPI: mission.EngagementRate,
		Platforms: []mission.Platform{mission.Twitter, mission.LinkedIn},
	}
}

func run1(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Run(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What learning is for: on the default audience it gains half at least, in
// what posts have and in their rate, each period more than the first.
func TestLearningPays(t *testing.T) {
	t.Parallel()
	o := defaults()
	if testing.Short() {
		o.Seeds = 4
	}
	r := run1(t, o)
	for name, s := range map[string]Spread{"engagements": r.Overall.Engagements, "rate": r.Overall.Rate} {
		if s.Mean < 50 || s.Min < 20 {
			t.Errorf("the gain in %s is %+v", name, s)
		}
	}
	for _, p := range r.Periods[1:] {
		if p.Gains.Rate <= r.Periods[0].Gains.Rate {
			t.Errorf("days %d to %d gain %.1f, the first ten %.1f", p.From, p.To, p.Gains.Rate, r.Periods[0].Gains.Rate)
		}
	}
}

// Other missions gain too: those without KPIs, of one post a day, on platforms
// that report no impressions.
func TestOtherMissionsGain(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for name, change := range map[string]func(o *Options){
		"no KPIs":        func(o *Options) { o.KPI = "" },
		"a post a day":   func(o *Options) { o.PostsPerDay, o.Platforms = 1, o.Platforms[:1] },
		"no impressions": func(o *Options) { o.Platforms = []mission.Platform{mission.Mastodon, mission.Bluesky} },
		"clicks":         func(o *Options) { o.KPI = mission.Clicks },
	} {
		o := defaults()
		o.Seeds = 6
		if !testkit.Nightly() {
			o.Seeds = 2
		}
		change(&o)
		if s := run1(t, o).Overall.Engagements; s.Mean < 20 {
			t.Errorf("%s: the gain is %+v", name, s)
		}
	}
}

// A mission learns from what has been measured, never from what is to come.
func TestLearnsFromThePastOnly(t *testing.T) {
	m, err := defaults().mission(1)
	if err != nil {
		t.Fatal(err)
	}
	posts := play(m, sandbox.Audience{Seed: 1}, ids, learningPlan)
	if len(posts) != 120 {
		t.Fatalf("%d posts were played", len(posts))
	}
	now := posts[20].content.PublishedAt.Add(learnedAge)
	known := measured(posts, now)
	for _, c := range known {
		if now.Sub(*c.PublishedAt) < learnedAge || c.Metrics == nil {
			t.Errorf("at %s it knows %+v", now, c)
		}
	}
	if len(known) != 21 {
		t.Errorf("of 21 posts it knows %d", len(known))
	}
	if known := measured(posts, posts[0].content.PublishedAt.Add(learnedAge-time.Millisecond)); known != nil {
		t.Errorf("before the first measurement it knows %+v", known)
	}
}

func TestRunIsRepeatable(t *testing.T) {
	o := defaults()
	o.Days, o.Seeds = 15, 3
	r := run1(t, o)
	if again := run1(t, o); !reflect.DeepEqual(again, r) {
		t.Error("the second run has another report")
	}
	if last := r.Periods[len(r.Periods)-1]; len(r.Periods) != 2 || last.From != 11 || last.To != 15 {
		t.Errorf("the periods are %+v", r.Periods)
	}
}

func TestRunRefuses(t *testing.T) {
	for param, change := range map[string]func(o *Options){
		"change_day":                func(o *Options) { o.ChangeDay = o.Days + 1 },
		"seeds":                     func(o *Options) { o.Seeds = 0 },
		"duration_days":             func(o *Options) { o.Days = 0 },
		"constraints.posts_per_day": func(o *Options) { o.PostsPerDay = 51 },
		"platforms[0]":              func(o *Options) { o.Platforms = []mission.Platform{"myspace"} },
		"kpis[0].metric":            func(o *Options) { o.KPI = "fame" },
	} {
		o := defaults()
		change(&o)
		var refused *mission.Error
		if _, err := Run(o); !errors.As(err, &refused) || refused.Param != param {
			t.Errorf("instead of %s it refuses %v", param, err)
		}
	}
}

func TestSpread(t *testing.T) {
	s := spreadOf([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	// Student's 97.5 % quantile with nine degrees of freedom is 2.262.
	reach := 2.262 * math.Sqrt(55.0/6) / math.Sqrt(10)
	want := Spread{Mean: 5.5, Deviation: math.Sqrt(55.0 / 6), Min: 1, Max: 10, Low: 5.5 - reach, High: 5.5 + reach}
	for name, pair := range map[string][2]float64{
		"mean": {s.Mean, want.Mean}, "deviation": {s.Deviation, want.Deviation}, "least": {s.Min, want.Min},
		"most": {s.Max, want.Max}, "low": {s.Low, want.Low}, "high": {s.High, want.High},
	} {
		if math.Abs(pair[0]-pair[1]) > 0.01 {
			t.Errorf("the %s is %v, want %v", name, pair[0], pair[1])
		}
	}
	if one := spreadOf([]float64{3}); one != (Spread{Mean: 3, Min: 3, Max: 3, Low: 3, High: 3}) {
		t.Errorf("a single number has %+v", one)
	}
}

// The table has a line for each seed and period, the plot is whole XML with
// both lines in it.
func TestReportIsWritten(t *testing.T) {
	o := defaults()
	o.Days, o.Seeds, o.Platforms = 12, 3, []mission.Platform{mission.Twitter, mission.Mastodon}
	r := run1(t, o)
	var text, svg bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteSVG(&svg)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"24 posts in 12 days on twitter, mastodon", "\n     3 ", "95 % interval of the mean", "1 to 10", "11 to 12"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text.String())
		}
	}
	if strings.Contains(svg.String(), "NaN") || strings.Contains(svg.String(), "Inf") || strings.Count(svg.String(), "<polyline") != 2 {
		t.Errorf("the plot is %s", svg.String())
	}
	for dec := xml.NewDecoder(&svg); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// On a platform that reports no impressions there is no rate to tell or draw.
func TestReportWithoutRates(t *testing.T) {
	o := defaults()
	o.Days, o.Seeds, o.Platforms = 3, 2, []mission.Platform{mission.Mastodon}
	var text, svg bytes.Buffer
	r := run1(t, o)
	if err := errors.Join(r.WriteText(&text), r.WriteSVG(&svg)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "engagement rate") || strings.Contains(text.String(), "NaN") || strings.Contains(svg.String(), "NaN") {
		t.Errorf("it tells of rates:\n%s\n%s", text.String(), svg.String())
	}
}
