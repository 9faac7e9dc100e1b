package missions_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// short returns the input of a random mission of a few posts.
func short(r *rand.Rand, accounts []string, now time.Time) mission.CreateInput {
	days, posts, start := 1+r.IntN(3), 1+r.IntN(4), r.IntN(2) == 0
	cadence, zone := mission.AllCadences()[r.IntN(len(mission.AllCadences()))], []string{"UTC", "Asia/Tokyo", "America/New_York"}[r.IntN(3)]
	in := mission.CreateInput{
		Name: "Short", Objectives: []string{"Show what we make", "Explain it"}[:1+r.IntN(2)],
		Platforms:    []mission.Platform{mission.Twitter, mission.Bluesky, mission.LinkedIn}[:1+r.IntN(3)],
		Constraints:  &mission.ConstraintsInput{PostsPerDay: &posts, Cadence: &cadence, Timezone: &zone, PostingTimes: []string{"06:10", "12:00", "18:45"}[:r.IntN(4)]},
		DurationDays: &days, StartImmediately: &start,
	}
	if r.IntN(2) == 0 {
		in.IntegrationIDs = accounts
	}
	if !start {
		at := now.Add(time.Duration(1+r.IntN(48*60)) * time.Minute)
		in.StartsAt = &at
	}
	return in
}

// first describes the first slots of a mission's posts.
func first[T any](posts []T, slot func(T) mission.Slot) (texts []string) {
	for _, p := range posts[:min(len(posts), mission.EstimatedSlots)] {
		s := slot(p)
		texts = append(texts, fmt.Sprintf("%s %s %s %s", s.At.Format(time.RFC3339), s.Platform, s.IntegrationID, s.Format))
	}
	slices.Sort(texts) // posts of one instant have no order
	return texts
}

// What is estimated for a mission is what its pipeline then makes: as many posts, at the
// same times, for the same money, until the same end. An estimate leaves nothing behind.
func TestEstimatesComeTrue(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, r := context.Background(), rand.New(rand.NewPCG(1, 2))
		account := connect(w, mission.Twitter)
		made, fees := 0, mission.Micros(0)
		n := testkit.Size(3, 4, 16, 16)
		for i := range n {
			in := short(r, []string{account.ID}, w.Clock.Now())
			e, err := w.Missions.EstimateMission(ctx, w.Tenant, in)
			w.Must(err)
			if kept, err := w.DB.CountMissions(ctx, w.Tenant.TenantID, store.MissionFilter{}); err != nil || kept != i {
				t.Fatalf("there are %d missions after %d: %v", kept, i, err)
			}
			m, err := w.Missions.CreateMission(ctx, w.Tenant, in)
			w.Must(err)
			if !m.EndsAt.Equal(*e.EndsAt) || len(e.Problems) > 0 {
				t.Errorf("%d ends at %s, and was estimated to end at %s with the problems %v", i, m.EndsAt, e.EndsAt, e.Problems)
			}
			w.Over(m.ID)
			posts, cost := w.Posts(m.ID), mission.Micros(0)
			for _, c := range posts {
				cost += c.Fees
			}
			if len(posts) != *e.Posts || e.Cost != nil && cost != *e.Cost || e.Cost == nil && cost != 0 {
				t.Errorf("%d made %d posts for %d, estimated were %d for %v", i, len(posts), cost, *e.Posts, e.Cost)
			}
			got := first(posts, func(c mission.Content) mission.Slot {
				return mission.Slot{At: *c.ScheduledAt, Platform: c.Platform, IntegrationID: c.IntegrationID, Format: c.Format}
			})
			if want := first(e.FirstSlots, func(s mission.Slot) mission.Slot { return s }); !slices.Equal(got, want) {
				t.Errorf("%d has the posts\n%v, estimated were\n%v", i, got, want)
			}
			made, fees = made+len(posts), fees+cost
		}
		if made < 2*n-1 || fees == 0 {
			t.Errorf("%d posts for %d were compared", made, fees)
		}
	})
}
