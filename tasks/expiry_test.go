package tasks

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
	"missiond/mission"
	"missiond/store"
)

// eventsOf returns a mission's events of a type, in order.
func (w *world) eventsOf(missionID string, t mission.EventType) []mission.Event {
	w.t.Helper()
	list, err := w.db.MissionEvents(context.Background(), w.tenant.TenantID, missionID, "", 1000)
	w.must(err)
	return slices.DeleteFunc(list, func(e mission.Event) bool { return e.Type != t })
}

// notified returns the messages of the tenant's notifications of expired posts,
// newest first.
func (w *world) notified() (messages []string) {
	w.t.Helper()
	accounts := accounts.New(w.db, accounts.Options{Clock: w.clock, Real: clock.Real()})
	part, err := accounts.Notifications(context.Background(), w.tenant, false, store.Page{Limit: 100})
	w.must(err)
	for _, n := range part.List {
		if n.Kind == mission.NotifyContentExpired {
			messages = append(messages, n.Message)
		}
	}
	return messages
}

// after moves the clock to an instant after the world's start, and runs the tasks
// that become due in the meantime, each at its time.
func (w *world) after(d time.Duration) {
	w.t.Helper()
	at := began.Add(d)
	for {
		w.step()
		next, ok, err := w.db.NextDispatch(context.Background())
		w.must(err)
		if !ok || next.After(at) {
			break
		}
		w.clock.Advance(max(next.Sub(w.clock.Now()), time.Millisecond))
	}
	w.clock.Advance(at.Sub(w.clock.Now()))
	w.step()
}

// Posts that nobody approves have events: once a quarter of their time before they
// expire, when they expire, and one notification for those that expire together. A
// mission that is completed has events of the posts that it cancels.
func TestUnapprovedPostsHaveEvents(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, days := context.Background(), 3
		m := w.create(func(in *mission.CreateInput) { needsApproval(in); in.DurationDays = &days })
		w.step()
		if c := w.all(m.ID)[0]; c.ExpiresAt == nil || !c.ExpiresAt.Equal(began.Add(24*time.Hour)) {
			t.Errorf("a post in review expires at %s", c.ExpiresAt)
		}
		w.after(18*time.Hour - time.Minute)
		if events := w.eventsOf(m.ID, mission.EventContentExpiring); len(events) != 0 {
			t.Errorf("got %d early events of posts that expire", len(events))
		}
		w.after(18 * time.Hour)
		if events := w.eventsOf(m.ID, mission.EventContentExpiring); len(events) != 2 {
			t.Errorf("got %d events of posts that expire, want 2", len(events))
		}
		w.after(24 * time.Hour)
		events := w.eventsOf(m.ID, mission.EventContentExpired)
		if len(events) != 2 || len(w.eventsOf(m.ID, mission.EventContentExpiring)) != 2 {
			t.Fatalf("got %d events of expired posts, want 2", len(events))
		}
		var data mission.ContentWaitingData
		if err := json.Unmarshal(events[0].Data.(json.RawMessage), &data); err != nil || data.ExpiresAt == nil || !data.ExpiresAt.Equal(began.Add(24*time.Hour)) {
			t.Errorf("got the data %+v, %v", data, err)
		}
		if messages := w.notified(); len(messages) != 1 || !strings.HasPrefix(messages[0], "2 posts of the mission") {
			t.Errorf("got the notifications %q", messages)
		}
		_, err := w.service.CompleteMission(ctx, w.tenant, m.ID)
		w.must(err)
		canceled := w.eventsOf(m.ID, mission.EventContentCanceled)
		if len(canceled) != 2 {
			t.Fatalf("got %d events of canceled posts, want 2", len(canceled))
		}
		var why mission.ContentCanceledData
		if err := json.Unmarshal(canceled[0].Data.(json.RawMessage), &why); err != nil || why.Reason == nil || *why.Reason != mission.MissionEnded() {
			t.Errorf("got the data %+v, %v", why, err)
		}
		if c := w.content(why.ContentID); c.Error == nil || *c.Error != *why.Reason || c.ExpiresAt != nil {
			t.Errorf("got the post's error %+v", c)
		}
		w.idle()
	})
}

// At its mission's end a post whose time is over expires, in either order of its
// cycle's end and the mission's.
func TestPostsExpireAtTheMissionsEnd(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(needsApproval)
		w.step()
		w.after(47 * time.Hour)
		w.clock.Advance(time.Hour)
		for _, task := range w.due() { // the mission's end first
			if task.Type == mission.TaskMissionEnd {
				w.run(task.ID)
			}
		}
		w.idle()
		if expired, canceled := w.eventsOf(m.ID, mission.EventContentExpired), w.eventsOf(m.ID, mission.EventContentCanceled); len(expired) != 4 || len(canceled) != 0 {
			t.Errorf("got %d expired and %d canceled posts, want 4 and none", len(expired), len(canceled))
		}
		if messages := w.notified(); len(messages) != 2 {
			t.Errorf("got the notifications %q", messages)
		}
	})
}

// A post that is rewritten after its day can be reviewed for a day of its own,
// whenever other posts of the day were rewritten.
func TestRewrittenPostsHaveTheirDay(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, days := context.Background(), 6
		m := w.create(func(in *mission.CreateInput) { needsApproval(in); in.DurationDays = &days })
		w.step()
		a, b := w.all(m.ID)[0].ID, w.all(m.ID)[1].ID
		anew := func(id string) {
			t.Helper()
			c, err := w.service.EditContent(ctx, w.tenant, id, serviceEdit("Anew, of "+id))
			w.must(err)
			if c.Status != mission.ContentPendingReview || !c.ExpiresAt.Equal(w.clock.Now().Add(24*time.Hour)) {
				t.Fatalf("got the rewritten post %s until %s", c.Status, c.ExpiresAt)
			}
		}
		for _, id := range []string{a, b} {
			_, err := w.service.RejectContent(ctx, w.tenant, id, "no", nil)
			w.must(err)
		}
		w.after(30 * time.Hour)
		anew(a)
		w.after(53 * time.Hour)
		anew(b)
		w.after(55 * time.Hour)
		if one, two := w.content(a), w.content(b); one.Status != mission.ContentExpired || two.Status != mission.ContentPendingReview {
			t.Fatalf("after the first one's day got %s and %s", one.Status, two.Status)
		}
		// A pause doesn't count.
		_, err := w.service.PauseMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.after(155 * time.Hour)
		_, err = w.service.ResumeMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.after(177*time.Hour - time.Minute)
		if c := w.content(b); c.Status != mission.ContentPendingReview || !c.ExpiresAt.Equal(began.Add(177*time.Hour)) {
			t.Fatalf("before its end got the second %s until %s", c.Status, c.ExpiresAt)
		}
		w.after(177 * time.Hour)
		if c := w.content(b); c.Status != mission.ContentExpired {
			t.Errorf("after its day got the second %s", c.Status)
		}
		warned := 0
		for _, e := range w.eventsOf(m.ID, mission.EventContentExpiring) {
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
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, days := context.Background(), 6
		m := w.create(func(in *mission.CreateInput) { needsApproval(in); in.DurationDays = &days })
		w.step()
		id := w.all(m.ID)[0].ID
		_, err := w.service.RejectContent(ctx, w.tenant, id, "no", nil)
		w.must(err)
		w.after(30 * time.Hour)
		_, err = w.service.PauseMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.after(60 * time.Hour)
		_, err = w.service.EditContent(ctx, w.tenant, id, serviceEdit("In the pause."))
		w.must(err)
		w.after(90 * time.Hour)
		_, err = w.service.ResumeMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.after(114*time.Hour - time.Second)
		if c := w.content(id); c.Status != mission.ContentPendingReview {
			t.Errorf("before its day's end got %s", c.Status)
		}
		w.after(114 * time.Hour)
		if c := w.content(id); c.Status != mission.ContentExpired {
			t.Errorf("at its day's end got %s, until %s", c.Status, c.ExpiresAt)
		}
	})
}

// slotsApart returns the least time between two published posts of a mission.
func (w *world) slotsApart(missionID string) time.Duration {
	least := time.Duration(1<<63 - 1)
	posts := w.posts(missionID)
	for i := 1; i < len(posts); i++ {
		least = min(least, posts[i].PublishedAt.Sub(*posts[i-1].PublishedAt))
	}
	return least
}

// Posts that are approved late, one by one, aren't published in a burst.
func TestLateApprovalsAreNoBurst(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, posts, days := context.Background(), 6, 2
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.step()
		list := w.all(m.ID)
		w.after(22 * time.Hour)
		for i, c := range list {
			w.after(22*time.Hour + time.Duration(5*i)*time.Second)
			got, err := w.service.ApproveContent(ctx, w.tenant, c.ID, nil)
			w.must(err)
			if got.Status != mission.ContentScheduled || !got.ScheduledAt.Before(began.Add(24*time.Hour)) {
				t.Errorf("got post %d %s at %s", i, got.Status, got.ScheduledAt)
			}
			w.step()
		}
		w.after(24 * time.Hour)
		if apart := w.slotsApart(m.ID); len(w.posts(m.ID)) != 6 || apart < 5*time.Minute {
			t.Errorf("%d posts were published, two of them %s apart", len(w.posts(m.ID)), apart)
		}
	})
}

// A post that is approved right before the mission's end is published before it, or
// the approval's result says that it can't be.
func TestApprovedBeforeTheEnd(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, posts, days := context.Background(), 6, 1
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		n := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.step()
		w.after(23*time.Hour + 30*time.Minute)
		for _, c := range w.all(m.ID) {
			_, err := w.service.ApproveContent(ctx, w.tenant, c.ID, nil)
			w.must(err)
		}
		w.after(24*time.Hour - 2*time.Minute)
		var ids []string
		for _, c := range w.all(n.ID) {
			ids = append(ids, c.ID)
		}
		approved, err := w.service.ApproveContents(ctx, w.tenant, ids)
		w.must(err)
		gone := slices.DeleteFunc(approved, func(c mission.Content) bool { return c.Status == mission.ContentScheduled })
		for _, c := range gone {
			if c.Status != mission.ContentCanceled || c.Error == nil || c.Error.Code != "no_time_left" {
				t.Errorf("got a post without time left %s, %+v", c.Status, c.Error)
			}
		}
		w.idle()
		if got := len(w.posts(m.ID)); got != 6 || w.slotsApart(m.ID) < time.Minute {
			t.Errorf("of six posts that were approved half an hour before the end %d were published, two of them %s apart", got, w.slotsApart(m.ID))
		}
		if got := len(w.posts(n.ID)); got != 2 || len(gone) != 4 || len(w.eventsOf(n.ID, mission.EventContentCanceled)) != 4 {
			t.Errorf("of six posts that were approved two minutes before the end %d were published, and %d say that they can't be", got, len(gone))
		}
	})
}

// A mission that is resumed right before its end publishes the posts that fit, and
// has events of those that don't.
func TestResumedBeforeTheEnd(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, posts, days := context.Background(), 4, 1
		m := w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.step()
		w.after(24*time.Hour - 2*time.Minute)
		_, err := w.service.PauseMission(ctx, w.tenant, m.ID)
		w.must(err)
		for _, c := range w.all(m.ID) {
			_, err := w.service.ApproveContent(ctx, w.tenant, c.ID, nil)
			w.must(err)
		}
		w.after(50 * time.Hour)
		_, err = w.service.ResumeMission(ctx, w.tenant, m.ID)
		w.must(err)
		canceled := len(w.eventsOf(m.ID, mission.EventContentCanceled))
		w.idle()
		if got := len(w.posts(m.ID)); got != 2 || canceled != 2 || w.mission(m.ID).Status != mission.StatusCompleted {
			t.Errorf("got %d published posts and %d events of canceled ones before the end", got, canceled)
		}
		j, err := w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if j.Status != mission.RunCompleted || j.Settled != 4 {
			t.Errorf("got the job %s with %d settled posts", j.Status, j.Settled)
		}
	})
}

// A shortened mission has nothing scheduled after its new end.
func TestShortenedMissionSchedulesWithinIt(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, days := context.Background(), 3
		m := w.create(func(in *mission.CreateInput) { in.DurationDays = &days })
		w.step()
		last := w.all(m.ID)[1]
		w.must(w.db.Tx(ctx, func(tx store.Tx) error { // as posts are moved that wait for their integration
			if _, err := tx.LockMission(ctx, w.tenant.TenantID, m.ID); err != nil {
				return err
			}
			ch, err := last.Reschedule(began.Add(50*time.Hour), w.clock.Now())
			if err != nil {
				return err
			}
			if err := tx.DropSubjects(ctx, m.ID, mission.TaskContentPublish, last.ID); err != nil {
				return err
			}
			return errors.Join(tx.ChangeContent(ctx, ch), tx.AddTasks(ctx, w.clock.Now(), mission.NewTask(m, mission.TaskContentPublish, last.ID, began.Add(50*time.Hour))))
		}))
		_, err := w.service.UpdateMission(ctx, w.tenant, m.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.must(err)
		if c := w.content(last.ID); c.Status != mission.ContentScheduled || !c.ScheduledAt.Before(began.Add(48*time.Hour)) {
			t.Errorf("got the post %s at %s", c.Status, c.ScheduledAt)
		}
		w.idle()
		if got := len(w.posts(m.ID)); got != 4 {
			t.Errorf("got %d published posts, want 4", got)
		}
	})
}
