package learning

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

var monday = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// measuredPost is a post as learning gets it.
func measuredPost(p mission.Platform, a mission.Angle, f mission.Format, at time.Time, m mission.Metrics) mission.Content {
	return mission.Content{Platform: p, Angle: a, Format: f, PublishedAt: &at, Metrics: m}
}

// drawPosts generates measured posts of platforms, with whole figures.
func drawPosts(t *rapid.T, platforms []mission.Platform) []mission.Content {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) mission.Content {
		p := rapid.SampledFrom(platforms).Draw(t, "platform")
		caps, _ := mission.CapabilitiesOf(p)
		m := mission.Metrics{}
		for _, metric := range caps.Metrics {
			if metric != mission.EngagementRate && rapid.IntRange(0, 9).Draw(t, "left out") > 0 {
				m[metric] = float64(rapid.IntRange(0, 5000).Draw(t, string(metric)))
			}
		}
		at := monday.Add(time.Duration(rapid.IntRange(0, 60*24*60).Draw(t, "minute")) * time.Minute)
		return measuredPost(p, rapid.SampledFrom(mission.AllAngles()).Draw(t, "angle"), rapid.SampledFrom(caps.Formats).Draw(t, "format"), at, m)
	}), 0, 25).Draw(t, "posts")
}

// Model depends on the posts alone, in any order, and survives a round trip through
// JSON.
func TestLearningIsOfThePosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := zone(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		posts := drawPosts(t, []mission.Platform{mission.Twitter, mission.LinkedIn, mission.Mastodon})
		l := Fit(posts, z)
		if got := Fit(rapid.Permutation(posts).Draw(t, "shuffled"), z); !reflect.DeepEqual(got, l) {
			t.Fatalf("in another order got\n%v, want\n%v", got, l)
		}
		for metric, e := range l {
			for f, arms := range e.Arms {
				for name, a := range arms {
					if bad := math.IsNaN(a.Effect) || math.IsInf(a.Effect, 0) || !(a.Spread >= 0); bad || a.Tries > e.Posts {
						t.Fatalf("%s, %s, %s: %+v of %d posts", metric, f, name, a, e.Posts)
					}
				}
			}
		}
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		var back Model
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, l) {
			t.Fatalf("after a round trip got\n%v, want\n%v (%v)", back, l, err)
		}
		if len(text) > 9000 {
			t.Fatalf("got %d bytes", len(text))
		}
	})
}

// planted are readers with known preferences.
type planted struct {
	angles map[mission.Metric]map[mission.Angle]float64 // added to the logarithm
	hour   float64                                      // at which posts do best
}

// posts returns posts with random choices and those readers' reactions. The second
// platform has the angle "tip" twice as often.
func (p planted) posts(n int, platforms ...mission.Platform) []mission.Content {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	reach := map[mission.Platform]float64{mission.Twitter: 2000, mission.LinkedIn: 10000, mission.Mastodon: 500}
	usual := map[mission.Metric]float64{mission.Likes: 0.05, mission.Clicks: 0.03}
	var posts []mission.Content
	for range n {
		on := platforms[r.IntN(len(platforms))]
		caps, _ := mission.CapabilitiesOf(on)
		angle := mission.AllAngles()[r.IntN(len(mission.AllAngles()))]
		if on != platforms[0] && r.IntN(3) == 0 {
			angle = mission.AngleTip
		}
		at := monday.Add(time.Duration(r.IntN(60*24*60)) * time.Minute)
		hour := 0.25 * math.Cos(2*math.Pi*(hourOfDay(at)-p.hour)/24)
		seen := reach[on] * math.Exp(0.2*r.NormFloat64())
		m := mission.Metrics{}
		for _, metric := range []mission.Metric{mission.Likes, mission.Clicks} { // in a fixed order, to use the same random numbers each time
			m[metric] = math.Round(seen * usual[metric] * math.Exp(p.angles[metric][angle]+hour+0.2*r.NormFloat64()))
		}
		if slices.Contains(caps.Metrics, mission.Impressions) {
			m[mission.Impressions] = math.Round(seen)
		} else {
			delete(m, mission.Clicks)
		}
		posts = append(posts, measuredPost(on, angle, caps.Formats[r.IntN(len(caps.Formats))], at, m))
	}
	return posts
}

var likings = planted{hour: 19.5, angles: map[mission.Metric]map[mission.Angle]float64{
	mission.Likes:  {mission.AngleTip: 0.4, mission.AngleStory: 0.1, mission.AngleMyth: -0.4},
	mission.Clicks: {mission.AngleMyth: 0.4, mission.AngleTip: -0.4},
}}

// Planted preferences are found, each for its own metric, though one platform has five
// times the readers and more of the best angle, and one doesn't report impressions.
func TestPlantedLikingsAreFound(t *testing.T) {
	l := Fit(likings.posts(240, mission.Twitter, mission.LinkedIn, mission.Mastodon), time.UTC)
	near := func(metric mission.Metric, f Factor, name string, want, within float64) {
		t.Helper()
		a := l[metric].Arms[f][name]
		if math.Abs(a.Effect-want) > within || math.Abs(a.Effect-want) > 4*a.Spread {
			t.Errorf("%s by %s: got %+[4]v for %[3]s, want about %[5]v", metric, f, name, a, want)
		}
	}
	mean := 0.1 / 6
	for _, metric := range []mission.Metric{mission.Likes, mission.EngagementRate} {
		near(metric, FactorAngle, "tip", 0.4-mean, 0.12)
		near(metric, FactorAngle, "myth", -0.4-mean, 0.12)
		near(metric, FactorAngle, "how_to", -mean, 0.12)
	}
	near(mission.Clicks, FactorAngle, "myth", 0.4, 0.12)
	near(mission.Clicks, FactorAngle, "tip", -0.4, 0.12)
	near(mission.Likes, FactorFormat, "thread", 0, 0.1)
	near(mission.Likes, FactorHour, "18-21", 0.25, 0.12)
	near(mission.Likes, FactorHour, "06-09", -0.25, 0.12)
	if ratio := l[mission.Likes].Arms[FactorPlatform]["linkedin"].Effect - l[mission.Likes].Arms[FactorPlatform]["twitter"].Effect; math.Abs(ratio-math.Log(5)) > 0.15 {
		t.Errorf("linkedin has %.2f times twitter's likes, want about 5", math.Exp(ratio))
	}
	if l[mission.Clicks].Arms[FactorPlatform]["mastodon"].Tries != 0 || l[mission.Impressions].Posts >= l[mission.Likes].Posts {
		t.Errorf("mastodon reports no clicks and impressions, but has some: %+v", l[mission.Clicks])
	}
}

// A single viral post isn't decisive.
func TestOnePostDoesNotDecide(t *testing.T) {
	posts := likings.posts(60, mission.Twitter)
	for i, c := range posts {
		if c.Angle == mission.AngleMyth {
			posts[i].Metrics[mission.Likes] *= 1000
			break
		}
	}
	arms := Fit(posts, time.UTC)[mission.Likes].Arms[FactorAngle]
	if best := best(mission.AllAngles(), func(a mission.Angle) float64 { return arms[string(a)].Effect }); best != mission.AngleTip {
		t.Errorf("got the best angle %s: %+v", best, arms)
	}
}

// Posts without readers have no effect, and few readers a small one.
func TestRatesWeighByReaders(t *testing.T) {
	at := monday
	l := Fit([]mission.Content{
		measuredPost(mission.Twitter, mission.AngleTip, mission.FormatPost, at, mission.Metrics{mission.Impressions: 0, mission.Likes: 3}),
		measuredPost(mission.Twitter, mission.AngleTip, mission.FormatPost, at, mission.Metrics{mission.Impressions: 10, mission.Likes: 2}),
		measuredPost(mission.Twitter, mission.AngleMyth, mission.FormatPost, at, mission.Metrics{mission.Impressions: 10000, mission.Likes: 300}),
		measuredPost(mission.Twitter, mission.AngleStory, mission.FormatPost, at, mission.Metrics{mission.Impressions: 10000, mission.Likes: 400}),
	}, time.UTC)[mission.EngagementRate]
	arms := l.Arms[FactorAngle]
	if l.Posts != 3 || arms["tip"].Tries != 1 || arms["tip"].Effect > 0.1 || arms["tip"].Spread <= arms["story"].Spread {
		t.Errorf("got %+[2]v from %[1]d posts", l.Posts, arms)
	}
}

// job returns a cycle of a mission, counted from 0.
func jobOf(m mission.Mission, cycle int) mission.Job {
	m.NextCycle = cycle
	return mission.NewJob("job_1", m, windowOf(m, cycle), mission.Brand{}, *m.StartsAt)
}

// Whatever was learned, no post has an avoided angle, and at least about half have a preferred one.
func TestPlansFollowTheGuidance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		m.Objectives = []string{"a"}
		m.Platforms = []mission.Platform{mission.Twitter, mission.LinkedIn}
		angles := rapid.Permutation(mission.AllAngles()).Draw(t, "angles")
		g := &mission.Guidance{PreferAngles: angles[:rapid.IntRange(0, 2).Draw(t, "preferred")], AvoidAngles: angles[2:rapid.IntRange(2, 5).Draw(t, "avoided")]}
		m.Constraints.Guidance = g
		l := Fit(drawPosts(t, m.Platforms), time.UTC)
		posts, preferred := 0, 0
		for cycle := range 20 {
			j := jobOf(m, cycle+1)
			p := planOf(j, l)
			for _, s := range p.Slots {
				posts++
				if slices.Contains(g.AvoidAngles, s.Angle) {
					t.Fatalf("a post has the angle %s", s.Angle)
				}
				if slices.Contains(g.PreferAngles, s.Angle) {
					preferred++
				}
			}
			if len(g.PreferAngles) > 0 && !strings.Contains(p.Reasons[0], "As you asked") {
				t.Fatalf("the plan doesn't say why: %v", p.Reasons)
			}
		}
		if len(g.PreferAngles) > 0 && preferred < posts/2 {
			t.Fatalf("%d of %d posts have one of %v", preferred, posts, g.PreferAngles)
		}
	})
}

// Whatever was learned, and for any mission: the same plan each time, a slot for each
// post, in order, within the window and apart from each other, the posting times kept,
// only supported formats, and short reasons.
func TestPlansHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		m.Objectives = []string{"a"}
		m.Platforms = rapid.SliceOfNDistinct(rapid.SampledFrom(mission.AllPlatforms()), 1, 4, rapid.ID).Draw(t, "platforms")
		for range rapid.IntRange(0, 4).Draw(t, "kpis") {
			k := mission.KPI{Metric: rapid.SampledFrom(mission.AllMetrics()).Draw(t, "metric"), Target: 1, Platform: rapid.SampledFrom(append(m.Platforms, mission.EveryPlatform)).Draw(t, "of")}
			m.KPIs = append(m.KPIs, k)
		}
		c := m.Constraints
		l := Fit(drawPosts(t, m.Platforms), c.Zone())
		j := jobOf(m, rapid.IntRange(0, m.DurationDays-1).Draw(t, "cycle"))
		p := planOf(j, l)
		if again := planOf(j, l); !reflect.DeepEqual(again, p) {
			t.Fatalf("got the second plan\n%v, the first\n%v", again, p)
		}
		if len(p.Slots) != c.PostsPerDay {
			t.Fatalf("%d slots for %d posts", len(p.Slots), c.PostsPerDay)
		}
		var timed []time.Time
		for n := range c.PostingTimes {
			timed = append(timed, c.PostingTime(j.Window, n))
		}
		// Times within a DST gap are moved to the same instant, and then apart.
		distinct := len(slices.CompactFunc(slices.SortedFunc(slices.Values(timed), time.Time.Compare), time.Time.Equal))
		learns := strategist{job: j, to: j.Brief.Destinations(nil), learned: l}.learnsHours()
		apart := j.Window.End.Sub(j.Window.Start)/time.Duration(2*c.PostsPerDay) - slotStep/10
		var found int
		for i, s := range p.Slots {
			caps, _ := mission.CapabilitiesOf(s.Platform)
			if !slices.Contains(m.Platforms, s.Platform) || !slices.Contains(caps.Formats, s.Format) || !slices.Contains(mission.AllAngles(), s.Angle) || s.Position != i {
				t.Fatalf("got slot %d %+v", i, s)
			}
			if i > 0 && !s.At.After(p.Slots[i-1].At) || s.At.Before(j.Window.Start) {
				t.Fatalf("slot %d of %v: got %s", i, p.Slots, s.At)
			}
			if slices.ContainsFunc(timed, s.At.Equal) {
				found++
				continue
			}
			if !learns || len(timed) >= c.PostsPerDay || distinct < len(timed) {
				continue // as in TestSlotsOfWholeMissions
			}
			if !s.At.Before(j.Window.End) {
				t.Fatalf("slot %d is at %s, after %s", i, s.At, j.Window.End)
			}
			for k, other := range p.Slots {
				if k != i && s.At.Sub(other.At).Abs() < apart {
					t.Fatalf("slots %s and %s are nearer than %s", s.At, other.At, apart)
				}
			}
		}
		if learns && distinct == len(timed) && found < min(len(timed), c.PostsPerDay) {
			t.Fatalf("of the posting times %v only %d are in %v", timed, found, p.Slots)
		}
		if longest := slices.MaxFunc(p.Reasons, func(a, b string) int { return len(a) - len(b) }); len(p.Reasons) > 14 || len(longest) > 400 {
			t.Fatalf("%d reasons, one of %d bytes: %s", len(p.Reasons), len(longest), longest)
		}
	})
}

// A mission without learning takes turns, and so does one with the learning of an
// earlier version of the service.
func TestNothingLearnedTakesTurns(t *testing.T) {
	var earlier Model
	if err := json.Unmarshal([]byte(`{"angle:tip":{"tries":9,"sum":20},"format:post":{"tries":9,"sum":9}}`), &earlier); err != nil {
		t.Fatal(err)
	}
	for _, platforms := range [][]mission.Platform{{mission.Twitter}, {mission.Twitter, mission.LinkedIn}, {mission.Twitter, mission.LinkedIn, mission.Bluesky}, {mission.Twitter, mission.LinkedIn, mission.Bluesky, mission.Threads}} {
		m := started(t, monday, func(m *mission.Mission) {
			m.Platforms, m.Objectives, m.Constraints.PostsPerDay, m.DurationDays = platforms, []string{"a"}, 4, 60
			m.KPIs = []mission.KPI{{Metric: mission.Likes, Target: 5, Platform: mission.EveryPlatform}, {Metric: mission.Clicks, Target: 5, Platform: mission.Twitter}}
		})
		seen := map[string]int{}
		for cycle := range 12 * len(platforms) {
			j := jobOf(m, cycle)
			p := planOf(j, nil)
			for _, other := range []Model{{}, earlier} {
				if got := planOf(j, other); !reflect.DeepEqual(got, p) {
					t.Fatalf("with %v got the plan %v, want %v", other, got, p)
				}
			}
			for i, at := range j.Brief.Constraints.Slots(j.Window, cycle) {
				if !p.Slots[i].At.Equal(at) {
					t.Fatalf("slot %d: got %s, want %s", i, p.Slots[i].At, at)
				}
			}
			if want := []string{"Nothing is measured yet, so every angle and format gets its turn."}; !slices.Equal(p.Reasons, want) {
				t.Fatalf("got the reasons %q", p.Reasons)
			}
			for _, s := range p.Slots {
				seen[fmt.Sprint(s.Platform, s.Angle, s.Format)]++
			}
		}
		for combination, n := range seen {
			if n != 4 {
				t.Errorf("on %v, got %s %d times, want 4", platforms, combination, n)
			}
		}
		if len(seen) != 12*len(platforms) {
			t.Errorf("on %v got %d combinations of %d", platforms, len(seen), 12*len(platforms))
		}
	}
}

// taken counts the choices in the plans of many cycles.
func taken(m mission.Mission, l Model, cycles int, of func(s mission.Slot) string) map[string]int {
	n := map[string]int{}
	for cycle := range cycles {
		for _, s := range planOf(jobOf(m, cycle), l).Slots {
			n[of(s)]++
		}
	}
	return n
}

func angleOf(s mission.Slot) string    { return string(s.Angle) }
func platformOf(s mission.Slot) string { return string(s.Platform) }

// Other KPIs affect the next plan, since all metrics have been learned.
func TestKPIsSteer(t *testing.T) {
	l := Fit(likings.posts(240, mission.Twitter, mission.LinkedIn), time.UTC)
	const cycles, posts = 30, 60
	for name, tt := range map[string]struct {
		kpis     []mission.KPI
		angle    mission.Angle // the one of most posts
		platform mission.Platform
	}{
		"without KPIs, engagement":        {nil, mission.AngleTip, ""},
		"likes":                           {[]mission.KPI{{Metric: mission.Likes, Target: 1, Platform: mission.EveryPlatform}}, mission.AngleTip, mission.LinkedIn},
		"clicks":                          {[]mission.KPI{{Metric: mission.Clicks, Target: 1, Platform: mission.EveryPlatform}}, mission.AngleMyth, mission.LinkedIn},
		"clicks of a platform":            {[]mission.KPI{{Metric: mission.Clicks, Target: 1, Platform: mission.Twitter}}, "", mission.Twitter},
		"a rate moves no posts":           {[]mission.KPI{{Metric: mission.EngagementRate, Target: 1, Platform: mission.EveryPlatform}}, mission.AngleTip, ""},
		"a rate of a platform neither":    {[]mission.KPI{{Metric: mission.EngagementRate, Target: 1, Platform: mission.Twitter}}, mission.AngleTip, ""},
		"what no post reports steers not": {[]mission.KPI{{Metric: mission.FollowersGained, Target: 1, Platform: mission.EveryPlatform}}, mission.AngleTip, ""},
		"what most KPIs ask for decides":  {[]mission.KPI{{Metric: mission.Clicks, Target: 1, Platform: mission.EveryPlatform}, {Metric: mission.Clicks, Target: 2, Platform: mission.EveryPlatform}, {Metric: mission.Clicks, Target: 3, Platform: mission.EveryPlatform}, {Metric: mission.Likes, Target: 1, Platform: mission.EveryPlatform}}, mission.AngleMyth, mission.LinkedIn},
	} {
		t.Run(name, func(t *testing.T) {
			m := started(t, monday, func(m *mission.Mission) {
				m.Platforms, m.Objectives, m.Constraints.PostsPerDay, m.DurationDays = []mission.Platform{mission.Twitter, mission.LinkedIn}, []string{"a"}, 2, cycles
				m.KPIs = tt.kpis
			})
			if angles := taken(m, l, cycles, angleOf); tt.angle != "" && angles[string(tt.angle)] < posts*2/3 {
				t.Errorf("got the angles %v", angles)
			}
			platforms := taken(m, l, cycles, platformOf)
			want := map[string]int{"twitter": posts / 2, "linkedin": posts / 2}
			if tt.platform != "" {
				want = map[string]int{"twitter": posts / 4, "linkedin": posts / 4}
				want[string(tt.platform)] = posts * 3 / 4
			}
			if !reflect.DeepEqual(platforms, want) {
				t.Errorf("got the platforms %v, want %v", platforms, want)
			}
		})
	}
}

// However poorly a platform performs, it keeps half of its share.
func TestPlatformsKeepHalfTheirShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		platforms := rapid.SliceOfNDistinct(rapid.SampledFrom(mission.AllPlatforms()), 2, 5, rapid.ID).Draw(t, "platforms")
		m := started(t, monday, func(m *mission.Mission) {
			m.Platforms, m.Objectives, m.DurationDays = platforms, []string{"a"}, 30
			m.Constraints.PostsPerDay = rapid.IntRange(1, 5).Draw(t, "posts")
			m.KPIs = []mission.KPI{{Metric: rapid.SampledFrom([]mission.Metric{mission.Likes, mission.Shares, mission.Clicks}).Draw(t, "metric"), Target: 1, Platform: mission.EveryPlatform}}
		})
		const cycles = 20
		l := Fit(drawPosts(t, platforms), time.UTC)
		counts := taken(m, l, cycles, platformOf)
		total := cycles * m.Constraints.PostsPerDay
		for _, p := range platforms {
			if least := total / 2 / len(platforms); counts[string(p)] < least {
				t.Fatalf("%s has %d of %d posts, want at least %d: %v", p, counts[string(p)], total, least, counts)
			}
		}
	})
}

// Slots move to the hours that performed best, from the sixth measured post on, but the
// tenant's posting times don't.
func TestSlotsFollowHours(t *testing.T) {
	m := started(t, monday, func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay, m.DurationDays = []mission.Platform{mission.Twitter}, []string{"a"}, 2, 30
	})
	l := Fit(likings.posts(200, mission.Twitter), time.UTC)
	near := 0
	for cycle := range 30 {
		for _, s := range planOf(jobOf(m, cycle), l).Slots {
			if away := math.Abs(hourOfDay(s.At) - likings.hour); away <= 5 {
				near++
			}
		}
	}
	if near < 40 { // 25 by chance
		t.Errorf("%d of 60 posts are within five hours of the best", near)
	}
	few := planOf(jobOf(m, 1), Fit(likings.posts(leastLearned-1, mission.Twitter), time.UTC))
	if even := m.Constraints.Slots(windowOf(m, 1), 1); !few.Slots[0].At.Equal(even[0]) || !few.Slots[1].At.Equal(even[1]) {
		t.Errorf("after %d posts got the slots %v, want %v", leastLearned-1, few.Slots, even)
	}
	m.Constraints.PostingTimes = []string{"04:30"}
	timed := planOf(jobOf(m, 1), l).Slots
	if !slices.ContainsFunc(timed, func(s mission.Slot) bool { return s.At.Format("15:04") == "04:30" }) {
		t.Errorf("the posting time isn't among %v", timed)
	}
}

// A mission that plans by its measurements takes the better angle more often, and never
// gives up the others.
func TestMissionsLearnAsTheyGo(t *testing.T) {
	m := started(t, monday, func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay, m.DurationDays = []mission.Platform{mission.Mastodon}, []string{"a"}, 2, 60
	})
	likes := map[mission.Angle]float64{mission.AngleHowTo: 100, mission.AngleQuestion: 110, mission.AngleStory: 90, mission.AngleInsight: 100, mission.AngleTip: 160, mission.AngleMyth: 80}
	var posts []mission.Content
	counts := map[mission.Angle]int{}
	for cycle := range 60 {
		for _, s := range planOf(jobOf(m, cycle), Fit(posts, time.UTC)).Slots {
			posts = append(posts, measuredPost(s.Platform, s.Angle, s.Format, s.At, mission.Metrics{mission.Likes: likes[s.Angle]}))
			counts[s.Angle]++
		}
	}
	for _, angle := range mission.AllAngles() {
		if angle != mission.AngleTip && counts[angle] >= counts[mission.AngleTip]/2 || counts[angle] == 0 {
			t.Errorf("got %s %d times, the best angle %d times", angle, counts[angle], counts[mission.AngleTip])
		}
	}
}

// The reasons are true of what was learned.
func TestPlansExplainThemselves(t *testing.T) {
	m := started(t, monday, func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay = []mission.Platform{mission.Twitter, mission.Mastodon}, []string{"a"}, 2
		m.KPIs = []mission.KPI{{Metric: mission.Clicks, Target: 1, Platform: mission.Twitter}}
	})
	arms := func(best string) map[Factor]map[string]Arm {
		return map[Factor]map[string]Arm{
			FactorPlatform: {"twitter": {9, 4, 0.1}},
			FactorAngle:    {best: {4, math.Log(1.25), 0.1}, "question": {5, -0.2, 0.1}},
			FactorFormat:   {"post": {9, 0, 0.1}},
			FactorHour:     {"09-12": {1, math.Log(1.1), 0.1}, "12-15": {0, 0.3, 0.2}, "21-24": {8, -0.1, 0.1}},
		}
	}
	l := Model{mission.Clicks: {Posts: 9, Arms: arms("tip")}, mission.Likes: {Posts: 9, Arms: arms("story")}}
	got := planOf(jobOf(m, 0), l)
	want := []string{
		`It aims at the metrics of the KPIs, clicks, and on platforms without a KPI at likes.`,
		`For clicks the angle "tip" does best: +25 % against the average of the 2 angles measured, from 4 posts (95 % range: +3 to +52 %).`,
		`For clicks the time of day "09-12" is ahead, but it is too early to say: +10 % against the average of the 2 times of day measured, from 1 post (95 % range: -10 to +34 %).`,
		`For likes the angle "story" does best: +25 % against the average of the 2 angles measured, from 4 posts (95 % range: +3 to +52 %).`,
		`For likes the time of day "09-12" is ahead, but it is too early to say: +10 % against the average of the 2 times of day measured, from 1 post (95 % range: -10 to +34 %).`,
		`Not measured yet, and so tried now and then: how_to, story, insight, myth.`,
		`Every second post goes to the platforms in turn, the others where the KPIs seem to gain most; of this plan's posts: twitter 2, mastodon 0.`,
		`The times of 2 posts are chosen by what is known of the times of day, apart from each other.`,
	}
	if !slices.Equal(got.Reasons, want) {
		t.Errorf("got the reasons\n%s\nwant\n%s", strings.Join(got.Reasons, "\n"), strings.Join(want, "\n"))
	}
	for _, tt := range []struct {
		kpis []mission.KPI
		want string
	}{
		{nil, "It aims at likes, as the mission has no KPIs."},
		{[]mission.KPI{{Metric: mission.Shares, Target: 1, Platform: mission.EveryPlatform}}, "It aims at likes, as nothing is known of any KPI."},
		{[]mission.KPI{{Metric: mission.Likes, Target: 1, Platform: mission.EveryPlatform}}, "It aims at the metrics of the KPIs: likes."},
	} {
		m.KPIs = tt.kpis
		if got := planOf(jobOf(m, 0), l).Reasons[0]; got != tt.want {
			t.Errorf("for %v got the first reason %q, want %q", tt.kpis, got, tt.want)
		}
	}
}
