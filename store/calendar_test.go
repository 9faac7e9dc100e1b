package store_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
	"missiond/store"
)

// Every day has exactly the posts that are on it by their publication or slot: its first
// ones, and the rest after a cursor; and their numbers by state.
func TestCalendar(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		missions, all, _ := spreadPosts(f)
		// More posts than a day shows, some of them at one time.
		m, err := f.db.Mission(ctx, f.tenant.ID, missions[1])
		f.must(err)
		w := m
		w.ID = f.db.NewID(mission.PrefixMission, start)
		f.must(f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, w, nil) }))
		for i, j := 0, f.job(w); i < 25; i++ {
			slot := start.Add(48*time.Hour + time.Duration(i/2)*time.Minute)
			c := mission.Content{
				ID: f.db.NewID(mission.PrefixContent, start), TenantID: w.TenantID, MissionID: w.ID, JobID: j.ID, Position: i, Platform: mission.AllPlatforms()[i%2],
				Format: mission.FormatPost, Status: []mission.ContentStatus{mission.ContentRejected, mission.ContentPublished}[i%2], Parts: []string{}, Revision: 1,
				ScheduledAt: &slot, CreatedAt: start, UpdatedAt: start,
			}
			if c.Status == mission.ContentPublished {
				c.PublishedAt = &slot
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, nil) }))
			all = append(all, c)
		}
		zone, err := time.LoadLocation("Australia/Lord_Howe")
		f.must(err)
		rapid.Check(t, func(t *rapid.T) {
			in := mission.CalendarInput{
				From: start.AddDate(0, 0, rapid.IntRange(-2, 3).Draw(t, "from")).Format(time.DateOnly), To: start.AddDate(0, 0, rapid.IntRange(3, 6).Draw(t, "to")).Format(time.DateOnly),
				MissionID:     rapid.SampledFrom([]string{"", "", missions[0], w.ID}).Draw(t, "mission"),
				Platform:      rapid.SampledFrom([]mission.Platform{"", mission.AllPlatforms()[0], mission.Bluesky, mission.LinkedIn}).Draw(t, "platform"),
				IntegrationID: rapid.SampledFrom([]string{"", "", "int_0", "int_1", "int_none"}).Draw(t, "account"),
				Statuses:      rapid.SampledFrom([][]mission.ContentStatus{nil, nil, {mission.ContentPublished}, {mission.ContentRejected}, {mission.ContentRejected, mission.ContentPublished}}).Draw(t, "states"),
			}
			days := in.Days(rapid.SampledFrom([]*time.Location{time.UTC, zone}).Draw(t, "zone"))
			got, err := f.db.Calendar(ctx, f.tenant.ID, in, days, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range days {
				want, counts := onDay(in, d, all)
				var posts []string
				for part := got[i]; ; {
					for _, c := range part.Posts {
						posts = append(posts, c.ID)
					}
					for _, n := range part.Counts {
						if n.Capped || counts[n.Status] != n.Count || len(part.Counts) != len(counts) {
							t.Fatalf("%s counts %+v, want %v", d.Date, part.Counts, counts)
						}
					}
					if len(part.Counts) != len(counts) || part.HasMore && len(part.Posts) != mission.CalendarPosts {
						t.Fatalf("%s has %d posts, more %v, counts %v", d.Date, len(part.Posts), part.HasMore, part.Counts)
					}
					if !part.HasMore {
						break
					}
					next, err := f.db.Calendar(ctx, f.tenant.ID, in, days[i:i+1], &part.Posts[len(part.Posts)-1])
					if err != nil {
						t.Fatal(err)
					}
					part = next[0]
				}
				if !slices.Equal(posts, want) {
					t.Fatalf("%s has %v, want %v", d.Date, posts, want)
				}
			}
		})
	})
}

// onDay returns the ids of the posts that a calendar has on a day, in their order, and
// their numbers by state.
func onDay(in mission.CalendarInput, d mission.Day, all []mission.Content) (ids []string, counts map[mission.ContentStatus]int) {
	counts = map[mission.ContentStatus]int{}
	var on []mission.Content
	for _, c := range all {
		if at := c.CalendarAt(); at != nil && !at.Before(d.StartsAt) && at.Before(d.EndsAt) && (in.MissionID == "" || c.MissionID == in.MissionID) &&
			(in.Platform == "" || c.Platform == in.Platform) && (in.IntegrationID == "" || c.IntegrationID == in.IntegrationID) &&
			(len(in.Statuses) == 0 || slices.Contains(in.Statuses, c.Status)) {
			on = append(on, c)
			counts[c.Status]++
		}
	}
	slices.SortFunc(on, func(a, b mission.Content) int {
		return cmp.Or(a.CalendarAt().Compare(*b.CalendarAt()), cmp.Compare(a.ID, b.ID))
	})
	for _, c := range on {
		ids = append(ids, c.ID)
	}
	return ids, counts
}

// The positions of posts are found by their jobs.
func TestWrittenOf(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j, other := f.job(f.mission(nil)), f.job(f.mission(nil))
		posts := f.posts(j)
		written, err := f.db.WrittenOf(ctx, f.tenant.ID, []string{j.ID, other.ID})
		f.must(err)
		slices.Sort(written[j.ID])
		if len(written[j.ID]) != len(posts) || written[j.ID][0] != 0 || len(written[other.ID]) != 0 {
			t.Errorf("got %v", written)
		}
		theirs, err := f.db.WrittenOf(ctx, "tnt_other", []string{j.ID})
		f.must(err)
		if len(theirs) != 0 {
			t.Errorf("another tenant gets %v", theirs)
		}
		none, err := f.db.WrittenOf(ctx, f.tenant.ID, nil)
		f.must(err)
		if len(none) != 0 {
			t.Errorf("got %v", none)
		}
	})
}
