package integrations

import (
	"context"
	"errors"
	"testing"

	"missiond/internal/clock"
	"missiond/internal/publisher"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// once accepts credentials once: the platform may be down by the next time.
type once struct {
	publisher.Adapter

	calls int
}

// Connect implements publisher.Adapter.
func (o *once) Connect(_ context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	if o.calls++; o.calls > 1 {
		return mission.Account{}, c, errors.New("the platform is down")
	}
	return mission.Account{ID: "1", Handle: "ada", Name: "Ada"}, c, nil
}

// A request whose response couldn't be stored is repeated with its key: the account that was
// connected is the answer, and the platform isn't asked again.
func TestConnectIsFoundAgain(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ring, err := seal.Parse(seal.NewKey())
		w.Must(err)
		platform := &once{}
		service := New(w.DB, Options{Clock: w.Clock, Real: w.Clock, Secrets: ring, Adapters: map[mission.Platform]publisher.Adapter{mission.LinkedIn: platform}})
		requests := idempotency.New(w.DB, ring, clock.Real(), w.Parts.Log)
		connect := func() Connected {
			t.Helper()
			ctx, request, _, err := requests.Begin(t.Context(), w.Tenant, "a key", "a fingerprint")
			w.Must(err)
			token := "token"
			made, err := service.Connect(ctx, w.Tenant, mission.ConnectInput{Platform: mission.LinkedIn, AccessToken: &token})
			request.End(ctx, nil) // there is no response to store
			w.Must(err)
			return made
		}
		first, again := connect(), connect()
		if first.Integration.ID == "" || again.Integration.ID != first.Integration.ID || platform.calls != 1 {
			t.Errorf("connected %q and then %q by %d calls", first.Integration.ID, again.Integration.ID, platform.calls)
		}
	})
}
