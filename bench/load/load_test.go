package load_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/bench/load"
)

func TestAnswers(t *testing.T) {
	long := strings.Repeat("a long answer ", 20_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/long":
			_, _ = io.WriteString(w, long) // in chunks
		case "/no":
			http.Error(w, "no", http.StatusTeapot)
		default:
			_, _ = w.Write(append([]byte(r.Header.Get("A")), body...))
		}
	}))
	defer server.Close()
	addr := server.Listener.Addr().String()
	c, err := load.Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, x := range []struct{ method, path, body, want, refused string }{
		{"GET", "/", "", "b", ""},
		{"GET", "/long", "", long, ""},
		{"POST", "/", "{}", "b{}", ""},
		{"GET", "/no", "", "no\n", "418: no"},
		{"GET", "/", "", "b", ""},
	} {
		body, err := c.Do(load.Request(x.method, addr, x.path, x.body, "A: b"))
		if string(body) != x.want || (err != nil) != (x.refused != "") || err != nil && !strings.Contains(err.Error(), x.refused) {
			t.Fatalf("%s %s: %d bytes, %v", x.method, x.path, len(body), err)
		}
	}
	options := load.Options{
		Addr: addr, Workers: 3, Warm: 10 * time.Millisecond, For: 50 * time.Millisecond, Requests: [][]byte{load.Request("GET", addr, "/", "")},
	}
	if r, err := load.Run(t.Context(), options); err != nil || len(r.Latencies) == 0 || r.Answered <= len(r.Latencies) {
		t.Errorf("%d of %d answers count, %v", len(r.Latencies), r.Answered, err)
	}
	options.Requests = [][]byte{load.Request("GET", addr, "/no", "")}
	if _, err := load.Run(t.Context(), options); err == nil || !strings.Contains(err.Error(), "418: no") {
		t.Errorf("a refusal is told as %v", err)
	}
}
