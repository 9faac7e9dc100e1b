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

// tasksOf returns how many tasks of a type the ledger has.
func tasksOf(w *world.World, t mission.TaskType) (n int) {
	w.T.Helper()
	list, err := w.DB.LedgerStatus(context.Background(), w.Clock.Now())
	w.Must(err)
	for _, s := range list {
		if s.Type == t {
			n += s.Waiting + s.Due + s.Running + s.Parked
		}
	}
	return n
}

// What is reopened isn't published until it is approved again; each task is there once,
// however often a decision is taken back.
func TestReopenedPosts(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			posts, days := 3, 2
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		list := w.Posts(m.ID)
		for range 3 {
			for _, c := range list {
				_, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
				w.Must(err)
			}
			for i, c := range list {
				got, err := w.Missions.ReopenContent(ctx, w.Tenant, c.ID)
				w.Must(err)
				if got.Status != mission.ContentPendingReview || got.ReviewedAt != nil || !got.ScheduledAt.Equal(*c.ScheduledAt) || !got.ExpiresAt.Equal(*c.ExpiresAt) {
					t.Errorf("reopened, post %d is %s, at %s, until %s", i, got.Status, got.ScheduledAt, got.ExpiresAt)
				}
				_, err = w.Missions.ReopenContent(ctx, w.Tenant, c.ID)
				world.WantCode(t, err, mission.CodeConflict)
			}
		}
		counted(w, m.ID)
		for typ, want := range map[mission.TaskType]int{mission.TaskContentPublish: 0, mission.TaskCycleExpiring: 1, mission.TaskCycleEnd: 1} {
			if n := tasksOf(w, typ); n != want {
				t.Errorf("the ledger has %d tasks %s, want %d", n, typ, want)
			}
		}
		after(w, 17*time.Hour) // after all slots
		if n := len(w.Published(m.ID)); n != 0 {
			t.Errorf("%d posts were published without approval", n)
		}
		events := told(w, list[1])
		if n := len(slices.DeleteFunc(slices.Clone(events), func(e mission.EventType) bool { return e != mission.EventContentReopened })); n != 3 {
			t.Errorf("got its events %v", events)
		}
		after(w, 24*time.Hour)
		if c := w.Content(list[0].ID); c.Status != mission.ContentExpired {
			t.Errorf("at its day's end it is %s", c.Status)
		}
	})
}

// A rejection that completed its job's publish stage can be taken back: the post is
// published beside the job, and the job isn't completed twice.
func TestReopenedAfterItsJob(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(world.NeedsApproval)
		w.Step()
		list := w.Posts(m.ID)
		for _, c := range list {
			_, err := w.Missions.RejectContent(ctx, w.Tenant, c.ID, "no", nil)
			w.Must(err)
		}
		w.Step()
		if j := w.Job(m); j.Status != mission.RunCompleted || j.Settled != 2 {
			t.Fatalf("the job is %s with %d settled posts", j.Status, j.Settled)
		}
		got, err := w.Missions.ReopenContent(ctx, w.Tenant, list[1].ID)
		w.Must(err)
		if got.RejectionReason != nil || !got.ScheduledAt.Equal(*list[1].ScheduledAt) {
			t.Errorf("got %+v", got)
		}
		counted(w, m.ID)
		_, err = w.Missions.ApproveContent(ctx, w.Tenant, list[1].ID, nil)
		w.Must(err)
		w.Until("it is published", func() bool { return w.Content(list[1].ID).Status == mission.ContentPublished })
		if at := w.Content(list[1].ID).PublishedAt; !at.Equal(*list[1].ScheduledAt) {
			t.Errorf("it was published at %s, not at its slot %s", at, list[1].ScheduledAt)
		}
		_, err = w.Missions.ReopenContent(ctx, w.Tenant, list[1].ID)
		world.WantCode(t, err, mission.CodeConflict)
		w.Idle()
		if j := w.Job(m); j.Settled != 2 {
			t.Errorf("at the end the job has %d settled posts", j.Settled)
		}
		completed := 0
		for _, e := range w.Events(m.ID) {
			if e == mission.EventJobCompleted {
				completed++
			}
		}
		if completed != 2 { // one for each day
			t.Errorf("jobs were completed %d times", completed)
		}
		counted(w, m.ID)
	})
}

// A post that failed, expired or was canceled is never a dead end: it gets another slot, and goes out
// once when it is approved.
func TestPostsAreRepaired(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		platform := &scripted{Publisher: w.Parts.Publisher, results: []error{outcome(mission.OutcomeRefused)}}
		w.Parts.Publisher = platform
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			posts, days := 3, 3
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		list := w.Posts(m.ID)[:3]
		_, err := w.Missions.ApproveContent(ctx, w.Tenant, list[0].ID, nil)
		w.Must(err)
		_, err = w.Missions.CancelContent(ctx, w.Tenant, list[1].ID)
		w.Must(err)
		after(w, 25*time.Hour)
		for i, want := range []mission.ContentStatus{mission.ContentFailed, mission.ContentCanceled, mission.ContentExpired} {
			c := w.Content(list[i].ID)
			if c.Status != want {
				t.Fatalf("post %d is %s, want %s", i, c.Status, want)
			}
			got, err := w.Missions.ReopenContent(ctx, w.Tenant, c.ID)
			w.Must(err)
			if got.Status != mission.ContentPendingReview || got.Error != nil || got.ScheduledAt.Before(w.Clock.Now()) || !got.ExpiresAt.After(w.Clock.Now()) {
				t.Errorf("reopened, a post that was %s is %s with %v, at %s, until %s", want, got.Status, got.Error, got.ScheduledAt, got.ExpiresAt)
			}
			_, err = w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
			w.Must(err)
		}
		counted(w, m.ID)
		w.Over(m.ID)
		for i, c := range list {
			if c := w.Content(c.ID); c.Status != mission.ContentPublished {
				t.Errorf("repaired, post %d is %s: %+v", i, c.Status, c.Error)
			}
		}
		w.OnPlatform(m.ID, 3)
		counted(w, m.ID)
	})
}

// While a post is rejected another may take its slot; a mission that requires no approval
// has nothing to take back; nor has one that is completed.
func TestReopeningIsRefused(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(world.NeedsApproval)
		at := w.Clock.Now().Add(30 * time.Hour)
		first := byHand(w, m.ID, "By hand.", &at)
		_, err := w.Missions.RejectContent(ctx, w.Tenant, first.ID, "", nil)
		w.Must(err)
		byHand(w, m.ID, "Another.", &at)
		got, err := w.Missions.ReopenContent(ctx, w.Tenant, first.ID)
		w.Must(err)
		if !got.ScheduledAt.Equal(at.Add(time.Minute)) || !got.ExpiresAt.Equal(at.Add(24*time.Hour+time.Minute)) && !got.ExpiresAt.Equal(*w.Mission(m.ID).EndsAt) {
			t.Errorf("it goes out at %s, and expires at %s", got.ScheduledAt, got.ExpiresAt)
		}
		free := w.Create(nil)
		w.Step()
		for _, c := range w.Posts(free.ID) {
			_, err := w.Missions.ReopenContent(ctx, w.Tenant, c.ID)
			world.WantCode(t, err, mission.CodeConflict)
		}
		_, err = w.Missions.RejectContent(ctx, w.Tenant, first.ID, "", nil)
		w.Must(err)
		_, err = w.Missions.CompleteMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		_, err = w.Missions.ReopenContent(ctx, w.Tenant, first.ID)
		world.WantCode(t, err, mission.CodeConflict)
		other := w.Tenant
		w.Tenant = w.NewTenant("Other")
		_, err = w.Missions.ReopenContent(ctx, w.Tenant, first.ID)
		world.WantCode(t, err, mission.CodeNotFound)
		w.Tenant = other
	})
}

// Reopening races with reviews, with publication and with expiry: the counters equal the
// list, no post is on the platform twice, and none that was reopened last.
func TestReopeningRaces(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			posts, days := 4, 3
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		for round := range 6 {
			list := w.Posts(m.ID)
			var all sync.WaitGroup
			for n := range 12 {
				c := list[n%len(list)]
				all.Go(func() {
					var err error
					switch (n/len(list) + n) % 3 {
					case 0:
						_, err = w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
					case 1:
						_, err = w.Missions.RejectContent(ctx, w.Tenant, c.ID, "no", nil)
					case 2:
						_, err = w.Missions.ReopenContent(ctx, w.Tenant, c.ID)
					}
					if err != nil && mission.CodeOf(err) != mission.CodeConflict {
						t.Error(err)
					}
				})
			}
			w.Step() // publishes, and expires what is due
			all.Wait()
			counted(w, m.ID)
			w.Clock.Advance(time.Duration(round+1) * 3 * time.Hour)
		}
		w.Idle()
		counted(w, m.ID)
		posts, err := w.DB.SandboxPosts(ctx, m.ID)
		w.Must(err)
		parts := 0
		for _, c := range w.Published(m.ID) {
			parts += len(c.Texts())
		}
		if len(posts) != parts {
			t.Errorf("the platform has %d parts, of %d that were published", len(posts), parts)
		}
	})
}
