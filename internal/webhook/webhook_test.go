package webhook

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"missiond/internal/outbound"
)

// What is signed is what the interface's recipe and the Standard Webhooks'
// own library verify; while a secret replaces another, either verifies.
func TestSign(t *testing.T) {
	body, now := []byte(`{"id":"evt_1"}`), time.Now()
	older, newer := NewSecret(), NewSecret()
	h := http.Header{}
	Sign(h, "evt_1", body, now, newer, older)
	for i, secret := range []string{newer, older} {
		verifier, err := standard.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.Verify(body, h); err != nil {
			t.Errorf("secret %d: %v", i, err)
		}
		if err := verifier.Verify([]byte(`{"id":"evt_2"}`), h); err == nil {
			t.Error("another body passes")
		}
	}
	if got := h.Values("X-SVC-Signature"); len(got) != 2 || !strings.HasPrefix(got[0], "sha256=") || len(got[0]) != 7+64 {
		t.Errorf("the signatures are %v", got)
	}
	// A fixed example, computed by hand: printf '1700000000.{}' | openssl dgst -sha256 -hmac secret-of-sixteen
	Sign(h, "evt_1", []byte("{}"), time.Unix(1_700_000_000, 0), "secret-of-sixteen")
	if got := h.Values("X-SVC-Signature"); len(got) != 1 || got[0] != "sha256="+example {
		t.Errorf("the example is signed %v, want %s", got, example)
	}
	if h.Get("X-SVC-Timestamp") != "1700000000" || h.Get("webhook-id") != "evt_1" {
		t.Errorf("the headers are %v", h)
	}
}

const example = "392db33d6f2a0f4fbeb9ccc6adda8cff2aa84622afe4c9353c909534d99d6f08"

// A client under production's rules connects to nothing on this machine,
// whatever leads there.
func TestClientKeepsOut(t *testing.T) {
	var reached atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	server.Config.ConnState = func(net.Conn, http.ConnState) { reached.Add(1) }
	server.Start()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	c := NewClient(outbound.Rules{}, time.Now)
	defer c.Close()
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0177.0.0.1", "0x7f000001", "[::1]", "0.0.0.0"} {
		r := c.Send(context.Background(), Message{URL: "http://" + host + ":" + port, EventID: "evt_1", Secrets: []string{"x"}})
		if r.OK() || r.StatusCode != 0 || r.Error == "" || strings.Contains(r.Error, "127.") {
			t.Errorf("%s: %+v", host, r)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

// A hundred receivers with endless responses, concurrently, cost memory that
// doesn't grow with what they send.
func TestEndlessResponsesAreNotKept(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.Copy(w, zeros{})
	}))
	defer server.Close()
	c := NewClient(outbound.Rules{Local: true}, time.Now)
	defer c.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if r := c.Send(context.Background(), Message{URL: server.URL, EventID: "evt_1", Secrets: []string{"x"}}); r.StatusCode != 200 || len(r.Response) != keptBody {
				t.Errorf("%d with %d bytes: %s", r.StatusCode, len(r.Response), r.Error)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	// The server's side is counted too.
	if grown := (after.TotalAlloc - before.TotalAlloc) / 100; grown > 256<<10 {
		t.Errorf("a receiver costs %d bytes", grown)
	}
}

// Hostile receivers cost bounded time and memory, and say nothing of us.
func TestHostileReceivers(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		for {
			_, err := w.Write([]byte("x"))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
			if err != nil {
				return
			}
		}
	}
	for name, tt := range map[string]struct {
		handle http.HandlerFunc
		ok     bool
		status int
		says   string
	}{
		"takes it":         {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, true, 204, ""},
		"status 500":       {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret stack", 500) }, false, 500, ""},
		"redirects":        {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, false, 302, ""},
		"a large response": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 50<<20) }, true, 200, ""},
		"hangs":            {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, false, 0, noResponse},
		"drips":            {drip, false, 0, noResponse},
		"resets":           {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, 0, noResponse},
		"huge headers":     {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 64<<10)) }, false, 0, noResponse},
		"says it is zip": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte("\x1f\x8b"))
		}, true, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // or the server doesn't see that its caller is gone
				tt.handle(w, r)
			}))
			t.Cleanup(server.Close)
			c := NewClient(outbound.Rules{Local: true}, time.Now)
			t.Cleanup(c.Close)
			start := time.Now()
			r := c.Send(context.Background(), Message{URL: server.URL, EventID: "evt_1", Body: []byte("{}"), Secrets: []string{"x"}})
			if r.OK() != tt.ok || r.StatusCode != tt.status || r.Error != tt.says || len(r.Response) > keptBody {
				t.Errorf("%+v", r)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// A receiver whose certificate isn't good isn't trusted.
func TestBadCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request arrived") }))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = nil
	server.StartTLS()
	defer server.Close()
	c := NewClient(outbound.Rules{Local: true}, time.Now)
	defer c.Close()
	if r := c.Send(context.Background(), Message{URL: server.URL, Secrets: []string{"x"}}); r.Error != noResponse {
		t.Errorf("%+v", r)
	}
}

// A tenant isn't told apart what the service's resolver knows, what its firewall
// lets through and what listens there.
func TestReasonsAreOne(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	for name, tt := range map[string]struct {
		rules outbound.Rules
		url   string
	}{
		"not public":    {outbound.Rules{}, "https://127.0.0.1/"},
		"no such name":  {outbound.Rules{}, "https://nobody.invalid/"},
		"refused":       {outbound.Rules{Local: true}, "http://" + closed.Addr().String()},
		"no port of it": {outbound.Rules{}, "https://192.0.2.1:25/"},
	} {
		c := NewClient(tt.rules, time.Now)
		defer c.Close()
		if r := c.Send(context.Background(), Message{URL: tt.url, Secrets: []string{"x"}}); r.Error != noResponse || r.StatusCode != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
