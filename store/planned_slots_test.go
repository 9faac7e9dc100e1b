package store_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// The times of an account's posts are those of its published ones, of the waiting ones of any mission of
// its tenant, and of the planned ones that aren't written yet, within a range.
func TestAccountTimes(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		other, theirs := f.mission(nil), f.job(f.mission(nil))
		tenant, _ := f.makeTenant("theirs")
		ours, second, foreign := f.integration(m.TenantID, mission.LinkedIn), f.integration(m.TenantID, mission.Instagram), f.integration(tenant.ID, mission.LinkedIn)
		j := f.job(m)
		hour := func(n int) time.Time { return start.Add(time.Duration(n) * time.Hour) }
		post := func(m mission.Mission, i mission.Integration, status mission.ContentStatus, at int, published *time.Time) {
			scheduled := hour(at)
			f.must(f.tx(func(tx store.Tx) error {
				return tx.AddContent(ctx, mission.Content{
					ID: tx.NewID(mission.PrefixContent, start), TenantID: i.TenantID, MissionID: m.ID, Origin: mission.OriginPerson, Platform: i.Platform,
					IntegrationID: i.ID, Format: mission.FormatPost, Status: status, Text: "Text", Parts: []string{}, Revision: 1, ScheduledAt: &scheduled,
					Placed: true, PublishedAt: published, CreatedAt: start, UpdatedAt: start,
				}, nil)
			}))
		}
		late := hour(5)
		post(m, ours, mission.ContentPublished, 1, &late)
		post(m, ours, mission.ContentScheduled, 0, nil)
		post(other, ours, mission.ContentPendingReview, 6, nil)
		post(other, ours, mission.ContentUnknown, 7, nil)
		post(m, ours, mission.ContentScheduled, 10, nil) // not before the end
		post(m, ours, mission.ContentScheduled, -1, nil) // before the beginning
		post(m, ours, mission.ContentCanceled, 8, nil)
		post(m, ours, mission.ContentFailed, 8, nil)
		post(m, second, mission.ContentApproved, 2, nil)
		post(m, foreign, mission.ContentScheduled, 3, nil)

		written := f.posts(j)[0]
		slots := []mission.Slot{{Position: written.Position, At: hour(9), IntegrationID: ours.ID}, {Position: 90, At: hour(9), IntegrationID: ours.ID}, {Position: 91, At: hour(12), IntegrationID: ours.ID}}
		f.must(f.tx(func(tx store.Tx) error {
			if err := tx.AddPlannedSlots(ctx, j, nil); err != nil {
				return err
			}
			if err := tx.AddPlannedSlots(ctx, theirs, []mission.Slot{{Position: 90, At: hour(4), IntegrationID: ours.ID}}); err != nil {
				return err
			}
			return tx.AddPlannedSlots(ctx, j, slots)
		}))
		read := func() (times map[string][]time.Time) {
			t.Helper()
			f.must(f.tx(func(tx store.Tx) (err error) {
				if err := tx.LockAccounts(ctx, m.TenantID, []string{ours.ID, second.ID}); err != nil {
					return err
				}
				times, err = tx.AccountTimes(ctx, m.TenantID, []string{ours.ID, second.ID, foreign.ID}, start, hour(10))
				return err
			}))
			for _, list := range times {
				slices.SortFunc(list, time.Time.Compare)
			}
			return times
		}
		settled := map[string][]time.Time{ours.ID: {hour(0), hour(5), hour(6), hour(7)}, second.ID: {hour(2)}}
		if got := read(); !reflect.DeepEqual(got, settled) {
			t.Errorf("before the content stage got %v, want %v", got, settled)
		}
		f.must(f.tx(func(tx store.Tx) error {
			for _, j := range []mission.Job{j, theirs} {
				for range 2 { // intake and strategy
					ch := j.Finish(nil, start)
					if err := tx.ChangeJob(ctx, ch); err != nil {
						return err
					}
					j = ch.To
				}
			}
			return nil
		}))
		settled[ours.ID] = []time.Time{hour(0), hour(4), hour(5), hour(6), hour(7), hour(9)}
		if got := read(); !reflect.DeepEqual(got, settled) {
			t.Errorf("in the content stage got %v, want %v", got, settled)
		}
	})
}
