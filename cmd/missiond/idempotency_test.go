package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/identity"
	"missiond/internal/testkit"
)

// keyed answers a request with an Idempotency-Key.
func (s *stage) keyed(key, method, path string, body any) (status int, text string, replayed bool) {
	s.t.Helper()
	encoded, err := json.Marshal(body)
	s.must(err)
	req, err := http.NewRequest(method, s.server.URL+path, bytes.NewReader(encoded))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := s.server.Client().Do(req)
	if err != nil {
		return 0, err.Error(), false
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	s.must(err)
	return resp.StatusCode, string(answer), resp.Header.Get("Idempotent-Replayed") == "true"
}

// creating are a create through each API.
var creating = map[string]struct {
	path string
	body func(name string) map[string]any
}{
	"rest": {"/v1/missions", func(name string) map[string]any { return body(map[string]any{"name": name}) }},
	"graphql": {"/graphql", func(name string) map[string]any {
		return map[string]any{"query": fmt.Sprintf(`mutation { createMission(input: {name: %q, objectives: ["y"], platforms: [TWITTER], durationDays: 1}) { mission { id name } } }`, name)}
	}},
}

func eachStage(t *testing.T, test func(t *testing.T, s *stage)) {
	t.Helper()
	for dialect, open := range dialects() {
		t.Run(dialect, func(t *testing.T) { test(t, newStage(t, open)) })
	}
}

// A key's second use is answered as the first, byte for byte; another body is a
// conflict; another credential's keys are its own.
func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *stage) {
		for api, c := range creating {
			s.key = s.keys["ours"]
			total := restAPI{s}.list(nil).Fields["total"].(float64)
			status, first, replayed := s.keyed("key-"+api, "POST", c.path, c.body("one"))
			if replayed || status >= 300 {
				t.Fatalf("%s answers %d %s", api, status, first)
			}
			s.clock.Advance(time.Minute)
			again, second, replayed := s.keyed("key-"+api, "POST", c.path, c.body("one"))
			if again != status || second != first || !replayed {
				t.Errorf("%s answers again %d %s, %v, want %d %s", api, again, second, replayed, status, first)
			}
			if _, other, _ := s.keyed("key-"+api, "POST", c.path, c.body("two")); !strings.Contains(other, `"conflict"`) || !strings.Contains(other, "Idempotency-Key") {
				t.Errorf("%s answers another body %s", api, other)
			}
			s.field(restAPI{s}.list(nil), "total", total+1)
			s.key = s.keys["theirs"]
			if _, foreign, replayed := s.keyed("key-"+api, "POST", c.path, c.body("one")); replayed || foreign == first {
				t.Errorf("%s answers another tenant %s", api, foreign)
			}
		}
		s.key = s.keys["ours"]
		// What was refused is refused again; what was never done is free.
		bad := body(map[string]any{"name": ""})
		_, refused, _ := s.keyed("bad", "POST", "/v1/missions", bad)
		if _, again, replayed := s.keyed("bad", "POST", "/v1/missions", bad); again != refused || !replayed {
			t.Errorf("a refusal is answered again as %s", again)
		}
		s.keyed("free", "POST", "/v1/nothing", bad)
		if status, text, replayed := s.keyed("free", "POST", "/v1/missions", body(nil)); status != http.StatusCreated || replayed {
			t.Errorf("a key that did nothing answers %d %s", status, text)
		}
		for _, key := range []string{strings.Repeat("x", 256), "with space", "ünï"} {
			if status, text, _ := s.keyed(key, "POST", "/v1/missions", body(nil)); status != http.StatusBadRequest || !strings.Contains(text, `"param":"Idempotency-Key"`) {
				t.Errorf("the key %q answers %d %s", key, status, text)
			}
		}
		// Secrets are answered again too, though the database doesn't show them.
		_, made, _ := s.keyed("secret", "POST", "/v1/auth/keys", map[string]any{"name": "x"})
		if _, again, _ := s.keyed("secret", "POST", "/v1/auth/keys", map[string]any{"name": "x"}); again != made || !strings.Contains(made, "cms_live_") {
			t.Errorf("a key's secret is answered again as %s, was %s", again, made)
		}
		// Reads don't care.
		if _, _, replayed := s.keyed("read", "GET", "/v1/missions", nil); replayed {
			t.Error("a read is replayed")
		}
		query := map[string]any{"query": "{ viewer { authMethod } }"}
		s.keyed("query", "POST", "/graphql", query)
		if _, _, replayed := s.keyed("query", "POST", "/graphql", query); replayed {
			t.Error("a query is replayed")
		}
		// What callers without a credential were answered isn't kept.
		s.key = ""
		ann := map[string]any{"clerk_token": s.token(identity.DevPerson{Email: "ann@example.com"})}
		for range 2 {
			if status, text, replayed := s.keyed("login", "POST", "/v1/auth/login", ann); status != http.StatusOK || replayed {
				t.Errorf("a login with a key answers %d %s, replayed %v", status, text, replayed)
			}
		}
	})
}

// A hundred twins of one create make one mission and get one answer.
func TestIdempotentTwins(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *stage) {
		for api, c := range creating {
			s.key = s.keys["ours"]
			total := restAPI{s}.list(nil).Fields["total"].(float64)
			answers := make([]string, 100)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { _, answers[i], _ = s.keyed("twins-"+api, "POST", c.path, c.body("one")) })
			}
			all.Wait()
			for _, a := range answers {
				if a != answers[0] {
					t.Errorf("%s: a twin is answered %s, another %s", api, a, answers[0])
				}
			}
			s.field(restAPI{s}.list(nil), "total", total+1)
		}
	})
}

// A crash before any statement of a request, and the same request once more:
// one effect, and the answer of a success.
func TestIdempotentCrashes(t *testing.T) {
	testkit.SkipIfShort(t)
	operations := map[string]func(s *stage, key string) (int, string, bool){
		"create a mission": func(s *stage, key string) (int, string, bool) {
			return s.keyed(key, "POST", "/v1/missions", body(map[string]any{"start_immediately": true}))
		},
		"create a key": func(s *stage, key string) (int, string, bool) {
			return s.keyed(key, "POST", "/v1/auth/keys", map[string]any{"name": key})
		},
		"two mutations": func(s *stage, key string) (int, string, bool) {
			one := creating["graphql"].body("x")["query"].(string)
			one = strings.TrimSuffix(strings.TrimPrefix(one, "mutation {"), "}")
			return s.keyed(key, "POST", "/graphql", map[string]any{"query": "mutation { a: " + one + " b: " + one + "}"})
		},
	}
	for name, run := range operations {
		for dialect, open := range dialects() {
			t.Run(name+"/"+dialect, func(t *testing.T) {
				t.Parallel() // it waits for leases
				crashes(t, newStage(t, open), name, run)
			})
		}
	}
}

func crashes(t *testing.T, s *stage, name string, run func(s *stage, key string) (int, string, bool)) {
	t.Helper()
	done := false
	for n := int64(1); !done; n++ {
		key := strings.ReplaceAll(fmt.Sprintf("%s %d", name, n), " ", "-")
		want := s.counted() + 1
		if name == "two mutations" {
			want++
		}
		crashed := s.crash(n, key, run)
		status, text, _ := run(s, key)
		if status >= 300 || strings.Contains(text, `"errors"`) {
			t.Fatalf("after a crash at statement %d it answers %d %s", n, status, text)
		}
		if _, again, replayed := run(s, key); again != text || !replayed || s.counted() != want {
			t.Errorf("after a crash at statement %d %d records are there, want %d; it answers %s, then %s, %v", n, s.counted(), want, text, again, replayed)
		}
		if done = !crashed; done && n < 8 {
			t.Errorf("it has only %d statements", n)
		}
	}
}

// A regeneration is cut off between its price's reservation and its end: the
// next try writes the post anew once, and is answered with it.
func TestRegenerationIsCutOff(t *testing.T) {
	testkit.SkipIfShort(t)
	for dialect, open := range dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel() // it waits for leases
			s := newStage(t, open)
			regenerate := func(id string) func(s *stage, key string) (int, string, bool) {
				return func(s *stage, key string) (int, string, bool) {
					return s.keyed(key, "POST", "/v1/content/"+id+"/regenerate", map[string]any{"instructions": "In short."})
				}
			}
			_, id := s.written(restAPI{s}, reviewed)
			before := s.faults.Statements()
			if status, text, _ := regenerate(id)(s, "whole"); status != http.StatusOK {
				t.Fatalf("it answers %d %s", status, text)
			}
			statements := s.faults.Statements() - before
			for _, share := range []int64{4, 6, 8, 10} {
				_, id := s.written(restAPI{s}, reviewed)
				key, n := fmt.Sprint("cut-", share), statements*share/10
				if !s.crash(n, key, regenerate(id)) {
					t.Fatalf("it has no statement %d", n)
				}
				status, text, _ := regenerate(id)(s, key)
				if status != http.StatusOK || !strings.Contains(text, `"revision":2`) {
					t.Errorf("cut off at statement %d of %d it answers %d %s", n, statements, status, text)
				}
				if _, again, replayed := regenerate(id)(s, key); again != text || !replayed {
					t.Errorf("cut off at statement %d of %d it answers %s, then %s, %v", n, statements, text, again, replayed)
				}
				s.field(restAPI{s}.content(id), "revision", 2.0)
			}
		})
	}
}

// counted is how many missions and keys the tenant has.
func (s *stage) counted() int {
	s.t.Helper()
	keys := restAPI{s}.page("/auth/keys", nil).Fields["total"].(float64)
	return int(restAPI{s}.list(nil).Fields["total"].(float64) + keys)
}

// crash has the n-th statement of a request end it, and answers whether there
// was one.
func (s *stage) crash(n int64, key string, send func(s *stage, key string) (int, string, bool)) (crashed bool) {
	s.t.Helper()
	var done atomic.Bool
	s.faults.Arm(n, func() { done.Store(true); panic(http.ErrAbortHandler) })
	defer s.faults.Disarm()
	send(s, key)
	return done.Load()
}

// Clients that send each request until it is answered, to a program that is
// killed at any moment: each is done once.
func TestKeyedRequestsSurvive(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	r, folder := seeded(t), t.TempDir()
	p := dev(t, folder)
	var mu sync.Mutex // over p
	var stop atomic.Bool
	answers := make([]map[string]string, 4)
	var all sync.WaitGroup
	for i := range answers {
		answers[i] = map[string]string{}
		all.Go(func() {
			for n := 0; !stop.Load(); n++ {
				key := fmt.Sprintf("client-%d-%d", i, n)
				for answers[i][key] == "" {
					mu.Lock()
					target := p
					mu.Unlock()
					if id := target.keyedCreate(key); id != "" {
						answers[i][key] = id
					}
				}
			}
		})
	}
	const rounds = 6
	for range rounds {
		pause(r, 1500*time.Millisecond)
		mu.Lock()
		p.kill()
		p = dev(t, folder)
		mu.Unlock()
	}
	stop.Store(true)
	all.Wait()
	ids := map[string]bool{}
	keys := 0
	for _, of := range answers {
		for _, id := range of {
			keys++
			ids[id] = true
		}
	}
	total := p.call("GET", "/v1/missions?limit=1", nil, http.StatusOK)["total"]
	if len(ids) != keys || total != float64(keys) || keys < rounds {
		t.Errorf("%d requests made %d missions, %v are there", keys, len(ids), total)
	}
}

// keyedCreate sends a create and answers the mission's id, or "" where no
// answer came.
func (p *program) keyedCreate(key string) string {
	text, err := json.Marshal(missionBody(1, 1))
	if err != nil {
		return ""
	}
	req, err := http.NewRequest("POST", p.url+"/v1/missions", bytes.NewReader(text))
	if err != nil {
		return ""
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	var made map[string]any
	if json.NewDecoder(resp.Body).Decode(&made) != nil || resp.StatusCode != http.StatusCreated {
		return ""
	}
	return made["id"].(string)
}
