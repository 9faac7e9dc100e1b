package missions_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// followed is a platform that reports how many follow accounts, or an error.
type followed struct {
	world.Publisher

	followers int64
	days      []mission.DayFigures
	err       error
	calls     []string // the accounts' ids
	times     []time.Time
	w         *world.World
}

// Audience implements tasks.Publisher.
func (f *followed) Audience(_ context.Context, via *mission.Integration, _ string) (mission.Audience, error) {
	f.calls, f.times = append(f.calls, via.ID), append(f.times, f.w.Clock.Now())
	if f.err != nil {
		return mission.Audience{}, f.err
	}
	n := f.followers
	return mission.Audience{Now: mission.AccountFigures{Followers: &n}, Days: f.days}, nil
}

// follow has a world's platforms report followers.
func follow(w *world.World) *followed {
	f := &followed{Publisher: w.Parts.Publisher, followers: 100, w: w}
	w.Parts.Publisher = f
	return f
}

// known returns the days of an account that are known, as "2026-11-21 100".
func known(w *world.World, i mission.Integration) []string {
	w.T.Helper()
	days, err := w.DB.AccountDays(context.Background(), i.TenantID, []string{i.ID}, mission.DateRange{From: "2020-01-01", To: "2030-01-01"})
	w.Must(err)
	list := []string{}
	for _, d := range days[i.ID] {
		text := d.Date
		for _, f := range []*int64{d.Followers, d.Reach} {
			if f == nil {
				text += " -"
			} else {
				text += fmt.Sprintf(" %d", *f)
			}
		}
		list = append(list, text)
	}
	return list
}

// live lets time pass, hour by hour, while accounts are planned as a process does.
func live(w *world.World, hours int) {
	w.T.Helper()
	for range hours {
		w.Must(w.Missions.PlanAudiences(context.Background()))
		w.Step()
		w.Clock.Advance(time.Hour)
	}
}

// toMidnight lets the rest of the day pass.
func toMidnight(w *world.World) { live(w, 24-w.Clock.Now().Hour()) }

// Each account is read once a day, at its own time; a day on which it couldn't be has no figures, and
// the next has its own.
func TestAudienceIsReadDaily(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.Mastodon)
		f := follow(w)
		toMidnight(w) // 21 November
		f.followers, f.err = 110, &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{Code: publisher.CodeUnavailable, Message: "Down."}}
		before := len(f.calls)
		live(w, 24)
		if n := len(f.calls) - before; n < 2 || n > 4 {
			t.Errorf("the platform was called %d times on a day on which it was down", n)
		}
		f.err, f.followers = nil, 120
		before = len(f.calls)
		live(w, 24)
		if n := len(f.calls) - before; n != 1 {
			t.Errorf("the platform was called %d times on a day", n)
		}
		want := []string{"2026-11-21 100 -", "2026-11-23 120 -"}
		if got := known(w, i); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		series := mission.AccountSeries(mission.DateRange{From: "2026-11-21", To: "2026-11-23"}, nil)
		if len(series) != 3 || !series[1].None() {
			t.Errorf("got %+v", series)
		}
	})
}

// A platform that asks for a pause gets it, and the day's figures are read after it.
func TestAudienceWaits(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.Bluesky)
		f := follow(w)
		f.err = &mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: 3 * time.Hour, Failure: mission.Failure{Code: publisher.CodeRateLimited, Message: "Wait."}}
		live(w, 1)
		if len(f.calls) != 1 {
			t.Fatalf("%d calls", len(f.calls))
		}
		f.err = nil
		live(w, 1) // until 10:00
		if len(f.calls) != 1 {
			t.Error("the platform was called before its pause was over")
		}
		live(w, 2)
		if len(f.calls) != 2 || f.times[1].Sub(f.times[0]) < 3*time.Hour || len(known(w, i)) != 1 {
			t.Errorf("called at %v; known are %v", f.times, known(w, i))
		}
	})
}

// A series corrects days that are known, and adds those that were missed, as far as they may be kept.
func TestAudienceSeries(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.LinkedIn)
		f := follow(w)
		reach := int64(7)
		f.days = []mission.DayFigures{
			{Date: "2026-11-20", AccountFigures: mission.AccountFigures{Reach: &reach}}, {Date: "2024-01-01", AccountFigures: mission.AccountFigures{Reach: &reach}},
		}
		live(w, 1)
		f.days = []mission.DayFigures{{Date: "2026-11-21", AccountFigures: mission.AccountFigures{Reach: &reach}}}
		toMidnight(w)
		live(w, 24)
		if got, want := known(w, i), []string{"2026-11-20 - 7", "2026-11-21 100 7", "2026-11-22 100 -"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// An account isn't read while it needs to be reconnected, nor after it was disconnected, when nothing
// of it is kept, whatever is read at that moment.
func TestAudienceOfUnconnectedAccounts(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		i, other := connect(w, mission.Mastodon), connect(w, mission.Mastodon)
		f := follow(w)
		live(w, 1)
		set(w, i, refused)
		before := len(f.calls)
		live(w, 48)
		if slices.Contains(f.calls[before:], i.ID) || !slices.Contains(f.calls[before:], other.ID) {
			t.Errorf("read %v; %s was refused", f.calls[before:], i.ID)
		}
		set(w, i, connected)
		before = len(f.calls)
		live(w, 1)
		if !slices.Contains(f.calls[before:], i.ID) {
			t.Error("an account that is connected again isn't read")
		}
		w.Clock.Advance(25 * time.Hour)
		gone := &disconnecting{followed: f, then: func() { disconnect(w, i) }, of: i.ID}
		w.Parts.Publisher = gone
		live(w, 25)
		if !gone.done || len(known(w, i)) != 0 || len(known(w, other)) < 3 {
			t.Errorf("disconnected %t: known are %v, of the other %v", gone.done, known(w, i), known(w, other))
		}
		unread, err := w.DB.UnreadAccounts(ctx, mission.AudiencePlatforms(true), 10)
		if err != nil || len(unread) != 0 {
			t.Errorf("unread are %v, %v", unread, err)
		}
	})
}

// disconnecting disconnects an account while it is read.
type disconnecting struct {
	*followed

	of   string
	then func()
	done bool
}

// Audience implements tasks.Publisher.
func (d *disconnecting) Audience(ctx context.Context, via *mission.Integration, since string) (mission.Audience, error) {
	if via.ID == d.of {
		d.then()
		d.done = true
	}
	return d.followed.Audience(ctx, via, since)
}

// X is read only if the operator wants it, and platforms that report nothing never are.
func TestPaidAudience(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.Twitter)
		connect(w, mission.Pinterest)
		f := follow(w)
		live(w, 24)
		if len(f.calls) != 0 {
			t.Fatalf("read %v", f.calls)
		}
		o := missions.Options{Clock: w.Clock, Writer: w.Writer, Sandbox: true, PaidFigures: true}
		w.Missions.Pipeline = missions.NewPipeline(w.DB, o)
		w.Parts.Pipeline = w.Missions.Pipeline
		live(w, 25)
		if len(f.calls) == 0 || slices.ContainsFunc(f.calls, func(id string) bool { return id != i.ID }) {
			t.Errorf("read %v, want %s", f.calls, i.ID)
		}
		if spent := len(known(w, i)); spent == 0 {
			t.Error("nothing is known")
		}
	})
}

// What a platform's terms don't let be kept any more is deleted, and the other platforms' days stay.
func TestAudienceIsKeptAsTermsAllow(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		accounts := map[mission.Platform]mission.Integration{}
		for _, p := range []mission.Platform{mission.LinkedIn, mission.Mastodon} {
			accounts[p] = connect(w, p)
		}
		follow(w)
		live(w, 1)
		for _, step := range []struct {
			days             int
			linkedIn, others int
		}{{364, 1, 1}, {365, 1, 1}, {366, 0, 1}, {400, 0, 1}, {401, 0, 0}} {
			w.Clock.Advance(world.Began.AddDate(0, 0, step.days).Sub(w.Clock.Now()))
			w.Must(w.Missions.DropAccountDays(context.Background()))
			if n := len(known(w, accounts[mission.LinkedIn])); n != step.linkedIn {
				t.Errorf("after %d days %d of LinkedIn's are kept", step.days, n)
			}
			if n := len(known(w, accounts[mission.Mastodon])); n != step.others {
				t.Errorf("after %d days %d of Mastodon's are kept", step.days, n)
			}
		}
	})
}

// More accounts than a transaction takes all get their tasks, at times of their own.
func TestManyAudiences(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		for range 130 {
			connect(w, mission.Mastodon)
		}
		w.Clock.Advance(25 * time.Hour)
		f := follow(w)
		live(w, 25)
		hours := map[int]int{}
		for _, at := range f.times {
			hours[at.Hour()]++
		}
		if len(f.calls) < 125 || len(f.calls) > 135 || len(hours) < 15 {
			t.Errorf("%d calls in %d hours", len(f.calls), len(hours))
		}
	})
}
