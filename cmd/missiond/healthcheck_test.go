package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	status := map[string]int{"/livez": http.StatusOK, "/readyz": http.StatusServiceUnavailable}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status[r.URL.Path])
		_, _ = fmt.Fprintf(w, `{"status":"of %s"}`, r.URL.Path)
	}))
	defer s.Close()
	check := healthcheckCommand{OpsAddr: s.Listener.Addr().String(), Timeout: time.Minute}
	if err := check.Run(t.Context()); err != nil {
		t.Errorf("alive: %v", err)
	}
	check.Ready = true
	if err := check.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "503") || !strings.Contains(err.Error(), "of /readyz") {
		t.Errorf("not ready: got the error %v, want the status and the body", err)
	}
}

func TestHealthcheckTimeout(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stuck:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(stuck)
	check := healthcheckCommand{OpsAddr: s.Listener.Addr().String(), Timeout: 10 * time.Millisecond}
	if err := check.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "deadline") {
		t.Errorf("a process that is stuck: got the error %v, want the deadline's", err)
	}
}

func TestHealthcheckURL(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"127.0.0.1:9090": "http://127.0.0.1:9090/livez", "0.0.0.0:9090": "http://127.0.0.1:9090/livez", ":9091": "http://127.0.0.1:9091/livez",
		"[::]:9090": "http://127.0.0.1:9090/livez", "localhost:1": "http://localhost:1/livez", "[::1]:9090": "http://[::1]:9090/livez", "9090": "",
	} {
		got, err := healthcheckCommand{OpsAddr: addr}.url()
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: got %q, %v, want %q", addr, got, err, want)
		}
	}
}
