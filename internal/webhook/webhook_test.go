package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"missiond/mission"
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

// names is a name server on this machine that answers as a test says: each look-up
// of a name takes its next addresses, the last ones again and again.
type names map[string][][]string

func (n names) resolver(t testing.TB) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	t.Cleanup(func() { _ = socket.Close(); wait.Wait() })
	wait.Go(func() {
		buffer, asked := make([]byte, 1500), map[dnsmessage.Question]int{}
		for {
			size, from, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:size]) == nil && len(m.Questions) == 1 {
				q := m.Questions[0]
				answer := n.answer(m, asked[q])
				asked[q]++
				bytes, _ := answer.Pack()
				_, _ = socket.WriteTo(bytes, from)
			}
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}

// answer answers a question that was asked so often before.
func (n names) answer(m dnsmessage.Message, asked int) dnsmessage.Message {
	q := m.Questions[0]
	host := strings.TrimSuffix(q.Name.String(), ".")
	m.Header = dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}
	m.Additionals = nil
	steps := n[host]
	if len(steps) == 0 {
		m.RCode = dnsmessage.RCodeNameError
		return m
	}
	for _, text := range steps[min(asked, len(steps)-1)] {
		ip, header := netip.MustParseAddr(text), dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
		switch {
		case q.Type == dnsmessage.TypeA && ip.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}})
		case q.Type == dnsmessage.TypeAAAA && ip.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	return m
}

// Addresses that aren't public are refused at registration, in all their forms.
func TestAddresses(t *testing.T) {
	r := Rules{Resolver: names{
		"public.example": {{"93.184.215.14"}}, "private.example": {{"10.0.0.1"}}, "both.example": {{"93.184.215.14", "127.0.0.1"}}, "six.example": {{"2606:2800:21f:cb07:6820:80da:af6b:8b2c"}},
	}.resolver(t)}
	for address, ok := range map[string]bool{
		"https://public.example/hook?a=b": true, "https://six.example": true, "https://93.184.215.14:8443/": true, "https://unknown.example": true,
		"http://public.example": false, "ftp://public.example": false, "https:public.example": false, "//public.example": false, "https://": false, "": false,
		"https://a:b@public.example": false, "https://a@public.example": false, "https://public.example/#f": false, "https://public.example/" + strings.Repeat("x", 2100): false,
		"https://private.example": false, "https://both.example": false, "https://localhost": false, "https://LOCALHOST:1": false, "https://a.localhost": false,
		"https://127.0.0.1": false, "https://127.1": false, "https://2130706433": false, "https://0x7f000001": false, "https://0177.0.0.1": false, "https://0x7f.1": false,
		"https://10.0.0.1": false, "https://192.168.1.1": false, "https://172.16.0.1": false, "https://100.64.0.1": false, "https://169.254.169.254": false,
		"https://0.0.0.0": false, "https://224.0.0.1": false, "https://255.255.255.255": false, "https://168.63.129.16": false, "https://198.18.0.1": false,
		"https://[::1]": false, "https://[::]": false, "https://[fe80::1]": false, "https://[fc00::1]": false, "https://[::ffff:10.0.0.1]": false, "https://[::ffff:93.184.215.14]": false,
		"https://[64:ff9b::10.0.0.1]": false, "https://[2002:a00:1::]": false, "https://[fe80::1%25eth0]": false, "https://[2001:db8::1]": false,
	} {
		err := r.Check(context.Background(), address)
		var m *mission.Error
		if (err == nil) != ok || err != nil && (!errors.As(err, &m) || m.Param != "url") {
			t.Errorf("%q answers %v", address, err)
		}
	}
	local := Rules{Local: true}
	for address, ok := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:8080/x": true, "http://[::1]:80": true, "https://10.0.0.1": false, "http://169.254.169.254": false, "http://[::ffff:127.0.0.1]": false,
	} {
		if err := local.Check(context.Background(), address); (err == nil) != ok {
			t.Errorf("in development %q answers %v", address, err)
		}
	}
}

// A client under production's rules connects to nothing on this machine,
// whatever leads there.
func TestClientKeepsOut(t *testing.T) {
	var reached atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	server.Config.ConnState = func(net.Conn, http.ConnState) { reached.Add(1) }
	server.Start()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	c := NewClient(Rules{}, time.Now)
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

// A name that leads to a public address when it is registered, and to this
// machine when it is connected to, gets no connection.
func TestRebinding(t *testing.T) {
	var reached atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	server.Config.ConnState = func(net.Conn, http.ConnState) { reached.Add(1) }
	server.Start()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	rules := Rules{Resolver: names{
		"turns.example": {{"93.184.215.14"}, {"127.0.0.1"}}, "turns-six.example": {{"93.184.215.14"}, {"::1", "fe80::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"}},
	}.resolver(t)}
	for _, host := range []string{"turns.example", "turns-six.example"} {
		url := "https://" + host + ":" + port
		if err := rules.Check(context.Background(), url); err != nil {
			t.Fatalf("%s isn't taken at registration: %v", host, err)
		}
		c := NewClient(rules, time.Now)
		r := c.Send(context.Background(), Message{URL: url, EventID: "evt_1", Secrets: []string{"x"}})
		if r.StatusCode != 0 || r.Error != "The URL leads to an address that isn't public." {
			t.Errorf("%s: %+v", host, r)
		}
		c.Close()
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

// A hundred receivers that answer without end, at once, cost memory that
// doesn't grow with what they send.
func TestEndlessAnswersAreNotKept(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.Copy(w, zeros{})
	}))
	defer server.Close()
	c := NewClient(Rules{Local: true}, time.Now)
	defer c.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if r := c.Send(context.Background(), Message{URL: server.URL, EventID: "evt_1", Secrets: []string{"x"}}); r.StatusCode != 200 || len(r.Answer) != keptAnswer {
				t.Errorf("%d with %d bytes: %s", r.StatusCode, len(r.Answer), r.Error)
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
		"takes it":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, true, 204, ""},
		"answers 500":  {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret stack", 500) }, false, 500, ""},
		"redirects":    {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, false, 302, ""},
		"answers much": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 50<<20) }, true, 200, ""},
		"hangs":        {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, false, 0, "within 5 seconds"},
		"drips":        {drip, false, 0, "within 5 seconds"},
		"resets":       {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, 0, "connection failed"},
		"huge headers": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 64<<10)) }, false, 0, "connection failed"},
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
			c := NewClient(Rules{Local: true}, time.Now)
			t.Cleanup(c.Close)
			start := time.Now()
			r := c.Send(context.Background(), Message{URL: server.URL, EventID: "evt_1", Body: []byte("{}"), Secrets: []string{"x"}})
			if r.OK() != tt.ok || r.StatusCode != tt.status || !strings.Contains(r.Error, tt.says) || len(r.Answer) > keptAnswer {
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
	c := NewClient(Rules{Local: true}, time.Now)
	defer c.Close()
	if r := c.Send(context.Background(), Message{URL: server.URL, Secrets: []string{"x"}}); r.Error != "The TLS connection failed." {
		t.Errorf("%+v", r)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, "-5": 0, "soon": 0, "99999999": maxRetryAfter, "Sat, 21 Nov 2026 08:10:00 GMT": 10 * time.Minute, "Sat, 21 Nov 2026 07:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	f.Add("https://example.com")
	r := Rules{Resolver: names{}.resolver(f)}
	f.Fuzz(func(t *testing.T, address string) {
		if err := r.Check(context.Background(), address); err == nil && !strings.HasPrefix(strings.ToLower(address), "https://") {
			t.Errorf("%q passes", address)
		}
	})
}
