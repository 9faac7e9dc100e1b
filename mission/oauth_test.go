package mission

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

var tokenStart = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

func after(d time.Duration) *time.Time { at := tokenStart.Add(d); return &at }

func TestRotate(t *testing.T) {
	fresh := AgentToken{Kind: AgentRefresh, ExpiresAt: tokenStart.Add(RefreshLife)}
	used := fresh
	used.UsedAt = after(0)
	voided := fresh
	voided.VoidedAt = after(0)
	access := fresh
	access.Kind = AgentAccess
	spent := []AgentToken{{UsedAt: after(time.Second)}}
	for _, c := range []struct {
		name       string
		token      AgentToken
		client     string
		successors []AgentToken
		at         time.Duration
		want       TokenUse
	}{
		{"the first use", fresh, "a", nil, 0, TokenIssues},
		{"another client's", fresh, "b", nil, 0, TokenRefused},
		{"an access token", access, "a", nil, 0, TokenRefused},
		{"just before it expires", fresh, "a", nil, RefreshLife - 1, TokenIssues},
		{"expired", fresh, "a", nil, RefreshLife, TokenRefused},
		{"again at once", used, "a", []AgentToken{{}}, ReuseLeeway - 1, TokenIssuesAgain},
		{"again, its successor used", used, "a", spent, time.Second, TokenBurnt},
		{"again, later", used, "a", []AgentToken{{}}, ReuseLeeway, TokenBurnt},
		{"again, by another client", used, "b", nil, ReuseLeeway, TokenRefused},
		{"voided", voided, "a", nil, time.Second, TokenBurnt},
	} {
		if got := c.token.Rotate(c.client, "a", c.successors, tokenStart.Add(c.at)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRedeem(t *testing.T) {
	verifier := strings.Repeat("v", minVerifier)
	sum := sha256.Sum256([]byte(verifier))
	fresh := AgentToken{Kind: AgentCode, RedirectURI: "https://a.example/", Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), ExpiresAt: tokenStart.Add(CodeLife)}
	used := fresh
	used.UsedAt = after(0)
	good := Redemption{ClientID: "a", RedirectURI: "https://a.example/", Verifier: verifier}
	for _, c := range []struct {
		name  string
		token AgentToken
		with  Redemption
		at    time.Duration
		want  TokenUse
	}{
		{"the first use", fresh, good, 0, TokenIssues},
		{"the second", used, good, 0, TokenBurnt},
		{"the second, expired", used, good, time.Hour, TokenBurnt},
		{"expired", fresh, good, CodeLife, TokenRefused},
		{"another client", fresh, Redemption{"b", good.RedirectURI, verifier}, 0, TokenBurnt},
		{"another redirect", fresh, Redemption{"a", "https://b.example/", verifier}, 0, TokenBurnt},
		{"another verifier", fresh, Redemption{"a", good.RedirectURI, strings.Repeat("w", minVerifier)}, 0, TokenBurnt},
		{"a short verifier", fresh, Redemption{"a", good.RedirectURI, verifier[1:]}, 0, TokenBurnt},
		{"a refresh token", AgentToken{Kind: AgentRefresh, ExpiresAt: tokenStart.Add(RefreshLife)}, good, 0, TokenRefused},
	} {
		if got := c.token.Redeem(c.with, "a", tokenStart.Add(c.at)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestNewAgent(t *testing.T) {
	p := Principal{TenantID: "t", UserID: "u"}
	c := OAuthClient{ID: "c", Name: "n"}
	may := []Scope{ScopeContentRead, ScopeContentWrite}
	year, none, many := MaxAgentDays, 0, MaxAgentDays+1
	for _, x := range []struct {
		param  string
		scopes []Scope
		leash  Leash
		days   *int
	}{
		{"", may, Leash{}, nil}, {"", may, Leash{}, &year}, {"expires_in_days", may, Leash{}, &none}, {"expires_in_days", may, Leash{}, &many},
		{"scopes", nil, Leash{}, nil}, {"scopes[0]", []Scope{ScopeAdmin}, Leash{}, nil}, {"leash.mission_ids", may, Leash{Missions: []string{}}, nil},
		{"leash.cents_per_day", may, NewLeash(new(int64(-5)), nil, nil), nil}, {"leash.cents_per_day", may, NewLeash(new(int64(1<<62)), nil, nil), nil},
		{"", may, NewLeash(new(int64(MaxBudgetCents)), nil, nil), nil},
	} {
		a, err := NewAgent(p, c, "https://a.example/", x.scopes, may, x.leash, x.days, tokenStart)
		var m *Error
		if m, _ = err.(*Error); x.param == "" && err != nil || x.param != "" && (m == nil || m.Param != x.param) { //nolint:errorlint // it isn't wrapped
			t.Errorf("%+v: got %v", x, err)
		}
		if err == nil && (!a.Works(a.ExpiresAt.Add(-1)) || a.Works(a.ExpiresAt)) {
			t.Errorf("it ends at %s", a.ExpiresAt)
		}
	}
}

func TestUse(t *testing.T) {
	posts := 5
	l := NewLeash(new(int64(100)), &posts, nil)
	u := l.Use(AgentDay{Posts: 7, Micros: 150_001, Calls: 3})
	if *u.PostsLeft != 0 || *u.CentsLeft != 84 || u.Cents != 16 || u.Calls != 3 {
		t.Errorf("got %+v", u)
	}
	if u = (Leash{}).Use(AgentDay{Posts: 7}); u.PostsLeft != nil || u.CentsLeft != nil {
		t.Errorf("got %+v", u)
	}
}
