package store_test

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
	"missiond/store"
)

// Whatever the order and the filter, a list walked by pages has exactly the missions of
// the order that match, and the count is their number.
func TestMissionOrders(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		type listed struct {
			mission.Mission
			next *time.Time
		}
		names := []string{"alpha", "Beta", "beta", "Alpha gamma", "gamma"}
		var all []listed
		for i := range 24 {
			m, events := f.newMission(func(in *mission.CreateInput) {
				days := 1 + i*7%5
				in.KPIs = nil
				in.Name, in.DurationDays, in.Platforms = names[i%len(names)], &days, mission.AllPlatforms()[i%3:i%3+2]
			})
			m.Status = mission.AllStatuses()[i%3] // drafts, active and paused ones
			if m.Status == mission.StatusDraft {
				m.StartsAt, m.EndsAt = nil, nil
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, m, events) }))
			l := listed{Mission: m}
			if m.Status == mission.StatusActive && i%2 == 0 {
				var changes []mission.ContentChange
				for n, c := range f.posts(f.job(m)) {
					ch, err := c.Schedule(start.Add(time.Duration(1+i*5%7+n)*time.Hour+7*time.Minute), start) // no slot of the plan
					f.must(err)
					changes = append(changes, ch)
				}
				f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, changes...) }))
				if i%4 == 0 { // the first is on its way
					first, err := changes[0].To.Publishing(nil, start)
					f.must(err)
					f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, first) }))
					changes = changes[1:]
				}
				l.next = changes[0].To.ScheduledAt
			}
			all = append(all, l)
		}
		orders := map[store.MissionOrder]struct {
			has     func(l listed) bool
			compare func(a, b listed) int
		}{
			store.ByName: {
				func(listed) bool { return true },
				func(a, b listed) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) },
			},
			store.ByEnd: {
				func(l listed) bool { return l.Status == mission.StatusActive },
				func(a, b listed) int { return a.EndsAt.Compare(*b.EndsAt) },
			},
			store.ByNextPost: {func(l listed) bool { return l.next != nil }, func(a, b listed) int { return a.next.Compare(*b.next) }},
		}
		rapid.Check(t, func(t *rapid.T) {
			filter := store.MissionFilter{
				Order:    rapid.SampledFrom([]store.MissionOrder{store.ByName, store.ByEnd, store.ByNextPost}).Draw(t, "order"),
				Status:   rapid.SampledFrom(append(mission.AllStatuses(), "")).Draw(t, "status"),
				Platform: rapid.SampledFrom([]mission.Platform{"", mission.Twitter, mission.LinkedIn, mission.Bluesky}).Draw(t, "platform"),
				Words:    rapid.SampledFrom([][]string{nil, {"alp"}, {"gamma"}, {"alpha", "g"}}).Draw(t, "words"),
			}
			var want []listed
			for _, l := range all {
				named := !slices.ContainsFunc(filter.Words, func(w string) bool { return !strings.Contains(" "+strings.ToLower(l.Name), " "+w) })
				if orders[filter.Order].has(l) && named && (filter.Status == "" || l.Status == filter.Status) &&
					(filter.Platform == "" || slices.Contains(l.Platforms, filter.Platform)) {
					want = append(want, l)
				}
			}
			slices.SortFunc(want, func(a, b listed) int { return cmp.Or(orders[filter.Order].compare(a, b), strings.Compare(a.ID, b.ID)) })
			var ids []string
			for _, l := range want {
				ids = append(ids, l.ID)
			}
			if got := walk(t, f, filter, rapid.IntRange(1, 9).Draw(t, "limit"), rapid.Bool().Draw(t, "backward")); !slices.Equal(got, ids) {
				t.Fatalf("walked %v, want %v", got, ids)
			}
			if n, err := f.db.CountMissions(ctx, f.tenant.ID, filter); err != nil || n != len(want) {
				t.Fatalf("counted %d, %v, want %d", n, err, len(want))
			}
		})
		for _, order := range []store.MissionOrder{store.ByName, store.ByEnd, store.ByNextPost} {
			_, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{Order: order}, store.Page{After: "msn_x", Limit: 5})
			f.wantCode(err, mission.CodeInvalidRequest)
		}
		// What takes too many missions to sort is refused; the order alone never is.
		store.SetListBounds(f.db, 3, 3)
		_, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{Order: store.ByName, Status: mission.StatusPaused}, store.Page{Limit: 5})
		f.wantCode(err, mission.CodeInvalidRequest)
		if part, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{Order: store.ByName}, store.Page{Limit: 5}); err != nil || len(part.List) != 5 {
			t.Errorf("the order alone has %d missions, %v", len(part.List), err)
		}
		if n, err := f.db.CountMissions(ctx, f.tenant.ID, store.MissionFilter{Order: store.ByEnd}); err != nil || n != store.Uncounted {
			t.Errorf("more missions than are counted are %d, %v", n, err)
		}
	})
}

// The last scheduled posts of a mission, each changed by a transaction of its own at the
// same time, leave none behind as its next.
func TestNextPostIsKeptByConcurrentChanges(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for range 5 {
			m := f.mission(func(*mission.CreateInput) {})
			var changes []mission.ContentChange
			for n, c := range f.posts(f.job(m)) {
				ch, err := c.Schedule(start.Add(time.Duration(1+n)*time.Hour+7*time.Minute), start)
				f.must(err)
				changes = append(changes, ch)
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, changes...) }))
			errs := make(chan error, len(changes))
			var all sync.WaitGroup
			for i, ch := range changes {
				all.Go(func() {
					to, err := ch.To.Publishing(nil, start)
					if i%2 == 0 { // moved a day on instead, which counts nothing
						to, err = ch.To.Reschedule(start.Add(time.Duration(25+i)*time.Hour), start)
					}
					if err == nil {
						err = f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, to) })
					}
					errs <- err
				})
			}
			all.Wait()
			for range changes {
				f.must(<-errs)
			}
			if at := store.NextPost(f.db, m.ID); at == nil || !at.Equal(start.Add(25*time.Hour)) {
				t.Errorf("the next post is at %v, want %v", at, start.Add(25*time.Hour))
			}
		}
	})
}
