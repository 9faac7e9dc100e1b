package app

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Whoever guesses the operators' password is told that these are too many, and floods no log. Whoever knows
// it is admitted all the same, from the same address too.
func TestGuard(t *testing.T) {
	const password = "correct horse"
	var log bytes.Buffer
	now := time.Date(2026, 11, 25, 3, 0, 0, 0, time.UTC)
	g := newGuard(password, func() time.Time { return now }, slog.New(slog.NewTextHandler(&log, nil)), prometheus.NewRegistry())
	ask := func(address, given string) int {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.RemoteAddr = address + ":1234"
		if given != "" {
			r.SetBasicAuth("anyone", given)
		}
		w := httptest.NewRecorder()
		if g.admit(w, r) {
			return http.StatusOK
		}
		if !strings.Contains(w.Body.String(), "<h1>") {
			t.Errorf("the refusal is no page: %s", w.Body)
		}
		return w.Code
	}
	for range 100 {
		if ask("10.0.0.1", password) != http.StatusOK {
			t.Fatal("the password is refused")
		}
		if ask("10.0.0.2", "") != http.StatusUnauthorized {
			t.Fatal("without a password the pages are shown")
		}
	}
	got := map[int]int{}
	for range 1000 {
		got[ask("10.0.0.2", "a guess")]++
	}
	if got[http.StatusUnauthorized] != guessBurst || got[http.StatusTooManyRequests] != 1000-guessBurst {
		t.Errorf("1000 guesses at once returned %v", got)
	}
	for _, address := range []string{"10.0.0.1", "10.0.0.2"} {
		if status := ask(address, password); status != http.StatusOK {
			t.Errorf("%s is locked out: %d", address, status)
		}
	}
	if status := ask("10.0.0.3", "a guess"); status != http.StatusUnauthorized {
		t.Errorf("another address's first guess is a %d", status)
	}
	now = now.Add(guessEvery)
	if status := ask("10.0.0.2", "a guess"); status != http.StatusUnauthorized {
		t.Errorf("after a second a guess is a %d", status)
	}
	if n := strings.Count(log.String(), "a wrong password"); n != guessBurst+2 || strings.Contains(log.String(), "a guess") {
		t.Errorf("%d lines in the log, want %d without what was tried:\n%s", n, guessBurst+2, log.String())
	}
}

// Off loopback the password can't be one that is guessed.
func TestOpsPassword(t *testing.T) {
	for _, each := range []struct {
		addr, password string
		ok             bool
	}{
		{"127.0.0.1:9090", "", true},
		{"[::1]:9090", "short", true},
		{"0.0.0.0:9090", "", false},
		{":9090", "fifteen letters", false},
		{"0.0.0.0:9090", "aaaaaaaaaaaaaaaaaaaaaaaa", false},
		{"0.0.0.0:9090", "ääääääää", false},
		{"0.0.0.0:9090", "9d1f0c7a4b2e6f80", true},
	} {
		if err := (OpsOptions{OpsAddr: each.addr, OpsPassword: each.password}).check(); (err == nil) != each.ok || err != nil && !strings.Contains(err.Error(), "--ops-password") {
			t.Errorf("%s with %q: got %v", each.addr, each.password, err)
		}
	}
}
