package tasks

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/store"
)

// A Redis database is one installation's, until two minutes after its last claim.
func TestClaim(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer func() { _ = client.Close() }()
	claim := func(id string, want error) {
		t.Helper()
		if err := Claim(context.Background(), client, id); !errors.Is(err, want) {
			t.Errorf("%s got %v, want %v", id, err, want)
		}
	}
	claim("a", nil)
	claim("b", ErrOtherInstallation)
	server.FastForward(installationLife - time.Second)
	claim("a", nil)
	server.FastForward(installationLife - time.Second)
	claim("b", ErrOtherInstallation)
	server.FastForward(2 * time.Second)
	claim("b", nil)
	claim("a", ErrOtherInstallation)
	server.FlushAll()
	claim("a", nil)
}

// The queues are registered in Redis though it is another installation's.
func TestRefusedClaimHoldsNothingUp(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer func() { _ = client.Close() }()
	parts := Parts{
		DB: testkit.SQLite(t, store.Options{Timing: Timing(clock.Real())}), Clock: clock.Real(), Queue: NewQueue(client, clock.Real(), time.Hour),
		Log: slog.New(slog.DiscardHandler), Metrics: NewMetrics(prometheus.NewRegistry()),
	}
	if err := Claim(t.Context(), client, "another"); err != nil {
		t.Fatal(err)
	}
	if err := NewSweeper(parts).turn(t.Context(), true); !errors.Is(err, ErrOtherInstallation) {
		t.Errorf("got %v", err)
	}
	if queues, err := server.Members(allQueuesKey); err != nil || len(queues) != len(allLanes()) {
		t.Errorf("the queues %v are registered, %v", queues, err)
	}
}
