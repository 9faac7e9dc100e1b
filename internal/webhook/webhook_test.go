package webhook

import (
	"bufio"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
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

	"missiond/internal/testkit"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"missiond/internal/outbound"
	"missiond/internal/testkit/await"
)

// What is signed is what the interface's recipe and the Standard Webhooks'
// own library verify; while a secret replaces another, either verifies.
func TestSign(t *testing.T) {
	body, now := []byte(`{"id":"evt_1"}`), time.Now()
	older, newer := NewSecret(), NewSecret()
	h := http.Header{}
	Sign(h, "evt_1", body, now, 1, newer, older)
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
	if !recipe(h, body, older) || recipe(h, body, newer) {
		t.Errorf("the signatures are %v", h.Values("X-SVC-Signature"))
	}
	// A fixed example, computed by hand: printf '1700000000.{}' | openssl dgst -sha256 -hmac secret-of-sixteen
	Sign(h, "evt_1", []byte("{}"), time.Unix(1_700_000_000, 0), 0, "secret-of-sixteen")
	if got := h.Values("X-SVC-Signature"); len(got) != 1 || got[0] != "sha256="+example {
		t.Errorf("the example is signed %v, want %s", got, example)
	}
	if h.Get("X-SVC-Timestamp") != "1700000000" || h.Get("webhook-id") != "evt_1" {
		t.Errorf("the headers are %v", h)
	}
}

// recipe is the interface's recipe of a receiver (section 6), in a server that joins
// repeated headers, as Node's does.
func recipe(h http.Header, body []byte, secret string) bool {
	m := hmac.New(sha256.New, []byte(secret))
	_, _ = m.Write([]byte(strings.Join(h.Values("X-SVC-Timestamp"), ", ") + "." + string(body)))
	want := "sha256=" + hex.EncodeToString(m.Sum(nil))
	return hmac.Equal([]byte(strings.Join(h.Values("X-SVC-Signature"), ", ")), []byte(want))
}

// What Standard Webhooks libraries make of a customer's secret is what signs: with or
// without whsec_, padded or not, in either alphabet; the interface's recipe has the
// secret as it is.
func TestCustomersSecrets(t *testing.T) {
	body, now := []byte(`{"id":"evt_1"}`), time.Now()
	key := []byte("\xfb\xef\xbe\xff 0123456789 0123456789!")
	for _, secret := range []string{
		"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", base64.StdEncoding.EncodeToString(key), "whsec_" + base64.StdEncoding.EncodeToString(key),
	} {
		h := http.Header{}
		Sign(h, "evt_1", body, now, 0, secret)
		verifier, err := standard.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.Verify(body, h); err != nil || !recipe(h, body, secret) {
			t.Errorf("%s: %v", secret, err)
		}
	}
	for _, secret := range []string{
		base64.RawStdEncoding.EncodeToString(key), base64.URLEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(key),
	} {
		h := http.Header{}
		Sign(h, "evt_1", body, now, 0, secret)
		for _, k := range [][]byte{key, []byte(secret)} {
			verifier, err := standard.NewWebhookRaw(k)
			if err != nil {
				t.Fatal(err)
			}
			if err := verifier.Verify(body, h); err != nil || !recipe(h, body, secret) {
				t.Errorf("%s: %v", secret, err)
			}
		}
	}
}

// A receiver may know the old secret, the new one, or change between messages: each
// message is accepted in one attempt, with the secret that was accepted last tried first.
func TestRotation(t *testing.T) {
	var mu sync.Mutex
	knows, requests := "old", 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		requests++
		if strings.HasPrefix(knows, "status ") || !recipe(r.Header, body, knows) {
			w.WriteHeader(cmp.Or(map[string]int{"status 403": 403, "status 400": 400}[knows], 401))
		}
	}))
	defer server.Close()
	c := NewClient(outbound.Rules{Local: true}, time.Now)
	defer c.Close()
	for _, tt := range []struct {
		knows            string
		first            int
		status, requests int
		secret           int
	}{
		{"old", 1, 200, 1, 1}, {"new", 1, 200, 2, 0}, {"new", 0, 200, 1, 0}, {"old", 0, 200, 2, 1}, {"neither", 1, 401, 2, 0}, {"status 403", 0, 403, 2, 1}, {"status 400", 0, 400, 1, 0},
	} {
		mu.Lock()
		knows, requests = tt.knows, 0
		mu.Unlock()
		r := c.Send(context.Background(), Message{URL: server.URL, EventID: "evt_1", Body: []byte("{}"), Secrets: []string{"new", "old"}, First: tt.first})
		if r.StatusCode != tt.status || requests != tt.requests || r.Secret != tt.secret {
			t.Errorf("%+v: got %+v after %d requests", tt, r, requests)
		}
	}
	// With one secret, a refusal is a refusal.
	knows, requests = "neither", 0
	if r := c.Send(context.Background(), Message{URL: server.URL, EventID: "evt_1", Secrets: []string{"new"}}); r.StatusCode != 401 || requests != 1 {
		t.Errorf("%+v after %d requests", r, requests)
	}
}

// raw is a receiver that is given each request of a connection, counted from 1, and
// returns the bytes to send; the connection is then closed unless more is true.
func raw(t *testing.T, respond func(n int) (bytes string, more bool)) (url string, requests *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	requests = &atomic.Int64{}
	var wait sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wait.Wait() })
	wait.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wait.Go(func() {
				defer func() { _ = conn.Close() }()
				in := bufio.NewReader(conn)
				for n := 1; ; n++ {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					requests.Add(1)
					text, more := respond(n)
					if _, err := io.WriteString(conn, text); err != nil || !more {
						return
					}
				}
			})
		}
	})
	return "http://" + l.Addr().String(), requests
}

// A receiver that closes a connection instead of responding to its second request gets
// each event in one attempt, at most twice; one that closes new connections too gets no
// third.
func TestReusedConnections(t *testing.T) {
	const events = 50
	url, requests := raw(t, func(n int) (string, bool) {
		if n == 1 {
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true
		}
		return "", false
	})
	c := NewClient(outbound.Rules{Local: true}, time.Now)
	defer c.Close()
	for range events {
		if r := c.Send(context.Background(), Message{URL: url, EventID: "evt_1", Body: []byte("{}"), Secrets: []string{"x"}}); !r.OK() {
			t.Fatalf("%+v", r)
		}
	}
	if n := requests.Load(); n > 2*events {
		t.Errorf("%d events were %d requests", events, n)
	}
	var first atomic.Bool
	url, requests = raw(t, func(int) (string, bool) {
		if first.CompareAndSwap(false, true) {
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true
		}
		return "", false
	})
	for i, want := range []struct {
		status   int
		requests int64
	}{{200, 1}, {0, 3}, {0, 4}} {
		r := c.Send(context.Background(), Message{URL: url, EventID: "evt_1", Body: []byte("{}"), Secrets: []string{"x"}})
		if r.StatusCode != want.status || requests.Load() != want.requests {
			t.Errorf("message %d: %+v, %d requests", i, r, requests.Load())
		}
	}
}

// The status is the response, however its body ends.
func TestBodiesThatEndBadly(t *testing.T) {
	for _, tt := range []struct {
		response string
		status   int
		text     string
	}{
		{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok", 200, "ok"},
		{"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", 202, "ok"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense", 200, ""},
		{"HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nno", 500, "no"},
		{"HTTP/1.1 200 OK\r\nContent-Le", 0, ""},
		{"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", 0, ""},
	} {
		url, requests := raw(t, func(int) (string, bool) { return tt.response, false })
		c := NewClient(outbound.Rules{Local: true}, time.Now)
		r := c.Send(context.Background(), Message{URL: url, EventID: "evt_1", Secrets: []string{"x"}})
		if r.StatusCode != tt.status || r.Response != tt.text || (r.Error == "") != (tt.status != 0) || requests.Load() != 1 {
			t.Errorf("%q: %+v after %d requests", tt.response, r, requests.Load())
		}
		c.Close()
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
	testkit.SkipIfShort(t)
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
		"drips":            {drip, true, 200, ""},
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
			if took := time.Since(start); took > await.Within(20*time.Second) {
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
