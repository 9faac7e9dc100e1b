package learning

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// reader is the audience of one platform, whose angles add to the logarithm of its
// likes.
type reader map[mission.Angle]float64

// posts returns n posts, two a day from a day on, each angle in turn. chance is the
// standard deviation of their noise.
func (likes reader) posts(r *rand.Rand, from, n int, chance float64) []mission.Content {
	var posts []mission.Content
	for i := range n {
		angle := mission.AllAngles()[i%len(mission.AllAngles())]
		at := monday.Add(time.Duration(from)*24*time.Hour + time.Duration(i)*11*time.Hour)
		posts = append(posts, measuredPost(mission.Twitter, angle, mission.FormatPost, at, mission.Metrics{
			mission.Likes: math.Round(200 * math.Exp(likes[angle]+chance*r.NormFloat64())),
		}))
	}
	return posts
}

var (
	likesTips  = reader{mission.AngleTip: 0.5, mission.AngleMyth: -0.5}
	likesMyths = reader{mission.AngleTip: -0.5, mission.AngleMyth: 0.5}
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// When the audience changes, what was learned of the earlier one is forgotten within
// some twenty posts: the effects are the new ones, they are less certain than before,
// and few posts count. The day of the change is reported.
func TestChangedAudienceIsFollowed(t *testing.T) {
	for seed := range uint64(10) {
		r := source(seed)
		old := likesTips.posts(r, 0, 120, 0.35)
		before := Fit(old, time.UTC)[mission.Likes]
		after := Fit(slices.Concat(old, likesMyths.posts(r, 60, 24, 0.35)), time.UTC)[mission.Likes]
		for name, sign := range map[mission.Angle]float64{mission.AngleTip: -1, mission.AngleMyth: 1} {
			was, is := before.Arms[FactorAngle][string(name)], after.Arms[FactorAngle][string(name)]
			if was.Effect*sign > -0.3 || is.Effect*sign < 0.15 {
				t.Errorf("seed %d: %s changed from %+v to %+v", seed, name, was, is)
			}
			if is.Spread < 1.3*was.Spread || is.Tries > 8 {
				t.Errorf("seed %d: with most posts forgotten, %s is as certain as %+v, after %+v", seed, name, is, was)
			}
		}
		if after.Posts > 40 || before.Posts < 110 || before.Changed != nil {
			t.Errorf("seed %d: got %d of 144 posts, before %d of 120: %+v", seed, after.Posts, before.Posts, before.Changed)
		}
		turn := monday.Add(60 * 24 * time.Hour)
		if c := after.Changed; c == nil || c.Sure < 0.9 || c.At.Sub(turn).Abs() > 8*24*time.Hour {
			t.Errorf("seed %d: got the change of %s as %+v", seed, turn, c)
		}
	}
}

// What was learned of an unchanged audience is kept, even if single posts perform far
// better or worse than the others.
func TestSteadyAudienceIsRemembered(t *testing.T) {
	kept, posts, events := 0, 0, 0
	const seeds, n = 20, 160
	for seed := range uint64(seeds) {
		r := source(seed)
		list := likesTips.posts(r, 0, n, 0.35)
		for i := range list {
			if r.IntN(30) == 0 {
				list[i].Metrics[mission.Likes] *= 12
			}
		}
		e := Fit(list, time.UTC)[mission.Likes]
		kept, posts = kept+e.Posts, posts+n
		if e.Changed != nil {
			events++
		}
	}
	if 100*kept < 90*posts || events > 1 {
		t.Errorf("%d of %d posts count, got changes of %d of %d audiences", kept, posts, events, seeds)
	}
}

// One or two posts, however unusual, are no change.
func TestOddPostsAreNoChange(t *testing.T) {
	for odd := 1; odd <= 2; odd++ {
		list := likesTips.posts(source(3), 0, 120, 0.1)
		for i := range odd {
			list[len(list)-1-i].Metrics[mission.Likes] *= 1000
		}
		if e := Fit(list, time.UTC)[mission.Likes]; e.Posts < 100 {
			t.Errorf("after %d unusual posts only %d of 120 count", odd, e.Posts)
		}
	}
}

// A level that falls far doesn't discard the angles: posts are compared with the level
// of the audience at their time.
func TestEffectsAreOfTheNewLevel(t *testing.T) {
	list := likesTips.posts(source(1), 0, 60, 0.2)
	fallen := likesTips.posts(source(2), 30, 30, 0.2)
	for i := range fallen {
		fallen[i].Metrics[mission.Likes] = math.Round(fallen[i].Metrics[mission.Likes] / 20)
	}
	arms := Fit(append(list, fallen...), time.UTC)[mission.Likes].Arms
	if level := arms[FactorPlatform]["twitter"].Effect; math.Abs(level-math.Log(10)) > 0.4 {
		t.Errorf("got the level %.2f, want about %.2f", level, math.Log(10))
	}
	if tip, myth := arms[FactorAngle]["tip"], arms[FactorAngle]["myth"]; tip.Effect < 0.15 || myth.Effect > -0.15 {
		t.Errorf("got tips %+v, myths %+v", tip, myth)
	}
}

// A mission's plan takes turns until one post for each angle has measurements of a
// KPI, and again when as many were forgotten.
func TestFewPostsSteerNothing(t *testing.T) {
	m := started(t, monday, func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.DurationDays = []mission.Platform{mission.Twitter}, []string{"a"}, 90
		m.Constraints.PostsPerDay, m.KPIs = 6, []mission.KPI{{Metric: mission.Likes, Target: 1, Platform: mission.EveryPlatform}}
	})
	list := likesTips.posts(source(1), 0, leastLearned, 0.1)
	inTurn := planOf(jobOf(m, 3), nil).Slots
	few := planOf(jobOf(m, 3), Fit(list[1:], time.UTC))
	if !reflect.DeepEqual(few.Slots, inTurn) {
		t.Errorf("after %d posts got the plan %v, want %v", len(list)-1, few.Slots, inTurn)
	}
	want := "Too little is known: every angle and format gets its turn until 6 posts with metrics of the KPIs are measured."
	if !slices.Equal(few.Reasons, []string{want}) {
		t.Errorf("got the reasons %q", few.Reasons)
	}
	if p := planOf(jobOf(m, 3), Fit(list, time.UTC)); reflect.DeepEqual(p.Slots, inTurn) {
		t.Errorf("after %d posts the plan still takes turns", len(list))
	}
	forgotten := Fit(list, time.UTC)
	e := forgotten[mission.Likes]
	e.Posts = leastLearned - 1
	forgotten[mission.Likes] = e
	if p := planOf(jobOf(m, 3), forgotten); !reflect.DeepEqual(p.Slots, inTurn) {
		t.Errorf("with most forgotten got the plan %v, want %v", p.Slots, inTurn)
	}
}

// A plan's reasons name the metrics whose audience seems to have changed, and the day
// in the mission's time zone.
func TestPlansNameChanges(t *testing.T) {
	m := started(t, monday, func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.Constraints.Timezone = []mission.Platform{mission.Twitter}, []string{"a"}, "Asia/Tokyo"
		m.KPIs = []mission.KPI{{Metric: mission.Likes, Target: 1, Platform: mission.EveryPlatform}, {Metric: mission.Clicks, Target: 1, Platform: mission.EveryPlatform}}
	})
	at := time.Date(2026, 4, 4, 22, 0, 0, 0, time.UTC)
	l := Model{mission.Likes: {Posts: 9, Changed: &AudienceChange{At: at, Sure: 0.9979}}, mission.Clicks: {Posts: 9}}
	want := "The audience seems to have changed, so earlier posts count less: for likes about 2026-04-05 (99 % sure)."
	if got := planOf(jobOf(m, 0), l).Reasons; !slices.Contains(got, want) {
		t.Errorf("got the reasons %q", got)
	}
	l[mission.Likes] = Effects{Posts: 9}
	if got := strings.Join(planOf(jobOf(m, 0), l).Reasons, " "); strings.Contains(got, "changed") {
		t.Errorf("without a change got the reasons %q", got)
	}
}

// How far a post's result is beyond 4.5 times the usual, up or down, doesn't matter;
// differences within that do.
func TestOutliersAreClamped(t *testing.T) {
	with := func(factor float64) Model {
		list := likesTips.posts(source(1), 0, 60, 0.1)
		list[30].Metrics[mission.Likes] = math.Round(200 * factor)
		return Fit(list, time.UTC)
	}
	for _, beyond := range [][2]float64{{8, 1000}, {1.0 / 8, 1.0 / 200}} {
		if near, far := with(beyond[0]), with(beyond[1]); !reflect.DeepEqual(near, far) {
			t.Errorf("%v times and %v times the usual result give\n%+v\n%+v", beyond[0], beyond[1], near, far)
		}
	}
	if reflect.DeepEqual(with(3), with(4)) {
		t.Error("3 and 4 times the usual result give the same")
	}
}

// The day is a circle: the hours before midnight are as near to those after it as any
// neighbors.
func TestHoursAreCircular(t *testing.T) {
	var list []mission.Content
	for i := range 40 {
		at, likes := monday.Add(time.Duration(i)*24*time.Hour+4*time.Hour+30*time.Minute), 50.0 // 13:30
		if i%2 == 0 {
			at, likes = at.Add(-12*time.Hour), 150 // 01:30
		}
		list = append(list, measuredPost(mission.Twitter, mission.AngleTip, mission.FormatPost, at, mission.Metrics{mission.Likes: likes}))
	}
	hours := Fit(list, time.UTC)[mission.Likes].Arms[FactorHour]
	for _, pair := range [][2]string{{"21-24", "03-06"}, {"18-21", "06-09"}, {"15-18", "09-12"}} {
		if a, b := hours[pair[0]], hours[pair[1]]; math.Abs(a.Effect-b.Effect) > 2e-4 || math.Abs(a.Spread-b.Spread) > 2e-4 {
			t.Errorf("got %+[2]v for %[1]s, %+[4]v for %[3]s, as far from the best hours", pair[0], a, pair[1], b)
		}
	}
	if hours["21-24"].Effect < 0.05 {
		t.Errorf("got %+v next to the best hours", hours["21-24"])
	}
	scores := []float64{2, 0, 0, 0, 0, 0, 0, 1}
	for hour, want := range map[float64]float64{0: 1.5, 1.5: 2, 22.5: 1, 23.25: 1.25, 3: 1, 12: 0} {
		if got := between(scores, hour); math.Abs(got-want) > 1e-9 {
			t.Errorf("got the score %[2]v at %[1]v, want %[3]v", hour, got, want)
		}
	}
}
