package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"code.dny.dev/ssrf"
	"golang.org/x/net/dns/dnsmessage"

	"missiond/mission"
)

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
		// What can never work, or leads elsewhere once a host's name is mapped to ASCII.
		"https://public.example:0/": false, "https://public.example:65535/": true, "https://public.example:65536/": false, "https://public.example:99999": false, "https://public.example:99999999999999999999": false,
		"https://public..example/": false, "https://.public.example/": false, "https://./": false, "https://public.example./": true, "https://public.example../": false,
		"https://" + strings.Repeat("a", 63) + ".example/": true, "https://" + strings.Repeat("a", 64) + ".example/": false,
		"https://" + strings.Repeat("abcdefghi.", 24) + "example.com": true, "https://" + strings.Repeat("abcdefghi.", 25) + "exam": false,
		"https://public.example/ok ": false, " https://public.example/": false, "https://public.example/a b": false, "https://public.example/a\u00a0b": false, "https://public.example/a\u2003": false, "https://public.example/\n": false,
		"https://public.example/\u200b": false, "https://public.example/\u202egpj": false, "https://public.example/?a=\U000e0041": false, "https://public.example/ü?\u2764\ufe0f": true,
		"https://a_b.example/": true, "https://a$b.example/": false, "https://a%20b.example/": false, "https://a*.example/": false, "https://bücher.example/": true, "https://xn--bcher-kva.example/": true,
		"https://-public.example/": false, "https://public-.example/": false, "https://-bücher.example/": false, "https://a--b.public.example/": true, "https://r3---sn.public.example/": true,
		"https://xn--zzzzzz99/": false, "https://a.XN--zzzzzz99.example/": false, "https://xn--.example/": false, "https://نامه\u200cای.example/": true,
		"https://exam\u00adple.com/": false, "https://exam\u200bple.com/": false, "https://exam\u2060ple.com/": false, "https://example\ufe0f.com/": false,
		"https://public.example:/": false, "https://93.184.215.14:/": false, "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:/": false,
		"https://10。0。0。1/ok": false, "https://10．0．0．1/": false, "https://10｡0｡0｡1/": false, "https://１０.0.0.1/": false, "https://①⓪.0.0.1/": false, "https://１２７。１/": false, "https://２１３０７０６４３３/": false, "https://0ｘ7f.1/": false,
		"https://ｌｏｃａｌｈｏｓｔ/": false, "https://localhost./": false, "https://a.localhost./": false, "https://127.0.0.1./": false, "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c%25eth0]/": false, "https://[::ffff:a00:1]/": false,
	} {
		err := r.Check(context.Background(), "url", address)
		var m *mission.Error
		if (err == nil) != ok || err != nil && (!errors.As(err, &m) || m.Param != "url") {
			t.Errorf("%q: got %v", address, err)
		}
	}
	local := Rules{Local: true}
	for address, ok := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:8080/x": true, "http://[::1]:80": true, "https://10.0.0.1": false, "http://169.254.169.254": false, "http://[::ffff:127.0.0.1]": false,
	} {
		if err := local.Check(context.Background(), "url", address); (err == nil) != ok {
			t.Errorf("in development %q: got %v", address, err)
		}
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
		if err := rules.Check(context.Background(), "url", url); err != nil {
			t.Fatalf("%s isn't taken at registration: %v", host, err)
		}
		c := rules.Client(Options{Call: time.Second, Connect: time.Second, Wait: time.Second, Header: 1 << 10, Body: 1 << 10})
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		if !errors.Is(err, ssrf.ErrProhibitedIP) && !errors.Is(err, ssrf.ErrProhibitedNetwork) {
			t.Errorf("%s answers %v", host, err)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

func FuzzCheckURL(f *testing.F) {
	f.Add("https://example.com")
	r := Rules{Resolver: names{}.resolver(f)}
	f.Fuzz(func(t *testing.T, address string) {
		if err := r.Check(context.Background(), "url", address); err == nil && !strings.HasPrefix(strings.ToLower(address), "https://") {
			t.Errorf("%q passes", address)
		}
	})
}
