package missions_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

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

// Posts that are decided about each by itself: one that is stale, decided, foreign or
// nowhere doesn't stop the others.
func TestReviewsOfEach(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		one, two := w.Create(world.NeedsApproval), w.Create(world.NeedsApproval)
		over := w.Create(world.NeedsApproval)
		w.Step()
		mine, others, ended := w.Posts(one.ID), w.Posts(two.ID), w.Posts(over.ID)
		_, err := w.Missions.EditContent(ctx, w.Tenant, mine[0].ID, withText("Another text."))
		w.Must(err)
		_, err = w.Missions.RejectContent(ctx, w.Tenant, others[1].ID, "", nil)
		w.Must(err)
		_, err = w.Missions.CompleteMission(ctx, w.Tenant, over.ID)
		w.Must(err)
		admin := w.Tenant
		w.Tenant = w.NewTenant("Other")
		foreign := w.Create(world.NeedsApproval)
		w.Step()
		items := []missions.Review{
			{ID: others[0].ID, Revision: 1}, {ID: mine[0].ID, Revision: 1}, {ID: w.Posts(foreign.ID)[0].ID, Revision: 1}, {ID: mine[1].ID, Revision: 1},
			{ID: others[1].ID, Revision: 1}, {ID: "cnt_01jd0000000000000000000000", Revision: 1}, {ID: ended[0].ID, Revision: 1},
		}
		theirs := w.Posts(foreign.ID)
		w.Tenant = admin
		got, err := w.Missions.ApproveEach(ctx, w.Tenant, items)
		w.Must(err)
		check(t, got, []string{"scheduled", "pending_review, conflict", "nothing, not_found", "scheduled", "rejected, conflict", "nothing, not_found", "canceled, conflict"})
		counted(w, one.ID)
		counted(w, two.ID)
		if now, err := w.DB.Content(ctx, foreign.TenantID, theirs[0].ID); err != nil || now.Status != mission.ContentPendingReview {
			t.Errorf("the foreign post is %s, %v", now.Status, err)
		}
		items = []missions.Review{{ID: mine[0].ID, Revision: 2}, {ID: mine[1].ID, Revision: 1}}
		got, err = w.Missions.RejectEach(ctx, w.Tenant, items, "no")
		w.Must(err)
		check(t, got, []string{"rejected", "scheduled, conflict"})
		if reason := got[0].Content.RejectionReason; reason == nil || *reason != "no" {
			t.Errorf("got %+v", got[0].Content)
		}
		for _, bad := range [][]missions.Review{nil, {items[0], items[0]}, make([]missions.Review, 101), {{ID: mine[0].ID}}} {
			_, err := w.Missions.RejectEach(ctx, w.Tenant, bad, "")
			world.WantCode(t, err, mission.CodeInvalidRequest)
		}
		w.Idle()
		counted(w, one.ID)
	})
}

// Posts that are moved or canceled, each by itself: what can't be is said, and the others are.
func TestMovesAndCancelsOfEach(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		one, two := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Platforms, in.Constraints.PostsPerDay = in.Platforms[:1], new(4)
		}), w.Create(world.NeedsApproval)
		w.Step()
		mine, others := w.Posts(one.ID), w.Posts(two.ID)
		a, b, c := mine[1], mine[2], mine[3]
		_, err := w.Missions.ApproveContent(ctx, w.Tenant, b.ID, nil)
		w.Must(err)
		_, err = w.Missions.RejectContent(ctx, w.Tenant, others[1].ID, "", nil)
		w.Must(err)
		admin := w.Tenant
		w.Tenant = w.NewTenant("Other")
		foreign := w.Create(world.NeedsApproval)
		w.Step()
		theirs := w.Posts(foreign.ID)
		w.Tenant = admin
		nobody := "cnt_01jd0000000000000000000000"
		got, err := w.Missions.RescheduleEach(ctx, w.Tenant, []missions.Move{
			{ID: a.ID, ScheduledAt: *b.ScheduledAt}, {ID: b.ID, ScheduledAt: *a.ScheduledAt}, {ID: c.ID, ScheduledAt: *b.ScheduledAt},
			{ID: others[1].ID, ScheduledAt: *a.ScheduledAt}, {ID: theirs[0].ID, ScheduledAt: *a.ScheduledAt}, {ID: nobody, ScheduledAt: *a.ScheduledAt},
			{ID: others[0].ID, ScheduledAt: w.Clock.Now().Add(-time.Hour)},
		})
		w.Must(err)
		check(t, got, []string{"pending_review", "scheduled", "pending_review, conflict", "rejected, conflict", "nothing, not_found", "nothing, not_found", "pending_review, invalid_request"})
		if x, y, z := got[0].Content, got[1].Content, got[2].Content; !x.ScheduledAt.Equal(*b.ScheduledAt) || !y.ScheduledAt.Equal(*a.ScheduledAt) || !z.ScheduledAt.Equal(*c.ScheduledAt) {
			t.Errorf("the posts are at %v, %v, %v", x.ScheduledAt, y.ScheduledAt, z.ScheduledAt)
		}
		got, err = w.Missions.CancelEach(ctx, w.Tenant, []string{a.ID, theirs[0].ID, others[1].ID, c.ID})
		w.Must(err)
		check(t, got, []string{"canceled", "nothing, not_found", "rejected, conflict", "canceled"})
		if now, err := w.DB.Content(ctx, foreign.TenantID, theirs[0].ID); err != nil || now.Status != mission.ContentPendingReview || !now.ScheduledAt.Equal(*theirs[0].ScheduledAt) {
			t.Errorf("the foreign post is %s at %v, %v", now.Status, now.ScheduledAt, err)
		}
		counted(w, one.ID)
		for _, bad := range [][]missions.Move{nil, {{ID: a.ID}, {ID: a.ID}}, make([]missions.Move, 101), {{ID: "x"}}} {
			_, err := w.Missions.RescheduleEach(ctx, w.Tenant, bad)
			world.WantCode(t, err, mission.CodeInvalidRequest)
		}
		for _, bad := range [][]string{nil, {a.ID, a.ID}, make([]string, 101), {"x"}} {
			_, err := w.Missions.CancelEach(ctx, w.Tenant, bad)
			world.WantCode(t, err, mission.CodeInvalidRequest)
		}
		w.Until("the post that was moved is published", func() bool { return w.Content(b.ID).Status == mission.ContentPublished })
		if now := w.Clock.Now(); now.Before(*a.ScheduledAt) || !now.Before(*b.ScheduledAt) {
			t.Errorf("the post that was moved to %v went out at %v", a.ScheduledAt, now)
		}
	})
}

// check fails unless results are of some states, each with the code of its error.
func check(t *testing.T, got []missions.Reviewed, want []string) {
	t.Helper()
	for i, r := range got {
		is := "nothing"
		if r.Content != nil {
			is = string(r.Content.Status)
		}
		if r.Error != nil {
			is += ", " + r.Error.Code
		}
		if is != want[i] || r.Content != nil && r.Content.ID != r.ID {
			t.Errorf("item %d is %s, want %s: %+v", i, is, want[i], r.Error)
		}
	}
}
