package simulate

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher/sandbox"
	"missiond/internal/testkit"
	"missiond/mission"
)

// harmful plans in turn, but with the angle that the audience is going to like
// least of a post: it does harm wherever figures depend on choices, by liking or
// by chance.
func harmful(a sandbox.Audience) planner {
	return func(j mission.Job, before []played, now time.Time) mission.Plan {
		p := inTurn(j, before, now)
		for i, slot := range p.Slots {
			least := publish(j, slot, a, ids).final.Engagements()
			for _, angle := range mission.AllAngles() {
				slot.Angle = angle
				if n := publish(j, slot, a, ids).final.Engagements(); n < least {
					least, p.Slots[i].Angle = n, angle
				}
			}
		}
		return p
	}
}

// spoiled plays what o says with the harmful planner in place of learning.
func spoiled(t *testing.T, o Options) Report {
	t.Helper()
	r, err := o.run(harmful)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Where choices don't matter, and each draws figures of its own, learning does
// worse than the noise no more often than chance does; a planner that does harm
// is found out.
func TestLearningDoesNoHarm(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	for kpi, aim := range map[mission.Metric]func(Harm) Worse{
		mission.EngagementRate: func(h Harm) Worse { return h.Rate },
		mission.Likes:          func(h Harm) Worse { return h.Engagements },
	} {
		o := defaults()
		o.Steady, o.Drawn, o.KPI, o.Days = true, true, kpi, 30
		r := run1(t, o)
		if w := aim(r.Windows); w.Share() > 10 { // 5 by the noise itself
			t.Errorf("for %s, of the windows: %+v", kpi, w)
		}
		if s := r.Overall.Rate; s.Deviation < 1 || s.High < 0 {
			t.Errorf("for %s, the gain is %+v", kpi, s)
		}
		if s := r.Overall.Engagements; s.High < 0 || kpi == mission.Likes && s.Mean < 2 {
			t.Errorf("for %s, the gain in engagements is %+v", kpi, s)
		}
		if bad := spoiled(t, o); aim(bad.Windows).Share() < 50 || bad.Overall.Rate.High > 0 {
			t.Errorf("for %s, the harmful planner passes: %+v", kpi, aim(bad.Windows))
		}
	}
}

// A mission that is too short to learn loses no more than chance takes.
func TestShortMissionsLoseNothing(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	o := defaults()
	o.Days, o.PostsPerDay, o.Seeds = 7, 1, 60
	for name, w := range map[string]Worse{"rate": run1(t, o).Missions.Rate, "engagements": run1(t, o).Missions.Engagements} {
		if w.Least < w.Noise || w.Noise > -5 || w.Of != 60 {
			t.Errorf("the harm in %s is %+v", name, w)
		}
	}
	if bad := spoiled(t, o).Missions.Rate; bad.Least >= bad.Noise || bad.Share() < 50 {
		t.Errorf("the harmful planner passes: %+v", bad)
	}
}

// An audience whose likings change is followed: what was gained comes back, and
// meanwhile few ten-day windows are worse than chance explains.
func TestChangingAudienceIsFollowed(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	for _, perDay := range []int{1, 2, 5} {
		o := defaults()
		o.Days, o.ChangeDay, o.PostsPerDay = 180, 91, perDay
		if !testkit.Nightly() {
			if perDay != 2 {
				continue
			}
			o.Days, o.Seeds = 140, 5
		}
		r := run1(t, o)
		for name, w := range map[string]Worse{"all": r.Windows.Rate, "from the change on": r.Recovery.Windows.Rate} {
			if w.Share() > 5 {
				t.Errorf("at %d posts a day, of the windows %s: %+v", perDay, name, w)
			}
		}
		if back := r.Recovery.Days; perDay > 1 && (back == 0 || back > 45) {
			t.Errorf("at %d posts a day 80 %% of %+v is back after %d days", perDay, r.Recovery.Before, back)
		}
		var text bytes.Buffer
		if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "80 % of it is") {
			t.Errorf("the report doesn't tell of the change: %v\n%s", err, text.String())
		}
	}
	o := defaults()
	o.Days, o.Seeds, o.ChangeDay = 40, 4, 21
	if bad := spoiled(t, o).Recovery.Windows.Rate; bad.Share() < 50 {
		t.Errorf("the harmful planner passes: %+v", bad)
	}
}
