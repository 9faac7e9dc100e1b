package missions_test

import (
	"context"
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
		edited, err := w.Missions.EditContent(ctx, w.Tenant, list[1].ID, withText(text))
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
