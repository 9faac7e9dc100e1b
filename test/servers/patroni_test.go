package servers

import (
	"database/sql"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// envPatroni, if it is set, runs the test with Patroni, which takes a minute and wants
// Patroni and etcd.
const envPatroni = "MISSIOND_TEST_PATRONI"

// A Postgres under Patroni is switched over, and then its primary is lost, while missions
// are created and run: every mission whose creation succeeded is there and complete, and
// no post is published twice. The log says how long nothing could be created.
func TestPatroni(t *testing.T) {
	testkit.SkipUnlessSet(t, envPatroni, "test-patroni")
	cluster, err := servers.StartPatroni(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Kill)
	conn, err := sql.Open("pgx", cluster.URL("postgres")+"&target_session_attrs=read-write")
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.ExecContext(t.Context(), "CREATE DATABASE missiond")
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	f := missiond.NewFleetOn(t, cluster.URL("missiond"), testkit.Redis(t))
	api, worker := f.Serve(), f.Worker()
	api.Await("a synchronous standby", func() bool { return cluster.Redundant(t.Context()) == nil })
	load := create(f, api)
	load.await(3)

	if err := cluster.Switchover(t.Context()); err != nil {
		t.Fatal(err)
	}
	load.await(3)
	t.Logf("the switchover: nothing was created for %.1f s", load.gap().Seconds())
	api.Await("a synchronous standby after the switchover", func() bool { return cluster.Redundant(t.Context()) == nil })

	leader, err := cluster.Leader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	load.gap()
	leader.Crash()
	load.await(3)
	t.Logf("the lost primary, whose lease lasts 20 s: nothing was created for %.1f s", load.gap().Seconds())

	f.Finish(api, load.stop())
	f.End(api, []*missiond.Process{worker})
}

// creator is a client that creates missions, a few a second.
type creator struct {
	api     *missiond.Process
	over    chan struct{}
	ended   sync.WaitGroup
	mu      sync.Mutex
	ids     []string
	last    time.Time
	longest time.Duration
}

// create starts a client of an API.
func create(f *missiond.Fleet, api *missiond.Process) *creator {
	c := &creator{api: api, over: make(chan struct{}), last: time.Now()}
	c.ended.Go(func() {
		for {
			select {
			case <-c.over:
				return
			case <-time.After(200 * time.Millisecond):
				c.one()
			}
		}
	})
	return c
}

func (c *creator) one() {
	status, m, ok := c.api.Try("POST", "/v1/missions", missiond.MissionBody(1, 1))
	if !ok || status != http.StatusCreated {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids = append(c.ids, m["id"].(string))
	c.longest = max(c.longest, time.Since(c.last))
	c.last = time.Now()
}

// await waits until some more missions are created.
func (c *creator) await(more int) {
	count := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.ids)
	}
	before := count()
	c.api.Await("more missions", func() bool { return count() >= before+more })
}

// gap returns the longest time without a created mission since the call before.
func (c *creator) gap() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	longest := c.longest
	c.longest = 0
	return longest
}

// stop ends the client and returns the ids of the missions.
func (c *creator) stop() []string {
	close(c.over)
	c.ended.Wait()
	return c.ids
}
