package missions_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
)

// A mission of two days with two posts a day has all its events in order.
func TestMissionRunsToCompleted(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(nil)
		if m.PipelineJobID == nil {
			t.Fatal("a mission that starts at once has no job")
		}
		w.Idle()
		m = w.Mission(m.ID)
		if m.Status != mission.StatusCompleted {
			t.Fatalf("got the mission %s", m.Status)
		}
		want := mission.ContentCounts{Generated: 4, Approved: 4, Published: 4}
		if m.Counts != want {
			t.Errorf("got the counts %+v, want %+v", m.Counts, want)
		}
		stage, created, approved, scheduled, published := mission.EventStageCompleted, mission.EventContentCreated,
			mission.EventContentApproved, mission.EventContentScheduled, mission.EventContentPublished
		cycle := []mission.EventType{
			stage, stage, // intake, strategy
			created, approved, created, approved, stage, // content
			scheduled, scheduled, published, published, stage, // publish
			stage, stage, mission.EventJobCompleted, // analytics, optimize
		}
		story := slices.Concat([]mission.EventType{mission.EventMissionCreated, mission.EventMissionStarted},
			cycle, cycle, []mission.EventType{mission.EventMissionCompleted})
		if got := w.Events(m.ID); !slices.Equal(got, story) {
			t.Errorf("got the events\n%v, want\n%v", got, story)
		}
	})
}

// Posts are published at their slots, one per slot, with ids and URLs of the platform.
func TestPostsGoOutAtTheirSlots(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		times, zone := []string{"09:30", "18:00"}, "Europe/Berlin"
		m := w.Create(func(in *mission.CreateInput) {
			in.Constraints.PostingTimes, in.Constraints.Timezone = times, &zone
		})
		w.Idle()
		berlin, err := time.LoadLocation(zone)
		w.Must(err)
		var got []string
		for _, c := range w.Published(m.ID) {
			got = append(got, c.PublishedAt.In(berlin).Format("01-02 15:04"))
			if !c.PublishedAt.Equal(*c.ScheduledAt) {
				t.Errorf("a post of %s was published at %s", c.ScheduledAt, c.PublishedAt)
			}
			if c.PlatformPostID == nil || c.PlatformURL == nil {
				t.Errorf("the post %s has no id or URL of its platform", c.ID)
			}
		}
		want := []string{"11-21 09:30", "11-21 18:00", "11-22 09:30", "11-22 18:00"}
		if !slices.Equal(got, want) {
			t.Errorf("posts were published at %v, want %v", got, want)
		}
	})
}

// If approval is required, posts wait, and expire with their cycle's window; the job
// continues.
func TestUnapprovedPostsExpire(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		need := true
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.RequireApproval = &need })
		w.Step()
		v := w.Status(m.ID)
		if v.Content.PendingReview != 2 || v.Pipeline.CurrentStage != mission.StagePublish || v.NextPublishAt != nil {
			t.Fatalf("with posts in review got the status %+v", v)
		}
		first := *v.Pipeline.JobID
		w.Until("the second cycle", func() bool { return *w.Status(m.ID).Pipeline.JobID != first })
		j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, first)
		w.Must(err)
		w.Step()
		j, err = w.DB.Job(context.Background(), w.Tenant.TenantID, j.ID)
		w.Must(err)
		if j.Status != mission.RunCompleted || j.Settled != 2 {
			t.Errorf("got the first job %s with %d settled posts", j.Status, j.Settled)
		}
		w.Idle()
		if m := w.Mission(m.ID); m.Counts.Published != 0 || m.Counts.PendingReview != 0 || m.Status != mission.StatusCompleted {
			t.Errorf("at the end got the mission %s with %+v", m.Status, m.Counts)
		}
	})
}

// A failing stage is retried after 1 s, 10 s, 1 min and 5 min; then its job fails,
// and the mission continues with the next cycle.
func TestFailedStageIsRetriedThenFails(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		var tries []time.Time
		w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
			if a.Slot.At.Before(world.Began.Add(24 * time.Hour)) {
				tries = append(tries, w.Clock.Now())
				return mission.Invalid("objectives", "Nothing can be written about that.")
			}
			return nil
		}}
		m := w.Create(nil)
		w.Idle()
		var waits []time.Duration
		for i := 1; i < len(tries); i++ {
			if wait := tries[i].Sub(tries[i-1]); wait > 0 { // an attempt tries each of the day's posts
				waits = append(waits, wait)
			}
		}
		if want := []time.Duration{time.Second, 10 * time.Second, time.Minute, 5 * time.Minute}; !slices.Equal(waits, want) {
			t.Errorf("got the waits %v between attempts, want %v", waits, want)
		}
		events, err := w.DB.MissionEvents(context.Background(), w.Tenant.TenantID, m.ID, "", 1000)
		w.Must(err)
		at := slices.IndexFunc(events, func(e mission.Event) bool { return e.Type == mission.EventJobFailed })
		if at < 0 {
			t.Fatal("there is no pipeline.job_failed")
		}
		var data mission.JobFailedData
		w.Must(json.Unmarshal(events[at].Data.(json.RawMessage), &data))
		if data.Attempts != 5 || data.FailedStage != mission.StageContent || data.Error.Code != "invalid_request" ||
			data.Error.Message != "Nothing can be written about that." {
			t.Errorf("got the event %+v", data)
		}
		if m := w.Mission(m.ID); m.Counts.Published != 2 || m.Status != mission.StatusCompleted {
			t.Errorf("after a failed cycle got the mission %s with %+v", m.Status, m.Counts)
		}
	})
}

// The text of an internal error isn't shown.
func TestInternalFailuresAreMasked(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = world.PlainWriter{Fail: func(mission.Assignment) error { return errors.New("password=hunter2") }}
		m := w.Create(nil)
		w.Step()
		j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		s := j.Stages[mission.StageContent.Index()]
		if s.Attempts != 1 || s.Error == nil || s.Error.Code != "internal_error" || s.Error.Message != "Something went wrong on our side." {
			t.Errorf("got the stage's attempts %d and error %+v", s.Attempts, s.Error)
		}
	})
}

// Pausing parks all tasks; resuming moves future slots, and posts with past slots go
// to free ones, not all at once.
func TestPauseAndResume(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, posts := context.Background(), 4
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay = &posts })
		w.Step() // the first of four posts is published at once, the others every six hours
		w.Clock.Advance(time.Hour)
		paused, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if v := w.Status(m.ID); v.Pipeline.Status != mission.RunPaused || v.Pipeline.Stages.Publish.Status != mission.RunPaused || v.NextPublishAt != nil {
			t.Errorf("got a paused mission's status %+v", v)
		}
		const pause = 13 * time.Hour // over two slots
		w.Clock.Advance(pause)
		if w.Step() {
			t.Error("a task ran in the pause")
		}
		if n := len(w.Published(m.ID)); n != 1 {
			t.Errorf("got %d posts published in the pause, want 1", n)
		}
		resumed, err := w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if want := m.EndsAt.Add(pause); !resumed.EndsAt.Equal(want) || !paused.PausedAt.Equal(world.Began.Add(time.Hour)) {
			t.Errorf("got the end %s, want %s", resumed.EndsAt, want)
		}
		w.Step()
		if n := len(w.Published(m.ID)); n != 2 {
			t.Errorf("got %d posts published right after the pause, want 2: one at once, no burst", n)
		}
		w.Idle()
		m = w.Mission(m.ID)
		if m.Counts.Published != 8 || m.Status != mission.StatusCompleted {
			t.Errorf("at the end got the mission %s with %+v", m.Status, m.Counts)
		}
		seen := map[time.Time]bool{}
		for _, c := range w.Published(m.ID) {
			if seen[*c.ScheduledAt] {
				t.Errorf("two posts share the slot %s", c.ScheduledAt)
			}
			seen[*c.ScheduledAt] = true
		}
		if now := w.Clock.Now(); now.Before(*m.EndsAt) {
			t.Errorf("the mission was completed at %s, before its end %s", now, m.EndsAt)
		}
	})
}

// A mission that is paused at its end doesn't complete.
func TestPausedMissionDoesNotComplete(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(nil)
		w.Step()
		_, err := w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Clock.Advance(10 * 24 * time.Hour)
		w.Step()
		if m := w.Mission(m.ID); m.Status != mission.StatusPaused {
			t.Fatalf("got the mission %s", m.Status)
		}
		_, err = w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
		world.WantCode(t, err, mission.CodeConflict)
	})
}

// A draft starts by itself at its starts_at.
func TestDraftStartsAtItsTime(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		starts := world.Began.Add(36 * time.Hour)
		m := w.Create(func(in *mission.CreateInput) { in.StartImmediately, in.StartsAt = nil, &starts })
		if w.Step() || m.Status != mission.StatusDraft {
			t.Fatalf("got the mission %s before its time", m.Status)
		}
		w.Until("the start", func() bool { return w.Mission(m.ID).Status == mission.StatusActive })
		if now := w.Clock.Now(); !now.Equal(starts) {
			t.Errorf("it started at %s, want %s", now, starts)
		}
		w.Idle()
		if m := w.Mission(m.ID); m.Counts.Published != 4 || !m.StartsAt.Equal(starts) {
			t.Errorf("it started at %s and published %d posts", m.StartsAt, m.Counts.Published)
		}
	})
}

// Days that passed without a process are skipped, not made up for in a burst.
func TestDowntimeIsNoBurst(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		days := 10
		m := w.Create(func(in *mission.CreateInput) { in.DurationDays = &days })
		w.Step()
		w.Clock.Advance(5*24*time.Hour + time.Hour)
		w.Step()
		v := w.Status(m.ID)
		if v.Content.Generated != 4 {
			t.Errorf("got %d posts after five days without a process, want 4: those of the first and of the sixth day", v.Content.Generated)
		}
	})
}

func TestDeleteRemovesEverything(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(nil)
		w.Step()
		world.WantCode(t, w.Missions.DeleteMission(ctx, w.Tenant, m.ID), mission.CodeConflict)
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Must(w.Missions.DeleteMission(ctx, w.Tenant, m.ID))
		_, err = w.Missions.Mission(ctx, w.Tenant, m.ID)
		world.WantCode(t, err, mission.CodeNotFound)
		if _, waiting, err := w.DB.NextDispatch(ctx); err != nil || waiting {
			t.Errorf("a task is left: %v, %v", waiting, err)
		}
		if _, err := w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID); mission.CodeOf(err) != mission.CodeNotFound {
			t.Errorf("its job: %v", err)
		}
	})
}
