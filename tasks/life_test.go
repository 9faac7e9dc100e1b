package tasks_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
)

// An approved post is published at its slot, or at the next free one if that has
// passed; the others wait, and a rejected one isn't waited for.
func TestApprovedPostsGoOut(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, posts, days := context.Background(), 4, 1
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days // every six hours, the first at once
		})
		w.Step()
		list := w.Posts(m.ID)
		if len(list) != 4 || w.Status(m.ID).Content.PendingReview != 4 {
			t.Fatalf("got %d posts", len(list))
		}
		w.Clock.Advance(time.Hour)
		late, err := w.Missions.ApproveContent(ctx, w.Tenant, list[0].ID, nil)
		w.Must(err)
		if late.Status != mission.ContentScheduled || !late.ScheduledAt.Equal(w.Clock.Now()) {
			t.Errorf("got a post that was approved late %s at %s, want at once", late.Status, late.ScheduledAt)
		}
		_, err = w.Missions.ApproveContents(ctx, w.Tenant, []string{list[2].ID, list[1].ID})
		w.Must(err)
		_, err = w.Missions.RejectContent(ctx, w.Tenant, list[3].ID, "", nil)
		w.Must(err)
		w.Idle()
		var got []time.Duration
		for _, c := range w.Published(m.ID) {
			got = append(got, c.PublishedAt.Sub(world.Began))
		}
		if want := []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour}; !slices.Equal(got, want) {
			t.Errorf("posts were published after %v, want %v", got, want)
		}
		j, err := w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		if j.Status != mission.RunCompleted || !j.Stages[mission.StagePublish.Index()].CompletedAt.Equal(world.Began.Add(12*time.Hour)) {
			t.Errorf("got the job %s, its publish stage completed at %s", j.Status, j.Stages[mission.StagePublish.Index()].CompletedAt)
		}
	})
}

// Several posts are approved together or not at all.
func TestBulkApprovalIsWhole(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m, n := w.Create(world.NeedsApproval), w.Create(world.NeedsApproval)
		w.Step()
		one, two := w.Posts(m.ID), w.Posts(n.ID)
		_, err := w.Missions.RejectContent(ctx, w.Tenant, two[1].ID, "", nil)
		w.Must(err)
		_, err = w.Missions.ApproveContents(ctx, w.Tenant, []string{one[0].ID, two[0].ID, two[1].ID})
		world.WantCode(t, err, mission.CodeConflict)
		var e *mission.Error
		if errors.As(err, &e) && e.Param != "ids[2]" {
			t.Errorf("got a conflict on %q", e.Param)
		}
		if v := w.Status(m.ID); v.Content.PendingReview != 2 {
			t.Errorf("after a refused approval got %d posts in review, want 2", v.Content.PendingReview)
		}
		list, err := w.Missions.ApproveContents(ctx, w.Tenant, []string{two[0].ID, one[1].ID, one[0].ID})
		w.Must(err)
		if list[0].ID != two[0].ID || list[2].ID != one[0].ID || list[1].Status != mission.ContentScheduled {
			t.Errorf("got the approved posts %v", list)
		}
		for _, bad := range [][]string{nil, {one[0].ID, one[0].ID}, make([]string, 101)} {
			_, err := w.Missions.ApproveContents(ctx, w.Tenant, bad)
			world.WantCode(t, err, mission.CodeInvalidRequest)
		}
		w.Idle()
	})
}

// Of concurrent approvals, or an approval and a rejection, one wins.
func TestConcurrentReviews(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(world.NeedsApproval)
		w.Step()
		for i, c := range w.Posts(m.ID) {
			var all sync.WaitGroup
			won := make([]bool, 8)
			for n := range won {
				all.Go(func() {
					var err error
					if i == 0 && n%2 == 1 {
						_, err = w.Missions.RejectContent(ctx, w.Tenant, c.ID, "no", &c.Revision)
					} else {
						_, err = w.Missions.ApproveContent(ctx, w.Tenant, c.ID, &c.Revision)
					}
					won[n] = err == nil
					if err != nil && mission.CodeOf(err) != mission.CodeConflict {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if n := len(slices.DeleteFunc(won, func(w bool) bool { return !w })); n != 1 {
				t.Errorf("%d reviews of one post won, want 1", n)
			}
		}
		w.Idle()
	})
}

// A scheduled post that is edited goes to review again and isn't published in the
// meantime; one that was rejected or failed is rewritten and published.
func TestRevisedPosts(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, text := context.Background(), "A person's words."
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			posts, days := 3, 2
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		list := w.Posts(m.ID)
		_, err := w.Missions.ApproveContents(ctx, w.Tenant, []string{list[1].ID, list[2].ID})
		w.Must(err)
		edited, err := w.Missions.EditContent(ctx, w.Tenant, list[1].ID, serviceEdit(text))
		w.Must(err)
		_, err = w.Missions.RejectContent(ctx, w.Tenant, list[0].ID, "no", nil)
		w.Must(err)
		anew, err := w.Missions.RegenerateContent(ctx, w.Tenant, list[0].ID, "shorter", nil)
		w.Must(err)
		if edited.Status != mission.ContentPendingReview || anew.Status != mission.ContentPendingReview || anew.Revision != 2 {
			t.Fatalf("edited it is %s, rewritten %s at revision %d", edited.Status, anew.Status, anew.Revision)
		}
		w.Clock.Advance(9 * time.Hour) // after the edited post's slot
		w.Step()
		if n := len(w.Published(m.ID)); n != 0 {
			t.Errorf("%d posts were published without approval", n)
		}
		_, err = w.Missions.ApproveContents(ctx, w.Tenant, []string{list[1].ID, list[0].ID})
		w.Must(err)
		w.Until("the first day's posts", func() bool { return len(w.Published(m.ID)) == 3 })
		for _, c := range w.Published(m.ID) {
			if c.ID == list[1].ID {
				c, err = w.Missions.Content(ctx, w.Tenant, c.ID)
				w.Must(err)
				if c.Text != text || c.Revision != 2 {
					t.Errorf("revision %d was published: %q", c.Revision, c.Text)
				}
			}
		}
		// A post that its platform refused is rewritten long after its slot.
		second := w.Posts(m.ID)
		w.Until("the second day", func() bool { second = w.Posts(m.ID); return len(second) == 6 })
		w.Parts.Publisher = &scripted{Publisher: w.Parts.Publisher, results: []error{
			&mission.PublishError{Outcome: mission.OutcomeRefused, Failure: mission.Failure{Code: "duplicate", Message: "Said before."}},
		}}
		_, err = w.Missions.ApproveContent(ctx, w.Tenant, second[3].ID, nil)
		w.Must(err)
		w.Step()
		failed, err := w.Missions.Content(ctx, w.Tenant, second[3].ID)
		w.Must(err)
		if failed.Status != mission.ContentFailed || failed.Error.Code != "duplicate" {
			t.Fatalf("got a refused post %s, %+v", failed.Status, failed.Error)
		}
		_, err = w.Missions.RegenerateContent(ctx, w.Tenant, failed.ID, "", nil)
		w.Must(err)
		again, err := w.Missions.ApproveContent(ctx, w.Tenant, failed.ID, nil)
		w.Must(err)
		if again.Error != nil || again.Status != mission.ContentScheduled {
			t.Errorf("got the rewritten post %s, %+v", again.Status, again.Error)
		}
		w.Idle()
		if c, err := w.Missions.Content(ctx, w.Tenant, failed.ID); err != nil || c.Status != mission.ContentPublished {
			t.Errorf("at the end got %s, %v", c.Status, err)
		}
	})
}

// A failed job that is retried continues where it failed, and completes.
func TestRetriedJobGoesOn(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		broken := true
		w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
			if broken && a.Slot.Position == 1 {
				return errors.New("the writer is broken")
			}
			return nil
		}}
		m := w.Create(nil)
		first := *m.PipelineJobID
		job := func() mission.Job {
			j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, first)
			w.Must(err)
			return j
		}
		w.Until("the failure", func() bool { return job().Status == mission.RunFailed })
		broken = false
		w.Clock.Advance(time.Hour)
		_, err := w.Missions.RetryMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Idle()
		j := job()
		if j.Status != mission.RunCompleted || j.Written != 2 || j.Error != nil {
			t.Errorf("got the retried job %s with %d posts, %+v", j.Status, j.Written, j.Error)
		}
		if m := w.Mission(m.ID); m.Counts.Published != 4 {
			t.Errorf("got %d published posts, want 4", m.Counts.Published)
		}
	})
}

// A mission that is completed, running or paused, leaves no work: its pending posts
// are canceled, its published ones measured.
func TestCompletedMissionLeavesNothing(t *testing.T) {
	for name, pause := range map[string]bool{"active": false, "paused": true} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				ctx, posts := context.Background(), 4
				m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay = &posts })
				w.Step()
				if pause {
					_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
					w.Must(err)
				}
				done, err := w.Missions.CompleteMission(ctx, w.Tenant, m.ID)
				w.Must(err)
				if done.Status != mission.StatusCompleted || done.PausedAt != nil {
					t.Errorf("got the completed mission %s", done.Status)
				}
				w.Idle()
				v := w.Status(m.ID)
				if v.Content.Published != 1 || v.Content.Scheduled != 0 || v.Pipeline.Status != mission.RunCompleted {
					t.Errorf("at the end got the status %+v", v)
				}
				statuses := map[mission.ContentStatus]int{}
				for _, c := range w.Posts(m.ID) {
					statuses[c.Status]++
				}
				if statuses[mission.ContentCanceled] != 3 || statuses[mission.ContentPublished] != 1 {
					t.Errorf("got the posts %v", statuses)
				}
				events := w.Events(m.ID)
				if n := len(slices.DeleteFunc(events, func(e mission.EventType) bool { return e != mission.EventMissionCompleted })); n != 1 {
					t.Errorf("got %d events of its end, want 1", n)
				}
			})
		})
	}
}

// A longer mission has more cycles, a shorter one ends sooner; a running cycle keeps
// its brief.
func TestUpdatedMissionIsReplanned(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		update := func(id string, in mission.UpdateInput) {
			t.Helper()
			_, err := w.Missions.UpdateMission(ctx, w.Tenant, id, in)
			w.Must(err)
		}
		one := 1
		m := w.Create(func(in *mission.CreateInput) { in.DurationDays = &one })
		w.Step() // its last cycle has begun
		update(m.ID, mission.UpdateInput{
			DurationDays: mission.Some(3), Constraints: mission.ConstraintsUpdate{PostsPerDay: mission.Some(1)},
		})
		if n := len(w.Posts(m.ID)); n != 2 {
			t.Errorf("got %d posts of the running cycle, want 2", n)
		}
		w.Over(m.ID)
		m = w.Mission(m.ID)
		if m.Counts.Published != 4 || m.Status != mission.StatusCompleted || !w.Clock.Now().Equal(world.Began.Add(72*time.Hour)) {
			t.Errorf("extended it published %d posts and is %s at %s", m.Counts.Published, m.Status, w.Clock.Now())
		}
		start, ten := w.Clock.Now(), 10
		n := w.Create(func(in *mission.CreateInput) { in.DurationDays = &ten })
		w.Step()
		w.Clock.Advance(25 * time.Hour)
		w.Step()
		update(n.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.Over(n.ID)
		n = w.Mission(n.ID)
		if n.Counts.Published != 4 || n.Status != mission.StatusCompleted || w.Clock.Now().Sub(start) != 48*time.Hour {
			t.Errorf("shortened it published %d posts and is %s after %s", n.Counts.Published, n.Status, w.Clock.Now().Sub(start))
		}
		// In a pause, too.
		start = w.Clock.Now()
		p := w.Create(func(in *mission.CreateInput) { in.DurationDays = &one })
		w.Step()
		_, err := w.Missions.PauseMission(ctx, w.Tenant, p.ID)
		w.Must(err)
		update(p.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.Clock.Advance(50 * time.Hour)
		w.Step()
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, p.ID)
		w.Must(err)
		w.Over(p.ID)
		p = w.Mission(p.ID)
		if p.Counts.Published != 4 || w.Clock.Now().Sub(start) != 98*time.Hour {
			t.Errorf("extended in a pause it published %d posts and ended after %s", p.Counts.Published, w.Clock.Now().Sub(start))
		}
	})
}

// Of concurrent requests for the same transition one succeeds, with one event; the
// others get a conflict.
func TestConcurrentTransitions(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		ignore := func(_ mission.Mission, err error) error { return err }
		active := func() string { return w.Create(nil).ID }
		for name, tt := range map[string]struct {
			reach func() string
			do    func(id string) error
			event mission.EventType
		}{
			"start": {
				func() string {
					return w.Create(func(in *mission.CreateInput) { in.StartImmediately = nil }).ID
				},
				func(id string) error { return ignore(w.Missions.StartMissionNow(ctx, w.Tenant, id)) }, mission.EventMissionStarted,
			},
			"pause": {active, func(id string) error { return ignore(w.Missions.PauseMission(ctx, w.Tenant, id)) }, mission.EventMissionPaused},
			"resume": {
				func() string {
					id := active()
					w.Must(ignore(w.Missions.PauseMission(ctx, w.Tenant, id)))
					return id
				},
				func(id string) error { return ignore(w.Missions.ResumeMission(ctx, w.Tenant, id)) }, mission.EventMissionResumed,
			},
			"complete": {active, func(id string) error { return ignore(w.Missions.CompleteMission(ctx, w.Tenant, id)) }, mission.EventMissionCompleted},
		} {
			id := tt.reach()
			var all sync.WaitGroup
			errs := make([]error, 8)
			for i := range errs {
				all.Go(func() { errs[i] = tt.do(id) })
			}
			all.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
				} else if mission.CodeOf(err) != mission.CodeConflict {
					t.Errorf("%s: %v", name, err)
				}
			}
			events := len(slices.DeleteFunc(w.Events(id), func(e mission.EventType) bool { return e != tt.event }))
			if won != 1 || events != 1 {
				t.Errorf("of concurrent requests of %s %d won, with %d events", name, won, events)
			}
		}
	})
}
