package integrations

import (
	"testing"

	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// After the secret key is replaced, a tenant's own keys are sealed with the new one, once, and are
// what they were.
func TestResealOwnKeys(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		before, after := seal.NewKey(), seal.NewKey()
		old, err := seal.Parse(before)
		w.Must(err)
		both, err := seal.Parse(after + "," + before)
		w.Must(err)
		service := New(w.DB, Options{Clock: w.Clock, Real: w.Clock, Secrets: old, Rules: outbound.Rules{Local: true}})
		_, err = service.SetTenantWriter(t.Context(), w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:1/v1", Model: "m", Key: new("a key")})
		world.WantCode(t, err, mission.CodeInvalidRequest)
		_, err = service.SetTenantWriter(t.Context(), w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:1/v1", Model: "m", Key: new("key")})
		w.Must(err)
		for _, p := range []mission.Platform{mission.Twitter, mission.LinkedIn} {
			_, err = service.SetTenantApp(t.Context(), w.Tenant, p, mission.AppInput{ClientID: "own", ClientSecret: new("secret")})
			w.Must(err)
		}
		service = New(w.DB, Options{Clock: w.Clock, Real: w.Clock, Secrets: both, Rules: outbound.Rules{Local: true}})
		for _, want := range []int{3, 0} {
			if n, err := service.Reseal(t.Context()); err != nil || n != want {
				t.Errorf("resealed %d (%v), want %d", n, err, want)
			}
		}
		writer, err := service.TenantWriter(t.Context(), w.Tenant)
		w.Must(err)
		if key, err := both.Open(writer.SecretName(), writer.Sealed); err != nil || string(key) != "key" || both.Stale(writer.Sealed) {
			t.Errorf("the key is %q (%v)", key, err)
		}
		grant, err := service.withApp(t.Context(), w.Tenant.TenantID, mission.LinkedIn, mission.Grant{})
		if err != nil || grant.ClientID != "own" || grant.ClientSecret != "secret" {
			t.Errorf("the grant is %+v (%v)", grant, err)
		}
	})
}
