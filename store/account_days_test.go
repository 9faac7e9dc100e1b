package store_test

import (
	"reflect"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

func count(n int64) *int64 { return &n }

// accountDay returns a day of an integration.
func accountDay(i mission.Integration, date string, followers, reach *int64) mission.AccountDay {
	return mission.AccountDay{
		TenantID: i.TenantID, IntegrationID: i.ID, Platform: i.Platform,
		DayFigures: mission.DayFigures{Date: date, AccountFigures: mission.AccountFigures{Followers: followers, Reach: reach}},
	}
}

// A day's figures are added to, never taken away; a range has its tenant's own days alone.
func TestAccountDays(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		theirs, _ := f.makeTenant("theirs")
		ours, other, foreign := f.integration(m.TenantID, mission.Mastodon), f.integration(m.TenantID, mission.LinkedIn), f.integration(theirs.ID, mission.Mastodon)
		write := func(days ...mission.AccountDay) {
			f.must(f.tx(func(tx store.Tx) error { return tx.SetAccountDays(ctx, days, start) }))
		}
		write(accountDay(ours, "2026-03-01", count(10), nil), accountDay(ours, "2026-03-02", nil, count(0)), accountDay(other, "2026-03-01", count(1), nil), accountDay(foreign, "2026-03-01", count(9), nil))
		write(accountDay(ours, "2026-03-01", nil, count(5)), accountDay(ours, "2026-03-02", count(12), nil), accountDay(ours, "2026-02-01", count(2), nil))
		write(accountDay(ours, "2026-03-02", count(13), nil))
		write()
		got, err := f.db.AccountDays(ctx, m.TenantID, []string{ours.ID, other.ID, foreign.ID}, mission.DateRange{From: "2026-03-01", To: "2026-03-02"})
		want := map[string][]mission.AccountDay{
			ours.ID:  {accountDay(ours, "2026-03-01", count(10), count(5)), accountDay(ours, "2026-03-02", count(13), count(0))},
			other.ID: {accountDay(other, "2026-03-01", count(1), nil)},
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v: %v", got, want, err)
		}
	})
}

// Old days are deleted by platform, in steps; those of a disconnected account at once.
func TestDropAccountDays(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		ours, other := f.integration(m.TenantID, mission.Mastodon), f.integration(m.TenantID, mission.LinkedIn)
		var days []mission.AccountDay
		for _, i := range []mission.Integration{ours, other} {
			for _, date := range []string{"2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"} {
				days = append(days, accountDay(i, date, count(1), nil))
			}
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.SetAccountDays(ctx, days, start) }))
		for _, want := range []int{2, 1, 0} {
			var n int
			f.must(f.tx(func(tx store.Tx) (err error) {
				n, err = tx.DropAccountDays(ctx, mission.LinkedIn, "2026-03-04", 2)
				return err
			}))
			if n != want {
				t.Errorf("dropped %d days, want %d", n, want)
			}
		}
		left := func() (ourDays, others int) {
			got, err := f.db.AccountDays(ctx, m.TenantID, []string{ours.ID, other.ID}, mission.DateRange{From: "2026-01-01", To: "2026-12-31"})
			f.must(err)
			return len(got[ours.ID]), len(got[other.ID])
		}
		if a, b := left(); a != 4 || b != 1 {
			t.Errorf("%d and %d days are left", a, b)
		}
		ours = ours.Connected(mission.Account{ID: "1", Handle: "a", Name: "A", URL: "https://a"}, mission.Credentials{}, "sealed", start)
		f.change(ours, start)
		if a, _ := left(); a != 4 {
			t.Errorf("%d days are left of a connected account", a)
		}
		f.change(ours.Disconnected(start.Add(time.Minute)), start)
		if a, b := left(); a != 0 || b != 1 {
			t.Errorf("%d days are left of a disconnected account, %d of another", a, b)
		}
	})
}

// Each connected account on the platforms has one task, however often they are added.
func TestAccountTasks(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		leaving, _ := f.makeTenant("leaving")
		on := []mission.Platform{mission.Mastodon, mission.LinkedIn}
		ours := f.integration(m.TenantID, mission.Mastodon)
		f.integration(m.TenantID, mission.Mastodon) // pending
		for n, i := range []mission.Integration{ours, f.integration(m.TenantID, mission.Bluesky), f.integration(leaving.ID, mission.Mastodon)} {
			f.change(i.Connected(mission.Account{ID: string(rune('1' + n)), Name: "A"}, mission.Credentials{}, "sealed", start), start)
		}
		f.must(f.tx(func(tx store.Tx) error {
			locked, err := tx.LockTenant(ctx, leaving.ID)
			if err != nil {
				return err
			}
			at := start.Add(time.Hour)
			locked.DeletesAt = &at
			return tx.SetDeletion(ctx, locked, start, tx.AuditEntry(mission.Principal{TenantID: leaving.ID}, mission.AuditDeletionAsked, leaving.ID, nil, start))
		}))
		unread := func() []mission.Integration {
			list, err := f.db.UnreadAccounts(ctx, on, 10)
			f.must(err)
			return list
		}
		if list := unread(); len(list) != 1 || list[0].ID != ours.ID {
			t.Fatalf("got %+v", list)
		}
		add := func() {
			f.must(f.tx(func(tx store.Tx) error {
				return tx.AddAccountTasks(ctx, start, mission.NewTenantTask(m.TenantID, mission.TaskAccountFigures, ours.ID, start))
			}))
		}
		add()
		add()
		if list := unread(); len(list) != 0 {
			t.Errorf("got %+v", list)
		}
		due, err := f.db.Dispatch(ctx, start, 10)
		f.must(err)
		n := 0
		for _, d := range due {
			if d.Task.Type == mission.TaskAccountFigures {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d tasks are due", n)
		}
	})
}
