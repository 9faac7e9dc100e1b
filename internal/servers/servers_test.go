package servers_test

import (
	"context"
	"net"
	"net/netip"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"missiond/internal/servers"
	"missiond/internal/testkit"
)

// started returns what start returns, ended with the test. Where the program
// isn't installed the test is skipped, and fails in CI.
func started[T interface{ Kill() }](t *testing.T, start func(ctx context.Context, dir string) (T, error)) T {
	t.Helper()
	s, err := start(t.Context(), t.TempDir())
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED LOUDLY: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// A port stays its server's while that is down: nothing outgoing and no listener on
// port 0 gets it, and FreeAddr doesn't return it twice.
func TestAddressesAreReserved(t *testing.T) {
	first := map[string]bool{}
	for range 300 {
		addr, err := servers.FreeAddr()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := netip.ParseAddrPort(addr)
		if err != nil || parsed.Port() >= 32768 || first[addr] {
			t.Fatalf("got %s, %v; want a port below 32768 that wasn't returned before", addr, err)
		}
		first[addr] = true
	}
}

func TestServersRestartWhereTheyWere(t *testing.T) {
	testkit.SkipIfShort(t)
	postgres := started(t, func(ctx context.Context, dir string) (*servers.Postgres, error) {
		return servers.StartPostgres(ctx, dir, "fsync=off")
	})
	redis := started(t, func(ctx context.Context, dir string) (*servers.Redis, error) { return servers.StartRedis(ctx, dir) })
	for name, p := range map[string]*servers.Process{"Postgres": &postgres.Process, "Redis": &redis.Process} {
		for how, end := range map[string]func(){"stopped": p.Stop, "killed": p.Kill} {
			addr, pid := p.Addr, p.PID()
			end()
			if err := p.Start(t.Context()); err != nil {
				t.Fatalf("%s, %s, doesn't start again: %v", name, how, err)
			}
			if p.Addr != addr || p.PID() == pid {
				t.Errorf("%s, %s, is process %d on %s, after process %d on %s", name, how, p.PID(), p.Addr, pid, addr)
			}
		}
	}
}

func TestClusterServesAllSlots(t *testing.T) {
	testkit.SkipIfShort(t)
	cluster := started(t, func(ctx context.Context, dir string) (*servers.RedisCluster, error) {
		return servers.StartRedisCluster(ctx, dir, 3)
	})
	if addrs := cluster.Addrs(); len(addrs) != 3 {
		t.Errorf("the nodes are %v", addrs)
	}
}

// A standby takes over through a pooler that is told so, with what the primary had.
func TestStandbyTakesOver(t *testing.T) {
	testkit.Full(t)
	primary := started(t, func(ctx context.Context, dir string) (*servers.Postgres, error) {
		return servers.StartPostgres(ctx, dir, "fsync=off")
	})
	pooler := started(t, func(ctx context.Context, dir string) (*servers.PgBouncer, error) {
		return servers.StartPgBouncer(ctx, dir, primary.Addr)
	})
	// ask returns the last value that statements return.
	ask := func(statements string) string {
		t.Helper()
		conn, err := pgconn.Connect(t.Context(), pooler.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(t.Context()) }()
		results, err := conn.Exec(t.Context(), statements).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", statements, err)
		}
		return string(results[len(results)-1].Rows[0][0])
	}
	ask("CREATE TABLE kept AS SELECT 'kept' AS word; SELECT word FROM kept")
	standby := started(t, func(ctx context.Context, dir string) (*servers.Postgres, error) {
		return primary.StartStandby(ctx, dir)
	})
	if err := standby.Promote(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := pooler.Lead(t.Context(), standby.Addr); err != nil {
		t.Fatal(err)
	}
	if _, port, _ := net.SplitHostPort(standby.Addr); ask("SHOW port") != port {
		t.Error("the pooler doesn't lead to the standby")
	}
	if word := ask("UPDATE kept SET word = word || '!' RETURNING word"); word != "kept!" {
		t.Errorf("got %q of the standby", word)
	}
}
