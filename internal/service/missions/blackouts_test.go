package missions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// blackout returns a blackout, in hours after the world's start.
func blackout(from, to float64) mission.BlackoutInput {
	hours := func(n float64) *time.Time {
		at := world.Began.Add(time.Duration(n * float64(time.Hour)))
		return &at
	}
	reason := "Public mourning."
	return mission.BlackoutInput{StartsAt: hours(from), EndsAt: hours(to), Reason: &reason}
}

// silence sets a mission's blackouts.
func silence(w *world.World, id string, all ...mission.BlackoutInput) {
	w.T.Helper()
	w.Must(of(w.Missions.UpdateMission(context.Background(), w.Tenant, id, mission.UpdateInput{Blackouts: append([]mission.BlackoutInput{}, all...)})))
}

// outside fails the test if a post of a mission that will go out, or went out, is in one of its blackouts.
func outside(w *world.World, id string) (posts []mission.Content) {
	w.T.Helper()
	m := w.Mission(id)
	for _, c := range w.Posts(id) {
		at := c.CalendarAt()
		if _, in := m.BlackoutAt(*at); in && (c.Status == mission.ContentScheduled || c.Status == mission.ContentPublished) {
			w.T.Errorf("a post is %s at %s, in a blackout", c.Status, at)
		}
		posts = append(posts, c)
	}
	return posts
}

// A blackout holds at once: scheduled posts move to free slots behind it, those too whose slots a person
// chose, and nothing goes out before its end.
func TestBlackoutsHoldAtOnce(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(fourADay) // at 8, 14, 20 and 2
		w.Step()
		placed := w.Posts(m.ID)[2]
		w.Must(of(w.Missions.RescheduleContent(ctx, w.Tenant, placed.ID, world.Began.Add(5*time.Hour))))
		before := len(w.Events(m.ID))
		silence(w, m.ID, blackout(4, 14))
		if got, want := w.Events(m.ID)[before:], slices.Repeat([]mission.EventType{mission.EventContentScheduled}, 2); !slices.Equal(got, want) {
			t.Errorf("got the events %v, want %v: of the posts at 13 and 14 o'clock", got, want)
		}
		outside(w, m.ID)
		if c := w.Content(placed.ID); c.ScheduledAt.Before(world.Began.Add(14 * time.Hour)) {
			t.Errorf("the post of a person is at %s", c.ScheduledAt)
		}

		in := missions.ContentInput{MissionID: m.ID, Platform: mission.Twitter, Text: new("A person's post.")}
		in.ScheduledAt = new(world.Began.Add(6 * time.Hour))
		_, err := w.Missions.CreateContent(ctx, w.Tenant, in)
		if world.WantCode(t, err, mission.CodeInvalidRequest); !strings.Contains(err.Error(), "(scheduled_at)") || strings.Contains(err.Error(), "Public mourning.") {
			t.Errorf("got %v", err)
		}
		_, err = w.Missions.RescheduleContent(ctx, w.Tenant, placed.ID, *in.ScheduledAt)
		world.WantCode(t, err, mission.CodeInvalidRequest)
		w.Clock.Advance(5 * time.Hour)
		w.Step()
		in.ScheduledAt = nil
		own, err := w.Missions.CreateContent(ctx, w.Tenant, in)
		w.Must(err)
		if own.ScheduledAt.Before(world.Began.Add(14 * time.Hour)) {
			t.Errorf("the next free slot is %s", own.ScheduledAt)
		}
		whyMission(w, m.ID, mission.ReasonBlackout, mission.ReasonSlot, mission.ReasonNoCycle)

		w.Over(m.ID)
		if n := len(w.Published(m.ID)); n != 5 {
			t.Errorf("%d posts are published, want all 5", n)
		}
		outside(w, m.ID)
	})
}

// A blackout that leaves no time before the mission's end is what why names: for a post that is canceled for it, and for
// one that will be. So does the refusal to take it up again.
func TestBlackoutsUntilTheEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) {
			fourADay(in)
			world.NeedsApproval(in)
		})
		w.Step()
		waits := w.Posts(m.ID)[3]
		for _, c := range w.Posts(m.ID)[:3] {
			w.Must(of(w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)))
		}
		w.Step()
		ends := w.Mission(m.ID).EndsAt.Sub(world.Began).Hours()
		silence(w, m.ID, blackout(4, ends-1), blackout(ends-1, ends+10))
		said := func(hours float64) string {
			return world.Began.Add(time.Duration(hours * float64(time.Hour))).UTC().Format(time.RFC3339)
		}
		canceled := 0
		for _, c := range w.Posts(m.ID) {
			if c.Status != mission.ContentCanceled {
				continue
			}
			canceled++
			why, err := w.Missions.ContentWhy(ctx, w.Tenant, c.ID)
			w.Must(err)
			for _, want := range []string{
				"blackout from " + said(4) + " to " + said(ends-1), "from " + said(ends-1) + " to " + said(ends+10), "ends at " + said(ends),
			} {
				if !strings.Contains(why.Summary, want) || why.Reasons[0].Failure.Code != mission.CodeNoTimeLeft {
					t.Errorf("got %q, want %q", why.Summary, want)
				}
			}
			if _, err := w.Missions.ReopenContent(ctx, w.Tenant, c.ID); err == nil || !strings.Contains(err.Error(), "blackout") {
				t.Errorf("reopened, the post has %v", err)
			}
		}
		if canceled == 0 {
			t.Error("nothing is canceled")
		}
		why, err := w.Missions.ContentWhy(ctx, w.Tenant, waits.ID)
		w.Must(err)
		r := why.Reasons[0]
		if why.Status != "pending_review" || r.Code != mission.ReasonBlackout || !strings.Contains(r.Message, "no time is left") || r.Since == nil || r.Until == nil {
			t.Errorf("the post that is %s has %+v", why.Status, r)
		}
		w.Must(of(w.Missions.ApproveContent(ctx, w.Tenant, waits.ID, nil)))
		if c := w.Content(waits.ID); c.Status != mission.ContentCanceled || !strings.Contains(c.Error.Message, "blackout") {
			t.Errorf("approved, the post is %s: %+v", c.Status, c.Error)
		}
	})
}

// A post that a worker gets to only in a blackout, and those that a pause or a review made late, go out
// after it.
func TestLatePostsWaitForTheBlackoutsEnd(t *testing.T) {
	for name, late := range map[string]func(w *world.World, m mission.Mission){
		"a worker": func(w *world.World, _ mission.Mission) { w.Clock.Advance(7 * time.Hour) },
		"a pause": func(w *world.World, m mission.Mission) {
			w.Must(of(w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)))
			w.Clock.Advance(7 * time.Hour)
			w.Must(of(w.Missions.ResumeMission(context.Background(), w.Tenant, m.ID)))
		},
		"a review": func(w *world.World, m mission.Mission) {
			for _, c := range w.Posts(m.ID)[1:] {
				w.Must(of(w.Missions.ReopenContent(context.Background(), w.Tenant, c.ID)))
			}
			w.Clock.Advance(7 * time.Hour)
			for _, c := range w.Posts(m.ID)[1:] {
				w.Must(of(w.Missions.ApproveContent(context.Background(), w.Tenant, c.ID, nil)))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				m := w.Create(func(in *mission.CreateInput) {
					fourADay(in)
					in.Blackouts = []mission.BlackoutInput{blackout(6.5, 11)}
					if name == "a review" {
						world.NeedsApproval(in)
					}
				})
				w.Step()
				if name == "a review" {
					for _, c := range w.Posts(m.ID) {
						w.Must(of(w.Missions.ApproveContent(context.Background(), w.Tenant, c.ID, nil)))
					}
					w.Step()
				}
				late(w, m)
				w.Step()
				outside(w, m.ID)
				w.Over(m.ID)
				if n := len(w.Published(m.ID)); n != 4 {
					t.Errorf("%d posts are published, want 4", n)
				}
				outside(w, m.ID)
			})
		})
	}
}

// Days and slots in a blackout are left out of plans, of estimates and of the calendar, which shows the
// blackout and the events; posts lead up to those.
func TestDatesOfAMission(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		in := mission.CreateInput{
			Name: "Dates", Objectives: []string{"Show what we make"}, Platforms: []mission.Platform{mission.Mastodon}, DurationDays: new(4), StartImmediately: new(true),
			Constraints: &mission.ConstraintsInput{PostsPerDay: new(4)}, Blackouts: []mission.BlackoutInput{blackout(11, 52)},
			Occasions: []mission.OccasionInput{{Name: "Summer sale", StartsOn: "2026-11-24", Kind: mission.OccasionSale}},
		}
		e, err := w.Missions.EstimateMission(ctx, w.Tenant, in)
		w.Must(err)
		const want = 2 + 0 + 3 + 4 // of slots at 0, 6, 12 and 18 hours of each day
		if *e.Posts != want || len(e.FirstSlots) != want {
			t.Errorf("%d posts and %d slots are estimated, want %d", *e.Posts, len(e.FirstSlots), want)
		}
		m, err := w.Missions.CreateMission(ctx, w.Tenant, in)
		w.Must(err)
		c, err := w.Missions.Calendar(ctx, w.Tenant, mission.CalendarInput{From: "2026-11-21", To: "2026-11-25"}, "")
		w.Must(err)
		if len(c.Occasions) != 1 || c.Occasions[0].Name != "Summer sale" || c.Occasions[0].EndsOn != "2026-11-24" || c.Occasions[0].MissionID != m.ID ||
			len(c.Blackouts) != 1 || c.Blackouts[0].Reason != "Public mourning." {
			t.Errorf("the calendar has %+v and %+v", c.Occasions, c.Blackouts)
		}
		planned := 0
		for _, d := range c.Days {
			for _, s := range d.Planned {
				if _, in := m.BlackoutAt(s.At); in {
					t.Errorf("the calendar has a slot at %s", s.At)
				}
				planned++
			}
		}
		if planned != want {
			t.Errorf("the calendar has %d slots, want %d", planned, want)
		}
		if c, err = w.Missions.Calendar(ctx, w.Tenant, mission.CalendarInput{From: "2026-11-26", To: "2026-11-27"}, ""); err != nil || len(c.Occasions)+len(c.Blackouts) != 0 {
			t.Errorf("days without dates have %+v, %v", c, err)
		}
		twin, err := w.Missions.DuplicateMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if !slices.Equal(twin.Occasions, m.Occasions) || len(twin.Blackouts) != 1 || !twin.Blackouts[0].StartsAt.Equal(m.Blackouts[0].StartsAt) {
			t.Errorf("the copy has %+v and %+v", twin.Occasions, twin.Blackouts)
		}
		w.Over(m.ID)
		if n := len(w.Published(m.ID)); n != want {
			t.Errorf("%d posts are published, want %d", n, want)
		}
		leading := 0
		for _, post := range outside(w, m.ID) {
			j, err := w.DB.Job(ctx, w.Tenant.TenantID, post.JobID)
			w.Must(err)
			if slot, ok := j.Plan.Slot(post.Position); ok && slot.Occasion != nil {
				leading++
			}
		}
		if leading < 4 {
			t.Errorf("%d posts lead up to the event", leading)
		}
	})
}
