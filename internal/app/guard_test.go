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

// Whoever guesses the operators' password is slowed to a guess a second, and learns
// nothing beyond that: the right password is refused too. Others, and whoever knows it,
// aren't slowed, and wrong ones are in the log.
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
	if status := ask("10.0.0.2", password); status != http.StatusTooManyRequests {
		t.Errorf("beyond its guesses an address learns that the password is right: %d", status)
	}
	if status := ask("10.0.0.1", password); status != http.StatusOK {
		t.Errorf("another address is locked out: %d", status)
	}
	now = now.Add(guessEvery)
	if status := ask("10.0.0.2", password); status != http.StatusOK {
		t.Errorf("after a second an operator who had guessed is refused: %d", status)
	}
	if n := strings.Count(log.String(), "a wrong password"); n != guessBurst || strings.Contains(log.String(), "a guess") {
		t.Errorf("%d lines in the log, want %d without what was tried:\n%s", n, guessBurst, log.String())
	}
}
