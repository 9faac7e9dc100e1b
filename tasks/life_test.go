package tasks

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// all returns a mission's posts, in the order of their slots.
func (w *world) all(missionID string) []mission.Content {
	w.t.Helper()
	part, err := w.service.Contents(context.Background(), w.tenant, store.ContentFilter{MissionID: missionID}, store.Page{Limit: 100})
	w.must(err)
	slices.SortFunc(part.List, func(a, b mission.Content) int { return a.ScheduledAt.Compare(*b.ScheduledAt) })
	return part.List
}

func needsApproval(in *mission.CreateInput) {
	need := true
	in.Constraints.RequireApproval = &need
}

// An approved post is published at its slot, or at the next free one if that has
// passed; the others wait, and a rejected one isn't waited for.
func TestApprovedPostsGoOut(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, posts, days := context.Background(), 4, 1
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days // every six hours, the first at once
		})
		w.step()
		list := w.all(m.ID)
		if len(list) != 4 || w.status(m.ID).Content.PendingReview != 4 {
			t.Fatalf("got %d posts", len(list))
		}
		w.clock.Advance(time.Hour)
		late, err := w.service.ApproveContent(ctx, w.tenant, list[0].ID, nil)
		w.must(err)
		if late.Status != mission.ContentScheduled || !late.ScheduledAt.Equal(w.clock.Now()) {
			t.Errorf("got a post that was approved late %s at %s, want at once", late.Status, late.ScheduledAt)
		}
		_, err = w.service.ApproveContents(ctx, w.tenant, []string{list[2].ID, list[1].ID})
		w.must(err)
		_, err = w.service.RejectContent(ctx, w.tenant, list[3].ID, "", nil)
		w.must(err)
		w.idle()
		var got []time.Duration
		for _, c := range w.posts(m.ID) {
			got = append(got, c.PublishedAt.Sub(began))
		}
		if want := []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour}; !slices.Equal(got, want) {
			t.Errorf("posts were published after %v, want %v", got, want)
		}
		j, err := w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if j.Status != mission.RunCompleted || !j.Stages[mission.StagePublish.Index()].CompletedAt.Equal(began.Add(12*time.Hour)) {
			t.Errorf("got the job %s, its publish stage completed at %s", j.Status, j.Stages[mission.StagePublish.Index()].CompletedAt)
		}
	})
}

// Several posts are approved together or not at all.
func TestBulkApprovalIsWhole(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m, n := w.create(needsApproval), w.create(needsApproval)
		w.step()
		one, two := w.all(m.ID), w.all(n.ID)
		_, err := w.service.RejectContent(ctx, w.tenant, two[1].ID, "", nil)
		w.must(err)
		_, err = w.service.ApproveContents(ctx, w.tenant, []string{one[0].ID, two[0].ID, two[1].ID})
		wantCode(t, err, mission.CodeConflict)
		var e *mission.Error
		if errors.As(err, &e) && e.Param != "ids[2]" {
			t.Errorf("got a conflict on %q", e.Param)
		}
		if v := w.status(m.ID); v.Content.PendingReview != 2 {
			t.Errorf("after a refused approval got %d posts in review, want 2", v.Content.PendingReview)
		}
		list, err := w.service.ApproveContents(ctx, w.tenant, []string{two[0].ID, one[1].ID, one[0].ID})
		w.must(err)
		if list[0].ID != two[0].ID || list[2].ID != one[0].ID || list[1].Status != mission.ContentScheduled {
			t.Errorf("got the approved posts %v", list)
		}
		for _, bad := range [][]string{nil, {one[0].ID, one[0].ID}, make([]string, 101)} {
			_, err := w.service.ApproveContents(ctx, w.tenant, bad)
			wantCode(t, err, mission.CodeInvalidRequest)
		}
		w.idle()
	})
}

// Of concurrent approvals, or an approval and a rejection, one wins.
func TestConcurrentReviews(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(needsApproval)
		w.step()
		for i, c := range w.all(m.ID) {
			var all sync.WaitGroup
			won := make([]bool, 8)
			for n := range won {
				all.Go(func() {
					var err error
					if i == 0 && n%2 == 1 {
						_, err = w.service.RejectContent(ctx, w.tenant, c.ID, "no", &c.Revision)
					} else {
						_, err = w.service.ApproveContent(ctx, w.tenant, c.ID, &c.Revision)
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
		w.idle()
	})
}

// A scheduled post that is edited goes to review again and isn't published in the
// meantime; one that was rejected or failed is rewritten and published.
func TestRevisedPosts(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, text := context.Background(), "A person's words."
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			posts, days := 3, 2
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.step()
		list := w.all(m.ID)
		_, err := w.service.ApproveContents(ctx, w.tenant, []string{list[1].ID, list[2].ID})
		w.must(err)
		edited, err := w.service.EditContent(ctx, w.tenant, list[1].ID, serviceEdit(text))
		w.must(err)
		_, err = w.service.RejectContent(ctx, w.tenant, list[0].ID, "no", nil)
		w.must(err)
		anew, err := w.service.RegenerateContent(ctx, w.tenant, list[0].ID, "shorter", nil)
		w.must(err)
		if edited.Status != mission.ContentPendingReview || anew.Status != mission.ContentPendingReview || anew.Revision != 2 {
			t.Fatalf("edited it is %s, rewritten %s at revision %d", edited.Status, anew.Status, anew.Revision)
		}
		w.clock.Advance(9 * time.Hour) // after the edited post's slot
		w.step()
		if n := len(w.posts(m.ID)); n != 0 {
			t.Errorf("%d posts were published without approval", n)
		}
		_, err = w.service.ApproveContents(ctx, w.tenant, []string{list[1].ID, list[0].ID})
		w.must(err)
		w.until("the first day's posts", func() bool { return len(w.posts(m.ID)) == 3 })
		for _, c := range w.posts(m.ID) {
			if c.ID == list[1].ID {
				c, err = w.service.Content(ctx, w.tenant, c.ID)
				w.must(err)
				if c.Text != text || c.Revision != 2 {
					t.Errorf("revision %d was published: %q", c.Revision, c.Text)
				}
			}
		}
		// A post that its platform refused is rewritten long after its slot.
		second := w.all(m.ID)
		w.until("the second day", func() bool { second = w.all(m.ID); return len(second) == 6 })
		w.worker.parts.Publisher = &scripted{Publisher: w.worker.parts.Publisher, results: []error{
			&mission.PublishError{Outcome: mission.OutcomeRefused, Failure: mission.Failure{Code: "duplicate", Message: "Said before."}},
		}}
		_, err = w.service.ApproveContent(ctx, w.tenant, second[3].ID, nil)
		w.must(err)
		w.step()
		failed, err := w.service.Content(ctx, w.tenant, second[3].ID)
		w.must(err)
		if failed.Status != mission.ContentFailed || failed.Error.Code != "duplicate" {
			t.Fatalf("got a refused post %s, %+v", failed.Status, failed.Error)
		}
		_, err = w.service.RegenerateContent(ctx, w.tenant, failed.ID, "", nil)
		w.must(err)
		again, err := w.service.ApproveContent(ctx, w.tenant, failed.ID, nil)
		w.must(err)
		if again.Error != nil || again.Status != mission.ContentScheduled {
			t.Errorf("got the rewritten post %s, %+v", again.Status, again.Error)
		}
		w.idle()
		if c, err := w.service.Content(ctx, w.tenant, failed.ID); err != nil || c.Status != mission.ContentPublished {
			t.Errorf("at the end got %s, %v", c.Status, err)
		}
	})
}

// A failed job that is retried continues where it failed, and completes.
func TestRetriedJobGoesOn(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		broken := true
		w.writer.Writer = plainWriter{fail: func(a mission.Assignment) error {
			if broken && a.Slot.Position == 1 {
				return errors.New("the writer is broken")
			}
			return nil
		}}
		m := w.create(nil)
		first := *m.PipelineJobID
		job := func() mission.Job {
			j, err := w.db.Job(context.Background(), w.tenant.TenantID, first)
			w.must(err)
			return j
		}
		w.until("the failure", func() bool { return job().Status == mission.RunFailed })
		broken = false
		w.clock.Advance(time.Hour)
		_, err := w.service.RetryMission(context.Background(), w.tenant, m.ID)
		w.must(err)
		w.idle()
		j := job()
		if j.Status != mission.RunCompleted || j.Written != 2 || j.Error != nil {
			t.Errorf("got the retried job %s with %d posts, %+v", j.Status, j.Written, j.Error)
		}
		if m := w.mission(m.ID); m.Counts.Published != 4 {
			t.Errorf("got %d published posts, want 4", m.Counts.Published)
		}
	})
}

// A mission that is completed, running or paused, leaves no work: its pending posts
// are canceled, its published ones measured.
func TestCompletedMissionLeavesNothing(t *testing.T) {
	for name, pause := range map[string]bool{"active": false, "paused": true} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				ctx, posts := context.Background(), 4
				m := w.create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay = &posts })
				w.step()
				if pause {
					_, err := w.service.PauseMission(ctx, w.tenant, m.ID)
					w.must(err)
				}
				done, err := w.service.CompleteMission(ctx, w.tenant, m.ID)
				w.must(err)
				if done.Status != mission.StatusCompleted || done.PausedAt != nil {
					t.Errorf("got the completed mission %s", done.Status)
				}
				w.idle()
				v := w.status(m.ID)
				if v.Content.Published != 1 || v.Content.Scheduled != 0 || v.Pipeline.Status != mission.RunCompleted {
					t.Errorf("at the end got the status %+v", v)
				}
				statuses := map[mission.ContentStatus]int{}
				for _, c := range w.all(m.ID) {
					statuses[c.Status]++
				}
				if statuses[mission.ContentCanceled] != 3 || statuses[mission.ContentPublished] != 1 {
					t.Errorf("got the posts %v", statuses)
				}
				events := w.events(m.ID)
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
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		update := func(id string, in mission.UpdateInput) {
			t.Helper()
			_, err := w.service.UpdateMission(ctx, w.tenant, id, in)
			w.must(err)
		}
		one := 1
		m := w.create(func(in *mission.CreateInput) { in.DurationDays = &one })
		w.step() // its last cycle has begun
		update(m.ID, mission.UpdateInput{
			DurationDays: mission.Some(3), Constraints: mission.ConstraintsUpdate{PostsPerDay: mission.Some(1)},
		})
		if n := len(w.all(m.ID)); n != 2 {
			t.Errorf("got %d posts of the running cycle, want 2", n)
		}
		w.over(m.ID)
		m = w.mission(m.ID)
		if m.Counts.Published != 4 || m.Status != mission.StatusCompleted || !w.clock.Now().Equal(began.Add(72*time.Hour)) {
			t.Errorf("extended it published %d posts and is %s at %s", m.Counts.Published, m.Status, w.clock.Now())
		}
		start, ten := w.clock.Now(), 10
		n := w.create(func(in *mission.CreateInput) { in.DurationDays = &ten })
		w.step()
		w.clock.Advance(25 * time.Hour)
		w.step()
		update(n.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.over(n.ID)
		n = w.mission(n.ID)
		if n.Counts.Published != 4 || n.Status != mission.StatusCompleted || w.clock.Now().Sub(start) != 48*time.Hour {
			t.Errorf("shortened it published %d posts and is %s after %s", n.Counts.Published, n.Status, w.clock.Now().Sub(start))
		}
		// In a pause, too.
		start = w.clock.Now()
		p := w.create(func(in *mission.CreateInput) { in.DurationDays = &one })
		w.step()
		_, err := w.service.PauseMission(ctx, w.tenant, p.ID)
		w.must(err)
		update(p.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.clock.Advance(50 * time.Hour)
		w.step()
		_, err = w.service.ResumeMission(ctx, w.tenant, p.ID)
		w.must(err)
		w.over(p.ID)
		p = w.mission(p.ID)
		if p.Counts.Published != 4 || w.clock.Now().Sub(start) != 98*time.Hour {
			t.Errorf("extended in a pause it published %d posts and ended after %s", p.Counts.Published, w.clock.Now().Sub(start))
		}
	})
}

// Of concurrent requests for the same transition one succeeds, with one event; the
// others get a conflict.
func TestConcurrentTransitions(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		ignore := func(_ mission.Mission, err error) error { return err }
		active := func() string { return w.create(nil).ID }
		for name, tt := range map[string]struct {
			reach func() string
			do    func(id string) error
			event mission.EventType
		}{
			"start": {
				func() string {
					return w.create(func(in *mission.CreateInput) { in.StartImmediately = nil }).ID
				},
				func(id string) error { return ignore(w.service.StartMissionNow(ctx, w.tenant, id)) }, mission.EventMissionStarted,
			},
			"pause": {active, func(id string) error { return ignore(w.service.PauseMission(ctx, w.tenant, id)) }, mission.EventMissionPaused},
			"resume": {
				func() string {
					id := active()
					w.must(ignore(w.service.PauseMission(ctx, w.tenant, id)))
					return id
				},
				func(id string) error { return ignore(w.service.ResumeMission(ctx, w.tenant, id)) }, mission.EventMissionResumed,
			},
			"complete": {active, func(id string) error { return ignore(w.service.CompleteMission(ctx, w.tenant, id)) }, mission.EventMissionCompleted},
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
			events := len(slices.DeleteFunc(w.events(id), func(e mission.EventType) bool { return e != tt.event }))
			if won != 1 || events != 1 {
				t.Errorf("of concurrent requests of %s %d won, with %d events", name, won, events)
			}
		}
	})
}
