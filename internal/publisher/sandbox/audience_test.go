package sandbox

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

var day = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func post(id string, p mission.Platform, angle mission.Angle, at time.Time) mission.Content {
	return mission.Content{ID: id, MissionID: "msn_1", Platform: p, Angle: angle, Format: mission.FormatPost, PublishedAt: &at}
}

// Counts are whole, never fall as a post grows older, and fit each other; what
// a platform doesn't report is absent.
func TestMetricsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Audience{Seed: rapid.Uint64().Draw(t, "seed")}
		p := rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform")
		c := post(rapid.String().Draw(t, "id"), p, rapid.SampledFrom(mission.AllAngles()).Draw(t, "angle"), day)
		first := time.Duration(rapid.Int64Range(-1, int64(90*24*time.Hour)).Draw(t, "age"))
		more := time.Duration(rapid.Int64Range(0, int64(90*24*time.Hour)).Draw(t, "more"))
		young, old := a.Metrics(c, first), a.Metrics(c, first+more)
		if !reflect.DeepEqual(young, a.Metrics(c, first)) {
			t.Fatal("the same post at the same age has other figures")
		}
		caps, _ := mission.CapabilitiesOf(p)
		for m, v := range old {
			if !slices.Contains(caps.Metrics, m) {
				t.Fatalf("%s doesn't report %s", p, m)
			}
			if m == mission.EngagementRate {
				continue
			}
			if v < young[m] || v != float64(int(v)) {
				t.Fatalf("%s goes from %v to %v", m, young[m], v)
			}
		}
		if slices.Contains(caps.Metrics, mission.Impressions) {
			if old[mission.Reach] > old[mission.Impressions] || old.Engagements() > old[mission.Impressions] {
				t.Fatalf("the figures don't fit: %v", old)
			}
		}
	})
}

func TestUnpublishedHasNoReaders(t *testing.T) {
	m := Audience{Seed: 1}.Metrics(post("c", mission.Twitter, mission.AngleTip, day), 0)
	if m[mission.Impressions] != 0 || m[mission.Likes] != 0 {
		t.Errorf("it has %v", m)
	}
	if _, ok := m[mission.EngagementRate]; ok {
		t.Error("nothing seen has a rate")
	}
}

// mean is the mean engagement rate of many posts of an angle.
func mean(a Audience, angle mission.Angle) float64 {
	sum := 0.0
	const posts = 2000
	for i := range posts {
		c := post(fmt.Sprint(i), mission.Twitter, angle, day.Add(time.Duration(i)*37*time.Minute))
		sum += a.Metrics(c, 48*time.Hour)[mission.EngagementRate]
	}
	return sum / posts
}

// What the audience prefers shows in the averages, by about as much as it
// says; a steady audience prefers nothing.
func TestPreferencesShow(t *testing.T) {
	a := Audience{Seed: 7}
	truth := a.Preferences("msn_1", day).Angles
	base := mean(a, mission.AngleTip) / truth[mission.AngleTip]
	for _, angle := range mission.AllAngles() {
		if got := mean(a, angle) / base; got < truth[angle]*0.93 || got > truth[angle]*1.07 {
			t.Errorf("%s does %.2f times as well, the audience likes it %.2f times", angle, got, truth[angle])
		}
	}
	steady := Audience{Seed: 7, Steady: true}
	for _, angle := range mission.AllAngles() {
		if got := mean(steady, angle) / mean(steady, mission.AngleTip); got < 0.97 || got > 1.03 {
			t.Errorf("a steady audience likes %s %.2f times as well", angle, got)
		}
	}
}

// measuredPlatforms returns the platforms that report how readers like posts.
func measuredPlatforms() []mission.Platform {
	return slices.DeleteFunc(mission.AllPlatforms(), func(p mission.Platform) bool { return !slices.Contains(capabilities(p).Metrics, mission.Likes) })
}

// play measures posts of a mission on every platform at the ages of the
// schedule, as the service does, and returns the ids of those that are flagged as
// unusual. figures may change what is measured.
func play(a Audience, missionID string, posts int, figures func(c mission.Content, m mission.Metrics)) map[string]bool {
	failure, peers := map[string]bool{}, mission.Peers{}
	m := mission.Mission{ID: missionID, Platforms: measuredPlatforms()}
	for _, p := range measuredPlatforms() {
		for i := range posts {
			at := day.Add(time.Duration(i) * 12 * time.Hour)
			c := mission.Content{
				ID: fmt.Sprint(missionID, p, i), MissionID: missionID, Platform: p, Format: mission.FormatPost, PublishedAt: &at,
				Angle: mission.AllAngles()[i%len(mission.AllAngles())],
			}
			for next := c.MeasureAgain(true, 0, at); next != nil; next = c.MeasureAgain(true, 0, *next) {
				measured := a.Metrics(c, next.Sub(at))
				figures(c, measured)
				points := mission.Measurements([]mission.Content{c}, map[string]mission.Metrics{c.ID: measured}, *next)
				key := mission.PeerKey{Platform: p, Step: points[0].Step}
				peers[key] = append(peers[key], points...)
				peers[key] = peers[key][max(0, len(peers[key])-100):]
				c.Unusual = c.Unusual || failure[c.ID]
				for _, id := range m.Assess([]mission.Content{c}, points, peers, *next).Unusual {
					failure[id] = true
				}
				c.Metrics = points[0].Metrics
			}
		}
	}
	return failure
}

// On a steady audience fewer than one post in a thousand is flagged as unusual;
// those that are planted, ten times better or worse than they would have been,
// are found.
func TestUnusualPostsAreFound(t *testing.T) {
	steady := Audience{Seed: 11, Steady: true}
	const missions, each = 8, 60
	alarms, posts := 0, missions*each*len(measuredPlatforms())
	for i := range missions {
		alarms += len(play(steady, fmt.Sprint("msn_", i), each, func(mission.Content, mission.Metrics) {}))
	}
	t.Logf("%d of %d ordinary posts are flagged as unusual", alarms, posts)
	if alarms*1000 >= posts {
		t.Errorf("%d of %d ordinary posts are flagged as unusual", alarms, posts)
	}
	found, planted := 0, 0
	for i := range 3 {
		odd := map[string]bool{}
		failure := play(steady, fmt.Sprint("odd_", i), each, func(c mission.Content, m mission.Metrics) {
			var factor float64
			switch c.ID[len(c.ID)-2:] {
			case "35":
				factor = 10
			case "48":
				factor = 1.0 / 10
			default:
				return
			}
			odd[c.ID] = true
			for _, metric := range []mission.Metric{mission.Likes, mission.Comments, mission.Shares} {
				m[metric] = float64(int(m[metric] * factor))
			}
			if rate, ok := m.Rate(); ok {
				m[mission.EngagementRate] = rate
			}
		})
		planted += len(odd)
		for id := range odd {
			if failure[id] {
				found++
			}
		}
	}
	t.Logf("%d of %d planted posts are found", found, planted)
	if found*100 < planted*95 { // some would have done as much worse, or better, by chance
		t.Errorf("%d of %d planted posts are found", found, planted)
	}
}

// The sandbox's followers grow from day to day, and are the same each time.
func TestFollowersGrow(t *testing.T) {
	a := Audience{Seed: 1}
	before := int64(0)
	for n := range 400 {
		at := begins.AddDate(0, 0, n)
		f := a.Followers(at)
		if f.Followers == nil || *f.Followers <= before || f.Reach == nil || *f.Reach > *f.Followers || !reflect.DeepEqual(f, a.Followers(at.Add(23*time.Hour))) {
			t.Fatalf("day %d: got %+v after %d", n, f, before)
		}
		before = *f.Followers
	}
	if f := a.Followers(begins.Add(-time.Second)); !f.None() {
		t.Errorf("before it began: got %+v", f)
	}
	p := New(nil, stopped(day), a)
	got := p.Followers("2026-11-10")
	if got.Now.Followers == nil || got.Now.Reach != nil || len(got.Days) != 11 || got.Days[10].Date != "2026-11-20" {
		t.Errorf("got %+v", got)
	}
}

// stopped is a clock that stands still.
type stopped time.Time

// Now implements [Clock].
func (s stopped) Now() time.Time { return time.Time(s) }
