package program

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// behindHAProxy starts a load balancer in front of programs. Without HAProxy the test
// fails in CI, and is skipped loudly elsewhere.
func behindHAProxy(t *testing.T, backends ...string) *servers.HAProxy {
	t.Helper()
	lb, err := servers.StartHAProxy(t.Context(), t.TempDir(), backends...)
	if err != nil {
		testkit.NotStarted(t, "HAProxy", err)
	}
	t.Cleanup(lb.Stop)
	return lb
}

// constantLoad sends requests through an address until stop is called, which returns
// how many succeeded, and why others failed.
func constantLoad(url, key string) (stop func() (succeeded int64, failed []string)) {
	var mu sync.Mutex
	var failed []string
	var succeeded atomic.Int64
	var over atomic.Bool
	var all sync.WaitGroup
	body, _ := json.Marshal(map[string]any{"query": "{ viewer { authMethod } }"})
	requests := []func() (*http.Request, error){
		func() (*http.Request, error) { return http.NewRequest("GET", url+"/v1/missions?limit=1", nil) },
		func() (*http.Request, error) { return http.NewRequest("POST", url+"/graphql", bytes.NewReader(body)) },
		func() (*http.Request, error) {
			return http.NewRequest("POST", url+"/v1/missions", strings.NewReader(missionText))
		},
	}
	for _, request := range requests {
		all.Go(func() {
			for !over.Load() {
				if err := send(request, key); err != nil {
					mu.Lock()
					failed = append(failed, err.Error())
					mu.Unlock()
					continue
				}
				succeeded.Add(1)
			}
		})
	}
	return func() (int64, []string) {
		over.Store(true)
		all.Wait()
		return succeeded.Load(), failed
	}
}

func send(request func() (*http.Request, error), key string) error {
	req, err := request()
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode > 299 {
		err = fmt.Errorf("%s: %d %s", req.URL.Path, resp.StatusCode, text)
	}
	return err
}

// Two APIs behind a load balancer are restarted, one after the other: no request
// fails. Each step waits for what the load balancer sees, as docs/operating.md says.
func TestRollingRestart(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	f := missiond.NewFleet(t, testkit.Redis(t))
	_, f.Key = f.Tenant("--limit", missiond.Unlimited, "--limit", "missions.create=10000000/h")
	addrs := []string{missiond.FreeAddr(t), missiond.FreeAddr(t)}
	start := func(addr string) *missiond.Process {
		return f.ServeOn(addr, "--drain-delay", "1h", "--limit-patience", "10s")
	}
	apis := []*missiond.Process{start(addrs[0]), start(addrs[1])}
	lb := behindHAProxy(t, addrs...)
	// A backend that is down for the load balancer may have a request yet that it was sent
	// before, and that a busy machine has not let it read.
	sees := func(want ...bool) func() bool {
		return func() bool {
			backends, _ := lb.Backends(t.Context())
			return slices.EqualFunc(backends, want, func(b servers.Backend, up bool) bool {
				return b.Up == up && (up || b.Sessions == 0)
			})
		}
	}
	apis[0].Await("both are up", sees(true, true))
	stop := constantLoad(lb.URL(), f.Key)
	for i, addr := range addrs {
		if err := apis[i].Cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		apis[i].Await("the load balancer sees it drain", sees(i == 1, i == 0))
		apis[i].Terminate() // a second signal ends the delay
		apis[i] = start(addr)
		apis[i].Await("both are up again", sees(true, true))
	}
	succeeded, failed := stop()
	if len(failed) > 0 || succeeded == 0 {
		t.Errorf("%d requests succeeded, %d failed: %.500q", succeeded, len(failed), failed)
	}
	t.Logf("%d requests", succeeded)
}

// While an API drains it serves requests, and says on both listeners that it isn't
// ready; responses close their connections, and a second signal ends the delay. SIGHUP
// counts as SIGTERM.
func TestDrain(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	f := missiond.NewFleet(t, testkit.Redis(t))
	// Under nohup programs would inherit that SIGHUP is ignored; they don't if it is handled.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	for _, end := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(fmt.Sprint(end), func(t *testing.T) {
			t.Parallel()
			ops := missiond.FreeAddr(t)
			api := f.ServeOn(missiond.FreeAddr(t), "--drain-delay", "1h", "--ops-addr", ops)
			if err := api.Cmd.Process.Signal(end); err != nil {
				t.Fatal(err)
			}
			for _, url := range []string{api.URL, "http://" + ops} {
				api.Await("not ready", func() bool {
					resp, err := http.Get(url + "/readyz")
					if err != nil {
						return false
					}
					defer func() { _ = resp.Body.Close() }()
					var state struct{ Status string }
					return json.NewDecoder(resp.Body).Decode(&state) == nil && resp.StatusCode == http.StatusServiceUnavailable && state.Status == "draining"
				})
			}
			resp, err := http.Get(api.URL + "/livez")
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK || !resp.Close {
				t.Errorf("while it drains, /livez returned %d; its connection closes: %t", resp.StatusCode, resp.Close)
			}
			api.Call("GET", "/v1/missions", nil, http.StatusOK)
			api.Terminate() // waits for less than the delay
		})
	}
}
