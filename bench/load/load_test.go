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
	for _, x := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/", "", 200, "b"},
		{"GET", "/long", "", 200, long},
		{"POST", "/", "{}", 200, "b{}"},
		{"GET", "/no", "", 418, "no\n"},
		{"GET", "/", "", 200, "b"},
	} {
		for _, keep := range []bool{true, false} {
			a, err := c.Do(load.Request(x.method, addr, x.path, x.body, "A: b"), keep)
			if err != nil || a.Status != x.status || (keep || a.Status >= 300) && string(a.Body) != x.want {
				t.Fatalf("%s %s: %d, %d bytes, %v", x.method, x.path, a.Status, len(a.Body), err)
			}
		}
	}
	options := load.Options{
		Addr: addr, Workers: 3, Warm: 10 * time.Millisecond, For: 50 * time.Millisecond,
		Next: func(int, int) []byte { return load.Request("GET", addr, "/", "") },
	}
	if r, err := load.Run(t.Context(), options); err != nil || r.PerSecond() == 0 {
		t.Errorf("%d answers, %v", len(r.Latencies), err)
	}
	options.Next = func(int, int) []byte { return load.Request("GET", addr, "/no", "") }
	if _, err := load.Run(t.Context(), options); err == nil || !strings.Contains(err.Error(), "418: no") {
		t.Errorf("a refusal is told as %v", err)
	}
}
