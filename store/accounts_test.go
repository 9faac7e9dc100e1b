package store_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// addKey adds a key of the fixture's user with a hash.
func (f *fixture) addKey(hash string, change func(k *mission.APIKey)) mission.APIKey {
	f.t.Helper()
	k := mission.APIKey{
		ID: f.db.NewID(mission.PrefixKey, start), TenantID: f.tenant.ID, UserID: f.user.ID, Name: "Ünï", KeyPrefix: "cms_live_abcdefg",
		Scopes: []mission.Scope{mission.ScopeMissionsRead, mission.ScopeMissionsWrite}, CreatedAt: start,
	}
	if change != nil {
		change(&k)
	}
	f.must(f.tx(func(tx store.Tx) error { return tx.AddKey(ctx, k, hash, f.entry(f.tenant.ID)) }))
	return k
}

func at(d time.Duration) *time.Time {
	t := start.Add(d)
	return &t
}

func TestKeys(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		k := f.addKey("hash", func(k *mission.APIKey) { k.ExpiresAt = at(time.Hour) })
		got, err := f.db.Key(ctx, f.tenant.ID, k.ID)
		f.must(err)
		if !reflect.DeepEqual(got, k) {
			t.Errorf("the key is\n%+v, want\n%+v", got, k)
		}
		other, _ := f.makeTenant("theirs")
		_, err = f.db.Key(ctx, other.ID, k.ID)
		f.wantCode(err, mission.CodeNotFound)
		f.wantCode(f.tx(func(tx store.Tx) error { _, err := tx.LockKey(ctx, other.ID, k.ID); return err }), mission.CodeNotFound)

		valid := func(hash string, after time.Duration) bool {
			t.Helper()
			found, err := f.db.KeyPrincipals(ctx, []string{"another", hash}, start.Add(after))
			f.must(err)
			held, ok := found[hash]
			if ok != (ok && held.Valid(start.Add(after))) {
				t.Error("an expired key is found")
			}
			p := held.Principal
			want := mission.Principal{TenantID: f.tenant.ID, UserID: f.user.ID, KeyID: k.ID, Scopes: k.Scopes, Plan: f.tenant.Plan, Limits: f.tenant.Limits}
			if ok && !reflect.DeepEqual(p, want) {
				t.Errorf("the principal is %+v, want %+v", p, want)
			}
			return ok
		}
		if !valid("hash", time.Hour-time.Millisecond) || valid("hash", time.Hour) || valid("other", 0) {
			t.Error("the key isn't valid just until its expiry")
		}
		k.GraceUntil = at(time.Minute)
		f.must(f.tx(func(tx store.Tx) error { return tx.EndKeys(ctx, []mission.APIKey{k}, f.entry(f.tenant.ID)) }))
		if !valid("hash", time.Minute-time.Millisecond) || valid("hash", time.Minute) {
			t.Error("the key isn't valid just until its grace is over")
		}
		// A maker who loses a right takes it away from the key.
		viewer := f.user
		viewer.Role = mission.RoleViewer
		f.must(f.tx(func(tx store.Tx) error { return tx.SetRole(ctx, viewer, f.entry(f.tenant.ID)) }))
		found, err := f.db.KeyPrincipals(ctx, []string{"hash"}, start)
		f.must(err)
		equal(t, "the scopes of a viewer's key", found["hash"].Principal.Scopes, []mission.Scope{mission.ScopeMissionsRead})
		k.RevokedAt = at(0)
		f.must(f.tx(func(tx store.Tx) error { return tx.EndKeys(ctx, []mission.APIKey{k}, f.entry(f.tenant.ID)) }))
		if valid("hash", 0) {
			t.Error("a revoked key is valid")
		}
	})
}

// Keys, users and audit log entries have the same order and paging.
func TestAccountLists(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.makeTenant("theirs")
		ids := []string{}
		for i := range 5 {
			k := f.addKey(string(rune('a'+i)), func(k *mission.APIKey) { k.CreatedAt = start.Add(time.Duration(i/2) * time.Second) })
			ids = append([]string{k.ID}, ids...)
		}
		got := []string{}
		for after, more := "", true; more; {
			part, err := f.db.Keys(ctx, f.tenant.ID, store.Page{After: after, Limit: 2})
			f.must(err)
			for _, k := range part.List {
				got = append(got, k.ID)
			}
			after, more = got[len(got)-1], part.More
		}
		equal(t, "keys", got, ids)
		back, err := f.db.Keys(ctx, f.tenant.ID, store.Page{Before: ids[3], Limit: 2, Backward: true})
		f.must(err)
		if len(back.List) != 2 || back.List[0].ID != ids[1] || back.List[1].ID != ids[2] || !back.More {
			t.Errorf("backward: %v, %v", back.List, back.More)
		}
		n, err := f.db.CountKeys(ctx, f.tenant.ID)
		f.must(err)
		users, err := f.db.CountUsers(ctx, f.tenant.ID)
		f.must(err)
		entries, err := f.db.CountAudit(ctx, f.tenant.ID, mission.AuditFilter{})
		f.must(err)
		equal(t, "counters", []int{n, users, entries}, []int{5, 1, 6})
		for _, cursor := range []string{"key_x", f.user.ID} {
			_, err := f.db.Keys(ctx, f.tenant.ID, store.Page{After: cursor, Limit: 2})
			f.wantCode(err, mission.CodeInvalidRequest)
		}
		log, err := f.db.AuditLog(ctx, f.tenant.ID, mission.AuditFilter{}, store.Page{Limit: 10})
		f.must(err)
		if len(log.List) != 6 || log.More || log.List[0].Details["a"] != "b" || log.List[0].UserID != "" {
			t.Errorf("the log is %+v, %v", log.List, log.More)
		}
		entry, err := f.db.AuditEntry(ctx, f.tenant.ID, log.List[0].ID)
		f.must(err)
		if !reflect.DeepEqual(entry, log.List[0]) {
			t.Errorf("the entry is %+v, want %+v", entry, log.List[0])
		}
		members, err := f.db.Users(ctx, f.tenant.ID, store.Page{Limit: 10})
		f.must(err)
		if len(members.List) != 1 || members.List[0] != f.user {
			t.Errorf("the members are %+v", members.List)
		}
	})
}

func TestSessions(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		s := mission.NewSession("ses_1", f.user, start)
		f.must(f.tx(func(tx store.Tx) error { return tx.AddSession(ctx, s) }))
		s, ok := s.Refresh(1, start.Add(time.Minute))
		if !ok {
			t.Fatal("the session can't be refreshed")
		}
		s = s.End(start.Add(time.Hour))
		f.must(f.tx(func(tx store.Tx) error { return tx.SetSession(ctx, s) }))
		found, err := f.db.SessionPrincipals(ctx, []string{s.ID, "ses_2"})
		f.must(err)
		got, p := found[s.ID].Session, found[s.ID].Principal
		if len(found) != 1 || p.SessionID != s.ID || !p.Has(mission.ScopeAdmin) || p.Plan != f.tenant.Plan || !reflect.DeepEqual(got, s) {
			t.Errorf("the sessions are %+v, want\n%+v", found, s)
		}
		drop := func(before time.Time) (n int) {
			f.must(f.tx(func(tx store.Tx) (err error) { n, err = tx.DropSessions(ctx, before, 10); return err }))
			return n
		}
		equal(t, "dropped sessions", []int{drop(s.ExpiresAt), drop(s.ExpiresAt.Add(time.Second))}, []int{0, 1})
	})
}

func TestProfilesAndSettings(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		tenant, u := f.tenant, f.user
		tenant.ID, tenant.Slug, tenant.Origin = "tnt_origin", "origin", "issuer#org:1"
		u.ID, u.TenantID, u.Subject, u.Email, u.RoleFrom = "usr_subject", tenant.ID, "sub", "a@example.com", mission.RoleFromProvider
		f.must(f.tx(func(tx store.Tx) error {
			if _, ok, err := tx.LockOrigin(ctx, tenant.Origin); ok || err != nil {
				t.Error("the origin is known already", err)
			}
			if _, err := tx.AddTenant(ctx, tenant); err != nil {
				return err
			}
			return tx.AddUser(ctx, u, f.entry(tenant.ID))
		}))
		u.Email, u.Role = "b@example.com", mission.RoleEditor
		tenant.Name, tenant.Slug, tenant.Brand.Voice = "New name", "new-slug", "loud"
		f.must(f.tx(func(tx store.Tx) error {
			if err := errors.Join(tx.SetProfile(ctx, u), tx.SetRole(ctx, u, f.entry(tenant.ID))); err != nil {
				return err
			}
			return tx.SetTenant(ctx, tenant, f.entry(tenant.ID))
		}))
		f.must(f.tx(func(tx store.Tx) error {
			got, ok, err := tx.SubjectOf(ctx, tenant.Origin, "sub")
			if err != nil || !ok || got != u {
				t.Errorf("the user is %+v, %v, %v, want %+v", got, ok, err, u)
			}
			kept, ok, err := tx.LockOrigin(ctx, tenant.Origin)
			if err != nil || !ok || !reflect.DeepEqual(kept, tenant) {
				t.Errorf("the tenant is %+v, %v, %v, want %+v", kept, ok, err, tenant)
			}
			for id, want := range map[string]int{tenant.ID: 0, f.tenant.ID: 1} {
				if n, err := tx.Admins(ctx, id); n != want || err != nil {
					t.Errorf("%s has %d admins, %v, want %d", id, n, err, want)
				}
			}
			return nil
		}))
		tenant.Slug = f.tenant.Slug
		f.must(f.tx(func(tx store.Tx) error { return tx.SetTenant(ctx, tenant, f.entry(tenant.ID)) }))
	})
}

func TestUsage(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		first, second := f.addKey("a", nil), f.addKey("b", nil)
		for range 2 {
			f.must(f.tx(func(tx store.Tx) error {
				return tx.AddUses(ctx, []store.Use{
					{TenantID: f.tenant.ID, KeyID: second.ID, Requests: 5, LastAt: start},
					{TenantID: f.tenant.ID, KeyID: first.ID, Requests: 2, LastAt: start.Add(24 * time.Hour)},
					{TenantID: f.tenant.ID, KeyID: first.ID, Requests: 1, LastAt: start},
					{TenantID: f.tenant.ID, Requests: 7, LastAt: start},
				})
			}))
		}
		k, err := f.db.Key(ctx, f.tenant.ID, first.ID)
		f.must(err)
		if k.Requests != 6 || k.LastUsedAt == nil || !k.LastUsedAt.Equal(start.Add(24*time.Hour)) {
			t.Errorf("the key has %d requests, the last at %v", k.Requests, k.LastUsedAt)
		}
		got, err := f.db.KeyRequests(ctx, f.tenant.ID, []string{first.ID, second.ID}, start.Add(24*time.Hour))
		f.must(err)
		if !reflect.DeepEqual(got, map[string]int64{first.ID: 4}) {
			t.Errorf("the day's requests are %v", got)
		}
	})
}

func TestSecrets(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if _, ok, err := f.db.SecretProbe(ctx); ok || err != nil {
			t.Error("a new database has a probe", err)
		}
		for _, text := range []string{"first", "second"} {
			f.must(f.tx(func(tx store.Tx) error { return tx.StoreSecretProbe(ctx, text) }))
		}
		if got, ok, err := f.db.SecretProbe(ctx); got != "first" || !ok || err != nil {
			t.Errorf("the probe is %q, %v, %v", got, ok, err)
		}
		f.must(f.tx(func(tx store.Tx) error {
			if err := tx.LockSettings(ctx); err != nil {
				return err
			}
			if err := tx.SetSecretProbe(ctx, "third"); err != nil {
				return err
			}
			for i, id := range []string{"old", "new"} {
				k := store.SealedKey{ID: id, Sealed: id + " sealed", ActiveFrom: start.Add(time.Duration(i) * time.Hour), CreatedAt: start}
				if err := tx.AddSigningKey(ctx, k); err != nil {
					return err
				}
			}
			if err := tx.ResealSigningKey(ctx, "new", "something else", "lost"); err != nil {
				return err
			}
			return tx.ResealSigningKey(ctx, "old", "old sealed", "resealed")
		}))
		if got, _, _ := f.db.SecretProbe(ctx); got != "third" {
			t.Errorf("the probe is %q", got)
		}
		keys, err := f.db.SigningKeys(ctx)
		f.must(err)
		if len(keys) != 2 || keys[0].ID != "new" || keys[0].Sealed != "new sealed" || keys[1].Sealed != "resealed" || !keys[1].ActiveFrom.Equal(start) {
			t.Errorf("the keys are %+v", keys)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.DropSigningKeys(ctx, []string{"old"}) }))
		if keys, err := f.db.SigningKeys(ctx); len(keys) != 1 || err != nil {
			t.Errorf("the keys are %+v, %v", keys, err)
		}
	})
}
