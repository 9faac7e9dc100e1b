package integrations

import (
	"context"
	"errors"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/outbound"
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
		connect := repeatedly(w, ring, func(ctx context.Context) (Connected, error) {
			token := "token"
			return service.Connect(ctx, w.Tenant, mission.ConnectInput{Platform: mission.LinkedIn, AccessToken: &token})
		})
		first, again := connect(), connect()
		if first.Integration.ID == "" || again.Integration.ID != first.Integration.ID || platform.calls != 1 {
			t.Errorf("connected %q and then %q by %d calls", first.Integration.ID, again.Integration.ID, platform.calls)
		}
	})
}

// repeatedly returns what sends a request with one key, whose response is never stored.
func repeatedly[T any](w *world.World, ring *seal.Keyring, request func(ctx context.Context) (T, error)) func() T {
	requests := idempotency.New(w.DB, ring, clock.Real(), w.Parts.Log)
	return func() T {
		w.T.Helper()
		ctx, begun, _, err := requests.Begin(w.T.Context(), w.Tenant, "a key", "a fingerprint")
		w.Must(err)
		made, err := request(ctx)
		begun.End(ctx, nil)
		w.Must(err)
		return made
	}
}

// A writer of a tenant's own that was set is the answer too, whatever its address has become.
func TestWriterIsFoundAgain(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ring, err := seal.Parse(seal.NewKey())
		w.Must(err)
		service := New(w.DB, Options{Clock: w.Clock, Real: w.Clock, Secrets: ring, Rules: outbound.Rules{Local: true}})
		set := repeatedly(w, ring, func(ctx context.Context) (mission.TenantWriter, error) {
			return service.SetTenantWriter(ctx, w.Tenant, mission.WriterInput{URL: "http://127.0.0.1:9/v1", Model: "m"})
		})
		first := set()
		service.options.Rules = outbound.Rules{}
		w.Clock.Advance(time.Minute)
		if again := set(); !again.UpdatedAt.Equal(first.UpdatedAt) || again.URL != first.URL {
			t.Errorf("set %+v and then %+v", first, again)
		}
	})
}

// A platform that takes only posts with files, and fetches those, isn't connected where it can't.
func TestConnectHidden(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ring, err := seal.Parse(seal.NewKey())
		w.Must(err)
		for p, refused := range map[mission.Platform]bool{mission.Instagram: true, mission.Threads: false} {
			service := New(w.DB, Options{Clock: w.Clock, Real: w.Clock, Secrets: ring, Adapters: map[mission.Platform]publisher.Adapter{p: &once{}}, Hidden: true})
			_, err = service.Connect(t.Context(), w.Tenant, mission.ConnectInput{Platform: p, AccessToken: new("token")})
			if refused {
				world.WantCode(t, err, mission.CodeInvalidRequest)
			} else {
				w.Must(err)
			}
		}
	})
}

// aging is an account whose token lasts for sixty days.
type aging struct {
	publisher.Adapter

	ends    func() time.Time
	renewed int
	fails   error
}

func (a *aging) Connect(_ context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	c.RefreshToken, c.ExpiresAt = c.AccessToken, new(a.ends())
	return mission.Account{ID: "1", Handle: "ada", Name: "Ada"}, c, nil
}

func (a *aging) Refresh(_ context.Context, c mission.Credentials) (mission.Credentials, error) {
	if a.fails != nil {
		return c, a.fails
	}
	a.renewed++
	c.ExpiresAt = new(a.ends())
	return c, nil
}

// A token that can't be renewed once it has ended is renewed long before; if that fails, it is used as
// long as it is good.
func TestRenewAhead(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ring, err := seal.Parse(seal.NewKey())
		w.Must(err)
		const day = 24 * time.Hour
		platform := &aging{ends: func() time.Time { return w.Clock.Now().Add(60 * day) }}
		service := New(w.DB, Options{Clock: w.Clock, Real: w.Clock, Secrets: ring, Adapters: map[mission.Platform]publisher.Adapter{mission.Threads: platform}})
		made, err := service.Connect(t.Context(), w.Tenant, mission.ConnectInput{Platform: mission.Threads, AccessToken: new("token")})
		w.Must(err)
		for i, step := range []struct {
			wait  time.Duration
			fails error
			want  int
			lost  bool
		}{
			{wait: 29 * day},
			{wait: 2 * day, fails: &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Failure: mission.Failure{Code: "down", Message: "Down."}}},
			{want: 1, wait: day},
			{want: 1, wait: 29 * day},
			{want: 2, wait: 2 * day},
			{want: 2, wait: 60 * day, fails: &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Failure: mission.Failure{Code: "down", Message: "Down."}}, lost: true},
		} {
			w.Clock.Advance(step.wait)
			platform.fails = step.fails
			i2, err := service.Integration(t.Context(), w.Tenant, made.Integration.ID)
			w.Must(err)
			err = service.With(t.Context(), i2, func(mission.Credentials) error { return nil })
			if platform.renewed != step.want || (err != nil) != step.lost {
				t.Fatalf("step %d: renewed %d times (%v)", i, platform.renewed, err)
			}
		}
	})
}
