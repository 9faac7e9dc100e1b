package acceptance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
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
		t.Cleanup(func() { _ = db.Close() })
		return db
	})
	return s, relay
}

// failures returns the logged failures of a request.
func (s *harness) failures(requestID string) (found []map[string]any) {
	s.t.Helper()
	for lines := bufio.NewScanner(strings.NewReader(s.log.String())); lines.Scan(); {
		var line map[string]any
		s.must(json.Unmarshal(lines.Bytes(), &line))
		if line["request_id"] == requestID {
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

// While the database is away, every request is a 503 with Retry-After and one line in
// the log, whether its caller can't be looked up or its operation fails. Nobody is
// charged as a stranger: once the database is back, requests succeed at once.
func TestTroubleIsShownAndLogged(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s, relay := cutHarness(t)
	const verbs = -1 // the first statement about missions
	for i, c := range troubled {
		for way, statements := range map[string]int64{"at-once": 0, "operation": 2, "in-the-verb": verbs} {
			id := fmt.Sprintf("%s-%d", way, i)
			switch statements {
			case 0:
				relay.Cut()
			case verbs:
				s.faults.Listen(func(statement string, _ ...any) {
					if strings.Contains(statement, "missions") {
						relay.Cut()
					}
				})
			default:
				s.faults.Arm(statements, relay.Cut)
			}
			status, code, h := s.do(i, id)
			s.faults.Disarm()
			s.faults.Listen(nil)
			relay.Mend()
			executed := c.operation == "graphql.query" && statements != 0 || c.operation == "graphql.mutation" && statements == verbs // GraphQL's own response
			if status != http.StatusServiceUnavailable && !executed || code != "service_unavailable" || h.Get("Retry-After") != "1" && !executed {
				t.Errorf("%s, %s: got %d %s, Retry-After %q", c.name, way, status, code, h.Get("Retry-After"))
			}
			logged := s.failures(id)
			if len(logged) != 1 || logged[0]["code"] != "service_unavailable" || logged[0]["error"] == "" {
				t.Errorf("%s, %s: logged %v", c.name, way, logged)
				continue
			}
			if statements != 0 && logged[0]["tenant"] == "" || statements == verbs && logged[0]["operation"] != c.operation {
				t.Errorf("%s, %s: logged without its caller or operation: %v", c.name, way, logged[0])
			}
		}
	}
}

// A caller that can't be looked up isn't charged to its address as a stranger.
func TestOutagesCostNothing(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s, relay := cutHarness(t)
	charged := &countingLimiter{}
	s.allowances.Limiter = charged
	relay.Cut()
	for i := range troubled {
		if status, _, _ := s.do(i, fmt.Sprintf("outage-%d", i)); status != http.StatusServiceUnavailable {
			t.Errorf("%s returned %d", troubled[i].name, status)
		}
	}
	if charged.taken != 0 {
		t.Errorf("callers that couldn't be looked up were charged %d requests", charged.taken)
	}
	s.key = "nonsense" // nothing is in doubt about it
	if status, _, _ := s.do(0, "stranger-1"); status != http.StatusUnauthorized || charged.taken != 1 {
		t.Errorf("a bad credential returned %d and cost %d", status, charged.taken)
	}
}

// countingLimiter allows everything, and counts what is taken.
type countingLimiter struct{ taken int }

func (l *countingLimiter) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, b := range buckets {
		l.taken += b.Take
		verdicts[i] = ratelimit.Verdict{OK: true, Remaining: b.Rate.Limit}
	}
	return verdicts
}
