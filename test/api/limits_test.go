package api

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"missiond/internal/identity"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/ratelimit"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
	"missiond/store"
)

// bound gives the harness a real limiter.
func (s *harness) bound(url string) {
	s.t.Helper()
	o, err := redis.ParseURL(url)
	s.must(err)
	client := redis.NewUniversalClient(ratelimit.Client(redis.UniversalOptions{Addrs: []string{o.Addr}, DB: o.DB}, await.Long()))
	testkit.Cleanup(s.t, func() { _ = client.Close() })
	s.allowances.Limiter = ratelimit.New(client, await.Long(), time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry())
}

// tenantOn creates a tenant and makes its admin the caller.
func (s *harness) tenantOn(plan mission.TenantPlan, limits mission.Limits) {
	s.t.Helper()
	_, key, err := s.Accounts.CreateTenant(context.Background(), accounts.NewTenant{Name: "Limited", Plan: plan, Limits: limits})
	s.must(err)
	s.key = key
}

// head returns the status and the headers of a response.
func (s *harness) head(method, path string, body io.Reader) (int, http.Header) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.server.URL+path, body)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.server.Client().Do(req)
	s.must(err)
	_ = resp.Body.Close()
	return resp.StatusCode, resp.Header
}

// A tenant's plan limits its requests to both APIs together; each response says
// how many remain.
func TestPlanLimits(t *testing.T) {
	t.Parallel()
	for name, redisURL := range map[string]func(testing.TB) string{"embedded": testkit.Miniredis, "servers": testkit.Redis} {
		t.Run(name, func(t *testing.T) {
			s := newHarness(t, testkit.SQLite)
			s.bound(redisURL(t))
			for plan, want := range map[mission.TenantPlan]int{mission.PlanFree: 60, mission.PlanPro: 300, mission.PlanEnterprise: 1000} {
				s.tenantOn(plan, nil)
				began := time.Now()
				// left reports whether a header has the requests that remain of the minute's
				// limit, including those refilled in the meantime.
				left := func(h http.Header, used int) bool {
					remain, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
					back := int(float64(want) * time.Since(began).Minutes())
					return err == nil && remain >= want-used && remain <= want-used+back
				}
				for i, path := range []string{"/v1/missions", "/v1/nothing", "/v1/missions/msn_x", "/v1/auth/whoami"} {
					_, h := s.head("GET", path, nil)
					if h.Get("X-RateLimit-Limit") != strconv.Itoa(want) || !left(h, i+1) {
						t.Errorf("%s on %s has the headers %v", path, plan, h)
					}
				}
				s.send("POST", "/graphql", map[string]any{"query": "{ viewer { authMethod } }"})
				if _, h := s.head("GET", "/v1/missions", nil); !left(h, 6) {
					t.Errorf("after five REST requests and one of GraphQL %s remain", h.Get("X-RateLimit-Remaining"))
				}
			}
			s.tenantOn(mission.PlanFree, mission.Limits{"requests": "6/h", "burst": "2"})
			var remaining []string
			for range 8 {
				status, h := s.head("GET", "/v1/missions", nil)
				remaining = append(remaining, h.Get("X-RateLimit-Remaining"))
				if status != http.StatusOK || h.Get("X-RateLimit-Limit") != "6" {
					t.Errorf("within limit and burst: got %d %v", status, h)
				}
			}
			if got := fmt.Sprint(remaining); got != "[5 4 3 2 1 0 0 0]" {
				t.Errorf("got %s remaining requests", got)
			}
			status, h := s.head("GET", "/v1/missions", nil)
			wait, _ := strconv.Atoi(h.Get("Retry-After"))
			reset, _ := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
			if status != http.StatusTooManyRequests || wait < 595 || wait > 600 || reset < s.real.Now().Unix()+4790 || reset > s.real.Now().Unix()+4801 {
				t.Errorf("beyond the limit: got %d %v", status, h)
			}
			s.want(restAPI{s}.call("GET", "/missions", nil), "rate_limit_exceeded", "")
			_, got := graphAPI{s}.call("{ viewer { authMethod } }", nil)
			s.want(got, "rate_limit_exceeded", "")
		})
	}
}

// An operation's own limit is shared by both APIs: each call takes one from it,
// and failed calls give it back.
func TestOperationLimits(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.bound(testkit.MiniredisAt(t, scenarioStart))
	rest, graph := restAPI{s}, graphAPI{s}
	s.tenantOn(mission.PlanEnterprise, nil)
	create := func(i int) string {
		return fmt.Sprintf(`m%d: createMission(input: {name: "x", objectives: ["y"], platforms: [TWITTER], durationDays: 1}) { mission { id } } `, i)
	}
	for range 20 {
		s.want(rest.create(body(map[string]any{"name": ""})), "invalid_request", "name")
		s.want(graph.create(body(map[string]any{"name": ""})), "invalid_request", "name")
		s.refusedUnread()
	}
	for range 4 {
		s.make(rest, nil)
	}
	_, response := s.send("POST", "/graphql", map[string]any{"query": "mutation { " + create(1) + create(2) + create(3) + "}"})
	if response["errors"] != nil {
		t.Errorf("three of one request returned %v", response["errors"])
	}
	_, response = s.send("POST", "/graphql", map[string]any{"query": "mutation { " + create(1) + create(2) + create(3) + create(4) + "}"})
	data := response["data"].(map[string]any)
	if errs, _ := response["errors"].([]any); len(errs) != 1 || data["m3"] == nil || data["m4"] != nil {
		t.Errorf("with three left, four of one request returned %v", response)
	}
	status, object := s.send("POST", "/v1/missions", body(nil))
	e, _ := object["error"].(map[string]any)
	if after, _ := e["retry_after"].(float64); status != http.StatusTooManyRequests || after < 300 || after > 360 {
		t.Errorf("the eleventh returned %d %v", status, object)
	}
	// Other operations, other tenants, and tenants with a higher limit aren't affected.
	s.field(rest.list(nil), "total", 10.0)
	s.tenantOn(mission.PlanFree, mission.Limits{"missions.create": "12/h"})
	for range 12 {
		s.make(rest, nil)
	}
	s.want(rest.create(body(nil)), "rate_limit_exceeded", "")
}

// refusedUnread sends creates that are refused before their bodies are read.
func (s *harness) refusedUnread() {
	s.t.Helper()
	for name, alter := range map[string]func(*http.Request){
		"another media type": func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
		"too long":           func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2<<20 },
		"too long, without Content-Length": func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat(" ", 2<<20))), -1
		},
		"no idempotency key":  func(r *http.Request) { r.Header.Set("Idempotency-Key", "") },
		"another's bad token": func(r *http.Request) { r.Header.Set("Authorization", "Bearer sk_live_nobodys") },
	} {
		r := httptest.NewRequest("POST", "/v1/missions", strings.NewReader("{}"))
		r.Header.Set("Authorization", "Bearer "+s.key)
		r.Header.Set("Content-Type", "application/json")
		alter(r)
		w := httptest.NewRecorder()
		s.server.Config.Handler.ServeHTTP(w, r)
		if w.Code < 400 || w.Code > 415 {
			s.t.Errorf("%s returned %d %s", name, w.Code, w.Body)
		}
	}
}

// Callers without a credential are limited by address, and logins by user.
func TestAddressLimits(t *testing.T) {
	t.Parallel()
	s := newHarness(t, func(t testing.TB, o store.Options) *store.DB { return testkit.SQLite(t, o) })
	s.bound(testkit.MiniredisAt(t, scenarioStart))
	rest := restAPI{s}
	for i := range 100 {
		got := rest.call("POST", "/auth/login", map[string]any{"clerk_token": s.token(identity.DevPerson{Email: "often@example.com"})})
		if got.Code != "" {
			t.Fatalf("login %d returned %s", i+1, got.Code)
		}
	}
	s.want(rest.call("POST", "/auth/login", map[string]any{"clerk_token": s.token(identity.DevPerson{Email: "often@example.com"})}), "rate_limit_exceeded", "")
	if got := rest.call("POST", "/auth/login", map[string]any{"clerk_token": s.token(identity.DevPerson{Email: "other@example.com"})}); got.Code != "" {
		t.Errorf("another user's login returned %s", got.Code)
	}
	s.key = "nonsense"
	refused := 0
	for range 300 {
		switch status, h := s.head("GET", "/v1/missions", nil); {
		case h.Get("X-RateLimit-Limit") != "300":
			t.Fatalf("%d has the headers %v", status, h)
		case status == http.StatusUnauthorized:
			refused++
		case status != http.StatusTooManyRequests:
			t.Fatalf("got %d", status)
		}
	}
	if want := 300 - 102; refused != want {
		t.Errorf("%d passed before the limit, want %d", refused, want)
	}
}

// Both APIs report a tenant's requests by day and for the month.
func TestUsageView(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, graph := restAPI{s}, graphAPI{s}
			s.tenantOn(mission.PlanPro, mission.Limits{"requests": "100/m"})
			for range 3 {
				rest.list(nil)
			}
			s.must(s.Accounts.FlushUsage(context.Background()))
			s.clock.Advance(24 * time.Hour)
			rest.list(nil)
			s.must(s.Accounts.FlushUsage(context.Background()))
			s.picture(s.principal())
			bytes := float64(len(mediatest.JPEG(8, 8)))
			for i, got := range []result{
				rest.call("GET", "/usage", nil),
				graph.run(`{ usage { currentPeriod { requests limit resetAt } media { bytes limit } dailyUsage { date requests } } }`, nil, "usage"),
			} {
				s.field(got, "current_period", map[string]any{"requests": 4.0, "limit": 100.0 * 60 * 24 * 30, "reset_at": "2026-12-01T00:00:00.000Z"})
				s.field(got, "media", map[string]any{"bytes": bytes, "limit": float64(mission.MediaQuota(mission.PlanPro))})
				days := got.Fields["daily_usage"].([]any)
				if len(days) != 30 {
					t.Fatalf("API %d lists %d days", i, len(days))
				}
				for back, want := range map[int]map[string]any{29: {"date": "2026-11-22", "requests": 1.0}, 28: {"date": "2026-11-21", "requests": 3.0}, 0: {"date": "2026-10-24", "requests": 0.0}} {
					s.equal("a day's date", days[back].(map[string]any)["date"], want["date"])
					s.equal("a day's requests", days[back].(map[string]any)["requests"], want["requests"])
				}
			}
		})
	}
}
