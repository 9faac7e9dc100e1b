package missions_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// withQuota connects LinkedIn, with an account that may publish some posts a day.
func withQuota(w *world.World, daily int) mission.Integration {
	w.T.Helper()
	i := connect(w, mission.LinkedIn)
	set(w, i, func(i mission.Integration, _ time.Time) mission.Integration {
		account := *i.Account
		account.Daily = daily
		i.Account = &account
		return i
	})
	return i
}

// onLinkedIn makes a mission publish on LinkedIn only, so many posts a day for three days.
func onLinkedIn(posts int) func(in *mission.CreateInput) {
	return func(in *mission.CreateInput) {
		days := 3
		in.Platforms, in.Constraints.PostsPerDay, in.DurationDays = []mission.Platform{mission.LinkedIn}, &posts, &days
	}
}

// mostADay returns the most posts of some missions that went out within 24 hours.
func mostADay(w *world.World, ids ...string) (most, all int) {
	w.T.Helper()
	var times []time.Time
	for _, id := range ids {
		for _, c := range w.Published(id) {
			times = append(times, *c.PublishedAt)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	for i, first := range times {
		n := 0
		for _, t := range times[i:] {
			if t.Sub(first) < mission.QuotaSpan {
				n++
			}
		}
		most = max(most, n)
	}
	return most, len(times)
}

// Missions that publish through one account plan with what each other leave of its daily quota, also if
// their plans are made before any post is written, and say why they have fewer posts.
func TestMissionsShareADailyQuota(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		withQuota(w, 3)
		first, second := w.Create(onLinkedIn(2)), w.Create(onLinkedIn(2))
		w.Over(first.ID)
		w.Over(second.ID)
		most, all := mostADay(w, first.ID, second.ID)
		if most != 3 || all < 7 || all > 12 {
			t.Errorf("%d posts went out, %d of them in a day", all, most)
		}
		said := 0
		for _, m := range []mission.Mission{first, second} {
			jobs, err := w.DB.JobsOf(context.Background(), w.Tenant.TenantID, []string{m.ID}, store.Page{Limit: 10})
			w.Must(err)
			for _, j := range jobs[m.ID].List {
				if slices.ContainsFunc(j.Plan.Reasons, func(r string) bool { return strings.HasPrefix(r, "LinkedIn publishes at most 3 posts") }) {
					said++
				}
			}
		}
		if said == 0 {
			t.Error("no plan says why it has fewer posts")
		}
	})
}

// A mission whose account has no posts left in a cycle goes on with an empty plan.
func TestPlanWithoutAPost(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		withQuota(w, 1)
		first := w.Create(onLinkedIn(1))
		w.Until("the first plan", func() bool { return len(w.Job(w.Mission(first.ID)).Plan.Slots) == 1 })
		second := w.Create(onLinkedIn(1))
		w.Over(first.ID)
		w.Over(second.ID)
		if most, all := mostADay(w, first.ID, second.ID); most != 1 || all < 2 {
			t.Errorf("%d posts went out, %d of them in a day", all, most)
		}
	})
}

// A post that a person makes or moves beyond its account's quota is refused, with the time of the next
// one; a free slot is one that the quota allows.
func TestPostsByHandKeepTheQuota(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		withQuota(w, 2)
		long := func(in *mission.CreateInput) {
			onLinkedIn(1)(in)
			days := 20
			in.DurationDays = &days
		}
		m, other := w.Create(long), w.Create(long)
		day := w.Clock.Now().Add(10 * 24 * time.Hour)
		post := func(m mission.Mission, at time.Time) (mission.Content, error) {
			text := "By hand."
			return w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: mission.LinkedIn, Text: &text, ScheduledAt: &at})
		}
		must := func(c mission.Content, err error) mission.Content {
			t.Helper()
			w.Must(err)
			return c
		}
		a, b := must(post(m, day)), must(post(other, day.Add(time.Hour)))
		_, err := post(m, day.Add(2*time.Hour))
		wantOver(t, err, day.Add(mission.QuotaSpan))
		c := must(post(m, day.Add(mission.QuotaSpan)))

		_, err = w.Missions.RescheduleContent(ctx, w.Tenant, c.ID, day.Add(3*time.Hour))
		wantOver(t, err, day.Add(mission.QuotaSpan))
		must(w.Missions.RescheduleContent(ctx, w.Tenant, c.ID, day.Add(30*time.Hour)))
		must(w.Missions.RescheduleContent(ctx, w.Tenant, a.ID, day.Add(2*time.Hour))) // its own place is free

		// Together posts may change places, in any order.
		results, err := w.Missions.RescheduleEach(ctx, w.Tenant, []missions.Move{{ID: c.ID, ScheduledAt: day.Add(time.Minute)}, {ID: b.ID, ScheduledAt: day.Add(72 * time.Hour)}})
		w.Must(err)
		for _, r := range results {
			if r.Error != nil {
				t.Errorf("got %+v", r.Error)
			}
		}
		results, err = w.Missions.RescheduleEach(ctx, w.Tenant, []missions.Move{{ID: b.ID, ScheduledAt: day.Add(3 * time.Hour)}})
		w.Must(err)
		if e := results[0].Error; e == nil || !strings.Contains(e.Message, "at most 2 posts") {
			t.Errorf("got %+v", results[0])
		}
	})
}

// wantOver fails the test unless an error says that a quota is used up until a time.
func wantOver(t *testing.T, err error, until time.Time) {
	t.Helper()
	var e *mission.Error
	if !errors.As(err, &e) || e.Code != mission.CodeInvalidRequest || e.Param != "scheduled_at" || !strings.Contains(e.Message, until.Format(time.RFC3339)) {
		t.Errorf("got %v, want the next time %s", err, until)
	}
}

// The next free slot is one that the account's quota allows.
func TestFreeSlotsKeepTheQuota(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		withQuota(w, 2)
		m := w.Create(func(in *mission.CreateInput) {
			onLinkedIn(1)(in)
			days := 10
			in.DurationDays = &days
		})
		var times []time.Time
		for range 5 {
			times = append(times, *byHand(w, m.ID, "By hand.", nil).ScheduledAt)
		}
		slices.SortFunc(times, time.Time.Compare)
		for i := 2; i < len(times); i++ {
			if times[i].Sub(times[i-2]) < mission.QuotaSpan {
				t.Errorf("three posts within a day: %v", times)
			}
		}
	})
}

// Callers at the same time, with posts of several missions, make no more than the quota allows.
func TestConcurrentPostsKeepTheQuota(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		withQuota(w, 3)
		ms := []mission.Mission{w.Create(onLinkedIn(1)), w.Create(onLinkedIn(1))}
		day := w.Clock.Now().Add(40 * time.Hour)
		var all sync.WaitGroup
		var made atomic.Int64
		for n := range 12 {
			all.Go(func() {
				text, at := "By hand.", day.Add(time.Duration(n)*time.Minute)
				_, err := w.Missions.CreateContent(context.Background(), w.Tenant, missions.ContentInput{
					MissionID: ms[n%2].ID, Platform: mission.LinkedIn, Text: &text, ScheduledAt: &at,
				})
				switch mission.CodeOf(err) {
				case "":
					made.Add(1)
				case mission.CodeInvalidRequest:
				default:
					t.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		if n := made.Load(); n != 3 {
			t.Errorf("%d posts were made", n)
		}
	})
}
