package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"missiond/internal/ratelimit"
	"missiond/internal/testkit"
	"missiond/store"
)

// cutHarness returns a harness on Postgres, and the way to it.
func cutHarness(t *testing.T) (*harness, *testkit.Relay) {
	t.Helper()
	var relay *testkit.Relay
	s := newHarness(t, func(t testing.TB, o store.Options) *store.DB {
		u, err := url.Parse(testkit.MigratedURL(t))
		if err != nil {
			t.Fatal(err)
		}
		relay = testkit.NewRelay(t, u.Host)
		u.Host = relay.Addr()
		db, err := store.OpenPostgres(u.String(), o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Cleanup(t, func() { _ = db.Close() })
		return db
	})
	return s, relay
}

// failures returns the logged failures of a request.
func (s *harness) failures(requestID string) []map[string]any {
	return s.logged("a request failed", requestID)
}

// logged returns the lines of the log with a message and a request's id.
func (s *harness) logged(message, requestID string) (found []map[string]any) {
	s.t.Helper()
	for lines := bufio.NewScanner(strings.NewReader(s.log.String())); lines.Scan(); {
		var line map[string]any
		s.must(json.Unmarshal(lines.Bytes(), &line))
		if line["msg"] == message && line["request_id"] == requestID {
			found = append(found, line)
		}
	}
	return found
}

// troubled are requests of both APIs, with and without an Idempotency-Key.
var troubled = []struct {
	name, method, path, body, operation, key string
}{
	{"read", "GET", "/v1/missions", "", "missions.list", ""},
	{"write", "POST", "/v1/missions", missionText, "missions.create", ""},
	{"write with a key", "POST", "/v1/missions", missionText, "missions.create", "key-1"},
	{"query", "POST", "/graphql", `{"query":"{ a: missions { edges { node { id } } } b: missions { totalCount } }"}`, "graphql.query", ""},
	{"mutation with a key", "POST", "/graphql", `{"query":"mutation { createMission(input: {name: \"x\", objectives: [\"y\"], platforms: [TWITTER], durationDays: 1}) { mission { id } } }"}`, "graphql.mutation", "key-2"},
}

const missionText = `{"name":"x","objectives":["y"],"platforms":["twitter"],"duration_days":1}`

// do sends one of troubled, and returns the response's status, code and headers.
func (s *harness) do(i int, requestID string) (status int, code string, h http.Header) {
	s.t.Helper()
	c := troubled[i]
	req, err := http.NewRequest(c.method, s.server.URL+c.path, strings.NewReader(c.body))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("X-Request-Id", requestID)
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Idempotency-Key", c.key+requestID)
	}
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	var object struct {
		Error  struct{ Code string }
		Errors []struct{ Extensions struct{ Code string } }
	}
	s.must(json.NewDecoder(resp.Body).Decode(&object))
	code = object.Error.Code
	if len(object.Errors) > 0 {
		code = object.Errors[0].Extensions.Code
	}
	return resp.StatusCode, code, resp.Header
}

// wantTrouble checks the response to troubled[i], and what was logged of it.
func (s *harness) wantTrouble(i int, requestID string, executed, known bool) {
	s.t.Helper()
	c := troubled[i]
	status, code, h := s.do(i, requestID)
	if status != http.StatusServiceUnavailable && !executed || code != "service_unavailable" || h.Get("Retry-After") != "1" && !executed {
		s.t.Errorf("%s: got %d %s, Retry-After %q", c.name, status, code, h.Get("Retry-After"))
	}
	logged := s.failures(requestID)
	if len(logged) != 1 || logged[0]["code"] != "service_unavailable" || logged[0]["error"] == "" {
		s.t.Errorf("%s: logged %v", c.name, logged)
		return
	}
	if known && (logged[0]["tenant"] == "" || logged[0]["operation"] != c.operation) {
		s.t.Errorf("%s: logged without its caller or operation: %v", c.name, logged[0])
	}
}

// If the database goes away during an operation, the request is a 503 with Retry-After,
// in GraphQL an error of its response, and one line in the log.
func TestTroubleIsShownAndLogged(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for i, c := range troubled {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, relay := cutHarness(t)
			s.faults.Listen(func(statement string, _ ...any) {
				if strings.Contains(statement, "missions") {
					relay.Cut()
				}
			})
			s.wantTrouble(i, "req-in-trouble", c.path == "/graphql", true)
			s.faults.Listen(nil)
			relay.Mend()
		})
	}
}

// While callers can't be looked up, they are told so in the same way, and aren't charged
// to their address as strangers.
func TestOutagesCostNothing(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	s, relay := cutHarness(t)
	charged := &countingLimiter{}
	s.allowances.Limiter = charged
	relay.Cut()
	var all sync.WaitGroup
	for i := range troubled {
		all.Go(func() { s.wantTrouble(i, fmt.Sprintf("outage-%d", i), false, false) })
	}
	all.Wait()
	if charged.count() != 0 {
		t.Errorf("callers that couldn't be looked up were charged %d requests", charged.count())
	}
	s.key = "nonsense" // nothing is in doubt about it
	if status, _, _ := s.do(0, "stranger-1"); status != http.StatusUnauthorized || charged.count() != 1 {
		t.Errorf("a bad credential returned %d and cost %d", status, charged.count())
	}
	relay.Mend()
}

// countingLimiter allows everything, and counts what is taken.
type countingLimiter struct {
	mu    sync.Mutex
	taken int
}

// count returns how many requests have been taken.
func (l *countingLimiter) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.taken
}

func (l *countingLimiter) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, b := range buckets {
		l.taken += b.Take
		verdicts[i] = ratelimit.Verdict{OK: true, Remaining: b.Rate.Limit}
	}
	return verdicts
}
