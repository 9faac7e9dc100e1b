package integrations

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/seal"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

const operatorSecret = "the operator's"

// owned is a platform whose accounts are of a person; both are in the token, as "account person".
type owned struct{ publisher.Adapter }

func (owned) Connect(_ context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	a := mission.Account{Name: "Ada Other", Handle: "ada", URL: "https://www.facebook.com/ada", AvatarURL: "https://pictures.example/ada.png"}
	if _, err := fmt.Sscanf(c.AccessToken, "%d-%d", new(int), new(int)); err != nil {
		return a, c, err
	}
	var account, person int
	_, _ = fmt.Sscanf(c.AccessToken, "%d-%d", &account, &person)
	a.ID, a.OwnerID = fmt.Sprint(account), fmt.Sprint(person)
	return a, c, nil
}

// leaving are tenants with connections, and what Meta sends.
type leaving struct {
	*world.World

	service *Service
}

func newLeaving(w *world.World) *leaving {
	ring, err := seal.Parse(seal.NewKey())
	w.Must(err)
	adapters := map[mission.Platform]publisher.Adapter{}
	for _, p := range metaPlatforms {
		adapters[p] = owned{}
	}
	return &leaving{w, New(w.DB, Options{
		Clock: w.Clock, Real: w.Clock, Secrets: ring, Adapters: adapters,
		MetaSecrets: map[mission.Platform]string{mission.Facebook: operatorSecret, mission.Threads: "the operator's of Threads"},
	})}
}

// connect connects an account of a person for a tenant, by an application of the tenant's own if that
// has an id.
func (l *leaving) connect(p mission.Principal, at mission.Platform, account, person, client string) mission.Integration {
	l.T.Helper()
	token := account + "-" + person
	made, err := l.service.Connect(l.T.Context(), p, mission.ConnectInput{Platform: at, AccessToken: &token})
	l.Must(err)
	i := made.Integration
	if client == "" {
		return i
	}
	l.Must(l.DB.Tx(l.T.Context(), func(tx store.Tx) error {
		i, err := tx.LockIntegration(l.T.Context(), p.TenantID, i.ID)
		if err != nil {
			return err
		}
		if i.Sealed, err = l.service.seal(i.ID, mission.Credentials{AccessToken: token, AccountID: account, ClientID: client}); err != nil {
			return err
		}
		return tx.SetIntegration(l.T.Context(), i, l.Clock.Now())
	}))
	return i
}

func (l *leaving) signed(secret, person string) string {
	payload := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"algorithm":"HMAC-SHA256","issued_at":%d,"user_id":%q}`, l.Clock.Now().Unix(), person))
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)) + "." + payload
}

// stored returns an integration as it is stored, also if it was disconnected.
func (l *leaving) stored(i mission.Integration) mission.Integration {
	l.T.Helper()
	found, err := l.DB.AllIntegrationsByID(l.T.Context(), i.TenantID, []string{i.ID})
	l.Must(err)
	return found[i.ID]
}

func (l *leaving) left(name string, i mission.Integration, want bool) {
	l.T.Helper()
	now := l.stored(i)
	if left := now.DeletedAt != nil; left != want || left != (now.Sealed == "") {
		l.T.Errorf("%s: disconnected %t, credentials of %d bytes; want %t", name, left, len(now.Sealed), want)
	}
}

// A person who removes the operator's application is disconnected in each tenant, and nobody else is.
func TestDeauthorized(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		l := newLeaving(w)
		other := w.NewTenant("Another")
		one, two := l.connect(w.Tenant, mission.Facebook, "501", "77", ""), l.connect(other, mission.Facebook, "501", "77", "")
		page := l.connect(w.Tenant, mission.Facebook, "502", "77", "")
		stranger, elsewhere := l.connect(w.Tenant, mission.Facebook, "503", "78", ""), l.connect(w.Tenant, mission.Threads, "504", "77", "")
		own := l.connect(other, mission.Facebook, "505", "77", "the tenant's app")
		w.Clock.Advance(5 * time.Minute)
		call := MetaCall{Signed: l.signed(operatorSecret, "77")}
		w.Clock.Advance(5 * time.Minute)
		later := l.connect(w.Tenant, mission.Facebook, "506", "77", "")
		for range 2 {
			w.Must(l.service.Deauthorized(t.Context(), call))
			for name, i := range map[string]mission.Integration{"the account": one, "in another tenant": two, "another account": page} {
				l.left(name, i, true)
			}
			for name, i := range map[string]mission.Integration{
				"a stranger": stranger, "on another platform": elsewhere, "by a tenant's own application": own, "connected again afterwards": later,
			} {
				l.left(name, i, false)
			}
		}
		if a := l.stored(one).Account; a.Name != "Ada Other" {
			t.Errorf("of the account %+v is left", a)
		}
		w.Must(l.service.Deauthorized(t.Context(), MetaCall{Signed: l.signed("the operator's of Threads", "504")}))
		l.left("an account that is its owner", elsewhere, true)
		log, err := w.DB.AuditLog(t.Context(), other.TenantID, mission.AuditFilter{Action: mission.AuditIntegrationDisconnected}, store.Page{Limit: 10})
		w.Must(err)
		if len(log.List) != 1 {
			t.Fatalf("the audit log has %+v", log.List)
		}
		if e := log.List[0]; e.Action != mission.AuditIntegrationDisconnected || e.TargetID != two.ID || e.Details["reason"] != "deauthorized" || e.UserID != "" {
			t.Errorf("got the entry %+v", e)
		}
	})
}

// A tenant's own application speaks for that tenant's connections alone, whatever it signs.
func TestDeauthorizedFromOwnApplication(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		l := newLeaving(w)
		other := w.NewTenant("Another")
		_, err := l.service.SetTenantApp(t.Context(), w.Tenant, mission.Facebook, mission.AppInput{ClientID: "1", ClientSecret: new("the-tenants")})
		w.Must(err)
		own, typed := l.connect(w.Tenant, mission.Facebook, "501", "77", "1"), l.connect(w.Tenant, mission.Facebook, "502", "77", "")
		before, theirs := l.connect(w.Tenant, mission.Facebook, "503", "77", "2"), l.connect(other, mission.Facebook, "501", "77", "")
		call := MetaCall{Signed: l.signed("the-tenants", "77"), TenantID: w.Tenant.TenantID}
		w.Must(l.service.Deauthorized(t.Context(), call))
		l.left("its own", own, true)
		l.left("a token that was typed in", typed, true)
		l.left("of an application before", before, false)
		l.left("another tenant's", theirs, false)
		for name, call := range map[string]MetaCall{
			"for another tenant":        {call.Signed, other.TenantID},
			"as the operator":           {call.Signed, ""},
			"the operator's for one":    {l.signed(operatorSecret, "77"), w.Tenant.TenantID},
			"for nobody":                {call.Signed, "tnt_01k8x3p9z00000000000000000"},
			"for something else":        {call.Signed, "' OR 1=1"},
			"without a secret":          {l.signed("", "77"), other.TenantID},
			"without the operator's":    {l.signed("", "77"), ""},
			"which isn't signed at all": {"a.b", ""},
		} {
			err := l.service.Deauthorized(t.Context(), call)
			world.WantCode(t, err, mission.CodeInvalidRequest)
			if err.Error() != errForged().Error() {
				t.Errorf("%s: %v tells more than the others", name, err)
			}
			if _, err := l.service.DeleteData(t.Context(), call); mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Errorf("%s: %v", name, err)
			}
		}
		l.left("another tenant's", theirs, false)
	})
}

// What is stored of the accounts of a person who asks for it is deleted, also of those that were
// disconnected before. The same request has the same code, by which its state can be seen.
func TestDeleteData(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		l := newLeaving(w)
		one, two := l.connect(w.Tenant, mission.Facebook, "501", "77", ""), l.connect(w.Tenant, mission.Facebook, "502", "77", "")
		stranger := l.connect(w.Tenant, mission.Facebook, "503", "78", "")
		w.Must(l.service.Delete(t.Context(), w.Tenant, two.ID))
		call := MetaCall{Signed: l.signed(operatorSecret, "77")}
		first, err := l.service.DeleteData(t.Context(), call)
		w.Must(err)
		for name, i := range map[string]mission.Integration{"connected": one, "disconnected before": two} {
			l.left(name, i, true)
			if a := l.stored(i).Account; *a != (mission.Account{ID: "deleted:" + i.ID, Name: a.Name}) || a.Name == "Ada Other" {
				t.Errorf("%s: %+v is left", name, a)
			}
		}
		l.left("a stranger", stranger, false)
		if left, err := w.DB.OwnedIntegrations(t.Context(), "", mission.Facebook, "77", true, mission.Integration{}, 10); err != nil || len(left) > 0 {
			t.Errorf("the person is still known: %+v, %v", left, err)
		}
		again, err := l.service.DeleteData(t.Context(), call)
		w.Must(err)
		seen, err := l.service.Deletion(t.Context(), first.Code)
		w.Must(err)
		if again.Code != first.Code || seen.CompletedAt == nil || !seen.RequestedAt.Equal(first.RequestedAt) || seen.Platform != mission.Facebook {
			t.Errorf("got %+v, then %+v; it is shown as %+v", first, again, seen)
		}
		back := l.connect(w.Tenant, mission.Facebook, "501", "77", "")
		if back.ID == one.ID {
			t.Errorf("connected again, it is %s as before", back.ID)
		}
		unknown, err := l.service.DeleteData(t.Context(), MetaCall{Signed: l.signed(operatorSecret, "99")})
		if err != nil || unknown.Code == first.Code {
			t.Errorf("of a person who isn't known: %+v, %v", unknown, err)
		}
		for _, code := range []string{"", "x", first.Code + "a", "00000000000000000000000000000000"} {
			if _, err := l.service.Deletion(t.Context(), code); mission.CodeOf(err) != mission.CodeNotFound {
				t.Errorf("the code %q: %v", code, err)
			}
		}
		w.Clock.Advance(mission.DeletionsKept + time.Hour)
		_, err = l.service.DeleteData(t.Context(), MetaCall{Signed: l.signed(operatorSecret, "98")})
		w.Must(err)
		if _, err := l.service.Deletion(t.Context(), first.Code); mission.CodeOf(err) != mission.CodeNotFound {
			t.Errorf("after a year: %v", err)
		}
	})
}

// A person with more connections than are read at once leaves all of them.
func TestLeaveMany(t *testing.T) {
	w := world.New(t, testkit.SQLite(t, store.Options{Timing: world.Timing}))
	l := newLeaving(w)
	var all []mission.Integration
	for i := range leaveBatch + 5 {
		all = append(all, l.connect(w.Tenant, mission.Facebook, fmt.Sprint(600+i), "77", map[bool]string{true: "another app"}[i < leaveBatch]))
	}
	w.Must(l.service.Deauthorized(t.Context(), MetaCall{Signed: l.signed(operatorSecret, "77")}))
	for i, each := range all {
		l.left(fmt.Sprint(i), each, i >= leaveBatch)
	}
}
