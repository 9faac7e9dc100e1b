package missions_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// eventsOf returns a mission's events of a type, in order.
func eventsOf(w *world.World, missionID string, t mission.EventType) []mission.Event {
	w.T.Helper()
	list, err := w.DB.MissionEvents(context.Background(), w.Tenant.TenantID, missionID, "", 1000)
	w.Must(err)
	return slices.DeleteFunc(list, func(e mission.Event) bool { return e.Type != t })
}

// notified returns the messages of the tenant's notifications of expired posts,
// newest first.
func notified(w *world.World) (messages []string) {
	return notifiedOf(w, mission.NotifyContentExpired, false)
}

// notifiedOf returns the messages of the tenant's notifications of a kind, newest first, of all or
// only of the unread ones.
func notifiedOf(w *world.World, kind mission.NotificationKind, unread bool) (messages []string) {
	w.T.Helper()
	accounts := accounts.New(w.DB, accounts.Options{Clock: w.Clock, Real: clock.Real()})
	part, err := accounts.Notifications(context.Background(), w.Tenant, unread, store.Page{Limit: 100})
	w.Must(err)
	for _, n := range part.List {
		if n.Kind == kind {
			messages = append(messages, n.Message)
		}
	}
	return messages
}

// Posts that nobody approves have events: once a quarter of their time before they
// expire, when they expire, and one notification for those that expire together. A
// mission that is completed has events of the posts that it cancels.
func TestUnapprovedPostsHaveEvents(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, days := context.Background(), 3
		m := w.Create(func(in *mission.CreateInput) { world.NeedsApproval(in); in.DurationDays = &days })
		w.Step()
		if c := w.Posts(m.ID)[0]; c.ExpiresAt == nil || !c.ExpiresAt.Equal(world.Began.Add(24*time.Hour)) {
			t.Errorf("a post in review expires at %s", c.ExpiresAt)
		}
		after(w, 18*time.Hour-time.Minute)
		if events := eventsOf(w, m.ID, mission.EventContentExpiring); len(events) != 0 {
			t.Errorf("got %d early events of posts that expire", len(events))
		}
		after(w, 18*time.Hour)
		if events := eventsOf(w, m.ID, mission.EventContentExpiring); len(events) != 2 {
			t.Errorf("got %d events of posts that expire, want 2", len(events))
		}
		after(w, 24*time.Hour)
		events := eventsOf(w, m.ID, mission.EventContentExpired)
		if len(events) != 2 || len(eventsOf(w, m.ID, mission.EventContentExpiring)) != 2 {
			t.Fatalf("got %d events of expired posts, want 2", len(events))
		}
		var data mission.ContentWaitingData
		if err := json.Unmarshal(events[0].Data.(json.RawMessage), &data); err != nil || data.ExpiresAt == nil || !data.ExpiresAt.Equal(world.Began.Add(24*time.Hour)) {
			t.Errorf("got the data %+v, %v", data, err)
		}
		if messages := notified(w); len(messages) != 1 || !strings.HasPrefix(messages[0], "2 posts of the mission") {
			t.Errorf("got the notifications %q", messages)
		}
		_, err := w.Missions.CompleteMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		canceled := eventsOf(w, m.ID, mission.EventContentCanceled)
		if len(canceled) != 2 {
			t.Fatalf("got %d events of canceled posts, want 2", len(canceled))
		}
		var why mission.ContentCanceledData
		if err := json.Unmarshal(canceled[0].Data.(json.RawMessage), &why); err != nil || why.Reason == nil || *why.Reason != mission.MissionEnded() {
			t.Errorf("got the data %+v, %v", why, err)
		}
		if c := w.Content(why.ContentID); c.Error == nil || *c.Error != *why.Reason || c.ExpiresAt != nil {
			t.Errorf("got the post's error %+v", c)
		}
		w.Idle()
	})
}

// At its mission's end a post whose time is over expires, in either order of its
// cycle's end and the mission's.
func TestPostsExpireAtTheMissionsEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(world.NeedsApproval)
		w.Step()
		after(w, 47*time.Hour)
		w.Clock.Advance(time.Hour)
		for _, task := range w.Due() { // the mission's end first
			if task.Type == mission.TaskMissionEnd {
				w.Run(task.ID)
			}
		}
		w.Idle()
		if expired, canceled := eventsOf(w, m.ID, mission.EventContentExpired), eventsOf(w, m.ID, mission.EventContentCanceled); len(expired) != 4 || len(canceled) != 0 {
			t.Errorf("got %d expired and %d canceled posts, want 4 and none", len(expired), len(canceled))
		}
		if messages := notified(w); len(messages) != 2 {
			t.Errorf("got the notifications %q", messages)
		}
	})
}

// A post that is rewritten after its day can be reviewed for a day of its own,
// whenever other posts of the day were rewritten.
func TestRewrittenPostsHaveTheirDay(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, days := context.Background(), 6
		m := w.Create(func(in *mission.CreateInput) { world.NeedsApproval(in); in.DurationDays = &days })
		w.Step()
		a, b := w.Posts(m.ID)[0].ID, w.Posts(m.ID)[1].ID
		anew := func(id string) {
			t.Helper()
			c, err := w.Missions.EditContent(ctx, w.Tenant, id, withText("Anew, of "+id))
			w.Must(err)
			if c.Status != mission.ContentPendingReview || !c.ExpiresAt.Equal(w.Clock.Now().Add(24*time.Hour)) {
				t.Fatalf("got the rewritten post %s until %s", c.Status, c.ExpiresAt)
			}
		}
		for _, id := range []string{a, b} {
			_, err := w.Missions.RejectContent(ctx, w.Tenant, id, "no", nil)
			w.Must(err)
		}
		after(w, 30*time.Hour)
		anew(a)
		after(w, 53*time.Hour)
		anew(b)
		after(w, 55*time.Hour)
		if one, two := w.Content(a), w.Content(b); one.Status != mission.ContentExpired || two.Status != mission.ContentPendingReview {
			t.Fatalf("after the first one's day got %s and %s", one.Status, two.Status)
		}
		// A pause doesn't count.
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 155*time.Hour)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 177*time.Hour-time.Minute)
		if c := w.Content(b); c.Status != mission.ContentPendingReview || !c.ExpiresAt.Equal(world.Began.Add(177*time.Hour)) {
			t.Fatalf("before its end got the second %s until %s", c.Status, c.ExpiresAt)
		}
		after(w, 177*time.Hour)
		if c := w.Content(b); c.Status != mission.ContentExpired {
			t.Errorf("after its day got the second %s", c.Status)
		}
		warned := 0
		for _, e := range eventsOf(w, m.ID, mission.EventContentExpiring) {
			if strings.Contains(string(e.Data.(json.RawMessage)), b) {
				warned++
			}
		}
		if warned != 1 {
			t.Errorf("got %d events ahead of its end", warned)
		}
	})
}

// A post that is rewritten in a pause has its day once the mission is resumed.
func TestRewrittenInAPause(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, days := context.Background(), 6
		m := w.Create(func(in *mission.CreateInput) { world.NeedsApproval(in); in.DurationDays = &days })
		w.Step()
		id := w.Posts(m.ID)[0].ID
		_, err := w.Missions.RejectContent(ctx, w.Tenant, id, "no", nil)
		w.Must(err)
		after(w, 30*time.Hour)
		_, err = w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 60*time.Hour)
		_, err = w.Missions.EditContent(ctx, w.Tenant, id, withText("In the pause."))
		w.Must(err)
		after(w, 90*time.Hour)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 114*time.Hour-time.Second)
		if c := w.Content(id); c.Status != mission.ContentPendingReview {
			t.Errorf("before its day's end got %s", c.Status)
		}
		after(w, 114*time.Hour)
		if c := w.Content(id); c.Status != mission.ContentExpired {
			t.Errorf("at its day's end got %s, until %s", c.Status, c.ExpiresAt)
		}
	})
}

// slotsApart returns the least time between two published posts of a mission.
func slotsApart(w *world.World, missionID string) time.Duration {
	least := time.Duration(1<<63 - 1)
	posts := w.Published(missionID)
	for i := 1; i < len(posts); i++ {
		least = min(least, posts[i].PublishedAt.Sub(*posts[i-1].PublishedAt))
	}
	return least
}

// Posts that are approved late, one by one, aren't published in a burst.
func TestLateApprovalsAreNoBurst(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, posts, days := context.Background(), 6, 2
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		list := w.Posts(m.ID)
		after(w, 22*time.Hour)
		for i, c := range list {
			after(w, 22*time.Hour+time.Duration(5*i)*time.Second)
			got, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
			w.Must(err)
			if got.Status != mission.ContentScheduled || !got.ScheduledAt.Before(world.Began.Add(24*time.Hour)) {
				t.Errorf("got post %d %s at %s", i, got.Status, got.ScheduledAt)
			}
			w.Step()
		}
		after(w, 24*time.Hour)
		if apart := slotsApart(w, m.ID); len(w.Published(m.ID)) != 6 || apart < 5*time.Minute {
			t.Errorf("%d posts were published, two of them %s apart", len(w.Published(m.ID)), apart)
		}
	})
}

// A post that is approved right before the mission's end is published before it, or
// the approval's result says that it can't be.
func TestApprovedBeforeTheEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, posts, days := context.Background(), 6, 1
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		n := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		after(w, 23*time.Hour+30*time.Minute)
		for _, c := range w.Posts(m.ID) {
			_, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
			w.Must(err)
		}
		after(w, 24*time.Hour-2*time.Minute)
		var ids []string
		for _, c := range w.Posts(n.ID) {
			ids = append(ids, c.ID)
		}
		approved, err := w.Missions.ApproveContents(ctx, w.Tenant, ids)
		w.Must(err)
		gone := slices.DeleteFunc(approved, func(c mission.Content) bool { return c.Status == mission.ContentScheduled })
		for _, c := range gone {
			if c.Status != mission.ContentCanceled || c.Error == nil || c.Error.Code != "no_time_left" {
				t.Errorf("got a post without time left %s, %+v", c.Status, c.Error)
			}
		}
		w.Idle()
		if got := len(w.Published(m.ID)); got != 6 || slotsApart(w, m.ID) < time.Minute {
			t.Errorf("of six posts that were approved half an hour before the end %d were published, two of them %s apart", got, slotsApart(w, m.ID))
		}
		if got := len(w.Published(n.ID)); got != 2 || len(gone) != 4 || len(eventsOf(w, n.ID, mission.EventContentCanceled)) != 4 {
			t.Errorf("of six posts that were approved two minutes before the end %d were published, and %d say that they can't be", got, len(gone))
		}
	})
}

// A mission that is resumed right before its end publishes the posts that fit, and
// has events of those that don't.
func TestResumedBeforeTheEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, posts, days := context.Background(), 4, 1
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Step()
		after(w, 24*time.Hour-2*time.Minute)
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		for _, c := range w.Posts(m.ID) {
			_, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
			w.Must(err)
		}
		after(w, 50*time.Hour)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		canceled := len(eventsOf(w, m.ID, mission.EventContentCanceled))
		w.Idle()
		if got := len(w.Published(m.ID)); got != 2 || canceled != 2 || w.Mission(m.ID).Status != mission.StatusCompleted {
			t.Errorf("got %d published posts and %d events of canceled ones before the end", got, canceled)
		}
		j, err := w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		if j.Status != mission.RunCompleted || j.Settled != 4 {
			t.Errorf("got the job %s with %d settled posts", j.Status, j.Settled)
		}
	})
}

// A shortened mission has nothing scheduled after its new end.
func TestShortenedMissionSchedulesWithinIt(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, days := context.Background(), 3
		m := w.Create(func(in *mission.CreateInput) { in.DurationDays = &days })
		w.Step()
		last := w.Posts(m.ID)[1]
		w.Must(w.DB.Tx(ctx, func(tx store.Tx) error { // as posts are moved that wait for their integration
			if _, err := tx.LockMission(ctx, w.Tenant.TenantID, m.ID); err != nil {
				return err
			}
			ch, err := last.Reschedule(world.Began.Add(50*time.Hour), w.Clock.Now())
			if err != nil {
				return err
			}
			if err := tx.DropSubjects(ctx, m.ID, mission.TaskContentPublish, last.ID); err != nil {
				return err
			}
			return errors.Join(tx.ChangeContent(ctx, ch), tx.AddTasks(ctx, w.Clock.Now(), mission.NewTask(m, mission.TaskContentPublish, last.ID, world.Began.Add(50*time.Hour))))
		}))
		_, err := w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.Must(err)
		if c := w.Content(last.ID); c.Status != mission.ContentScheduled || !c.ScheduledAt.Before(world.Began.Add(48*time.Hour)) {
			t.Errorf("got the post %s at %s", c.Status, c.ScheduledAt)
		}
		w.Idle()
		if got := len(w.Published(m.ID)); got != 4 {
			t.Errorf("got %d published posts, want 4", got)
		}
	})
}
