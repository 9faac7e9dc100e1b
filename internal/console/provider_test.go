package console_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"missiond/internal/clock"
	"missiond/internal/console"
	"missiond/internal/service/accounts"
	"missiond/mission"
	"missiond/web"
)

// provider is an OpenID Connect provider.
type provider struct {
	*httptest.Server

	key ed25519.PrivateKey

	mu        sync.Mutex
	asked     url.Values // of the last authorization
	breaks    func(claims jwt.MapClaims)
	exchanges int
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token"})
	})
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked = r.URL.Query()
		http.Redirect(w, r, p.asked.Get("redirect_uri")+"?code=abc&state="+url.QueryEscape(p.asked.Get("state")), http.StatusFound)
	})
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exchanges++
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	_, secret, _ := r.BasicAuth()
	if r.FormValue("code") != "abc" || base64.RawURLEncoding.EncodeToString(sum[:]) != p.asked.Get("code_challenge") || secret != "s3cret" && r.FormValue("client_secret") != "s3cret" {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := jwt.MapClaims{"iss": p.URL, "aud": "console", "sub": "ana", "nonce": p.asked.Get("nonce"), "exp": time.Now().Add(time.Minute).Unix()}
	if p.breaks != nil {
		p.breaks(claims)
	}
	text, err := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims).SignedString(p.key)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": text})
}

// sessions log in whoever has a token with the subject ana.
type sessions struct {
	mu     sync.Mutex
	logins []string
	ended  []string
}

func (s *sessions) Login(_ context.Context, token string) (accounts.Issued, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, claims); err != nil || claims["sub"] != "ana" {
		return accounts.Issued{}, mission.Unauthorized()
	}
	s.logins = append(s.logins, token)
	return accounts.Issued{Token: "the.session.token", ExpiresAt: time.Now().Add(time.Hour)}, nil
}

func (s *sessions) Renew(context.Context, string) (accounts.Issued, bool, error) {
	return accounts.Issued{}, false, nil
}

func (s *sessions) Revoke(_ context.Context, credential string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, credential)
	return nil
}

// site is a console that signs people in at a provider, and a browser at it.
type site struct {
	*httptest.Server

	*sessions

	provider *provider
	signIn   *console.SignIn
	browser  *http.Client
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{sessions: &sessions{}, provider: newProvider(t)}
	mux := http.NewServeMux()
	s.Server = httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	s.signIn = &console.SignIn{
		Cookies:  &console.Cookies{Sessions: s.sessions},
		Provider: &console.Provider{Issuer: s.provider.URL, ClientID: "console", ClientSecret: "s3cret", URL: s.URL},
		Clock:    clock.Real(), Log: slog.New(slog.DiscardHandler),
	}
	s.signIn.Handle(mux.Handle)
	mux.HandleFunc("GET "+web.ConsoleRoot, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "the console at "+r.URL.String())
	})
	s.browser = s.newBrowser(t)
	return s
}

func (s *site) newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: s.Client().Transport, Timeout: time.Minute}
}

// visit opens an address, following redirects, and returns where it led.
func (s *site) visit(t *testing.T, address string) (status int, at, text string) {
	t.Helper()
	resp, err := s.browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Request.URL.Path, string(body)
}

func (s *site) cookies(t *testing.T) map[string]string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, c := range s.browser.Jar.Cookies(u) {
		found[c.Name] = c.Value
	}
	return found
}

// A sign-in goes to the provider and back to where it began.
func TestSignInAtTheProvider(t *testing.T) {
	s := newSite(t)
	status, _, text := s.visit(t, s.URL+"/console/login?next="+url.QueryEscape("/console/inbox?x=1"))
	if status != http.StatusOK || text != "the console at /console/inbox?x=1" {
		t.Errorf("the sign-in led to %d, %s", status, text)
	}
	if got := s.cookies(t); got["__Host-missiond"] != "the.session.token" || len(got) != 1 {
		t.Errorf("the browser keeps %v", got)
	}
	asked := s.provider.asked
	if asked.Get("code_challenge_method") != "S256" || len(asked.Get("code_challenge")) != 43 || len(asked.Get("state")) < 32 || len(asked.Get("nonce")) < 32 ||
		asked.Get("response_type") != "code" || asked.Get("redirect_uri") != s.URL+"/console/callback" || !strings.Contains(asked.Get("scope"), "openid") {
		t.Errorf("the provider was asked %v", asked)
	}
	r, err := http.NewRequest(http.MethodPost, s.URL+"/console/logout", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if len(s.ended) != 1 || s.ended[0] != "the.session.token" || len(s.cookies(t)) != 0 || resp.Request.URL.String() != s.URL+"/console/login?signed_out=" && resp.Request.URL.String() != s.URL+"/console/login?signed_out" {
		t.Errorf("the sign-out ended %v, kept %v, led to %s", s.ended, s.cookies(t), resp.Request.URL)
	}
}

// What isn't the response to the browser's own sign-in signs nobody in.
func TestForgedSignIns(t *testing.T) {
	for name, forge := range map[string]func(t *testing.T, s *site) string{
		"no sign-in under way": func(_ *testing.T, s *site) string { return s.URL + "/console/callback?code=abc&state=x" },
		"another browser's": func(t *testing.T, s *site) string {
			state := s.begin(t, s.newBrowser(t))
			s.begin(t, s.browser)
			return s.URL + "/console/callback?code=abc&state=" + state
		},
		"no state": func(t *testing.T, s *site) string {
			s.begin(t, s.browser)
			return s.URL + "/console/callback?code=abc&state="
		},
		"a wrong code": func(t *testing.T, s *site) string {
			return s.URL + "/console/callback?code=xyz&state=" + s.begin(t, s.browser)
		},
		"the provider's refusal": func(t *testing.T, s *site) string {
			return s.URL + "/console/callback?error=access_denied&error_description=%3Cb%3E&state=" + s.begin(t, s.browser)
		},
		"another nonce": func(t *testing.T, s *site) string {
			s.provider.breaks = func(c jwt.MapClaims) { c["nonce"] = "x" }
			return s.URL + "/console/callback?code=abc&state=" + s.begin(t, s.browser)
		},
		"no nonce": func(t *testing.T, s *site) string {
			s.provider.breaks = func(c jwt.MapClaims) { delete(c, "nonce") }
			return s.URL + "/console/callback?code=abc&state=" + s.begin(t, s.browser)
		},
		"a token of somebody unknown": func(t *testing.T, s *site) string {
			s.provider.breaks = func(c jwt.MapClaims) { c["sub"] = "ben" }
			return s.URL + "/console/callback?code=abc&state=" + s.begin(t, s.browser)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			status, _, text := s.visit(t, forge(t, s))
			if status < 400 || strings.Contains(text, "<b>") || len(s.logins) != 0 || s.cookies(t)["__Host-missiond"] != "" {
				t.Errorf("got %d, %s, %d logins, %v", status, text, len(s.logins), s.cookies(t))
			}
		})
	}
}

// begin begins a sign-in without going to the provider, tells the provider of it, and
// returns its state.
func (s *site) begin(t *testing.T, browser *http.Client) (state string) {
	t.Helper()
	stays := *browser
	stays.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := stays.Get(s.URL + "/console/login")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	to, err := resp.Location()
	if err != nil {
		t.Fatal(err)
	}
	s.provider.asked = to.Query()
	return to.Query().Get("state")
}

// Sign-ins that are under way in several tabs all succeed. A browser keeps a few.
func TestSignInsInSeveralTabs(t *testing.T) {
	for name, port := range map[string]string{"production": "", "development": "8080"} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.signIn.Cookies.DevPort = port
			var asked []url.Values
			for range 12 {
				s.begin(t, s.browser)
				asked = append(asked, s.provider.asked)
			}
			if n := len(s.cookies(t)); n < 2 || n > 6 {
				t.Errorf("after twelve sign-ins were begun the browser keeps %d", n)
			}
			for _, a := range asked[len(asked)-2:] {
				s.provider.asked = a
				status, at, text := s.visit(t, s.URL+"/console/callback?code=abc&state="+a.Get("state"))
				if status != http.StatusOK || at != "/console/" {
					t.Errorf("a sign-in led to %d %s: %s", status, at, text)
				}
			}
			if len(s.logins) != 2 {
				t.Errorf("%d logins", len(s.logins))
			}
		})
	}
}

// A code is used once: going back in the browser signs nobody in again.
func TestSignInIsUsedOnce(t *testing.T) {
	s := newSite(t)
	callback := s.URL + "/console/callback?code=abc&state=" + s.begin(t, s.browser)
	if status, at, _ := s.visit(t, callback); status != http.StatusOK || at != "/console/" {
		t.Errorf("the sign-in led to %d %s", status, at)
	}
	if status, _, _ := s.visit(t, callback); status != http.StatusForbidden || len(s.logins) != 1 || s.provider.exchanges != 1 {
		t.Errorf("the second callback got %d; %d logins", status, len(s.logins))
	}
}

// A provider that isn't what it should be, or isn't there, is said so.
func TestBrokenProviders(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"nothing": func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) },
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"another issuer": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"issuer":"https://evil.example","authorization_endpoint":"https://evil.example/a","token_endpoint":"https://evil.example/t"}`)
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example", http.StatusFound)
		},
		"without an end": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"issuer":"`+strings.Repeat("x", 1<<20))
		},
		"plain addresses": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			var issuer *httptest.Server
			issuer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if handler != nil {
					handler(w, r)
					return
				}
				_ = json.NewEncoder(w).Encode(map[string]string{"issuer": issuer.URL, "authorization_endpoint": "http://login.example/a", "token_endpoint": "http://login.example/t"})
			}))
			t.Cleanup(issuer.Close)
			s.signIn.Provider.Issuer = issuer.URL
			status, _, text := s.visit(t, s.URL+"/console/login")
			if status != http.StatusServiceUnavailable || !strings.Contains(text, "identity provider") || strings.Contains(text, "evil") {
				t.Errorf("got %d, %s", status, text)
			}
		})
	}
}

// The console's own address is one that browsers keep cookies for.
func TestCheckURL(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://console.example.com": true, "https://console.example.com:8443": true, "http://localhost:8080": true, "http://127.0.0.1:8080": true,
		"http://console.example.com": false, "https://console.example.com/": false, "https://console.example.com/x": false, "https://a@console.example.com": false, "console.example.com": false, "": false,
	} {
		if err := console.CheckURL(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// Signing in again ends the session that the browser had.
func TestSigningInAgain(t *testing.T) {
	s := newSite(t)
	for range 2 {
		if status, _, text := s.visit(t, s.URL+"/console/login"); status != http.StatusOK {
			t.Fatalf("the sign-in led to %d, %s", status, text)
		}
	}
	if len(s.logins) != 2 || len(s.ended) != 1 {
		t.Errorf("%d sign-ins ended the sessions %v", len(s.logins), s.ended)
	}
}

// Sign-ins share one discovery, none waits for it longer than its browser, and one that
// failed isn't repeated at once.
func TestDiscoveryIsShared(t *testing.T) {
	s := newSite(t)
	asked, answer := make(chan struct{}, 100), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-answer
		http.Error(w, "down", http.StatusBadGateway)
	}))
	t.Cleanup(slow.Close)
	s.signIn.Provider.Issuer = slow.URL
	ctx, cancel := context.WithCancel(t.Context())
	impatient := make(chan struct{})
	go func() {
		defer close(impatient)
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/console/login", nil)
		s.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
	}()
	<-asked
	cancel()
	<-impatient
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			w := httptest.NewRecorder()
			s.Config.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/console/login", nil))
			if w.Code != http.StatusServiceUnavailable {
				t.Errorf("a sign-in got %d", w.Code)
			}
		})
	}
	close(answer)
	all.Wait()
	if n := len(asked); n != 0 {
		t.Errorf("the provider was asked %d times more", n)
	}
}
