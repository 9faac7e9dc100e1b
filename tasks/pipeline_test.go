package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

func eachWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	eachWorldWith(t, func(t *testing.T, w *world, _ *store.Faults) { test(t, w) })
}

// eachWorldWith is eachWorld with a hook on the database's statements.
func eachWorldWith(t *testing.T, test func(t *testing.T, w *world, faults *store.Faults)) {
	t.Helper()
	t.Parallel()
	run := func(t *testing.T, db *store.DB, faults *store.Faults) { test(t, newWorld(t, db), faults) }
	if testing.Short() { // the store's own tests use both databases
		faults := &store.Faults{}
		run(t, testkit.SQLite(t, store.Options{Timing: timing, Faults: faults}), faults)
		return
	}
	testkit.EachFaultyDB(t, store.Options{Timing: timing}, run)
}

// A mission of two days with two posts a day has all its events in order.
func TestMissionRunsToCompleted(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(nil)
		if m.PipelineJobID == nil {
			t.Fatal("a mission that starts at once has no job")
		}
		w.idle()
		m = w.mission(m.ID)
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
		if got := w.events(m.ID); !slices.Equal(got, story) {
			t.Errorf("got the events\n%v, want\n%v", got, story)
		}
	})
}

// Posts are published at their slots, one per slot, with ids and URLs of the platform.
func TestPostsGoOutAtTheirSlots(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		times, zone := []string{"09:30", "18:00"}, "Europe/Berlin"
		m := w.create(func(in *mission.CreateInput) {
			in.Constraints.PostingTimes, in.Constraints.Timezone = times, &zone
		})
		w.idle()
		berlin, err := time.LoadLocation(zone)
		w.must(err)
		var got []string
		for _, c := range w.posts(m.ID) {
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
	eachWorld(t, func(t *testing.T, w *world) {
		need := true
		m := w.create(func(in *mission.CreateInput) { in.Constraints.RequireApproval = &need })
		w.step()
		v := w.status(m.ID)
		if v.Content.PendingReview != 2 || v.Pipeline.CurrentStage != mission.StagePublish || v.NextPublishAt != nil {
			t.Fatalf("with posts in review got the status %+v", v)
		}
		first := *v.Pipeline.JobID
		w.until("the second cycle", func() bool { return *w.status(m.ID).Pipeline.JobID != first })
		j, err := w.db.Job(context.Background(), w.tenant.TenantID, first)
		w.must(err)
		w.step()
		j, err = w.db.Job(context.Background(), w.tenant.TenantID, j.ID)
		w.must(err)
		if j.Status != mission.RunCompleted || j.Settled != 2 {
			t.Errorf("got the first job %s with %d settled posts", j.Status, j.Settled)
		}
		w.idle()
		if m := w.mission(m.ID); m.Counts.Published != 0 || m.Counts.PendingReview != 0 || m.Status != mission.StatusCompleted {
			t.Errorf("at the end got the mission %s with %+v", m.Status, m.Counts)
		}
	})
}

// A failing stage is retried after 1 s, 10 s, 1 min and 5 min; then its job fails,
// and the mission continues with the next cycle.
func TestFailedStageIsRetriedThenFails(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		var tries []time.Time
		w.writer.Writer = plainWriter{fail: func(a mission.Assignment) error {
			if a.Slot.At.Before(began.Add(24 * time.Hour)) {
				tries = append(tries, w.clock.Now())
				return mission.Invalid("objectives", "Nothing can be written about that.")
			}
			return nil
		}}
		m := w.create(nil)
		w.idle()
		var waits []time.Duration
		for i := 1; i < len(tries); i++ {
			if wait := tries[i].Sub(tries[i-1]); wait > 0 { // an attempt tries each of the day's posts
				waits = append(waits, wait)
			}
		}
		if want := []time.Duration{time.Second, 10 * time.Second, time.Minute, 5 * time.Minute}; !slices.Equal(waits, want) {
			t.Errorf("got the waits %v between attempts, want %v", waits, want)
		}
		events, err := w.db.MissionEvents(context.Background(), w.tenant.TenantID, m.ID, "", 1000)
		w.must(err)
		at := slices.IndexFunc(events, func(e mission.Event) bool { return e.Type == mission.EventJobFailed })
		if at < 0 {
			t.Fatal("there is no pipeline.job_failed")
		}
		var data mission.JobFailedData
		w.must(json.Unmarshal(events[at].Data.(json.RawMessage), &data))
		if data.Attempts != 5 || data.FailedStage != mission.StageContent || data.Error.Code != "invalid_request" ||
			data.Error.Message != "Nothing can be written about that." {
			t.Errorf("got the event %+v", data)
		}
		if m := w.mission(m.ID); m.Counts.Published != 2 || m.Status != mission.StatusCompleted {
			t.Errorf("after a failed cycle got the mission %s with %+v", m.Status, m.Counts)
		}
	})
}

// The text of an internal error isn't shown.
func TestInternalFailuresAreMasked(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.writer.Writer = plainWriter{fail: func(mission.Assignment) error { return errors.New("password=hunter2") }}
		m := w.create(nil)
		w.step()
		j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		s := j.Stages[mission.StageContent.Index()]
		if s.Attempts != 1 || s.Error == nil || s.Error.Code != "internal_error" || s.Error.Message != "Something went wrong on our side." {
			t.Errorf("got the stage's attempts %d and error %+v", s.Attempts, s.Error)
		}
	})
}

// Pausing parks all tasks; resuming moves future slots, and posts with past slots go
// to free ones, not all at once.
func TestPauseAndResume(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, posts := context.Background(), 4
		m := w.create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay = &posts })
		w.step() // the first of four posts is published at once, the others every six hours
		w.clock.Advance(time.Hour)
		paused, err := w.service.PauseMission(ctx, w.tenant, m.ID)
		w.must(err)
		if v := w.status(m.ID); v.Pipeline.Status != mission.RunPaused || v.Pipeline.Stages.Publish.Status != mission.RunPaused || v.NextPublishAt != nil {
			t.Errorf("got a paused mission's status %+v", v)
		}
		const pause = 13 * time.Hour // over two slots
		w.clock.Advance(pause)
		if w.step() {
			t.Error("a task ran in the pause")
		}
		if n := len(w.posts(m.ID)); n != 1 {
			t.Errorf("got %d posts published in the pause, want 1", n)
		}
		resumed, err := w.service.ResumeMission(ctx, w.tenant, m.ID)
		w.must(err)
		if want := m.EndsAt.Add(pause); !resumed.EndsAt.Equal(want) || !paused.PausedAt.Equal(began.Add(time.Hour)) {
			t.Errorf("got the end %s, want %s", resumed.EndsAt, want)
		}
		w.step()
		if n := len(w.posts(m.ID)); n != 2 {
			t.Errorf("got %d posts published right after the pause, want 2: one at once, no burst", n)
		}
		w.idle()
		m = w.mission(m.ID)
		if m.Counts.Published != 8 || m.Status != mission.StatusCompleted {
			t.Errorf("at the end got the mission %s with %+v", m.Status, m.Counts)
		}
		seen := map[time.Time]bool{}
		for _, c := range w.posts(m.ID) {
			if seen[*c.ScheduledAt] {
				t.Errorf("two posts share the slot %s", c.ScheduledAt)
			}
			seen[*c.ScheduledAt] = true
		}
		if now := w.clock.Now(); now.Before(*m.EndsAt) {
			t.Errorf("the mission was completed at %s, before its end %s", now, m.EndsAt)
		}
	})
}

// A mission that is paused at its end doesn't complete.
func TestPausedMissionDoesNotComplete(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(nil)
		w.step()
		_, err := w.service.PauseMission(context.Background(), w.tenant, m.ID)
		w.must(err)
		w.clock.Advance(10 * 24 * time.Hour)
		w.step()
		if m := w.mission(m.ID); m.Status != mission.StatusPaused {
			t.Fatalf("got the mission %s", m.Status)
		}
		_, err = w.service.PauseMission(context.Background(), w.tenant, m.ID)
		wantCode(t, err, mission.CodeConflict)
	})
}

// A draft starts by itself at its starts_at.
func TestDraftStartsAtItsTime(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		starts := began.Add(36 * time.Hour)
		m := w.create(func(in *mission.CreateInput) { in.StartImmediately, in.StartsAt = nil, &starts })
		if w.step() || m.Status != mission.StatusDraft {
			t.Fatalf("got the mission %s before its time", m.Status)
		}
		w.until("the start", func() bool { return w.mission(m.ID).Status == mission.StatusActive })
		if now := w.clock.Now(); !now.Equal(starts) {
			t.Errorf("it started at %s, want %s", now, starts)
		}
		w.idle()
		if m := w.mission(m.ID); m.Counts.Published != 4 || !m.StartsAt.Equal(starts) {
			t.Errorf("it started at %s and published %d posts", m.StartsAt, m.Counts.Published)
		}
	})
}

// Days that passed without a process are skipped, not made up for in a burst.
func TestDowntimeIsNoBurst(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		days := 10
		m := w.create(func(in *mission.CreateInput) { in.DurationDays = &days })
		w.step()
		w.clock.Advance(5*24*time.Hour + time.Hour)
		w.step()
		v := w.status(m.ID)
		if v.Content.Generated != 4 {
			t.Errorf("got %d posts after five days without a process, want 4: those of the first and of the sixth day", v.Content.Generated)
		}
	})
}

func TestDeleteRemovesEverything(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(nil)
		w.step()
		wantCode(t, w.service.DeleteMission(ctx, w.tenant, m.ID), mission.CodeConflict)
		_, err := w.service.PauseMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.must(w.service.DeleteMission(ctx, w.tenant, m.ID))
		_, err = w.service.Mission(ctx, w.tenant, m.ID)
		wantCode(t, err, mission.CodeNotFound)
		if _, waiting, err := w.db.NextDispatch(ctx); err != nil || waiting {
			t.Errorf("a task is left: %v, %v", waiting, err)
		}
		if _, err := w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID); mission.CodeOf(err) != mission.CodeNotFound {
			t.Errorf("its job: %v", err)
		}
	})
}
