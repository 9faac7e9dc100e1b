package accounts

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// What is taken away is gone in its own process at once, and in every process when
// awaitRevocation returns, even if it was looked up just before.
func TestAwaitRevocation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		valid := map[string]bool{"key": true, "late": true, "session": true}
		process := func() *Service {
			a := New(nil, Options{Clock: clock.Real(), Real: clock.Real()})
			a.keys.Lookup = func(_ context.Context, keys []string) (map[string]store.KeyPrincipal, error) {
				found := map[string]store.KeyPrincipal{}
				for _, k := range keys {
					if valid[k] {
						found[k] = store.KeyPrincipal{}
					}
				}
				<-time.After(10 * time.Millisecond)
				return found, nil
			}
			a.sessions.Lookup = func(_ context.Context, keys []string) (map[string]store.SessionPrincipal, error) {
				if !valid[keys[0]] {
					return nil, nil
				}
				return map[string]store.SessionPrincipal{keys[0]: {}}, nil
			}
			return a
		}
		admits := func(a *Service) bool {
			_, key, err := a.keys.Get(t.Context(), "key")
			_, late, err2 := a.keys.Get(t.Context(), "late")
			_, session, err3 := a.sessions.Get(t.Context(), "session")
			if err != nil || err2 != nil || err3 != nil {
				t.Fatal(err, err2, err3)
			}
			return key || late || session
		}
		own, other := process(), process()
		for _, a := range []*Service{own, other} {
			_, _, _ = a.keys.Get(t.Context(), "key")
			_, _, _ = a.sessions.Get(t.Context(), "session")
			go func() { _, _, _ = a.keys.Get(t.Context(), "late") }()
		}
		synctest.Wait()
		clear(valid)
		begun, returned := time.Now(), make(chan struct{})
		go func() {
			own.awaitRevocation(t.Context())
			close(returned)
		}()
		synctest.Wait()
		if admits(own) {
			t.Error("the process that revokes still admits by what it revoked")
		}
		<-returned
		if admits(other) {
			t.Error("another process still admits by what was revoked")
		}
		if took := time.Since(begun); took > credentialTTL+20*time.Millisecond {
			t.Errorf("it took %s", took)
		}
	})
}

// A key that was revoked is refused by all processes when RevokeKey returns.
func TestRevokedKeyIsRefused(t *testing.T) {
	t.Parallel()
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		ctx := context.Background()
		o := Options{Clock: clock.Real(), Real: clock.Real()}
		processes := []*Service{New(db, o), New(db, o)}
		_, admin, err := processes[0].CreateTenant(ctx, NewTenant{Name: "Acme", Plan: mission.PlanFree})
		if err != nil {
			t.Fatal(err)
		}
		p, err := processes[0].Identify(ctx, admin)
		if err != nil {
			t.Fatal(err)
		}
		k, secret, err := processes[0].CreateKey(ctx, p, mission.KeyInput{Name: "short-lived"})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range processes {
			if _, err := a.Identify(ctx, secret); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := processes[0].RevokeKey(ctx, p, k.ID); err != nil {
			t.Fatal(err)
		}
		for i, a := range processes {
			if _, err := a.Identify(ctx, secret); mission.CodeOf(err) != mission.CodeUnauthorized {
				t.Errorf("process %d returns %v", i, err)
			}
		}
	})
}
