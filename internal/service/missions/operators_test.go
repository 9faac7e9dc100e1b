package missions_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// While publishing is held no post is sent or looked up, and no attempt is used; released
// posts are published.
func TestHeldPostsWait(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		connect(w, mission.Twitter)
		platform := newShelf(w.Parts.Publisher)
		w.Parts.Publisher = platform
		m := w.Create(onTwitter(fourPosts))
		w.Step()
		w.Must(w.Missions.HoldPublishing(ctx, "a test"))
		if h, err := w.DB.PublishingHold(ctx); err != nil || h == nil || h.Reason != "a test" || !h.Since.Equal(w.Clock.Now()) {
			t.Errorf("the hold is %+v, %v", h, err)
		}
		for range 20 {
			w.Clock.Advance(6 * time.Minute)
			w.Step()
		}
		for _, c := range w.Posts(m.ID) {
			if c.Status != mission.ContentScheduled || c.CalledAt != nil {
				t.Errorf("a held post is %s", c.Status)
			}
		}
		if len(platform.sent)+platform.finds > 0 {
			t.Errorf("%d posts were sent and %d looked up while publishing was held", len(platform.sent), platform.finds)
		}
		w.Must(w.Missions.ReleasePublishing(ctx))
		attempts := 0
		w.Clock.Advance(time.Minute)
		for _, task := range w.Due() {
			attempts += task.Attempt
			w.Run(task.ID)
		}
		if n := len(w.Published(m.ID)); n != 3 || attempts != 0 {
			t.Errorf("%d posts are published within a minute of the release, want 3; they had used %d attempts", n, attempts)
		}
		w.Over(m.ID)
		platform.once(t, w.Posts(m.ID))
	})
}

// When HoldPublishing returns, no post is being published.
func TestHoldWaitsForCalls(t *testing.T) {
	waitsForCalls(t, func(w *world.World) error { return w.Missions.HoldPublishing(context.Background(), "a test") })
}

// waitsForCalls fails the test unless a hold returns only when no post is being published.
func waitsForCalls(t *testing.T, hold func(w *world.World) error) {
	t.Helper()
	world.Each(t, func(t *testing.T, w *world.World) {
		connect(w, mission.Twitter)
		platform := newShelf(w.Parts.Publisher)
		platform.hung, platform.began = make(chan struct{}), make(chan struct{})
		w.Parts.Publisher = platform
		m := w.Create(onTwitter(fourPosts))
		w.Step()
		w.Clock.Advance(time.Hour)
		var running sync.WaitGroup
		running.Go(func() { w.Step() })
		<-platform.began
		held := make(chan int)
		go func() {
			if err := hold(w); err != nil {
				t.Errorf("the hold failed: %v", err)
			}
			platform.mu.Lock()
			defer platform.mu.Unlock()
			held <- len(platform.sent)
		}()
		select {
		case n := <-held:
			t.Errorf("the hold returned while a post was being sent, after %d", n)
			close(platform.hung)
		case <-time.After(300 * time.Millisecond): // it waits; a slow machine only waits longer
			close(platform.hung)
			if n := <-held; n != 1 {
				t.Errorf("when the hold returned %d posts were sent, want 1", n)
			}
		}
		running.Wait()
		if n := len(w.Published(m.ID)); n != 1 {
			t.Errorf("%d posts are published, want the one that was being sent", n)
		}
	})
}

// A hold doesn't wait for workers that have died: a restored database has their claims.
func TestHoldDoesNotWaitForTheDead(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(onTwitter(fourPosts))
		w.Step()
		w.Clock.Advance(time.Hour)
		for _, task := range w.Due() {
			if _, ok, err := w.DB.Claim(ctx, task.ID, w.Clock.Now(), time.Millisecond); err != nil || !ok {
				t.Fatal(ok, err)
			}
		}
		if err := w.Missions.HoldPublishing(ctx, "a test"); err != nil {
			t.Errorf("the hold failed: %v", err)
		}
		if n := len(w.Published(m.ID)); n != 0 {
			t.Errorf("%d posts are published", n)
		}
	})
}

// RetryFailed runs each job again that failed in its time span, once, and leaves those
// alone whose missions aren't active.
func TestRetryFailedJobs(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, broken, events := context.Background(), true, 0
		w.DB.OnCommit(func(c store.Committed) { events += c.Events[mission.EventJobFailed] })
		w.Writer = world.PlainWriter{Fail: func(mission.Assignment) error {
			if broken {
				return errors.New("broken")
			}
			return nil
		}}
		var all []mission.Mission
		for range 3 {
			all = append(all, w.Create(nil))
		}
		failed := func() (n int) {
			for _, m := range all {
				if w.Status(m.ID).Pipeline.Status == mission.RunFailed {
					n++
				}
			}
			return n
		}
		w.Until("failed jobs", func() bool { return failed() == len(all) })
		if events != len(all) {
			t.Errorf("the commits have %d failed jobs, want %d", events, len(all))
		}
		broken = false
		_, err := w.Missions.PauseMission(ctx, w.Tenant, all[2].ID)
		w.Must(err)
		other := w.NewTenant("Other")
		since := w.Clock.Now().Add(-time.Hour)
		for what, tt := range map[string]struct {
			f    missions.FailedJobs
			want missions.Retries
		}{
			"a dry run":        {missions.FailedJobs{Since: since, DryRun: true}, missions.Retries{Retried: 2, Skipped: 1}},
			"a later failure":  {missions.FailedJobs{Since: w.Clock.Now().Add(time.Second)}, missions.Retries{}},
			"another tenant's": {missions.FailedJobs{Since: since, TenantID: other.TenantID}, missions.Retries{}},
		} {
			if r, err := w.Missions.RetryFailed(ctx, tt.f); err != nil || r != tt.want {
				t.Errorf("%s: retried %+v, %v; want %+v", what, r, err, tt.want)
			}
		}
		if failed() != len(all) {
			t.Error("a dry run retried a job")
		}
		for n, want := range []missions.Retries{{Retried: 2, Skipped: 1}, {Skipped: 1}} {
			if r, err := w.Missions.RetryFailed(ctx, missions.FailedJobs{Since: since}); err != nil || r != want {
				t.Errorf("call %d retried %+v, %v; want %+v", n+1, r, err, want)
			}
		}
		w.Step()
		if n := failed(); n != 1 {
			t.Errorf("%d jobs are failed after the retry, want the paused mission's", n)
		}
	})
}
