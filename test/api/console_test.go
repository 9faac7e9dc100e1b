package api

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// A cookie is renewed when less than ten minutes of its token's hour are left, the same
// for all tabs; one that was superseded is refused, and doesn't end the session.
func TestConsoleCookieIsRenewed(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	issued, err := s.Accounts.Login(t.Context(), s.token(ann))
	s.must(err)
	ask := func(token string) (status int, renewed string) {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, s.server.URL+"/graphql", strings.NewReader(`{"query":"{ viewer { authMethod } }"}`))
		s.must(err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.AddCookie(&http.Cookie{Name: "__Host-missiond", Value: token})
		resp, err := s.server.Client().Do(r)
		s.must(err)
		defer func() { _ = resp.Body.Close() }()
		for _, c := range resp.Cookies() {
			if c.Name == "__Host-missiond" && c.Secure && c.HttpOnly && c.Path == "/" && c.Domain == "" && c.SameSite == http.SameSiteLaxMode {
				renewed = c.Value
			}
		}
		return resp.StatusCode, renewed
	}
	first := issued.Token
	s.real.Advance(mission.TokenLife - 11*time.Minute)
	if status, renewed := ask(first); status != http.StatusOK || renewed != "" {
		t.Errorf("early: %d, renewed: %t", status, renewed != "")
	}
	s.real.Advance(2 * time.Minute)
	var tabs sync.WaitGroup
	var mu sync.Mutex
	tokens := map[string]bool{}
	for range 6 {
		tabs.Go(func() {
			status, renewed := ask(first)
			mu.Lock()
			defer mu.Unlock()
			tokens[renewed] = true
			if status != http.StatusOK || renewed == "" {
				t.Errorf("late: %d, renewed: %t", status, renewed != "")
			}
		})
	}
	tabs.Wait()
	s.real.Advance(mission.RefreshLeeway)
	if status, renewed := ask(first); status != http.StatusUnauthorized || renewed != "" {
		t.Errorf("superseded: %d, renewed: %t", status, renewed != "")
	}
	for token := range tokens {
		if status, renewed := ask(token); status != http.StatusOK || renewed != "" {
			t.Errorf("a new one: %d, renewed: %t", status, renewed != "")
		}
	}
	for _, none := range []string{"", "x", "a.b.c", s.key} {
		if status, renewed := ask(none); status != http.StatusUnauthorized || renewed != "" {
			t.Errorf("the cookie %q: %d, renewed: %t", none, status, renewed != "")
		}
	}
	for token := range tokens {
		s.real.Advance(mission.TokenLife)
		if status, renewed := ask(token); status != http.StatusUnauthorized || renewed != "" {
			t.Errorf("expired: %d, renewed: %t", status, renewed != "")
		}
	}
}
