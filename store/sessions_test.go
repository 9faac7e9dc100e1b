package store_test

import (
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// A user's sessions that haven't ended are listed, newest first, in pages; no one
// else's are.
func TestLiveSessions(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		add := func(u mission.User, at time.Time, change func(s mission.Session) mission.Session) mission.Session {
			t.Helper()
			s := mission.NewSession(f.db.NewID(mission.PrefixSession, at), u, at)
			f.must(f.tx(func(tx store.Tx) error {
				if err := tx.AddSession(ctx, s); err != nil {
					return err
				}
				if change != nil {
					s = change(s)
				}
				return tx.SetSession(ctx, s)
			}))
			return s
		}
		other, theirUser := f.makeTenant("theirs")
		first := add(f.user, start, nil)
		renewed := add(f.user, start.Add(time.Hour), func(s mission.Session) mission.Session {
			next, _ := s.Refresh(1, start.Add(90*time.Minute))
			return next
		})
		add(f.user, start.Add(2*time.Hour), func(s mission.Session) mission.Session { return s.End(start.Add(3 * time.Hour)) })
		add(theirUser, start, nil)
		now := start.Add(4 * time.Hour)
		list := func(tenantID, userID string, now time.Time, p store.Page) (ids []string) {
			t.Helper()
			part, err := f.db.Sessions(ctx, tenantID, userID, now, p)
			f.must(err)
			for _, s := range part.List {
				ids = append(ids, s.ID)
				if want := start.Add(90 * time.Minute); s.ID == renewed.ID && (s.RenewedAt() == nil || !s.RenewedAt().Equal(want)) {
					t.Errorf("it was renewed at %v, want %v", s.RenewedAt(), want)
				}
				if s.ID == first.ID && s.RenewedAt() != nil {
					t.Errorf("one that never was renewed says %v", s.RenewedAt())
				}
			}
			return ids
		}
		equal(t, "sessions", list(f.tenant.ID, f.user.ID, now, store.Page{Limit: 5}), []string{renewed.ID, first.ID})
		equal(t, "the first page", list(f.tenant.ID, f.user.ID, now, store.Page{Limit: 1}), []string{renewed.ID})
		equal(t, "the second page", list(f.tenant.ID, f.user.ID, now, store.Page{Limit: 1, After: renewed.ID}), []string{first.ID})
		equal(t, "once the first has expired", list(f.tenant.ID, f.user.ID, first.ExpiresAt, store.Page{Limit: 5}), []string{renewed.ID})
		equal(t, "another tenant's view", list(other.ID, f.user.ID, now, store.Page{Limit: 5}), []string(nil))
	})
}

// Endpoints and integrations are counted together, of one tenant.
func TestCountConnected(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		other, _ := f.makeTenant("theirs")
		hooks, links, err := f.db.CountConnected(ctx, f.tenant.ID)
		f.must(err)
		if hooks != 0 || links != 0 {
			t.Errorf("a new tenant has %d and %d", hooks, links)
		}
		for i, tenant := range []string{f.tenant.ID, f.tenant.ID, other.ID} {
			id := f.db.NewID(mission.PrefixIntegration, start)
			f.must(f.tx(func(tx store.Tx) error {
				return tx.StoreIntegration(ctx, mission.Integration{
					ID: id, TenantID: tenant, Platform: mission.AllPlatforms()[i], Auth: mission.IntegrationToken,
					Status: mission.IntegrationConnected, CreatedAt: start, UpdatedAt: start,
				})
			}))
		}
		hooks, links, err = f.db.CountConnected(ctx, f.tenant.ID)
		f.must(err)
		if hooks != 0 || links != 2 {
			t.Errorf("the tenant has %d and %d, want 0 and 2", hooks, links)
		}
	})
}
