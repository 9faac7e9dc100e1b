package identity

import (
	"crypto/ed25519"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"missiond/internal/clock"
)

func TestSessionTokens(t *testing.T) {
	c := clock.NewManual(began)
	older, newer := ed25519.NewKeyFromSeed([]byte(strings.Repeat("o", 32))), ed25519.NewKeyFromSeed([]byte(strings.Repeat("n", 32)))
	tokens := NewTokens(c.Now)
	want := SessionToken{SessionID: "ses_1", TenantID: "tnt_1", UserID: "usr_1", Generation: 7, ExpiresAt: began.Add(time.Hour)}
	if _, err := tokens.Sign(want); err == nil {
		t.Error("a token was signed without a key")
	}
	tokens.SetKeys([]SigningKey{{ID: "old", Private: older, ActiveFrom: began}})
	first, err := tokens.Sign(want)
	if err != nil {
		t.Fatal(err)
	}
	// A key that isn't active yet signs nothing; once it is, the tokens of the
	// one before go on.
	tokens.SetKeys([]SigningKey{{ID: "new", Private: newer, ActiveFrom: began.Add(time.Minute)}, {ID: "old", Private: older, ActiveFrom: began}})
	kidOf := func(token string) string {
		parsed, _, err := jwt.NewParser().ParseUnverified(token, jwt.MapClaims{})
		if err != nil {
			t.Fatal(err)
		}
		return parsed.Header["kid"].(string)
	}
	second, _ := tokens.Sign(want)
	c.Advance(time.Minute)
	third, _ := tokens.Sign(want)
	if kidOf(first) != "old" || kidOf(second) != "old" || kidOf(third) != "new" || first == second {
		t.Errorf("signed by %s, %s, %s", kidOf(first), kidOf(second), kidOf(third))
	}
	for _, token := range []string{first, second, third} {
		if got, err := tokens.Verify(token); err != nil || got != want {
			t.Errorf("it says %+v, %v", got, err)
		}
	}
	tokens.SetKeys([]SigningKey{{ID: "new", Private: newer, ActiveFrom: began}})
	if _, err := tokens.Verify(first); !errors.Is(err, ErrUnknownKey) {
		t.Errorf("a token of a key that is gone: %v", err)
	}
	c.Advance(time.Hour)
	if _, err := tokens.Verify(third); !errors.Is(err, ErrToken) {
		t.Errorf("an expired token: %v", err)
	}
}

// What isn't a session's token isn't taken for one.
func TestHostileSessionTokens(t *testing.T) {
	c := clock.NewManual(began)
	tokens := NewTokens(c.Now)
	tokens.SetKeys([]SigningKey{{ID: "ed", Private: edKey, ActiveFrom: began}})
	good := jwt.MapClaims{
		"iss": tokenIssuer, "aud": tokenIssuer, "sub": "usr_1", "tid": "tnt_1", "sid": "ses_1", "gen": 1,
		"exp": began.Add(time.Minute).Unix(),
	}
	made := func(method jwt.SigningMethod, key any, claims jwt.MapClaims, header map[string]any) string {
		whole, head := maps.Clone(good), map[string]any{"kid": "ed", "typ": tokenType}
		maps.Copy(whole, claims)
		maps.DeleteFunc(whole, func(_ string, v any) bool { return v == nil })
		maps.Copy(head, header)
		return sign(t, method, key, whole, head)
	}
	ed := func(claims jwt.MapClaims, header map[string]any) string {
		return made(jwt.SigningMethodEdDSA, edKey, claims, header)
	}
	if _, err := tokens.Verify(ed(nil, nil)); err != nil {
		t.Fatalf("the token that the others are made of isn't taken: %v", err)
	}
	p := newIDP(t)
	for name, token := range map[string]string{
		"a provider's token":      sign(t, jwt.SigningMethodEdDSA, edKey, p.claims(nil), kid("ed")),
		"typ JWT":                 ed(nil, map[string]any{"typ": "JWT"}),
		"no typ":                  ed(nil, map[string]any{"typ": nil}),
		"alg none":                made(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil, nil),
		"HS256 by the public key": made(jwt.SigningMethodHS256, []byte(edKey[32:]), nil, nil),
		"RS256":                   made(jwt.SigningMethodRS256, rsaKey, nil, nil),
		"another's signature":     made(jwt.SigningMethodEdDSA, strangerKey, nil, nil),
		"jku":                     made(jwt.SigningMethodEdDSA, strangerKey, nil, map[string]any{"jku": p.URL}),
		"a path in kid":           ed(nil, kid("../ed")),
		"critical extension":      ed(nil, map[string]any{"crit": []string{"x"}}),
		"wrong issuer":            ed(jwt.MapClaims{"iss": "x"}, nil),
		"wrong audience":          ed(jwt.MapClaims{"aud": "x"}, nil),
		"no session":              ed(jwt.MapClaims{"sid": nil}, nil),
		"no tenant":               ed(jwt.MapClaims{"tid": nil}, nil),
		"no user":                 ed(jwt.MapClaims{"sub": nil}, nil),
		"no expiry":               ed(jwt.MapClaims{"exp": nil}, nil),
		"expired":                 ed(jwt.MapClaims{"exp": began.Unix()}, nil),
		"not yet valid":           ed(jwt.MapClaims{"nbf": began.Add(time.Second).Unix()}, nil),
		"generation a text":       ed(jwt.MapClaims{"gen": "1"}, nil),
		"1 MB":                    ed(jwt.MapClaims{"pad": strings.Repeat("x", 1_000_000)}, nil),
		"nothing":                 "",
	} {
		if got, err := tokens.Verify(token); !errors.Is(err, ErrToken) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if p.fetches.Load() != 0 {
		t.Error("a request left the process")
	}
}

func FuzzVerifySession(f *testing.F) {
	tokens := NewTokens(func() time.Time { return began })
	tokens.SetKeys([]SigningKey{{ID: "ed", Private: edKey, ActiveFrom: began}})
	good, err := tokens.Sign(SessionToken{SessionID: "ses_1", TenantID: "tnt_1", UserID: "usr_1", ExpiresAt: began.Add(time.Minute)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("e30.e30.")
	f.Fuzz(func(t *testing.T, token string) {
		if got, err := tokens.Verify(token); err == nil && token != good {
			t.Errorf("%q says %+v", token, got)
		}
	})
}
