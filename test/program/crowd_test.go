package program

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// burst are clients that send requests as fast as they are answered, whatever the
// responses say, and what they got.
type burst struct {
	mu        sync.Mutex
	statuses  map[int]int
	unmarked  int // refusals without Retry-After
	slowest   time.Duration
	remaining int // the lowest X-RateLimit-Remaining
}

// send sends requests from so many clients until ctx ends. A request that has begun is
// finished.
func (c *burst) send(ctx context.Context, clients int, request func() *http.Request) {
	c.statuses = map[int]int{}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				resp, err := client.Do(request())
				if err != nil {
					c.add(0, nil, time.Since(began))
					continue
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				c.add(resp.StatusCode, resp.Header, time.Since(began))
			}
		})
	}
	all.Wait()
}

func (c *burst) add(status int, h http.Header, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.statuses[status]++
	c.slowest = max(c.slowest, took)
	if status >= http.StatusTooManyRequests && h.Get("Retry-After") == "" {
		c.unmarked++
	}
	if n, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err == nil && (c.remaining == 0 || n < c.remaining) {
		c.remaining = n
	}
}

// missionText is the body that creates a mission as a draft.
const missionText = `{"name":"x","objectives":["y"],"platforms":["twitter"],"duration_days":1}`

// creates returns requests that create missions on an API.
func creates(api *missiond.Process, key string) func() *http.Request {
	return func() *http.Request {
		req, err := http.NewRequest("POST", api.URL+"/v1/missions", strings.NewReader(missionText))
		if err != nil {
			panic(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("Content-Type", "application/json")
		return req
	}
}

// Five hundred clients of one tenant create missions as fast as they can: all requests
// of another tenant succeed, and the crowd's own succeed or are refused with
// Retry-After. Latencies are only logged.
func TestCrowdOfOneTenant(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("a load of 20 s: nightly")
	}
	f := missiond.NewFleet(t, testkit.Redis(t))
	_, crowdKey := f.Tenant("--limit", missiond.Unlimited, "--limit", "missions.create=100000000/h")
	api := f.Serve()
	read := func() time.Duration {
		began := time.Now()
		api.Call("GET", "/v1/missions", nil, http.StatusOK)
		return time.Since(began)
	}
	reads := func(ctx context.Context) (all []time.Duration) {
		for ctx.Err() == nil {
			all = append(all, read())
		}
		slices.Sort(all)
		return all
	}
	idle, cancel := context.WithTimeout(t.Context(), 5*time.Second) // Cut off: what is measured goes on.
	defer cancel()
	before := reads(idle)
	loaded, cancel := context.WithTimeout(t.Context(), 15*time.Second) // Cut off: what is measured goes on.
	defer cancel()
	var c burst
	var all sync.WaitGroup
	all.Go(func() { c.send(loaded, 500, creates(api, crowdKey)) })
	during := reads(loaded)
	all.Wait()
	for status := range c.statuses {
		if status != http.StatusCreated && status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests {
			t.Errorf("the crowd got %d", status)
		}
	}
	if c.unmarked > 0 {
		t.Errorf("%d refusals were without Retry-After", c.unmarked)
	}
	p99 := func(all []time.Duration) time.Duration { return all[len(all)*99/100] }
	t.Logf("reads: idle %d, p50 %s, p99 %s; beside the crowd %d, p50 %s, p99 %s, slowest %s; the crowd got %v, the slowest after %s",
		len(before), before[len(before)/2], p99(before), len(during), during[len(during)/2], p99(during), during[len(during)-1], c.statuses, c.slowest)
}

// A limit that is far away refuses nobody, however many ask at once, and what is said to
// remain of it is true to 1 %: also if Redis responds late, and the process limits by itself.
func TestLargeLimits(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	for name, patience := range map[string]string{"Redis responds": "10s", "Redis is late": "1ns"} {
		t.Run(name, func(t *testing.T) {
			f := missiond.NewFleet(t, testkit.Redis(t))
			_, key := f.Tenant("--limit", "requests=100000/h", "--limit", "missions.create=100000/h")
			api := f.Serve("--limit-patience", patience)
			const limit, clients, enough = 100_000, 400, 1_500 // more than 1 %
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			create := creates(api, key)
			var c burst
			c.send(ctx, clients, func() *http.Request {
				c.mu.Lock()
				defer c.mu.Unlock()
				if c.statuses[http.StatusCreated] >= enough {
					cancel()
				}
				return create()
			})
			created := c.statuses[http.StatusCreated]
			if c.statuses[http.StatusTooManyRequests] > 0 {
				t.Errorf("the crowd got %v", c.statuses)
			}
			if off := c.remaining - (limit - created); off < -limit/100 || off > limit/100 {
				t.Errorf("after %d requests %d remain", created, c.remaining)
			}
			t.Logf("%v; %d remain", c.statuses, c.remaining)
		})
	}
}
