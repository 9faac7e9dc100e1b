package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/ratelimit"
	"missiond/internal/service/idempotency"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// ledger is a limiter whose buckets never refill.
type ledger struct {
	mu   sync.Mutex
	used map[string]int
}

func (l *ledger) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	verdicts, refused := make([]ratelimit.Verdict, len(buckets)), false
	for i, b := range buckets {
		if refused = refused || l.used[b.Key]+b.Take > b.Rate.Limit+b.Rate.Burst; !refused {
			l.used[b.Key] += b.Take
		}
		verdicts[i] = ratelimit.Verdict{OK: !refused, Remaining: max(0, b.Rate.Limit-l.used[b.Key]), Wait: time.Second}
	}
	return verdicts
}

// spent returns what fn takes from the caller's bucket: its requests', or an operation's.
func (l *ledger) spent(s *harness, op string, fn func()) int {
	p, err := s.Accounts.Identify(context.Background(), s.key)
	s.must(err)
	key := "rl:{" + p.TenantID + "}" + op
	before := l.used[key]
	fn()
	return l.used[key] - before
}

// A request weighs one, and one more for each fifty rows that it makes or changes, and for
// each hundred deliveries that it asks for, through both APIs, and each post that it makes
// together with others one; one that weighs more than the bucket holds takes a full bucket.
func TestRequestsWeighWhatTheyMake(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	l := &ledger{used: map[string]int{}}
	s.allowances.Limiter = l
	s.tenantOn(mission.PlanEnterprise, nil)
	id := s.reviewed()
	var ids []string
	wants := func(what string, want int, fn func()) {
		t.Helper()
		if got := l.spent(s, "", fn); got != want {
			t.Errorf("%s weighs %d, want %d", what, got, want)
		}
	}
	wants("an import of 120 rows", 3, func() { ids = s.imported(s.rows(id, 120)) })
	wants("a dry run of 49", 1, func() { s.upload("application/x-ndjson", "/v1/content/import?dry_run=true", s.rows(id, 49)) })
	wants("an import through GraphQL", 2, func() {
		graphAPI{s}.load("ndjson", s.rows(id, 50), map[string]any{"dry_run": true})
	})
	wants("a review of 100 posts", 3, func() {
		if _, code := s.query(`mutation { approveContents(ids: ["` + strings.Join(ids[:100], `","`) + `"]) { contents { id } } }`); code != "" {
			t.Error(code)
		}
	})
	wants("100 posts that are moved", 3, func() {
		at := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		if _, code := s.query(`mutation { rescheduleContents(items: [{id: "` + strings.Join(ids[:100], `", scheduledAt: "`+at+`"}, {id: "`) + `", scheduledAt: "` + at + `"}]) { results { id } } }`); code != "" {
			t.Error(code)
		}
	})
	wants("50 posts that are canceled", 2, func() {
		if _, code := s.query(`mutation { cancelContents(ids: ["` + strings.Join(ids[:50], `","`) + `"]) { results { id } } }`); code != "" {
			t.Error(code)
		}
	})
	topics := func(topic string) map[string]any {
		return map[string]any{"constraints": map[string]any{"excluded_topics": []string{topic}}}
	}
	unsettled := len(ids) - 50 + 1 // the reviewed mission's own is held
	wants("other topics of a mission", 1+unsettled/50, func() { s.ok(http.MethodPut, "/v1/missions/"+id, topics("gardens")) })
	wants("the same topics through GraphQL", 1+unsettled/50, func() {
		if _, code := s.query(`mutation { updateMission(id: "` + id + `", input: {constraints: {excludedTopics: ["ponds"]}}) { mission { id } } }`); code != "" {
			t.Error(code)
		}
	})
	wants("another name of a mission", 1, func() { s.ok(http.MethodPut, "/v1/missions/"+id, map[string]any{"name": "x"}) })
	brand := map[string]any{"brand": map[string]any{"excluded_topics": []string{"trees"}}}
	wants("other topics of the brand", 1+unsettled/50, func() { s.ok(http.MethodPut, "/v1/tenant", brand) })
	wants("the same topics of the brand", 1, func() { s.ok(http.MethodPut, "/v1/tenant", brand) })
	wants("an estimate of 18,300 posts", 10, func() {
		if _, code := s.query(`{ estimateMission(input: {name: "x", objectives: ["y"], platforms: [TWITTER], durationDays: 366, constraints: {postsPerDay: 50}}) { estimatedPosts } }`); code != "" {
			t.Error(code)
		}
	})
	wants("three posts made together", 3, func() {
		item := map[string]any{"platform": "TWITTER", "text": "One."}
		s.together(id, item, item, item)
	})
	wants("a review of one", 1, func() { s.ok(http.MethodPost, "/v1/content/"+ids[100]+"/approve", nil) })
	s.tenantOn(mission.PlanFree, mission.Limits{mission.LimitRequests: "5/m", mission.LimitBurst: "0"})
	l.used = map[string]int{}
	if status, _ := s.upload("application/x-ndjson", "/v1/content/import?dry_run=true", s.rows(id, 1000)); status != http.StatusOK {
		t.Errorf("an import that weighs more than a full bucket holds: %d", status)
	}
	l.used = map[string]int{}
	wants("a list", 1, func() { s.ok(http.MethodGet, "/v1/content", nil) })
	status, object := s.upload("application/x-ndjson", "/v1/content/import?dry_run=true", s.rows(id, 1000))
	if words := fmt.Sprint(object["error"]); status != http.StatusTooManyRequests || !strings.Contains(words, "21 requests") {
		t.Errorf("an import that weighs more than is left: %d %s", status, words)
	}
}

// Whatever creates a mission takes from the allowance of creates: that of a duplicate, and of
// the mission of onboarding; what fails takes nothing.
func TestMissionsTakeFromOneAllowance(t *testing.T) {
	t.Parallel()
	for api, run := range map[string]func(s *harness, id string) []func() (code string){
		"rest": func(s *harness, id string) []func() string {
			return []func() string{
				func() string { return restAPI{s}.call("POST", "/missions", body(nil)).Code },
				func() string { return restAPI{s}.duplicate(id).Code },
			}
		},
		"graphql": func(s *harness, id string) []func() string {
			return []func() string{
				func() string { return graphAPI{s}.create(body(nil)).Code },
				func() string { return graphAPI{s}.duplicate(id).Code },
			}
		},
	} {
		t.Run(api, func(t *testing.T) {
			s := newHarness(t, testkit.SQLite)
			l := &ledger{used: map[string]int{}}
			s.allowances.Limiter = l
			id := s.make(restAPI{s}, nil)
			for i, create := range run(s, id) {
				l.used = map[string]int{}
				if n := l.spent(s, ":missions.create", func() { s.equal("its code", create(), "") }); n != 1 {
					t.Errorf("the creation %d takes %d", i, n)
				}
				p, err := s.Accounts.Identify(context.Background(), s.key)
				s.must(err)
				l.used["rl:{"+p.TenantID+"}:missions.create"] = 10
				s.equal("the code of one more", create(), string(mission.CodeRateLimitExceeded))
			}
		})
	}
	s := newHarness(t, testkit.SQLite)
	l := &ledger{used: map[string]int{}}
	s.allowances.Limiter = l
	s.key = s.session("ann")
	a := restAPI{s}
	for _, tt := range []struct {
		body map[string]any
		want int
	}{
		{object{"name": "Ours"}, 0},
		{object{"name": "Ours", "mission": body(nil)}, 1},
		{object{"name": "Ours", "mission": object{"name": "x"}}, 0},
	} {
		if n := l.spent(s, ":missions.create", func() { a.call("POST", "/onboard", tt.body) }); n != tt.want {
			t.Errorf("onboarding with %v takes %d creates, want %d", tt.body, n, tt.want)
		}
	}
}

// A tenant has a maximum of active keys, and of rotating ones; one that is revoked makes room.
func TestKeysHaveAMaximum(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			a := restAPI{s}
			var last string
			for range mission.MaxKeys - 1 { // the tenant has one
				last, _ = a.call("POST", "/auth/keys", object{"name": "k"}).Fields["id"].(string)
			}
			s.equal("one more", a.call("POST", "/auth/keys", object{"name": "k"}).Code, string(mission.CodeConflict))
			s.equal("a rotation", a.call("POST", "/auth/keys/"+last+"/rotate", object{"grace_period_days": 1}).Code, "")
			s.equal("one more", a.call("POST", "/auth/keys", object{"name": "k"}).Code, string(mission.CodeConflict))
			s.equal("a revocation", a.call("DELETE", "/auth/keys/"+last, nil).Code, "")
			s.equal("after a rotated key ended", a.call("POST", "/auth/keys", object{"name": "k"}).Code, string(mission.CodeConflict))
			for i := range mission.MaxKeys + 1 {
				last = a.call("GET", "/auth/keys", nil).Fields["data"].([]any)[0].(map[string]any)["id"].(string)
				rotated := a.call("POST", "/auth/keys/"+last+"/rotate", object{"grace_period_days": 90})
				if want := map[bool]string{true: string(mission.CodeConflict)}[i == mission.MaxKeys]; rotated.Code != want {
					t.Fatalf("rotation %d: %v, want %q", i+1, rotated, want)
				}
			}
			s.equal("a revocation", a.call("DELETE", "/auth/keys/"+last, nil).Code, "")
			s.equal("after a revocation", a.call("POST", "/auth/keys", object{"name": "k"}).Code, "")
		})
	}
}

// Memory for bodies is reserved as they arrive: those that don't end take only their own
// tenant's share, which they give back when they go.
func TestBodiesThatDontEnd(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	held := make([]net.Conn, 4) // the share of a tenant
	refused := func() bool {
		for i, c := range held {
			if c == nil || answered(c) { // another request has taken what it needed
				held[i] = s.stall("/v1/content/import", "text/csv", s.key, 3<<20)
			}
		}
		status, _ := s.upload("text/csv", "/v1/content/import", importHead+strings.Repeat("\n", 400<<10))
		return status == http.StatusServiceUnavailable
	}
	s.until("the share to be reserved", refused)
	s.ok(http.MethodPost, "/v1/content/validate", object{"platform": "mastodon", "text": "small"})
	for _, c := range held {
		s.must(c.Close())
	}
	held = nil
	s.until("the share to be free", func() bool { return !refused() })
}

// answered reports whether there is an answer on a connection, or its end.
func answered(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// A response for which the tenant has no room isn't kept, but that its request was carried
// out is: a retry is told so, and changes nothing.
func TestResponsesThatArentKept(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			s.fillKept()
			rows := []byte(s.rows(s.reviewed(), 120))
			for i, want := range []int{http.StatusOK, http.StatusConflict, http.StatusConflict} {
				status, text, _ := s.keyedAs("application/x-ndjson", "k", http.MethodPost, "/v1/content/import", rows)
				if status != want || want == http.StatusConflict && !strings.Contains(text, "was carried out before (API: with this Idempotency-Key and status 200)") {
					t.Errorf("use %d of the key: %d %.300s", i+1, status, text)
				}
			}
			if total := s.ok(http.MethodGet, "/v1/content", nil)["total"]; total != 120.0 {
				t.Errorf("there are %v posts", total)
			}
			if status, _, replayed := s.keyed("small", http.MethodPost, "/v1/missions", body(nil)); status != http.StatusCreated || replayed {
				t.Errorf("a small response: %d, %v", status, replayed)
			}
			if status, _, replayed := s.keyed("small", http.MethodPost, "/v1/missions", body(nil)); status != http.StatusCreated || !replayed {
				t.Errorf("a small response's retry: %d, %v", status, replayed)
			}
		})
	}
}

// fillKept leaves the caller's tenant no room for responses.
func (s *harness) fillKept() {
	s.t.Helper()
	p, err := s.Accounts.Identify(context.Background(), s.key)
	s.must(err)
	full := store.KeyedRequest{TenantID: p.TenantID, Key: "full", Fingerprint: "f", Holder: "h", CreatedAt: s.real.Now()}
	_, _, err = s.DB.ClaimRequest(context.Background(), full, time.Minute, s.real.Now().Add(-time.Hour))
	s.must(err)
	_, err = s.DB.CompleteRequest(context.Background(), full, strings.Repeat("x", idempotency.MaxStored-100), idempotency.MaxStored)
	s.must(err)
}

// A request that may be tried again goes on behind what it did. Where the tenant has no room
// for that, a retry is told so, and changes nothing.
func TestResultsThatArentKept(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			s.bound(testkit.MiniredisAt(t, scenarioStart))
			create := creating["graphql"].body("x")["query"].(string)
			two := object{"query": strings.Replace(create, "{", `{ updateTenant(input: {name: "Renamed"}) { tenant { id } } `, 1)}
			for retry, code := range map[string]mission.Code{"goes on": mission.CodeRateLimitExceeded, "is refused": mission.CodeConflict} {
				s.tenantOn(mission.PlanFree, mission.Limits{"missions.create": "1/h"})
				s.make(restAPI{s}, nil)
				if code == mission.CodeConflict {
					s.fillKept()
				}
				for _, want := range []mission.Code{mission.CodeRateLimitExceeded, code} {
					if _, text, replayed := s.keyed("k", http.MethodPost, "/graphql", two); replayed || !strings.Contains(text, string(want)) {
						t.Errorf("where a retry %s a use of the key got %s, want %s", retry, text, want)
					}
				}
			}
		})
	}
}
