package identity

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"

	"missiond/internal/clock"
)

var (
	began     = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	rsaKey, _ = rsa.GenerateKey(rand.Reader, 2048)
	ecKey, _  = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, edKey  = func() (ed25519.PublicKey, ed25519.PrivateKey) {
		p, k, _ := ed25519.GenerateKey(rand.Reader)
		return p, k
	}()
)

// idp is an identity provider over real HTTP, as a hostile world may have it.
type idp struct {
	*httptest.Server

	t        *testing.T
	clock    *clock.Manual
	fetches  atomic.Int64
	mu       sync.Mutex
	response func(w http.ResponseWriter)
}

func newIDP(t *testing.T) *idp {
	t.Helper()
	p := &idp{t: t, clock: clock.NewManual(began)}
	p.serveKeys(map[string]crypto.Signer{"rsa": rsaKey, "ec": ecKey, "ed": edKey})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.fetches.Add(1)
		p.mu.Lock()
		response := p.response
		p.mu.Unlock()
		response(w)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *idp) set(response func(w http.ResponseWriter)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.response = response
}

// serveKeys has the provider serve the public keys, by their ids.
func (p *idp) serveKeys(keys map[string]crypto.Signer) {
	p.t.Helper()
	storage := jwkset.NewMemoryStorage()
	for kid, key := range keys {
		jwk, err := jwkset.NewJWKFromKey(key.Public(), jwkset.JWKOptions{Metadata: jwkset.JWKMetadataOptions{KID: kid, USE: jwkset.UseSig}})
		if err != nil {
			p.t.Fatal(err)
		}
		_ = storage.KeyWrite(context.Background(), jwk)
	}
	body, err := storage.JSONPublic(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	p.set(func(w http.ResponseWriter) { _, _ = w.Write(body) })
}

func (p *idp) provider() *Provider {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p.t.Cleanup(cancel)
	provider, err := NewProvider(ctx, ProviderConfig{
		Issuer: p.URL, Audiences: []string{"us"}, Parties: []string{"https://app.example.com"},
		SessionClaim: "sid", EmailClaim: "email", NameClaim: "name",
	}, p.clock.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		p.t.Fatal(err)
	}
	return provider
}

// claims are a good token's, with changes; nil takes one out.
func (p *idp) claims(changes jwt.MapClaims) jwt.MapClaims {
	now := p.clock.Now()
	c := jwt.MapClaims{
		"iss": p.URL, "sub": "user_1", "sid": "sess_1", "azp": "https://app.example.com",
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(time.Minute).Unix(), "sts": "active",
	}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

// sign makes a token; header's nil takes a member out.
func sign(t *testing.T, method jwt.SigningMethod, key any, claims jwt.Claims, header map[string]any) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims)
	maps.Copy(token.Header, header)
	maps.DeleteFunc(token.Header, func(_ string, v any) bool { return v == nil })
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func kid(id string) map[string]any { return map[string]any{"kid": id} }

// Every asymmetric signature is taken, and both of Clerk's claim versions.
func TestGoodTokens(t *testing.T) {
	p := newIDP(t)
	provider := p.provider()
	person := External{Issuer: p.URL, Subject: "user_1", SessionID: "sess_1"}
	member := person
	member.Organization = &Organization{ID: "org_1", Slug: "acme", Role: "org:member"}
	short := member
	short.Organization = &Organization{ID: "org_1", Slug: "acme", Role: "member"}
	named := person
	named.Email, named.Name = "ann@example.com", "Ann"
	unverified := person
	unverified.Unverified, unverified.Name = "ann@example.com", "Ann"
	for name, tt := range map[string]struct {
		method jwt.SigningMethod
		key    any
		kid    string
		claims jwt.MapClaims
		want   External
	}{
		"RS256":        {jwt.SigningMethodRS256, rsaKey, "rsa", nil, person},
		"PS512":        {jwt.SigningMethodPS512, rsaKey, "rsa", nil, person},
		"ES256":        {jwt.SigningMethodES256, ecKey, "ec", nil, person},
		"EdDSA":        {jwt.SigningMethodEdDSA, edKey, "ed", nil, person},
		"audience":     {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"azp": nil, "aud": []string{"us"}}, person},
		"audiences":    {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"azp": "us", "aud": []string{"other", "us"}}, person},
		"a party too":  {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"aud": []string{"other", "us"}}, person},
		"version 1":    {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"org_id": "org_1", "org_slug": "acme", "org_role": "org:member"}, member},
		"version 2":    {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"v": 2, "o": map[string]any{"id": "org_1", "slg": "acme", "rol": "member"}}, short},
		"e-mail, name": {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"email": "ann@example.com", "name": "Ann"}, named},
		"verified":     {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"email": "ann@example.com", "name": "Ann", "email_verified": true}, named},
		"as a text":    {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"email": "ann@example.com", "name": "Ann", "email_verified": "true"}, named},
		"not verified": {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"email": "ann@example.com", "name": "Ann", "email_verified": false}, unverified},
		"nor as text":  {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"email": "ann@example.com", "name": "Ann", "email_verified": "false"}, unverified},
		"nor as zero":  {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"email": "ann@example.com", "name": "Ann", "email_verified": 0}, unverified},
		"4 s late":     {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"exp": began.Add(-4 * time.Second).Unix()}, person},
		"4 s early":    {jwt.SigningMethodRS256, rsaKey, "rsa", jwt.MapClaims{"nbf": began.Add(4 * time.Second).Unix(), "iat": began.Add(4 * time.Second).Unix()}, person},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := provider.Verify(context.Background(), sign(t, tt.method, tt.key, p.claims(tt.claims), kid(tt.kid)))
			if err != nil {
				t.Fatal(err)
			}
			if (got.Organization == nil) != (tt.want.Organization == nil) || got.Organization != nil && *got.Organization != *tt.want.Organization {
				t.Errorf("the organisation is %+v, want %+v", got.Organization, tt.want.Organization)
			}
			got.Organization, tt.want.Organization = nil, nil
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// hostile are tokens that none may get in with.
func hostile(t *testing.T, p *idp) map[string]string {
	t.Helper()
	rs := func(claims jwt.MapClaims, header map[string]any) string {
		whole := kid("rsa")
		maps.Copy(whole, header)
		return sign(t, jwt.SigningMethodRS256, rsaKey, p.claims(claims), whole)
	}
	good := rs(nil, nil)
	parts := strings.Split(good, ".")
	der, _ := x509.MarshalPKIXPublicKey(rsaKey.Public())
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	tokens := NewTokens(p.clock.Now)
	tokens.SetKeys([]SigningKey{{ID: "ed", Private: edKey, ActiveFrom: began}})
	ours, err := tokens.Sign(SessionToken{SessionID: "ses_1", TenantID: "tnt_1", UserID: "usr_1", Generation: 1, ExpiresAt: p.clock.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	at := func(d time.Duration) int64 { return p.clock.Now().Add(d).Unix() }
	return map[string]string{
		"nothing":                 "",
		"not a token":             "x.y.z",
		"two parts":               parts[0] + "." + parts[1],
		"no signature":            parts[0] + "." + parts[1] + ".",
		"another's signature":     parts[0] + "." + parts[1] + "." + strings.Split(rs(jwt.MapClaims{"sub": "x"}, nil), ".")[2],
		"alg none":                sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, p.claims(nil), kid("rsa")),
		"HS256 by the public key": sign(t, jwt.SigningMethodHS256, public, p.claims(nil), kid("rsa")),
		"another key of the kid":  sign(t, jwt.SigningMethodES256, ecKey, p.claims(nil), kid("rsa")),
		"jku, stranger's key":     sign(t, jwt.SigningMethodEdDSA, strangerKey, p.claims(nil), map[string]any{"kid": "ed", "jku": p.URL + "/jku"}),
		"x5u, stranger's key":     sign(t, jwt.SigningMethodEdDSA, strangerKey, p.claims(nil), map[string]any{"kid": "ed", "x5u": p.URL + "/x5u"}),
		"jwk, stranger's key":     sign(t, jwt.SigningMethodEdDSA, strangerKey, p.claims(nil), map[string]any{"kid": "ed", "jwk": map[string]any{"kty": "OKP", "crv": "Ed25519", "x": base64.RawURLEncoding.EncodeToString(strangerKey[32:])}}),
		"a path in kid":           rs(nil, kid("../../../etc/passwd")),
		"an address in kid":       rs(nil, kid(p.URL+"/keys")),
		"SQL in kid":              rs(nil, kid("' OR 1=1 --")),
		"a long kid":              rs(nil, kid(strings.Repeat("k", 300))),
		"kid of another type":     rs(nil, map[string]any{"kid": 5}),
		"no kid":                  rs(nil, map[string]any{"kid": nil}),
		"critical extension":      rs(nil, map[string]any{"crit": []string{"x"}, "x": true}),
		"wrong issuer":            rs(jwt.MapClaims{"iss": "https://evil.example"}, nil),
		"no issuer":               rs(jwt.MapClaims{"iss": nil}, nil),
		"wrong azp":               rs(jwt.MapClaims{"azp": "https://evil.example"}, nil),
		"wrong azp, right aud":    rs(jwt.MapClaims{"azp": "https://evil.example", "aud": "us"}, nil),
		"azp of another type":     rs(jwt.MapClaims{"azp": []string{"https://app.example.com"}}, nil),
		"azp of another client":   rs(jwt.MapClaims{"azp": "other", "aud": []string{"other", "us"}}, nil),
		"audiences without azp":   rs(jwt.MapClaims{"azp": nil, "aud": []string{"other", "us"}}, nil),
		"empty azp":               rs(jwt.MapClaims{"azp": "", "aud": "us"}, nil),
		"wrong aud":               rs(jwt.MapClaims{"azp": nil, "aud": "them"}, nil),
		"wrong aud, right azp":    rs(jwt.MapClaims{"aud": "them"}, nil),
		"neither aud nor azp":     rs(jwt.MapClaims{"azp": nil}, nil),
		"no session":              rs(jwt.MapClaims{"sid": nil}, nil),
		"no subject":              rs(jwt.MapClaims{"sub": nil}, nil),
		"pending":                 rs(jwt.MapClaims{"sts": "pending"}, nil),
		"not yet valid":           rs(jwt.MapClaims{"nbf": at(6 * time.Second)}, nil),
		"issued in the future":    rs(jwt.MapClaims{"iat": at(time.Hour)}, nil),
		"expired by 6 s":          rs(jwt.MapClaims{"exp": at(-6 * time.Second)}, nil),
		"no expiry":               rs(jwt.MapClaims{"exp": nil}, nil),
		"expiry of another type":  rs(jwt.MapClaims{"exp": "tomorrow"}, nil),
		"1 MB":                    rs(jwt.MapClaims{"pad": strings.Repeat("x", 1_000_000)}, nil),
		"a session's token":       ours,
	}
}

var strangerKey = ed25519.NewKeyFromSeed(make([]byte, 32))

// None of the hostile tokens gets in, and no request leaves the process for
// any of them.
func TestHostileTokens(t *testing.T) {
	p := newIDP(t)
	provider := p.provider()
	before := p.fetches.Load()
	p.clock.Advance(fetchSpacing) // fetches are spaced from the first one on: none is held back by that
	if _, err := provider.Verify(context.Background(), sign(t, jwt.SigningMethodRS256, rsaKey, p.claims(nil), kid("rsa"))); err != nil {
		t.Fatalf("the token that the others are made of doesn't get in: %v", err)
	}
	for name, token := range hostile(t, p) {
		if who, err := provider.Verify(context.Background(), token); !errors.Is(err, ErrExternal) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	if n := p.fetches.Load() - before; n != 0 {
		t.Errorf("%d requests left the process", n)
	}
}

// A new key is found with the first token that names it; whatever kids come,
// keys are fetched at most once in 30 s.
func TestUnknownKeys(t *testing.T) {
	p := newIDP(t)
	provider := p.provider()
	verify := func(id string, key ed25519.PrivateKey) error {
		claims := p.claims(nil)
		_, err := provider.Verify(context.Background(), sign(t, jwt.SigningMethodEdDSA, key, claims, kid(id)))
		return err
	}
	flood := func() {
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				if verify(rand.Text(), strangerKey) == nil {
					t.Errorf("token %d of a stranger got in", i)
				}
			})
		}
		all.Wait()
	}
	flood()
	if n := p.fetches.Load(); n != 1 {
		t.Errorf("keys were fetched %d times within 30 s", n)
	}
	p.clock.Advance(fetchSpacing)
	flood()
	if n := p.fetches.Load(); n != 2 {
		t.Errorf("keys were fetched %d times within 60 s, want 2", n)
	}
	next := ed25519.NewKeyFromSeed([]byte(strings.Repeat("n", 32)))
	p.serveKeys(map[string]crypto.Signer{"ed": edKey, "next": next})
	if verify("next", next) == nil {
		t.Error("keys were fetched too soon")
	}
	p.clock.Advance(fetchSpacing)
	if err := verify("next", next); err != nil {
		t.Errorf("a new key wasn't found: %v", err)
	}
}

// While the provider is down, hangs or returns nonsense, known keys go on.
func TestKnownKeysGoOn(t *testing.T) {
	p := newIDP(t)
	provider := p.provider()
	for name, response := range map[string]func(w http.ResponseWriter){
		"500":      func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"nonsense": func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"no keys":  func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"error":"down"}`)) },
		"redirect": func(w http.ResponseWriter) { w.Header().Set("Location", "/x"); w.WriteHeader(http.StatusFound) },
		"endless": func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"keys":[` + strings.Repeat(" ", 2*maxProviderBody) + `]}`))
		},
		"broken key": func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"keys":[{"kty":"RSA","n":"!","e":"AQAB","kid":"x"}]}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p.set(response)
			p.clock.Advance(fetchSpacing)
			before := p.fetches.Load()
			claims := p.claims(nil)
			if _, err := provider.Verify(context.Background(), sign(t, jwt.SigningMethodEdDSA, strangerKey, claims, kid("new-"+rand.Text()))); err == nil {
				t.Error("a stranger got in")
			}
			if n := p.fetches.Load() - before; n != 1 {
				t.Errorf("%d fetches, want 1", n)
			}
			if _, err := provider.Verify(context.Background(), sign(t, jwt.SigningMethodRS256, rsaKey, claims, kid("rsa"))); err != nil {
				t.Errorf("a known key no longer works: %v", err)
			}
		})
	}
}

func TestProviderConfig(t *testing.T) {
	good := ProviderConfig{Issuer: "https://idp.example", JWKSURL: "https://idp.example/jwks", Audiences: []string{"us"}}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *ProviderConfig){
		"no issuer":      func(c *ProviderConfig) { c.Issuer = "" },
		"no audience":    func(c *ProviderConfig) { c.Audiences = nil },
		"http":           func(c *ProviderConfig) { c.JWKSURL = "http://idp.example/jwks" },
		"file":           func(c *ProviderConfig) { c.JWKSURL = "file:///etc/passwd" },
		"a password":     func(c *ProviderConfig) { c.JWKSURL = "https://a:b@idp.example/jwks" },
		"not an address": func(c *ProviderConfig) { c.JWKSURL = "://" },
	} {
		bad := good
		if change(&bad); bad.check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestDevProvider(t *testing.T) {
	now := func() time.Time { return began }
	dev, err := NewDevProvider(NewDevSeed()+"\n", now)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := dev.Provider()
	if err != nil {
		t.Fatal(err)
	}
	token, err := dev.Token(DevPerson{Email: "Ann@example.com", Name: "Ann", Organization: "org_1", OrganizationRole: "admin"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	who, err := provider.Verify(context.Background(), token)
	if err != nil || who.Email != "Ann@example.com" || who.Organization.ID != "org_1" || who.Origin() != DevOrigin("org_1") {
		t.Errorf("got %+v, %v", who, err)
	}
	again, _ := dev.Token(DevPerson{Email: "ann@example.com"}, time.Minute)
	same, err := provider.Verify(context.Background(), again)
	if err != nil || same.Subject != who.Subject || same.SessionID == who.SessionID {
		t.Errorf("the same person is %+v, %v", same, err)
	}
	keys, err := dev.JWKS()
	if err != nil || !json.Valid(keys) || strings.Contains(string(keys), `"d"`) {
		t.Errorf("the public keys are %s, %v", keys, err)
	}
	if _, err := NewDevProvider("short", now); err == nil {
		t.Error("a short key is taken")
	}
}

func FuzzVerifyExternal(f *testing.F) {
	dev, err := NewDevProvider(NewDevSeed(), func() time.Time { return began })
	if err != nil {
		f.Fatal(err)
	}
	provider, err := dev.Provider()
	if err != nil {
		f.Fatal(err)
	}
	good, _ := dev.Token(DevPerson{Email: "a@example.com"}, time.Minute)
	f.Add(good)
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Fuzz(func(t *testing.T, token string) {
		if who, err := provider.Verify(context.Background(), token); err == nil && token != good {
			t.Errorf("%q: got %+v", token, who)
		}
	})
}

// A key of the provider that is malformed doesn't count, and the others do.
func TestMalformedKeys(t *testing.T) {
	p := newIDP(t)
	var body []byte
	storage := jwkset.NewMemoryStorage()
	jwk, err := jwkset.NewJWKFromKey(edKey.Public(), jwkset.JWKOptions{Metadata: jwkset.JWKMetadataOptions{KID: "ed", USE: jwkset.UseSig}})
	if err != nil {
		t.Fatal(err)
	}
	_ = storage.KeyWrite(context.Background(), jwk)
	if body, err = storage.JSONPublic(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, malformed := range []string{
		`{"kty":"EC","crv":"P-256","kid":"a","x":"AA","y":"AA"}`, `{"kty":"RSA","kid":"a","n":"!","e":"AQAB"}`, `{"kty":"RSA","kid":"a"}`, `{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA"}`,
		`{"kty":5,"kid":"a"}`, `{"kid":"a"}`, `{}`, `[]`, `"a"`, `null`, `7`, `{"kty":"new","kid":"a"}`, `{"kty":"EC","crv":"P-256","kid":5,"x":"AA","y":"AA"}`,
		`{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB","x5c":["nonsense"]}`,
	} {
		for _, set := range []string{strings.Replace(string(body), "[", "["+malformed+",", 1), strings.Replace(string(body), "]", ","+malformed+"]", 1)} {
			p.set(func(w http.ResponseWriter) { _, _ = io.WriteString(w, set) })
			if _, err := p.provider().Verify(context.Background(), sign(t, jwt.SigningMethodEdDSA, edKey, p.claims(nil), map[string]any{"kid": "ed"})); err != nil {
				t.Errorf("%s: %v", malformed, err)
			}
		}
	}
}

func TestWellKnown(t *testing.T) {
	for issuer, want := range map[string]string{
		"https://idp.example": "https://idp.example/.well-known/jwks.json", "https://idp.example/": "https://idp.example/.well-known/jwks.json",
		"https://idp.example/realms/a/": "https://idp.example/realms/a/.well-known/jwks.json",
	} {
		if got := WellKnown(issuer, "jwks.json"); got != want {
			t.Errorf("%s: got %s", issuer, got)
		}
	}
}
