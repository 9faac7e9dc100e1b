package missions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// hours are times of a mission, in hours from the world's start.
func hours(at []time.Time) string {
	var text []string
	for _, t := range at {
		text = append(text, fmt.Sprintf("%.4g", t.Sub(world.Began).Round(time.Minute).Hours()))
	}
	return strings.Join(text, " ")
}

// out returns when a mission's posts went out.
func out(w *world.World, missionID string) (at []time.Time) {
	for _, c := range w.Published(missionID) {
		at = append(at, *c.PublishedAt)
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

// ahead returns what the calendar has ahead of a mission: the slots of its posts, and those that are planned.
func ahead(w *world.World, missionID string) (at []time.Time) {
	w.T.Helper()
	day := func(d time.Duration) string { return w.Clock.Now().Add(d).Format(time.DateOnly) }
	in := mission.CalendarInput{From: day(0), To: day(240 * time.Hour), MissionID: missionID}
	c, err := w.Missions.Calendar(context.Background(), w.Tenant, in, "")
	w.Must(err)
	for _, d := range c.Days {
		for _, s := range d.Planned {
			at = append(at, s.At)
		}
		for _, p := range d.Posts {
			if p.Status == mission.ContentScheduled {
				at = append(at, *p.ScheduledAt)
			}
		}
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

// fourDays is a mission of four days with four posts each, every six hours.
func fourDays(in *mission.CreateInput) {
	four := 4
	in.DurationDays, in.Constraints.PostsPerDay = &four, &four
	in.Constraints.PostingTimes = []string{"02:00", "08:00", "14:00", "20:00"}
}

const (
	unpaused   = "0 6 12 18 24 30 36 42 48 54 60 66 72 78 84 90"
	withoutOne = "0 6 12 18 30 36 42 48 54 60 66 72 78 84 90 96"
)

// Missions that are paused publish as their twin that isn't, but for the posts whose slots lay in the pause: these
// move behind it, or to the end. The calendar says so, once it goes on.
func TestPausedBesideATwin(t *testing.T) {
	for name, tt := range map[string]struct {
		from, to time.Duration
		want     string
	}{
		"seconds":               {10 * time.Hour, 10*time.Hour + 3*time.Second, unpaused},
		"without a slot":        {10 * time.Hour, 10*time.Hour + 30*time.Minute, unpaused},
		"over the end of a day": {23 * time.Hour, 25*time.Hour + 12*time.Minute, withoutOne},
		"over a slot":           {17*time.Hour + 30*time.Minute, 18*time.Hour + 30*time.Minute, strings.Replace(unpaused, " 18 ", " 18.5 ", 1)},
		"over days":             {7 * time.Hour, 52 * time.Hour, "0 6 54 60 66 72 78 84 90 96 102 108 114 120 126 132"},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "over a slot" {
				testkit.Full(t)
			}
			world.Each(t, func(t *testing.T, w *world.World) {
				ctx := context.Background()
				m, twin, mine := w.Create(fourDays), w.Create(fourDays), w.Tenant
				w.Tenant = w.NewTenant("Held")
				held := w.Create(fourDays)
				their := w.Tenant
				as := func(p mission.Principal, do func()) {
					w.Tenant = p
					do()
					w.Tenant = mine
				}
				w.Tenant = mine
				after(w, tt.from)
				_, err := w.Missions.PauseMission(ctx, mine, m.ID)
				w.Must(err)
				as(their, func() { hold(w, nil) })
				after(w, tt.to)
				_, err = w.Missions.ResumeMission(ctx, mine, m.ID)
				w.Must(err)
				as(their, func() { releaseHold(w) })
				w.Step()
				planned := append(out(w, m.ID), ahead(w, m.ID)...)
				for _, id := range []string{m.ID, twin.ID} {
					w.Over(id)
				}
				if got := hours(out(w, twin.ID)); got != unpaused {
					t.Errorf("the twin publishes at %s", got)
				}
				if got := hours(out(w, m.ID)); got != tt.want || got != hours(planned) {
					t.Errorf("paused it publishes at %s, want %s; the calendar had %s", got, tt.want, hours(planned))
				}
				as(their, func() {
					w.Over(held.ID)
					if got := hours(out(w, held.ID)); got != tt.want {
						t.Errorf("on hold it publishes at %s, want %s", got, tt.want)
					}
				})
				if got := w.Mission(m.ID); !got.EndsAt.Equal(m.EndsAt.Add(tt.to-tt.from)) || got.Counts.Published != got.EstimatedPosts(w.Clock.Now()) {
					t.Errorf("it ends at %s with %d posts", got.EndsAt, got.Counts.Published)
				}
			})
		})
	}
}

// Posts that waited for review in a pause go out behind it, at the mission's pace, however late they are approved.
func TestReviewedAfterAPause(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) { fourDays(in); world.NeedsApproval(in) })
		after(w, time.Hour)
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 75*time.Hour)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		for w.Mission(m.ID).Status != mission.StatusCompleted {
			w.Pass(time.Hour)
			for _, c := range w.Posts(m.ID) {
				if c.Status == mission.ContentPendingReview {
					_, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
					w.Must(err)
				}
			}
		}
		at := out(w, m.ID)
		if len(at) != 16 || at[0].Before(world.Began.Add(75*time.Hour)) {
			t.Errorf("%d posts go out, want 16: at %s", len(at), hours(at))
		}
		for i := range at[1:] {
			if at[i+1].Sub(at[i]) < 90*time.Minute {
				t.Errorf("posts go out at %s", hours(at[i:i+2]))
			}
		}
	})
}
