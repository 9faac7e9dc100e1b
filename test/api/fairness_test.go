package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
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
			for again := time.NewTicker(time.Second); err == nil; { // the database ends a transaction that does nothing
				select {
				case <-release:
					return nil
				case <-again.C:
					_, err = tx.LockMission(context.Background(), s.tenantOf(id), id)
				}
			}
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

// While changes with If-Match of one tenant wait for a lock, another tenant's are made at once,
// and more of the first are refused.
func TestConditionsLeaveRoom(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.Postgres)
	id := s.make(restAPI{s}, nil)
	conditional := func(key, path, body string) string {
		_, _, _, h := s.sendWith("GET", path, "", map[string]string{"Authorization": "Bearer " + key})
		req, err := http.NewRequest("PUT", s.server.URL+path, strings.NewReader(body))
		s.must(err)
		req.Header = http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}, "If-Match": {h.Get("ETag")}}
		resp, err := s.server.Client().Do(req)
		s.must(err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		s.must(err)
		return resp.Status + " " + string(text)
	}
	locked, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
			_, err := tx.LockMission(context.Background(), s.tenantOf(id), id)
			close(locked)
			for again := time.NewTicker(time.Second); err == nil; { // the database ends a transaction that does nothing
				select {
				case <-release:
					return nil
				case <-again.C:
					_, err = tx.LockMission(context.Background(), s.tenantOf(id), id)
				}
			}
			return err
		}))
	})
	<-locked
	const crowd = 8
	responses := make(chan string, crowd)
	for range crowd {
		all.Go(func() { responses <- conditional(s.key, "/v1/missions/"+id, `{"name":"Another"}`) })
	}
	within := time.After(await.Long())
	select {
	case got := <-responses: // not that of the database, which lets nobody wait for a lock for longer than 20 s
		if !strings.HasPrefix(got, "503 ") || !strings.Contains(got, "Too many requests of this tenant") {
			t.Errorf("a change beyond the tenant's share got %s", got)
		}
	case <-within:
		t.Error("no change is refused")
	}
	other := make(chan string, 1)
	all.Go(func() { other <- conditional(s.keys["theirs"], "/v1/tenant", `{"name":"Theirs"}`) })
	select {
	case got := <-other:
		if !strings.HasPrefix(got, "200 ") {
			t.Errorf("another tenant's change got %s", got)
		}
	case <-within:
		t.Error("another tenant's change waits")
	}
	close(release)
	all.Wait()
}

// Bodies that don't end, of several tenants or of callers without a credential, refuse no
// other tenant's requests, small or large.
func TestBodiesThatStall(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	for i := range 4 {
		_, key, err := s.Accounts.CreateTenant(context.Background(), accounts.NewTenant{Name: fmt.Sprint("staller ", i), Plan: mission.PlanFree})
		s.must(err)
		for j := range 4 {
			sent := 1
			if j == 0 {
				sent = 3 << 20
			}
			s.stall("/v1/content/import", "text/csv", key, sent)
		}
	}
	for range 64 {
		s.stall("/v1/auth/login", "application/json", "", 1)
	}
	for _, size := range []int{0, 200 << 10} {
		status, text := s.raw("POST", "/v1/content/validate", `{"platform":"mastodon","text":"hi"`+strings.Repeat(" ", size)+"}")
		if status != http.StatusOK {
			t.Errorf("another tenant's request of %d bytes got %d %s", size, status, text)
		}
	}
}

// stall posts so many bytes of a body that doesn't end, and returns once the service reads it.
func (s *harness) stall(path, contentType, key string, n int) net.Conn {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.server.Listener.Addr().String())
	s.must(err)
	testkit.Cleanup(s.t, func() { _ = conn.Close() })
	head := "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + contentType + "\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
	if key != "" {
		head += "Authorization: Bearer " + key + "\r\n"
	}
	_, err = conn.Write([]byte(head + "\r\n"))
	s.must(err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	s.must(err)
	if !strings.Contains(line, " 100 ") {
		s.t.Fatalf("POST %s got %q before its body", path, line)
	}
	_, err = fmt.Fprintf(conn, "%x\r\n%s\r\n", n, strings.Repeat("x", n))
	s.must(err)
	return conn
}
