package store_test

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// integration adds an integration to a tenant.
func (f *fixture) integration(tenantID string, p mission.Platform) mission.Integration {
	f.t.Helper()
	i := mission.NewIntegration(f.db.NewID(mission.PrefixIntegration, start), tenantID, p, mission.IntegrationToken, "https://social.example", start)
	f.must(f.tx(func(tx store.Tx) error { return tx.StoreIntegration(ctx, i) }))
	return i
}

// change writes a change of an integration at a time.
func (f *fixture) change(i mission.Integration, at time.Time) mission.Integration {
	f.t.Helper()
	f.must(f.tx(func(tx store.Tx) error {
		if _, err := tx.LockIntegration(ctx, i.TenantID, i.ID); err != nil {
			return err
		}
		return tx.SetIntegration(ctx, i, at)
	}))
	return i
}

// An integration is stored with all its fields, is visible to its tenant only,
// and is the only one with its platform.
func TestIntegrations(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		theirs, _ := f.makeTenant("theirs")
		i := f.integration(m.TenantID, mission.Mastodon)
		ends := start.Add(time.Hour)
		c := mission.Credentials{Scopes: []string{"write"}, ExpiresAt: &ends}
		i = i.Connected(mission.Account{ID: "1", Handle: "a", Name: "A", URL: "https://a"}, c, "sealed", start.Add(time.Minute))
		i = f.change(i.Refused(mission.Failure{Code: "x", Message: "X."}, start.Add(2*time.Minute)), start)
		i.Default, i.Label = true, "ours"
		f.change(i, start)
		got, err := f.db.Integration(ctx, m.TenantID, i.ID)
		if err != nil || !reflect.DeepEqual(got, i) {
			t.Errorf("stored %+v, want %+v: %v", got, i, err)
		}
		_, err = f.db.Integration(ctx, theirs.ID, i.ID)
		f.wantCode(err, mission.CodeNotFound)
		f.wantCode(f.tx(func(tx store.Tx) error { _, err := tx.LockIntegration(ctx, theirs.ID, i.ID); return err }), mission.CodeNotFound)
		f.integration(theirs.ID, mission.Mastodon)
		second := f.integration(m.TenantID, mission.Mastodon)
		for name, change := range map[string]func(i *mission.Integration){
			"two integrations with an account": func(i *mission.Integration) { i.Account = &mission.Account{ID: "1"} },
			"two defaults of a platform":       func(i *mission.Integration) { i.Account, i.Default = &mission.Account{ID: "2"}, true },
		} {
			twice := second
			change(&twice)
			if err := f.tx(func(tx store.Tx) error { return tx.SetIntegration(ctx, twice, start) }); err == nil {
				t.Errorf("a tenant has %s", name)
			}
		}
		on, err := f.db.AccountsOn(ctx, m.TenantID, []string{"mastodon", "twitter"})
		if err != nil || len(on) != 1 || len(on[mission.Mastodon]) != 2 || on[mission.Mastodon][0].ID != i.ID {
			t.Errorf("the accounts are %+v, %v", on, err)
		}
	})
}

// A disconnected integration is seen by nobody but posts, which wait for its account, and
// is the account's again once it is connected again.
func TestDisconnectedIntegrations(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		i := f.integration(m.TenantID, mission.Mastodon)
		i = i.Connected(mission.Account{ID: "1"}, mission.Credentials{}, "sealed", start)
		i.Default = true
		gone := f.change(f.change(i, start).Disconnected(start), start)
		_, err := f.db.Integration(ctx, m.TenantID, i.ID)
		f.wantCode(err, mission.CodeNotFound)
		if list, err := f.db.Integrations(ctx, m.TenantID, store.Page{Limit: 10}); err != nil || len(list.List) != 0 || list.Total != 0 {
			t.Errorf("the list has %+v, %v", list, err)
		}
		if found, err := f.db.IntegrationsByID(ctx, m.TenantID, []string{i.ID}); err != nil || len(found) != 0 {
			t.Errorf("it is found by id: %+v, %v", found, err)
		}
		f.must(f.tx(func(tx store.Tx) error {
			if _, ok, err := tx.PublishingIntegration(ctx, m.TenantID, i.Platform, ""); ok || err != nil {
				t.Errorf("a disconnected integration is the default: %v", err)
			}
			for _, tt := range []struct {
				tenant, id string
				ok         bool
			}{{m.TenantID, i.ID, true}, {"tnt_x", i.ID, false}, {m.TenantID, "int_x", false}} {
				if got, ok, err := tx.PublishingIntegration(ctx, tt.tenant, i.Platform, tt.id); ok != tt.ok || err != nil || ok && !reflect.DeepEqual(got, gone) {
					t.Errorf("a post of %s through %s finds %+v, %t, %v", tt.tenant, tt.id, got, ok, err)
				}
			}
			same, ok, err := tx.IntegrationOf(ctx, m.TenantID, i.Platform, i.AccountKey())
			if !ok || same.ID != i.ID || err != nil {
				t.Errorf("the account's integration is %+v, %t, %v", same, ok, err)
			}
			return tx.SetIntegration(ctx, same.Connected(mission.Account{ID: "1"}, mission.Credentials{}, "new", start), start)
		}))
		back, err := f.db.Integration(ctx, m.TenantID, i.ID)
		if err != nil || !back.Usable() || back.Sealed != "new" {
			t.Errorf("connected again it is %+v, %v", back, err)
		}
	})
}

// Only one of several concurrent renewals of credentials gets the lease, until
// it expires by the database's clock, the renewal is done, or the credentials
// have changed.
func TestRenewing(t *testing.T) {
	testkit.EachFaultyDB(t, options, func(t *testing.T, db *store.DB, faults *database.Faults) {
		f := newFixture(t, db)
		i := f.integration(f.mission(nil).TenantID, mission.Twitter)
		renews := func(i mission.Integration) (ok bool) {
			f.must(f.tx(func(tx store.Tx) (err error) { ok, err = tx.Renewing(ctx, i, time.Minute); return err }))
			return ok
		}
		var wins atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if renews(i) {
					wins.Add(1)
				}
			})
		}
		all.Wait()
		if n := wins.Load(); n != 1 {
			t.Errorf("%d of 8 renew concurrently", n)
		}
		faults.Later(30 * time.Second)
		if renews(i) {
			t.Error("the lease expired before a minute")
		}
		faults.Later(time.Minute)
		if !renews(i) {
			t.Error("the lease lasted longer than a minute")
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.StopRenewing(ctx, i) }))
		if !renews(i) {
			t.Error("a released lease can't be taken")
		}
		now := start.Add(62 * time.Second)
		renewed := f.change(i.Renewed(mission.Credentials{}, "new", now), now)
		if renews(i) || !renews(renewed) {
			t.Error("old credentials can be renewed, or new ones can't")
		}
	})
}

// An authorization is used once, before it expires.
func TestGrants(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		i := f.integration(f.mission(nil).TenantID, mission.Twitter)
		add := func(hash string, until time.Time) {
			f.must(f.tx(func(tx store.Tx) error {
				return tx.AddGrant(ctx, store.Grant{StateHash: hash, StartHash: "start of " + hash, IntegrationID: i.ID, TenantID: i.TenantID, Sealed: "s", ExpiresAt: until}, start)
			}))
		}
		take := func(hash string, now time.Time) (ok bool) {
			f.must(f.tx(func(tx store.Tx) (err error) {
				var g store.Grant
				if g, ok, err = tx.LockGrant(ctx, hash, "", now); err != nil || !ok {
					return err
				}
				if g.IntegrationID != i.ID || g.Sealed != "s" {
					t.Errorf("the grant is %+v", g)
				}
				return tx.DropGrant(ctx, g)
			}))
			return ok
		}
		add("a", start.Add(time.Minute))
		add("b", start.Add(2*time.Minute))
		f.must(f.tx(func(tx store.Tx) error {
			g, ok, err := tx.LockGrant(ctx, "", "start of a", start)
			if err != nil || !ok || g.StateHash != "a" || g.BrowserHash != "" {
				t.Errorf("the grant of a start is %+v, %v, %v", g, ok, err)
			}
			return tx.BindGrant(ctx, g, "browser")
		}))
		f.must(f.tx(func(tx store.Tx) error {
			g, _, err := tx.LockGrant(ctx, "a", "", start)
			if other, _, _ := tx.LockGrant(ctx, "b", "", start); g.BrowserHash != "browser" || other.BrowserHash != "" {
				t.Errorf("the grants are bound to %q and %q", g.BrowserHash, other.BrowserHash)
			}
			return err
		}))
		if take("c", start) || !take("a", start) || take("a", start) {
			t.Error("a grant isn't used exactly once")
		}
		if take("b", start.Add(2*time.Minute)) || !take("b", start.Add(119*time.Second)) {
			t.Error("a grant is used after it expired")
		}
		for n := range 30 {
			add(string(rune('A'+n)), start.Add(time.Minute+time.Duration(n)*time.Second))
		}
		kept := 0
		for n := range 30 {
			if take(string(rune('A'+n)), start) {
				kept++
			}
		}
		if kept != 20 {
			t.Errorf("%d grants are left, want 20", kept)
		}
	})
}

// Connecting an integration makes the posts that were late for it due, and no
// others.
func TestConnectingWakesPosts(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		i := f.integration(m.TenantID, mission.Twitter)
		var late []string
		later := start.Add(6 * time.Hour)
		for n, c := range f.posts(f.job(m)) {
			ch, err := c.Schedule(start.Add(time.Duration(n)*40*time.Minute), start)
			f.must(err)
			f.must(f.tx(func(tx store.Tx) error {
				if err := tx.ChangeContent(ctx, ch); err != nil {
					return err
				}
				return tx.AddTasks(ctx, start, mission.NewTask(m, mission.TaskContentPublish, c.ID, later))
			}))
			if c.Platform == mission.Twitter && n < 2 {
				late = append(late, c.ID)
			}
		}
		now := start.Add(time.Hour)
		due := func() (ids []string) {
			dispatched, err := f.db.Dispatch(ctx, now, 100)
			f.must(err)
			for _, d := range dispatched {
				if d.Lane != "" && d.Task.Type == mission.TaskContentPublish {
					ids = append(ids, d.Task.Subject)
				}
			}
			return ids
		}
		if got := due(); len(got) != 0 {
			t.Fatalf("due posts: %v", got)
		}
		f.change(i.Connected(mission.Account{ID: "1"}, mission.Credentials{}, "s", now), now)
		if got := due(); len(late) == 0 || !reflect.DeepEqual(got, late) {
			t.Errorf("due posts: %v, want %v", got, late)
		}
	})
}
