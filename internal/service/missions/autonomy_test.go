package missions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// earning makes a mission have its two posts a day approved.
func earning(in *mission.CreateInput) {
	world.NeedsApproval(in)
	posts, days, times := 2, 10, []string{"12:00", "18:00"}
	in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, times, &days
}

// earned returns a mission that has earned its autonomy on its first day, on the morning of the
// second, and that day's posts. It does so by two approvals, for a share of them.
func earned(w *world.World, share float64) (m mission.Mission, second []mission.Content) {
	w.T.Helper()
	m = w.Create(onTwitter(func(in *mission.CreateInput) {
		earning(in)
		in.Autonomy = &mission.Autonomy{Earned: mission.Earned{After: 2, Share: share}}
	}))
	w.Step()
	first := w.Posts(m.ID)
	for _, c := range first {
		if c.Status != mission.ContentPendingReview || c.Unreviewed() {
			w.T.Fatalf("a post of the first day is %s", c.Status)
		}
		_, err := w.Missions.ApproveContent(context.Background(), w.Tenant, c.ID, nil)
		w.Must(err)
	}
	after(w, 24*time.Hour)
	for _, c := range w.Posts(m.ID) {
		if !slices.ContainsFunc(first, func(p mission.Content) bool { return p.ID == c.ID }) {
			second = append(second, c)
		}
	}
	if len(first) != 2 || len(second) != 2 {
		w.T.Fatalf("got %d and %d posts", len(first), len(second))
	}
	return m, second
}

func standing(w *world.World, id string) mission.Standing {
	w.T.Helper()
	s, err := w.Missions.Autonomy(context.Background(), w.Tenant, id)
	w.Must(err)
	return s
}

// After enough approvals posts go out without review, and their records have the approvals.
func TestAutonomyIsEarned(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m, posts := earned(w, 1)
		s := standing(w, m.ID)
		if s.State != mission.AutonomyEarned || len(s.Approvals) != 2 || s.Missing != 0 || s.Ended != nil {
			t.Errorf("got the standing %+v", s)
		}
		for _, c := range posts {
			if c.Status != mission.ContentScheduled || !c.Unreviewed() || c.ReviewedAt != nil {
				t.Errorf("a post of the second day is %s, unreviewed: %t", c.Status, c.Unreviewed())
			}
		}
		w.Pass(12 * time.Hour)
		for _, c := range posts {
			if got := w.Content(c.ID); got.Status != mission.ContentPublished {
				t.Errorf("at its end the post is %s", got.Status)
			}
			r, err := w.Missions.Record(context.Background(), w.Tenant, c.ID)
			w.Must(err)
			if len(r.RestsOn) != 2 || len(r.Reviews) != 0 || r.RestsOn[0] != s.Approvals[0] {
				t.Errorf("the record has %+v and %d reviews", r.RestsOn, len(r.Reviews))
			}
		}
	})
}

// Whatever ends autonomy, posts that are scheduled without review wait for it at once, and the
// next ones do.
func TestAutonomyEnds(t *testing.T) {
	ctx := context.Background()
	edit := func(w *world.World, _ mission.Mission, posts []mission.Content) {
		setText(w, posts[1].ID, "In other words.")
	}
	for name, tt := range map[string]struct {
		act    func(w *world.World, m mission.Mission, posts []mission.Content)
		reason mission.AutonomyEndReason
	}{
		"edit": {edit, mission.EndedByEdit},
		"cancel": {func(w *world.World, _ mission.Mission, posts []mission.Content) {
			_, err := w.Missions.CancelContent(ctx, w.Tenant, posts[1].ID)
			w.Must(err)
		}, mission.EndedByCancel},
		"brand": {func(w *world.World, _ mission.Mission, _ []mission.Content) {
			voice := "louder"
			_, err := w.Parts.Accounts.UpdateTenant(ctx, w.Tenant, mission.TenantInput{Brand: &mission.BrandInput{Voice: &voice}})
			w.Must(err)
			w.Step()
		}, mission.EndedByBrand},
		"hold": {func(w *world.World, _ mission.Mission, _ []mission.Content) {
			hold(w, nil)
			w.Step()
			releaseHold(w)
			w.Step()
		}, mission.EndedByHold},
		"switched off": {func(w *world.World, m mission.Mission, _ []mission.Content) {
			_, err := w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{Autonomy: mission.Optional[mission.Autonomy]{Given: true}})
			w.Must(err)
		}, ""},
		"more approvals": {func(w *world.World, m mission.Mission, _ []mission.Content) {
			_, err := w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{Autonomy: mission.Some(mission.Autonomy{Earned: mission.Earned{After: 3, Share: 1}})})
			w.Must(err)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				m, posts := earned(w, 1)
				tt.act(w, m, posts)
				if got := w.Content(posts[0].ID); got.Status != mission.ContentPendingReview || got.Unreviewed() || got.ExpiresAt == nil {
					t.Errorf("the scheduled post is %s, unreviewed: %t", got.Status, got.Unreviewed())
				}
				s := standing(w, m.ID)
				if (s.Ended == nil) != (tt.reason == "") || s.Ended != nil && s.Ended.Reason != tt.reason || s.State == mission.AutonomyEarned {
					t.Errorf("got the standing %+v", s)
				}
				w.Pass(30 * time.Hour)
				for _, c := range w.Posts(m.ID) {
					if c.Unreviewed() && c.Status != mission.ContentCanceled || c.Status == mission.ContentPublished && c.ReviewedAt == nil {
						t.Errorf("%s is %s, unreviewed: %t", c.ID, c.Status, c.Unreviewed())
					}
				}
			})
		})
	}
}

// A rejection ends autonomy, one at a time and in bulk; that of a person's own post doesn't.
func TestAutonomyEndsWithARejection(t *testing.T) {
	ctx := context.Background()
	for name, reject := range map[string]func(w *world.World, c mission.Content) error{
		"one": func(w *world.World, c mission.Content) error {
			return of(w.Missions.RejectContent(ctx, w.Tenant, c.ID, "No.", nil))
		},
		"bulk": func(w *world.World, c mission.Content) error {
			return of(w.Missions.RejectEach(ctx, w.Tenant, []missions.Review{{ID: c.ID, Revision: c.Revision}}, "No."))
		},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				m, posts := earned(w, 0.5)
				waits, scheduled := posts[0], posts[1]
				if waits.Status != mission.ContentPendingReview || scheduled.Status != mission.ContentScheduled {
					t.Fatalf("of half of the posts, got one %s and one %s", waits.Status, scheduled.Status)
				}
				text := "By a person."
				own, err := w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: mission.Twitter, Text: &text})
				w.Must(err)
				w.Must(reject(w, own))
				if got := w.Content(scheduled.ID); got.Status != mission.ContentScheduled {
					t.Errorf("after a person's own post was rejected the writer's is %s", got.Status)
				}
				w.Must(reject(w, waits))
				if got := w.Content(scheduled.ID); got.Status != mission.ContentPendingReview {
					t.Errorf("after a rejection the scheduled post is %s", got.Status)
				}
				if s := standing(w, m.ID); s.State != mission.AutonomyEarning || s.Missing != 2 || s.Ended.Reason != mission.EndedByRejection || *s.Ended.ContentID != waits.ID {
					t.Errorf("got the standing %+v", s)
				}
			})
		})
	}
}

// However autonomy ended, the sending of a post finds out.
func TestUntrustedPostsAreNotSent(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m, posts := earned(w, 1)
		w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
			tenant, err := tx.LockTenant(context.Background(), w.Tenant.TenantID)
			if err != nil {
				return err
			}
			tenant.AutonomyEnded = &mission.AutonomyEnd{Reason: mission.EndedByHold, At: w.Clock.Now()}
			return tx.SetTenant(context.Background(), tenant, tx.AuditEntry(w.Tenant, mission.AuditTenantUpdated, tenant.ID, nil, w.Clock.Now()))
		}))
		w.Pass(5 * time.Hour)
		if got := w.Content(posts[0].ID); got.Status != mission.ContentPendingReview || got.Unreviewed() {
			t.Errorf("at its slot the post is %s", got.Status)
		}
		if events := w.Events(m.ID); events[len(events)-2] != mission.EventContentHeld || events[len(events)-1] != mission.EventReviewRequested {
			t.Errorf("got the events %v", events)
		}
	})
}
