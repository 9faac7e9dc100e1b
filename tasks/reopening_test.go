package tasks

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
)

// tasksOf returns how many tasks of a type the ledger has.
func (w *world) tasksOf(t mission.TaskType) (n int) {
	w.t.Helper()
	list, err := w.db.LedgerStatus(context.Background(), w.clock.Now())
	w.must(err)
	for _, s := range list {
		if s.Type == t {
			n += s.Waiting + s.Due + s.Running + s.Parked
		}
	}
	return n
}

// counted compares the counters of a mission with a count of its posts.
func (w *world) counted(missionID string) {
	w.t.Helper()
	var want mission.ContentCounts
	for _, c := range w.all(missionID) {
		want = want.Plus(mission.Moved("", c.Status))
	}
	if got := w.mission(missionID).Counts; got != want {
		w.t.Errorf("got the counts %+v, want %+v", got, want)
	}
}

// What is reopened isn't published until it is approved again; each task is there once,
// however often a decision is taken back.
func TestReopenedPosts(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			posts, days := 3, 2
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.step()
		list := w.all(m.ID)
		for range 3 {
			for _, c := range list {
				_, err := w.service.ApproveContent(ctx, w.tenant, c.ID, nil)
				w.must(err)
			}
			for i, c := range list {
				got, err := w.service.ReopenContent(ctx, w.tenant, c.ID)
				w.must(err)
				if got.Status != mission.ContentPendingReview || got.ReviewedAt != nil || !got.ScheduledAt.Equal(*c.ScheduledAt) || !got.ExpiresAt.Equal(*c.ExpiresAt) {
					t.Errorf("reopened, post %d is %s, at %s, until %s", i, got.Status, got.ScheduledAt, got.ExpiresAt)
				}
				_, err = w.service.ReopenContent(ctx, w.tenant, c.ID)
				wantCode(t, err, mission.CodeConflict)
			}
		}
		w.counted(m.ID)
		for typ, want := range map[mission.TaskType]int{mission.TaskContentPublish: 0, mission.TaskCycleExpiring: 1, mission.TaskCycleEnd: 1} {
			if n := w.tasksOf(typ); n != want {
				t.Errorf("the ledger has %d tasks %s, want %d", n, typ, want)
			}
		}
		w.after(17 * time.Hour) // after all slots
		if n := len(w.posts(m.ID)); n != 0 {
			t.Errorf("%d posts were published without approval", n)
		}
		events := w.told(list[1])
		if n := len(slices.DeleteFunc(slices.Clone(events), func(e mission.EventType) bool { return e != mission.EventContentReopened })); n != 3 {
			t.Errorf("got its events %v", events)
		}
		w.after(24 * time.Hour)
		if c := w.content(list[0].ID); c.Status != mission.ContentExpired {
			t.Errorf("at its day's end it is %s", c.Status)
		}
		_, err := w.service.ReopenContent(ctx, w.tenant, list[0].ID)
		wantCode(t, err, mission.CodeConflict)
	})
}

// A rejection that completed its job's publish stage can be taken back: the post is
// published beside the job, and the job isn't completed twice.
func TestReopenedAfterItsJob(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(needsApproval)
		w.step()
		list := w.all(m.ID)
		for _, c := range list {
			_, err := w.service.RejectContent(ctx, w.tenant, c.ID, "no", nil)
			w.must(err)
		}
		w.step()
		if j := w.firstJob(m); j.Status != mission.RunCompleted || j.Settled != 2 {
			t.Fatalf("the job is %s with %d settled posts", j.Status, j.Settled)
		}
		got, err := w.service.ReopenContent(ctx, w.tenant, list[1].ID)
		w.must(err)
		if got.RejectionReason != nil || !got.ScheduledAt.Equal(*list[1].ScheduledAt) {
			t.Errorf("got %+v", got)
		}
		w.counted(m.ID)
		_, err = w.service.ApproveContent(ctx, w.tenant, list[1].ID, nil)
		w.must(err)
		w.until("it is published", func() bool { return w.content(list[1].ID).Status == mission.ContentPublished })
		if at := w.content(list[1].ID).PublishedAt; !at.Equal(*list[1].ScheduledAt) {
			t.Errorf("it was published at %s, not at its slot %s", at, list[1].ScheduledAt)
		}
		_, err = w.service.ReopenContent(ctx, w.tenant, list[1].ID)
		wantCode(t, err, mission.CodeConflict)
		w.idle()
		if j := w.firstJob(m); j.Settled != 2 {
			t.Errorf("at the end the job has %d settled posts", j.Settled)
		}
		completed := 0
		for _, e := range w.events(m.ID) {
			if e == mission.EventJobCompleted {
				completed++
			}
		}
		if completed != 2 { // one for each day
			t.Errorf("jobs were completed %d times", completed)
		}
		w.counted(m.ID)
	})
}

// While a post is rejected another may take its slot; a mission that requires no approval
// has nothing to take back; nor has one that is completed.
func TestReopeningIsRefused(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(needsApproval)
		at := w.clock.Now().Add(30 * time.Hour)
		first := w.byHand(m.ID, "By hand.", &at)
		_, err := w.service.RejectContent(ctx, w.tenant, first.ID, "", nil)
		w.must(err)
		w.byHand(m.ID, "Another.", &at)
		got, err := w.service.ReopenContent(ctx, w.tenant, first.ID)
		w.must(err)
		if !got.ScheduledAt.Equal(at.Add(time.Minute)) || !got.ExpiresAt.Equal(at.Add(24*time.Hour+time.Minute)) && !got.ExpiresAt.Equal(*w.mission(m.ID).EndsAt) {
			t.Errorf("it goes out at %s, and expires at %s", got.ScheduledAt, got.ExpiresAt)
		}
		free := w.create(nil)
		w.step()
		for _, c := range w.all(free.ID) {
			_, err := w.service.ReopenContent(ctx, w.tenant, c.ID)
			wantCode(t, err, mission.CodeConflict)
		}
		_, err = w.service.RejectContent(ctx, w.tenant, first.ID, "", nil)
		w.must(err)
		_, err = w.service.CompleteMission(ctx, w.tenant, m.ID)
		w.must(err)
		_, err = w.service.ReopenContent(ctx, w.tenant, first.ID)
		wantCode(t, err, mission.CodeConflict)
		other := w.tenant
		w.tenant = w.makeTenant("Other")
		_, err = w.service.ReopenContent(ctx, w.tenant, first.ID)
		wantCode(t, err, mission.CodeNotFound)
		w.tenant = other
	})
}

// Reopening races with reviews, with publication and with expiry: the counters equal the
// list, no post is on the platform twice, and none that was reopened last.
func TestReopeningRaces(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			posts, days := 4, 3
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.step()
		for round := range 6 {
			list := w.all(m.ID)
			var all sync.WaitGroup
			for n := range 12 {
				c := list[n%len(list)]
				all.Go(func() {
					var err error
					switch (n/len(list) + n) % 3 {
					case 0:
						_, err = w.service.ApproveContent(ctx, w.tenant, c.ID, nil)
					case 1:
						_, err = w.service.RejectContent(ctx, w.tenant, c.ID, "no", nil)
					case 2:
						_, err = w.service.ReopenContent(ctx, w.tenant, c.ID)
					}
					if err != nil && mission.CodeOf(err) != mission.CodeConflict {
						t.Error(err)
					}
				})
			}
			w.step() // publishes, and expires what is due
			all.Wait()
			w.counted(m.ID)
			w.clock.Advance(time.Duration(round+1) * 3 * time.Hour)
		}
		w.idle()
		w.counted(m.ID)
		posts, err := w.db.SandboxPosts(ctx, m.ID)
		w.must(err)
		parts := 0
		for _, c := range w.posts(m.ID) {
			parts += len(c.Texts())
		}
		if len(posts) != parts {
			t.Errorf("the platform has %d parts, of %d that were published", len(posts), parts)
		}
	})
}

// Posts that are decided about each by itself: one that is stale, decided, foreign or
// nowhere doesn't stop the others.
func TestReviewsOfEach(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		one, two := w.create(needsApproval), w.create(needsApproval)
		over := w.create(needsApproval)
		w.step()
		mine, others, ended := w.all(one.ID), w.all(two.ID), w.all(over.ID)
		_, err := w.service.EditContent(ctx, w.tenant, mine[0].ID, serviceEdit("Another text."))
		w.must(err)
		_, err = w.service.RejectContent(ctx, w.tenant, others[1].ID, "", nil)
		w.must(err)
		_, err = w.service.CompleteMission(ctx, w.tenant, over.ID)
		w.must(err)
		admin := w.tenant
		w.tenant = w.makeTenant("Other")
		foreign := w.create(needsApproval)
		w.step()
		items := []missions.Review{
			{ID: others[0].ID, Revision: 1}, {ID: mine[0].ID, Revision: 1}, {ID: w.all(foreign.ID)[0].ID, Revision: 1}, {ID: mine[1].ID, Revision: 1},
			{ID: others[1].ID, Revision: 1}, {ID: "cnt_01jd0000000000000000000000", Revision: 1}, {ID: ended[0].ID, Revision: 1},
		}
		theirs := w.all(foreign.ID)
		w.tenant = admin
		got, err := w.service.ApproveEach(ctx, w.tenant, items)
		w.must(err)
		check := func(got []missions.Reviewed, want []string) {
			t.Helper()
			for i, r := range got {
				is := "nothing"
				if r.Content != nil {
					is = string(r.Content.Status)
				}
				if r.Error != nil {
					is += ", " + r.Error.Code
				}
				if r.ID != items[i].ID || is != want[i] || r.Content != nil && r.Content.ID != r.ID {
					t.Errorf("item %d is %s, want %s: %+v", i, is, want[i], r.Error)
				}
			}
			w.counted(one.ID)
			w.counted(two.ID)
		}
		check(got, []string{"scheduled", "pending_review, conflict", "nothing, not_found", "scheduled", "rejected, conflict", "nothing, not_found", "canceled, conflict"})
		if now, err := w.db.Content(ctx, foreign.TenantID, theirs[0].ID); err != nil || now.Status != mission.ContentPendingReview {
			t.Errorf("the foreign post is %s, %v", now.Status, err)
		}
		items = []missions.Review{{ID: mine[0].ID, Revision: 2}, {ID: mine[1].ID, Revision: 1}}
		got, err = w.service.RejectEach(ctx, w.tenant, items, "no")
		w.must(err)
		check(got, []string{"rejected", "scheduled, conflict"})
		if reason := got[0].Content.RejectionReason; reason == nil || *reason != "no" {
			t.Errorf("got %+v", got[0].Content)
		}
		for _, bad := range [][]missions.Review{nil, {items[0], items[0]}, make([]missions.Review, 101), {{ID: mine[0].ID}}} {
			_, err := w.service.RejectEach(ctx, w.tenant, bad, "")
			wantCode(t, err, mission.CodeInvalidRequest)
		}
		w.idle()
		w.counted(one.ID)
	})
}
