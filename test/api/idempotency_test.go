package api

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

// keyed sends a request with an Idempotency-Key and returns the response.
func (s *harness) keyed(key, method, path string, body any) (status int, text string, replayed bool) {
	s.t.Helper()
	encoded, err := json.Marshal(body)
	s.must(err)
	return s.keyedAs("application/json", key, method, path, encoded)
}

// keyedAs is keyed for a body of a type.
func (s *harness) keyedAs(contentType, key, method, path string, encoded []byte) (status int, text string, replayed bool) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.server.URL+path, bytes.NewReader(encoded))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Idempotency-Key", key)
	resp, err := s.server.Client().Do(req)
	if err != nil {
		return 0, err.Error(), false
	}
	defer func() { _ = resp.Body.Close() }()
	response, err := io.ReadAll(resp.Body)
	s.must(err)
	return resp.StatusCode, string(response), resp.Header.Get("Idempotent-Replayed") == "true"
}

// creating has a create request of each API.
var creating = map[string]struct {
	path string
	body func(name string) map[string]any
}{
	"rest": {"/v1/missions", func(name string) map[string]any { return body(map[string]any{"name": name}) }},
	"graphql": {"/graphql", func(name string) map[string]any {
		return map[string]any{"query": fmt.Sprintf(`mutation { createMission(input: {name: %q, objectives: ["y"], platforms: [TWITTER], durationDays: 1}) { mission { id name } } }`, name)}
	}},
}

func eachStage(t *testing.T, test func(t *testing.T, s *harness)) {
	t.Helper()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) { test(t, newHarness(t, open)) })
	}
}

// A key's second use returns the first response, byte for byte; with another body
// it is a conflict; another credential's keys are its own.
func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *harness) {
		for api, c := range creating {
			s.key = s.keys["ours"]
			total := restAPI{s}.list(nil).Fields["total"].(float64)
			status, first, replayed := s.keyed("key-"+api, "POST", c.path, c.body("one"))
			if replayed || status >= 300 {
				t.Fatalf("%s returned %d %s", api, status, first)
			}
			s.clock.Advance(time.Minute)
			again, second, replayed := s.keyed("key-"+api, "POST", c.path, c.body("one"))
			if again != status || second != first || !replayed {
				t.Errorf("%s returned %d %s, %v at the second use, want %d %s", api, again, second, replayed, status, first)
			}
			if _, other, _ := s.keyed("key-"+api, "POST", c.path, c.body("two")); !strings.Contains(other, `"conflict"`) || !strings.Contains(other, "Idempotency-Key") {
				t.Errorf("%s returned %s for another body", api, other)
			}
			s.field(restAPI{s}.list(nil), "total", total+1)
			s.key = s.keys["theirs"]
			if _, foreign, replayed := s.keyed("key-"+api, "POST", c.path, c.body("one")); replayed || foreign == first {
				t.Errorf("%s returned %s to another tenant", api, foreign)
			}
		}
		s.key = s.keys["ours"]
		// An error is returned again; a key whose request did nothing is free.
		bad := body(map[string]any{"name": ""})
		_, refused, _ := s.keyed("bad", "POST", "/v1/missions", bad)
		if _, again, replayed := s.keyed("bad", "POST", "/v1/missions", bad); again != refused || !replayed {
			t.Errorf("a repeated error is %s", again)
		}
		s.keyed("free", "POST", "/v1/nothing", bad)
		if status, text, replayed := s.keyed("free", "POST", "/v1/missions", body(nil)); status != http.StatusCreated || replayed {
			t.Errorf("a key whose request did nothing got %d %s", status, text)
		}
		for _, key := range []string{strings.Repeat("x", 256), "with space", "ünï"} {
			if status, text, _ := s.keyed(key, "POST", "/v1/missions", body(nil)); status != http.StatusBadRequest || !strings.Contains(text, `"param":"Idempotency-Key"`) {
				t.Errorf("the key %q got %d %s", key, status, text)
			}
		}
		// Secrets are returned again, too, though the database doesn't show them.
		_, made, _ := s.keyed("secret", "POST", "/v1/auth/keys", map[string]any{"name": "x"})
		if _, again, _ := s.keyed("secret", "POST", "/v1/auth/keys", map[string]any{"name": "x"}); again != made || !strings.Contains(made, "cms_live_") {
			t.Errorf("got %s for the repeated secret, want %s", again, made)
		}
		// Reads ignore the key.
		if _, _, replayed := s.keyed("read", "GET", "/v1/missions", nil); replayed {
			t.Error("a read is replayed")
		}
		query := map[string]any{"query": "{ viewer { authMethod } }"}
		s.keyed("query", "POST", "/graphql", query)
		if _, _, replayed := s.keyed("query", "POST", "/graphql", query); replayed {
			t.Error("a query is replayed")
		}
		// Responses to callers without a credential aren't stored.
		s.key = ""
		ann := map[string]any{"clerk_token": s.token(identity.DevPerson{Email: "ann@example.com"})}
		for range 2 {
			if status, text, replayed := s.keyed("login", "POST", "/v1/auth/login", ann); status != http.StatusOK || replayed {
				t.Errorf("a login with a key returned %d %s, replayed %v", status, text, replayed)
			}
		}
	})
}

// A hundred concurrent retries of one create make one mission and get one response,
// those told to try again when they have.
func TestConcurrentRetriesOfACreate(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *harness) {
		for api, c := range creating {
			s.key = s.keys["ours"]
			total := restAPI{s}.list(nil).Fields["total"].(float64)
			responses := make([]string, 100)
			var all sync.WaitGroup
			for i := range responses {
				all.Go(func() {
					for status := http.StatusServiceUnavailable; status == http.StatusServiceUnavailable; {
						status, responses[i], _ = s.keyed("concurrent-"+api, "POST", c.path, c.body("one"))
					}
				})
			}
			all.Wait()
			for _, a := range responses {
				if a != responses[0] {
					t.Errorf("%s: one request got %s, another %s", api, a, responses[0])
				}
			}
			s.field(restAPI{s}.list(nil), "total", total+1)
		}
	})
}

// After a crash before any statement of a request, the same request again has its
// effect once, and succeeds.
func TestIdempotentCrashes(t *testing.T) {
	testkit.SkipIfShort(t)
	operations := map[string]func(s *harness, key string) (int, string, bool){
		"create a mission": func(s *harness, key string) (int, string, bool) {
			return s.keyed(key, "POST", "/v1/missions", body(map[string]any{"start_immediately": true}))
		},
		"create a key": func(s *harness, key string) (int, string, bool) {
			return s.keyed(key, "POST", "/v1/auth/keys", map[string]any{"name": key})
		},
		"two mutations": func(s *harness, key string) (int, string, bool) {
			one := creating["graphql"].body("x")["query"].(string)
			one = strings.TrimSuffix(strings.TrimPrefix(one, "mutation {"), "}")
			return s.keyed(key, "POST", "/graphql", map[string]any{"query": "mutation { a: " + one + " b: " + one + "}"})
		},
	}
	for name, run := range operations {
		for dialect, open := range testkit.Dialects() {
			t.Run(name+"/"+dialect, func(t *testing.T) {
				t.Parallel()
				crashes(t, newHarness(t, open), name, run)
			})
		}
	}
}

func crashes(t *testing.T, s *harness, name string, run func(s *harness, key string) (int, string, bool)) {
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
			t.Fatalf("after a crash at statement %d the retry returned %d %s", n, status, text)
		}
		if _, again, replayed := run(s, key); again != text || !replayed || s.counted() != want {
			t.Errorf("after a crash at statement %d got %d records, want %d; the retries returned %s, then %s, %v", n, s.counted(), want, text, again, replayed)
		}
		if done = !crashed; done && n < 8 {
			t.Errorf("the request has only %d statements", n)
		}
	}
}

// A regeneration that is cut off between the reservation of its price and its end
// is done once by the next try, which returns the rewritten post.
func TestRegenerationIsCutOff(t *testing.T) {
	testkit.SkipIfShort(t)
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			regenerate := func(id string) func(s *harness, key string) (int, string, bool) {
				return func(s *harness, key string) (int, string, bool) {
					return s.keyed(key, "POST", "/v1/content/"+id+"/regenerate", map[string]any{"instructions": "In short."})
				}
			}
			_, id := s.written(restAPI{s}, reviewed)
			before := s.faults.Statements()
			if status, text, _ := regenerate(id)(s, "whole"); status != http.StatusOK {
				t.Fatalf("got %d %s", status, text)
			}
			statements := s.faults.Statements() - before
			for _, share := range []int64{4, 6, 8, 10} {
				_, id := s.written(restAPI{s}, reviewed)
				key, n := fmt.Sprint("cut-", share), statements*share/10
				if !s.crash(n, key, regenerate(id)) {
					t.Fatalf("the request has no statement %d", n)
				}
				status, text, _ := regenerate(id)(s, key)
				if status != http.StatusOK || !strings.Contains(text, `"revision":2`) {
					t.Errorf("cut off at statement %d of %d the retry returned %d %s", n, statements, status, text)
				}
				if _, again, replayed := regenerate(id)(s, key); again != text || !replayed {
					t.Errorf("cut off at statement %d of %d the retries returned %s, then %s, %v", n, statements, text, again, replayed)
				}
				s.field(restAPI{s}.content(id), "revision", 2.0)
			}
		})
	}
}

// counted returns the number of the tenant's missions and keys.
func (s *harness) counted() int {
	s.t.Helper()
	keys := restAPI{s}.page("/auth/keys", nil).Fields["total"].(float64)
	return int(restAPI{s}.list(nil).Fields["total"].(float64) + keys)
}

// leaseOver is longer than the lease of a request.
const leaseOver = time.Minute

// crash makes the n-th statement of a request fail, and reports whether there was
// one. The lease of its process ends at once.
func (s *harness) crash(n int64, key string, send func(s *harness, key string) (int, string, bool)) (crashed bool) {
	s.t.Helper()
	var done atomic.Bool
	s.faults.Arm(n, func() {
		done.Store(true)
		s.faults.Later(leaseOver) // the client repeats a lost request by itself
		panic(http.ErrAbortHandler)
	})
	defer s.faults.Disarm()
	send(s, key)
	return done.Load()
}
