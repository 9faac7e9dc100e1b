package missions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
)

// The rest of a thread goes out at once when a person has said where its part is: nothing of
// it was sent, so that there is nothing to look for. Its fees are paid once.
func TestRestIsSentAtOnce(t *testing.T) {
	at := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.Twitter && p.as == "" })
	s := newStage(t, playedPlatforms[at])
	ctx := context.Background()
	for name, paused := range map[string]bool{"active": false, "paused": true} {
		s.set(trial{parts: []int{3}, accounts: 1, cents: 1000, strikes: []strike{{silentTaken, publishes, 2}}})
		one, many := 1, 30
		m := s.w.Create(func(in *mission.CreateInput) {
			in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = []mission.Platform{s.p.name}, &many, &one
			in.Constraints.PostingTimes, in.Constraints.BudgetCents = []string{"20:00"}, &s.trial.cents
		})
		due := s.w.Clock.Now().Add(time.Hour)
		c, err := s.w.Missions.CreateContent(ctx, s.w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: s.p.name, Parts: []string{"One " + name, "Two " + name, "Three " + name}, ScheduledAt: &due})
		s.w.Must(err)
		left := int64(0)
		s.crashes(runUntil(s.w, mission.TaskContentPublish, c.ID), &left)
		if got := s.w.Content(c.ID); got.Status != mission.ContentUnknown || len(got.Published) != 1 {
			t.Fatalf("%s: got the post %s (%+v) with %d parts", name, got.Status, got.Error, len(got.Published))
		}
		if paused {
			_, err := s.w.Missions.PauseMission(ctx, s.w.Tenant, m.ID)
			s.w.Must(err)
		}
		url := "https://x.com/i/web/status/" + s.stubs[0].Posts()[1].ID
		got, err := s.w.Missions.SettleContent(ctx, s.w.Tenant, c.ID, missions.SettleInput{PublishedURL: &url})
		s.w.Must(err)
		if got.Status != mission.ContentScheduled || len(got.Published) != 2 {
			t.Errorf("%s: once settled the post is %s with %d parts", name, got.Status, len(got.Published))
		}
		s.runPosts(c.ID)
		if paused {
			if n := len(s.stubs[0].Posts()); n != 2 {
				t.Errorf("a paused mission has %d posts", n)
			}
			_, err := s.w.Missions.ResumeMission(ctx, s.w.Tenant, m.ID)
			s.w.Must(err)
			s.w.Clock.Advance(time.Minute)
			s.runPosts(c.ID)
		}
		got = s.w.Content(c.ID)
		if posts := s.stubs[0].Posts(); got.Status != mission.ContentPublished || len(posts) != 3 || *got.PlatformPostID != posts[0].ID {
			t.Errorf("%s: got the post %s (%+v), and %+v", name, got.Status, got.Error, posts)
		}
		m, err = s.w.Missions.Mission(ctx, s.w.Tenant, m.ID)
		s.w.Must(err)
		if m.Reserved != 0 || got.Cost != m.Spent {
			t.Errorf("%s: %d is reserved, %d spent, the post cost %d", name, m.Reserved, m.Spent, got.Cost)
		}
	}
}
