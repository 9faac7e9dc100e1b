package acceptance

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"missiond/internal/testkit"
	"missiond/store"
)

// While all of one tenant's requests wait for a lock, another tenant is served by both
// APIs. The crowd holds its share of the connections; the rest of it is refused early,
// and what is refused costs nothing.
func TestACrowdLeavesRoom(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s := newHarness(t, testkit.Postgres)
	charged := &countingLimiter{}
	s.allowances.Limiter = charged
	id := s.make(restAPI{s}, nil)
	before := charged.count()

	locked, release := make(chan struct{}), make(chan struct{})
	var holder sync.WaitGroup
	holder.Go(func() {
		s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
			_, err := tx.LockMission(context.Background(), s.tenantOf(id), id)
			close(locked)
			<-release
			return err
		}))
	})
	<-locked
	const crowd = 60
	responses, ours := make(chan renamed, crowd), s.key
	for range crowd {
		go func() { responses <- s.rename(id, ours) }()
	}
	shed := 0
	for ; shed < crowd/2; shed++ { // more than half can't be admitted
		r := <-responses
		if r.status != http.StatusServiceUnavailable || r.retryAfter != "1" {
			t.Errorf("while the mission is locked, a change of it returned %+v", r)
		}
	}
	s.key = s.keys["theirs"]
	for range 5 {
		s.field(restAPI{s}.list(nil), "total", 0.0)
		s.field(graphAPI{s}.list(nil), "total", 0.0)
	}
	close(release)
	holder.Wait()
	done := 0
	for range crowd - shed {
		if r := <-responses; r.status == http.StatusOK {
			done++
		}
	}
	if done == 0 || done > s.DB.Connections() {
		t.Errorf("%d of the crowd were admitted", done)
	}
	if cost := charged.count() - before - 10; cost != done {
		t.Errorf("the crowd of %d, of which %d were served, was charged %d requests", crowd, done, cost)
	}
}

// renamed is the response to rename; zero if there is none.
type renamed struct {
	status     int
	retryAfter string
}

// rename changes a mission's name, as the holder of a key.
func (s *harness) rename(id, key string) renamed {
	req, err := http.NewRequest("PUT", s.server.URL+"/v1/missions/"+id, strings.NewReader(`{"name":"Another"}`))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.server.Client().Do(req)
	if err != nil {
		return renamed{}
	}
	_ = resp.Body.Close()
	return renamed{resp.StatusCode, resp.Header.Get("Retry-After")}
}
