package outbound

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit/await"
)

var options = Options{Call: time.Minute, Connect: time.Minute, Wait: time.Minute, Header: 4 << 10, Body: 100}

func get(t *testing.T, c *http.Client, address string) (text string, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	content, err := io.ReadAll(resp.Body)
	return string(content), err
}

// A client follows no redirect, decompresses nothing, and reads so much and no more.
func TestClient(t *testing.T) {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/long/", func(w http.ResponseWriter, r *http.Request) {
		n := map[string]int{"/long/100": 100, "/long/101": 101}[r.URL.Path]
		_, _ = io.WriteString(w, strings.Repeat("a", n))
	})
	mux.Handle("/there", http.RedirectHandler("/long/100", http.StatusFound))
	mux.HandleFunc("/zip", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "\x1f\x8b"+r.Header.Get("Accept-Encoding"))
	})
	for name, c := range map[string]*http.Client{"tenants'": Rules{Local: true}.Client(options), "operators'": Rules{}.Trusted(options)} {
		if text, err := get(t, c, server.URL+"/long/100"); err != nil || len(text) != 100 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if text, err := get(t, c, server.URL+"/long/101"); !errors.Is(err, ErrTooLong) || len(text) != 100 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if text, err := get(t, c, server.URL+"/there"); err != nil || !strings.Contains(text, "Found") {
			t.Errorf("%s: a redirect led to %q, %v", name, text, err)
		}
		if text, err := get(t, c, server.URL+"/zip"); err != nil || text != "\x1f\x8b" {
			t.Errorf("%s: got %q, %v", name, text, err)
		}
	}
}

// The end of a call ends the reads of its response, whatever is being read: a body needn't
// know of the call's context, as that of a 101 doesn't.
func TestBodyEndsWithItsCall(t *testing.T) {
	in, out := net.Pipe()
	defer func() { _ = out.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	b := newBody(ctx, cancel, in, 100)
	read := make(chan error, 1)
	go func() {
		_, err := b.Read(make([]byte, 1))
		read <- err
	}()
	cancel()
	select {
	case err := <-read:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(await.Long()):
		t.Fatal("the read goes on")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// A server that accepts a connection and says nothing, neither in TLS nor after, keeps it
// for no longer than a connection may take.
func TestHandshakeStalls(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns sync.WaitGroup
	accepted := make(chan struct{}, 1)
	conns.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		accepted <- struct{}{}
		_, _ = io.Copy(io.Discard, conn) // until the caller closes it
		_ = conn.Close()
	})
	o := options
	o.Connect = 50 * time.Millisecond
	if _, err := get(t, Rules{Local: true}.Client(o), "https://"+l.Addr().String()); err == nil {
		t.Error("it responded")
	}
	<-accepted
	conns.Wait()
	_ = l.Close()
}

func TestLimitsAreRequired(t *testing.T) {
	for name, change := range map[string]func(o *Options){
		"call": func(o *Options) { o.Call = 0 }, "connect": func(o *Options) { o.Connect = 0 }, "wait": func(o *Options) { o.Wait = 0 },
		"header": func(o *Options) { o.Header = 0 }, "body": func(o *Options) { o.Body = 0 },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a client without a limit of %s", name)
				}
			}()
			o := options
			change(&o)
			Rules{}.Client(o)
		}()
	}
}
