package store_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// Whatever the filter and the page size, walking a list forward or backward
// returns exactly the tenant's missions that match, newest first, and the count
// is their number.
func TestPagesOfEveryList(t *testing.T) {
	for name, open := range testkit.Both() {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, open(t, options))
			other, _ := f.makeTenant("theirs")
			var all []mission.Mission // newest first
			for i := range 30 {
				at := start.Add(time.Duration(i/4) * time.Second) // several share their time
				m := mission.Mission{
					ID: f.db.NewID(mission.PrefixMission, at), TenantID: f.tenant.ID, Name: "m", Status: mission.AllStatuses()[i%4],
					Platforms: mission.AllPlatforms()[i%3 : i%3+2], Constraints: mission.Constraints{Timezone: "UTC"}, CreatedAt: at, UpdatedAt: at,
				}
				if i%7 == 0 {
					m.TenantID = other.ID
				} else {
					all = append([]mission.Mission{m}, all...)
				}
				f.must(f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, m, nil) }))
			}
			rapid.Check(t, func(t *rapid.T) {
				filter := store.MissionFilter{
					Status:   rapid.SampledFrom(append(mission.AllStatuses(), "")).Draw(t, "status"),
					Platform: rapid.SampledFrom([]mission.Platform{"", mission.Twitter, mission.LinkedIn, mission.Instagram, mission.Bluesky}).Draw(t, "platform"),
				}
				var want []string
				for _, m := range all {
					if (filter.Status == "" || m.Status == filter.Status) && (filter.Platform == "" || slices.Contains(m.Platforms, filter.Platform)) {
						want = append(want, m.ID)
					}
				}
				got := walk(t, f, filter, rapid.IntRange(1, 12).Draw(t, "limit"), rapid.Bool().Draw(t, "backward"))
				if !slices.Equal(got, want) {
					t.Fatalf("walked %v, want %v", got, want)
				}
				if n, err := f.db.CountMissions(ctx, f.tenant.ID, filter); err != nil || n != len(want) {
					t.Fatalf("counted %d, %v, want %d", n, err, len(want))
				}
			})
			theirs, err := f.db.Missions(ctx, other.ID, store.MissionFilter{}, store.Page{Limit: 1})
			f.must(err)
			for _, p := range []store.Page{{After: theirs.List[0].ID, Limit: 5}, {Before: theirs.List[0].ID, Limit: 5}, {After: "msn_x", Limit: 5}} {
				_, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{}, p)
				f.wantCode(err, mission.CodeInvalidRequest)
			}
		})
	}
}

// walk reads a whole list page by page.
func walk(t *rapid.T, f *fixture, filter store.MissionFilter, limit int, backward bool) []string {
	var ids []string
	page := store.Page{Limit: limit, Backward: backward}
	for {
		part, err := f.db.Missions(ctx, f.tenant.ID, filter, page)
		if err != nil {
			t.Fatal(err)
		}
		list, more := part.List, part.More
		if len(list) > limit || more && len(list) != limit {
			t.Fatalf("a page of %d has %d, more: %v", limit, len(list), more)
		}
		var got []string
		for _, m := range list {
			got = append(got, m.ID)
		}
		if backward {
			ids = append(got, ids...)
		} else {
			ids = append(ids, got...)
		}
		if !more {
			return ids
		}
		if backward {
			page.Before = got[0]
		} else {
			page.After = got[len(got)-1]
		}
	}
}
