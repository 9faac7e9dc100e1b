package missions_test

import (
	"context"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// Posts that are made together without a time go out at the free slot that was shown, each on
// its account; one that is refused changes nothing for the others.
func TestPostsTogetherGoOutTogether(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) { in.Platforms = []mission.Platform{mission.Twitter, mission.Mastodon} })
		w.Pass(time.Hour)
		slots, err := w.Missions.FreeSlots(ctx, w.Tenant, m.ID, nil, 3)
		w.Must(err)
		text := "For everybody."
		item := func(p mission.Platform) missions.ContentInput {
			return missions.ContentInput{MissionID: m.ID, Platform: p, Text: &text, Together: true}
		}
		made, err := w.Missions.CreateContents(ctx, w.Tenant, m.ID, []missions.ContentInput{item(mission.Twitter), item(mission.Bluesky), item(mission.Mastodon)})
		w.Must(err)
		if made[1].Content != nil || made[1].Error.Code != string(mission.CodeInvalidRequest) || *made[1].Param != "platform" {
			t.Errorf("the one that isn't the mission's: %+v", made[1])
		}
		for _, i := range []int{0, 2} {
			if c := made[i].Content; !c.ScheduledAt.Equal(slots[0]) || c.Status != mission.ContentScheduled {
				t.Errorf("it is %s at %s, the next free slot was %s", c.Status, c.ScheduledAt, slots[0])
			}
		}
		if next, err := w.Missions.FreeSlots(ctx, w.Tenant, m.ID, nil, 1); err != nil || !next[0].After(slots[0]) {
			t.Errorf("then the next free slot is %v, %v", next, err)
		}
		w.Until("both are published", func() bool {
			one, _ := w.Missions.Content(ctx, w.Tenant, made[0].Content.ID)
			other, _ := w.Missions.Content(ctx, w.Tenant, made[2].Content.ID)
			return one.PublishedAt != nil && other.PublishedAt != nil && one.PublishedAt.Sub(*other.PublishedAt).Abs() < time.Minute
		})
		counted(w, m.ID)
	})
}
